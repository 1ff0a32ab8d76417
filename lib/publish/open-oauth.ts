import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";

/** How the OAuth endpoints are told. What is refused follows RFC 6749, 7009, 7662, 8628 and 8707. */

const TAG = "OAuth";
const words = (description: string) => z.string().meta({ description });
const credentials = {
  client_id: words("The client, here or by HTTP Basic"),
  client_secret: words("Its secret, here or by HTTP Basic, never in both and never in an address"),
};
const scope = words("Scopes with spaces between them");
const resource = words("What the token is for: exactly the management resource");
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
  grant_type: z.enum(["client_credentials", DEVICE_GRANT, "refresh_token"]),
  ...credentials,
  resource,
  scope: scope.optional().meta({
    description:
      "client_credentials and refresh_token: the scopes wanted, none beyond what was granted; all of these if absent",
  }),
  device_code: words("device_code grant: the code of /oauth/device/code").optional(),
  refresh_token: words("refresh_token grant: the newest one").optional(),
});

const tokenAnswer = z.object({
  token_type: z.literal("Bearer"),
  access_token: z.string(),
  expires_in: z.int().meta({ description: "Seconds" }),
  scope: words("What the token may do: perhaps less than was asked for"),
  refresh_token: words("Works once, only for a human's agent; keep the newest").optional(),
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

const tokenOf = { token: words("The token"), token_type_hint: words("access_token or refresh_token").optional() };

export const OAUTH_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint({
    id: "oauth.token",
    method: "POST",
    path: "/oauth/token",
    title: "Get an access token",
    about:
      "`client_credentials` for a machine's own client, the device grant (RFC 8628) for a client that a human has consented to, `refresh_token` to go on after it. An access token is valid for 15 minutes. A refresh token works once: with it the access token before ends, and a second use ends the whole grant.",
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
        about: "A token",
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
    title: "Ask a human for consent",
    about:
      "Begins the device flow (RFC 8628) of a delegated client. Show `verification_uri` and `user_code` to the human and nothing else, then poll the token endpoint with `device_code`, which is a secret, no faster than `interval` seconds.",
    tag: TAG,
    form: true,
    input: z.object({
      ...credentials,
      scope: scope.optional().meta({ description: "All that were asked for at the delegation, if absent" }),
    }),
    example: { client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…", scope: "sites:read analytics:read" },
    answers: {
      200: {
        about: "The codes",
        output: z.object({
          device_code: words("A secret of the agent's"),
          user_code: words("What the human types"),
          verification_uri: words("Where the human types it"),
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
    title: "End a token",
    about:
      "Ends an access token, or a refresh token with everything that came from the same consent (RFC 7009). A token that is not known is answered like one that was.",
    tag: TAG,
    form: true,
    input: z.object({ ...tokenOf, ...credentials }),
    example: { token: "ffr_…", client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…" },
    answers: { 200: { about: "It is not valid (any more)", output: z.object({}), example: {} } },
    refusals: [],
    oauthErrors: errors(["unauthorized_client"]),
  }),
  defineEndpoint({
    id: "oauth.introspect",
    method: "POST",
    path: "/oauth/introspect",
    title: "Ask about a token",
    about: "What a token of one's own may do at this moment (RFC 7662); any other one is simply not active.",
    tag: TAG,
    form: true,
    input: z.object({ ...tokenOf, ...credentials }),
    example: { token: "ffa_…", client_id: "ffc_w3Hk9sQ2", client_secret: "ffs_…" },
    answers: { 200: { about: "What it is", output: introspection, example: { active: false } } },
    refusals: [],
    oauthErrors: errors([]),
  }),
];
