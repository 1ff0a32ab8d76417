import { createHash } from "node:crypto";
import { z } from "zod";
import { Fault } from "@/lib/platform/errors";
import { seal, unseal } from "@/lib/platform/secrets";
import { callProvider } from "@/lib/search/call";
import { ProviderFault, StaleToken } from "@/lib/search/faults";
import {
  endpointsOf,
  redirectAddress,
  type SearchClient,
  type SearchProvider,
  searchClient,
} from "@/lib/search/providers";

/**
 * OAuth 2.0 at the providers: the code flow for web servers (RFC 6749 section 4.1). Google's has PKCE (RFC 7636); Bing's
 * documentation does not mention it, and its state protects it alone.
 */

const SCOPES: Record<SearchProvider, string> = {
  google: "https://www.googleapis.com/auth/webmasters.readonly",
  bing: "webmaster.read",
};
/** What the import of Google Analytics needs, and nothing else does. */
export const ANALYTICS_SCOPE = "https://www.googleapis.com/auth/analytics.readonly";
const SMALL_ANSWER = 64 * 1024;

const tokens = z.object({
  access_token: z.string().min(1).max(16_384),
  refresh_token: z.string().min(1).max(16_384).optional(),
  scope: z.string().optional(),
});
type Tokens = z.output<typeof tokens>;
const failure = z.object({ error: z.string() });

/** Returns the address at the provider where a person consents. */
export function consentAddress(
  provider: SearchProvider,
  { state, verifier }: { state: string; verifier: string },
  scope = SCOPES[provider],
): string {
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientOf(provider).id,
    redirect_uri: redirectAddress(provider),
    scope,
    state,
    // Google issues a refresh token for offline access only, and again only with a new consent.
    ...(provider === "google" && {
      access_type: "offline",
      prompt: "consent",
      code_challenge: challenge,
      code_challenge_method: "S256",
    }),
  });
  return `${endpointsOf(provider).authorize}?${query}`;
}

/**
 * Exchanges a code for tokens.
 *
 * @throws ProviderFault `revoked` for a code that is not valid, `no_access` when the person has not given the permission.
 */
export async function exchangeCode(
  provider: SearchProvider,
  { code, verifier }: { code: string; verifier: string },
  scope = SCOPES[provider],
): Promise<{ access: string; refresh: string }> {
  const answer = await askForTokens(provider, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectAddress(provider),
    ...(provider === "google" && { code_verifier: verifier }),
  });
  const { access_token: access, refresh_token: refresh, scope: given } = answer;
  // People can untick permissions on Google's page, which then issues a token without them.
  const isComplete = given === undefined || provider !== "google" || given.split(" ").includes(scope);
  if (!isComplete) throw new ProviderFault("no_access");
  if (refresh === undefined) throw new ProviderFault("malformed");
  return { access, refresh };
}

/**
 * Returns an access token, and the refresh token that replaces this one, if the provider rotates them.
 *
 * @throws ProviderFault `revoked` when the consent was revoked or has expired.
 */
async function refreshTokens(
  provider: SearchProvider,
  refresh: string,
): Promise<{ access: string; rotated: string | null }> {
  const answer = await askForTokens(provider, { grant_type: "refresh_token", refresh_token: refresh });
  const { access_token: access, refresh_token: next } = answer;
  return { access, rotated: next === undefined || next === refresh ? null : next };
}

/** Calls a provider with an access token. */
export type Ask = <Answer>(call: (token: string) => Promise<Answer>) => Promise<Answer>;

/**
 * Returns a function that calls the provider, and gets a new access token once when it no longer accepts the first.
 *
 * @param keep stores a sealed refresh token that takes the place of the first one
 * @throws ProviderFault `revoked` when the consent was revoked or has expired, `unreadable` when the secrets have changed.
 */
export async function askAs(
  { siteId, provider, token }: { siteId: number; provider: SearchProvider; token: Uint8Array },
  keep: (sealed: Uint8Array<ArrayBuffer>) => Promise<unknown>,
): Promise<Ask> {
  let refresh = openToken(siteId, provider, token);
  const renew = async () => {
    const { access, rotated } = await refreshTokens(provider, refresh);
    if (rotated === null) return access;
    refresh = rotated;
    // At once: the provider may accept only the new one from now on.
    await keep(sealToken(siteId, provider, rotated));
    return access;
  };
  let access = await renew();
  return async (call) => {
    try {
      return await call(access);
    } catch (error) {
      if (!(error instanceof StaleToken)) throw error;
      access = await renew();
      return call(access);
    }
  };
}

async function askForTokens(provider: SearchProvider, fields: Record<string, string>): Promise<Tokens> {
  const { id, secret } = clientOf(provider);
  const { status, body } = await callProvider(
    endpointsOf(provider).token,
    { post: form({ ...fields, client_id: id, client_secret: secret }) },
    SMALL_ANSWER,
  );
  const parsed = status === 200 ? tokens.safeParse(body) : null;
  if (parsed?.success) return parsed.data;
  const error = failure.safeParse(body).data?.error;
  if (error === "invalid_grant") throw new ProviderFault("revoked");
  if (error !== undefined && ["invalid_client", "unauthorized_client", "redirect_uri_mismatch"].includes(error))
    throw new ProviderFault("setup");
  throw new ProviderFault("malformed");
}

/** Revokes a token at the provider (RFC 7009). @returns whether it is over: revoked, unknown there, or not revocable. */
export async function revokeToken(provider: SearchProvider, token: string): Promise<boolean> {
  const { revoke } = endpointsOf(provider);
  if (!revoke) return true;
  const { status } = await callProvider(revoke, { post: form({ token }) }, SMALL_ANSWER);
  return status === 200 || status === 400;
}

const form = (fields: Record<string, string>) => ({
  type: "application/x-www-form-urlencoded" as const,
  body: `${new URLSearchParams(fields)}`,
});

function clientOf(provider: SearchProvider): SearchClient {
  const client = searchClient(provider);
  if (!client) throw new Fault("The operator has not registered this service at the provider of search data");
  return client;
}

/** Where a refresh token belongs: sealed for another site or provider, it does not open. */
const place = (siteId: number, provider: SearchProvider) => ["search_connection.token", siteId, provider].join(":");

export const sealToken = (siteId: number, provider: SearchProvider, token: string) =>
  new Uint8Array(seal(Buffer.from(token), place(siteId, provider)));

/** @throws ProviderFault `unreadable` when the secrets have changed. */
export function openToken(siteId: number, provider: SearchProvider, sealed: Uint8Array): string {
  try {
    return unseal(sealed, place(siteId, provider)).toString();
  } catch {
    throw new ProviderFault("unreadable");
  }
}
