import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";

/** The OAuth endpoints. Their errors follow RFC 6749, 7009, 7591, 7662, 8628 and 8707. */

const TAG = "OAuth";
const text = (description: string) => z.string().meta({ description });
const credentials = {
  client_id: text("The client, here or in HTTP Basic"),
  client_secret: text("Its secret, here or in HTTP Basic, never in both and never in a URL"),
};
/** Of an endpoint that assistants call too. */
const anyCredentials = {
  client_id: text("The client, here or in HTTP Basic; of an assistant always here"),
  client_secret: text("Its secret, here or in HTTP Basic; an assistant has none").optional(),
  client_assertion: text("Of an assistant that signs (`private_key_jwt`): its signed JWT").optional(),
  client_assertion_type: text("With it: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`").optional(),
};
const scope = text("Scopes, separated by spaces");
const resource = text("What the token is for: exactly `<base>/api/v1/management`, or `<base>/mcp` for MCP");
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const MANAGEMENT = "https://stats.example.com/api/v1/management";

const ALWAYS: Record<number, readonly string[]> = {
  400: ["invalid_request"],
  401: ["invalid_client"],
  405: ["invalid_request"],
  413: ["invalid_request"],
  421: ["invalid_request"],
  429: ["temporarily_unavailable"],
  431: ["invalid_request"],
  500: ["server_error"],
  503: ["temporarily_unavailable"],
};
const errors = (of400: readonly string[], of429: readonly string[] = []) => ({
  ...ALWAYS,
  400: ["invalid_request", ...of400],
  429: ["temporarily_unavailable", ...of429],
});

const tokenForm = z.object({
  grant_type: z.enum(["client_credentials", DEVICE_GRANT, "refresh_token", "authorization_code"]),
  ...anyCredentials,
  resource: resource.optional().meta({
    description:
      "What the token is for: exactly `<base>/api/v1/management`, or `<base>/mcp` for MCP. An assistant may leave it out",
  }),
  scope: scope.optional().meta({
    description:
      "client_credentials and refresh_token: the requested scopes, all of them granted before; default: all granted scopes",
  }),
  device_code: text("device_code grant: the `device_code` from /oauth/device/code").optional(),
  refresh_token: text("refresh_token grant: the newest refresh token").optional(),
  code: text("authorization_code grant: the code that the browser brought back").optional(),
  code_verifier: text("authorization_code grant: the PKCE verifier").optional(),
  redirect_uri: text("authorization_code grant: exactly that of the request").optional(),
});

const tokenAnswer = z.object({
  token_type: z.literal("Bearer"),
  access_token: z.string(),
  expires_in: z.int().meta({ description: "Seconds" }),
  scope: text("The granted scopes, possibly fewer than requested"),
  refresh_token: text("Only for delegated clients. Works once: keep the newest").optional(),
});

const introspection = z.object({
  active: z.boolean(),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  token_type: z.string().optional(),
  exp: z.int().optional(),
  iat: z.int().optional(),
  sub: z.string().optional(),
  aud: z.string().optional(),
  iss: z.string().optional(),
});

const tokenOf = { token: text("The token"), token_type_hint: text("access_token or refresh_token").optional() };

