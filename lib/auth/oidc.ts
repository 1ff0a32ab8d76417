import type { Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import type { Discovered } from "@/lib/auth/discovery";
import type { ProviderSettings } from "@/lib/auth/ways";

/** The claims of a verified ID token that we read. What it says of a person is what the provider believes. */
export interface Claims extends Profile {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
  /** When the person last proved themselves at the provider, in seconds. */
  auth_time?: unknown;
}

const SCOPES = "openid email profile";
const TIMEOUT_MS = 10_000;
/** Thirty days, as long as a session here. */
const SIGN_IN_MAX_AGE_S = 30 * 86_400;

/**
 * Returns next-auth's provider for OpenID Connect with the code flow. next-auth verifies state, nonce and PKCE; its
 * openid-client verifies signature, algorithm, issuer, audience and times of the ID token.
 *
 * @param again whether the person must prove themselves again, although they are signed in at the provider.
 */
export function oidcProvider(settings: ProviderSettings, found: Discovered, again: boolean): OAuthConfig<Claims> {
  return {
    id: "oidc",
    name: settings.name,
    type: "oauth",
    issuer: found.issuer,
    jwks_endpoint: found.jwks_uri,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    client: {
      id_token_signed_response_alg: found.algorithm,
      token_endpoint_auth_method: found.tokenAuthentication,
    },
    httpOptions: { timeout: TIMEOUT_MS },
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    authorization: {
      url: found.authorization_endpoint,
      // With a maximum age, the provider says when the person proved themselves (OpenID Connect Core 3.1.2.1).
      params: { scope: SCOPES, ...(again ? { prompt: "login", max_age: 0 } : { max_age: SIGN_IN_MAX_AGE_S }) },
    },
    token: {
      url: found.token_endpoint,
      async request({ client, params, checks, provider }) {
        // RFC 9207: the answer of another provider names that one, or none.
        if (found.authorization_response_iss_parameter_supported && params.iss === undefined)
          throw new Error("The answer of the provider does not name its issuer");
        const tokens = await client.callback(provider.callbackUrl, params, { ...checks, response_type: "code" });
        return { tokens };
      },
    },
    userinfo: {
      ...(found.userinfo_endpoint && { url: found.userinfo_endpoint }),
      async request({ client, tokens }) {
        const claims = (tokens as unknown as { claims(): Claims }).claims();
        // Without response type `id_token`, a provider may name the address here only (OpenID Connect Core 5.4).
        if (claims.email !== undefined || !found.userinfo_endpoint || !tokens.access_token) return claims;
        const more = await client.userinfo(tokens.access_token);
        if (more.sub !== claims.sub) throw new Error("The provider described another subject");
        return { ...more, ...claims };
      },
    },
    profile: ({ sub }) => ({ id: sub }),
  };
}