export const OAUTH_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint({
    id: "oauth.register",
    method: "POST",
    path: "/oauth/register",
    title: "Register an assistant",
    about:
      "Dynamic registration (RFC 7591). An assistant then asks people for access in their browser at `/oauth/authorize`, by the authorization code grant with PKCE (S256). It gets no secret. One whose `client_id` is the https URL of its metadata document needs no registration. Unused registrations are deleted after a week.",
    tag: TAG,
    input: z.object({
      client_name: text("The name that people see, as not verified").optional(),
      redirect_uris: z.array(z.string()).min(1).max(20).meta({
        description: "Where answers may go: https, http on the person's own machine, or the scheme of an app",
      }),
    }),
    example: { client_name: "Helper", redirect_uris: ["http://127.0.0.1:33418/callback"] },
    answers: {
      201: {
        about: "The assistant",
        output: z.object({
          client_id: z.string(),
          client_id_issued_at: z.int().meta({ description: "Seconds since 1970" }),
          client_name: z.string(),
          redirect_uris: z.array(z.string()),
          grant_types: z.array(z.string()),
          response_types: z.array(z.string()),
          token_endpoint_auth_method: z.literal("none"),
        }),
        example: {
          client_id: "ffp_w3Hk9sQ2",
          client_id_issued_at: 1763632800,
          client_name: "Helper",
          redirect_uris: ["http://127.0.0.1:33418/callback"],
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          token_endpoint_auth_method: "none",
        },
      },
    },
    refusals: [],
    oauthErrors: {
      400: ["invalid_client_metadata", "invalid_redirect_uri"],
      405: ["invalid_request"],
      413: ["invalid_client_metadata"],
      421: ["invalid_request"],
      429: ["temporarily_unavailable"],
      431: ["invalid_request"],
      500: ["server_error"],
      503: ["temporarily_unavailable"],
    },
  }),
  defineEndpoint({
    id: "oauth.token",
    method: "POST",
    path: "/oauth/token",
    title: "Get an access token",
    about:
      "`client_credentials` is for machine clients, the device grant (RFC 8628) for clients that a human approved or gives more, `refresh_token` for new tokens after it, and `authorization_code` for assistants, which have no secret. A refresh token works once: it ends the previous access token, and a second use revokes the whole grant.",
    tag: TAG,
    form: true,
    input: tokenForm,
    example: {
      grant_type: "client_credentials",
      client_id: "ffc_w3Hk9sQ2",
      client_secret: "ffs_…",
      scope: "sites:read",
      resource: MANAGEMENT,
    },
    answers: {
      200: {
        about: "The tokens",
        output: tokenAnswer,
        example: { token_type: "Bearer", access_token: "ffa_…", expires_in: 900, scope: "sites:read" },
      },
    },
    refusals: [],
    oauthErrors: errors(
      [
        ...["invalid_grant", "invalid_scope", "invalid_target", "unauthorized_client", "unsupported_grant_type"],
        ...["authorization_pending", "slow_down", "access_denied", "expired_token"],
      ],
      ["slow_down"],
    ),
  }),
  defineEndpoint({
    id: "oauth.device_code",
    method: "POST",
    path: "/oauth/device/code",
    title: "Request consent by device code",
    about:
      "Starts the device flow (RFC 8628) of a delegated client, or of a machine client that asks its human for more. Show `verification_uri` and `user_code` to the human and nothing else. Then poll the token endpoint with `device_code`, which is a secret, at most every `interval` seconds.",
    tag: TAG,
    form: true,
    input: z.object({
      ...credentials,
      scope: scope.optional().meta({
        description:
          "Default: all scopes requested at the delegation, or of a machine client those that it has, to ask for sites",
      }),
      resource: resource.optional().meta({ description: "If sent, the token can be for this resource only" }),
    }),
    example: { client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…", scope: "sites:read analytics:read" },
    answers: {
      200: {
        about: "The codes",
        output: z.object({
          device_code: text("A secret of the agent"),
          user_code: text("The code that the human types"),
          verification_uri: text("The page where the human types it"),
          expires_in: z.int(),
          interval: z.int().meta({ description: "Seconds between polls; 5 more after each slow_down" }),
        }),
        example: {
          device_code: "ffd_…",
          user_code: "WDJB-MJHT",
          verification_uri: "https://stats.example.com/device",
          expires_in: 600,
          interval: 5,
        },
      },
    },
    refusals: [],
    oauthErrors: errors(["invalid_scope", "invalid_target", "unauthorized_client"]),
  }),
  defineEndpoint({
    id: "oauth.revoke",
    method: "POST",
    path: "/oauth/revoke",
    title: "Revoke a token",
    about:
      "Revokes an access token, or a refresh token with all tokens of the same consent (RFC 7009). An unknown token gets the same answer.",
    tag: TAG,
    form: true,
    input: z.object({ ...tokenOf, ...anyCredentials }),
    example: { token: "ffr_…", client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…" },
    answers: { 200: { about: "The token is not valid any more", output: z.object({}), example: {} } },
    refusals: [],
    oauthErrors: errors(["unauthorized_client"]),
  }),
  defineEndpoint({
    id: "oauth.introspect",
    method: "POST",
    path: "/oauth/introspect",
    title: "Introspect a token",
    about: "Returns what one of your own tokens may do now (RFC 7662). Any other token is not active.",
    tag: TAG,
    form: true,
    input: z.object({ ...tokenOf, ...credentials }),
    example: { token: "ffa_…", client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…" },
    answers: { 200: { about: "The token", output: introspection, example: { active: false } } },
    refusals: [],
    oauthErrors: errors([]),
  }),
];
