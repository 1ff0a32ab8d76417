import { randomUUID } from "node:crypto";
import type { Scope } from "@/lib/contract/access";
import { decideAuthorization, openAuthorization } from "@/lib/oauth/authorize";
import { answerRegistration } from "@/lib/oauth/register";
import { mcpResource } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { callOAuth, freshAddress } from "@/lib/testing/oauth";
import { signedIn } from "@/lib/testing/owners";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Assistants that use the authorization code grant, without a browser. */

export const REDIRECT = "https://assistant.example/callback";

/** Registers an assistant by HTTP. Objects are sent as JSON, text unchanged. */
export async function register(
  metadata: object | string,
  { now = new Date(), address = freshAddress(), method = "POST", type = "application/json" } = {},
) {
  const body = Buffer.from(typeof metadata === "string" ? metadata : JSON.stringify(metadata));
  const headers: Record<string, string> = { "content-type": type, [CALLER_HEADERS.address]: address };
  const request = {
    method,
    query: new URLSearchParams(),
    header: (name: string) => headers[name] ?? null,
    bytes: async (limit: number) => (body.length > limit ? null : body),
  };
  const answer = await answerRegistration(request, now);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

/** Registers an assistant. @returns its `client_id`. */
export const makeAssistant = async (redirectUris: string[] = [REDIRECT]): Promise<string> =>
  (await register({ client_name: "Helper", redirect_uris: redirectUris })).body.client_id;

/** A PKCE verifier and its challenge. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = freshSecret();
  return { verifier, challenge: digest(verifier).toString("base64url") };
}

/** The query of a valid authorization request; `more` changes, adds or (undefined) removes parameters. */
export function requestOf(clientId: string, more: Record<string, string | undefined> = {}): URLSearchParams {
  const all = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "a state",
    scope: "sites:read analytics:read",
    resource: mcpResource(),
    code_challenge: pkce().challenge,
    code_challenge_method: "S256",
    ...more,
  };
  return new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Opens a request as a person with a fresh sign-in. */
export const openRequest = async (query: URLSearchParams, personId: number, now: Date, internet?: Internet) =>
  openAuthorization(query, await signedIn(personId, now), [...OPERATIONS.values()], now, internet);

/** Decides a request as a person. @returns the parameters of the answer, and its address without them. */
export async function decideRequest(
  query: URLSearchParams,
  personId: number,
  choice: { scopes: Scope[]; sites: readonly { id: number }[] } | "deny",
  now: Date,
  { signedInAt = now, internet }: { signedInAt?: Date; internet?: Internet } = {},
) {
  const given =
    choice === "deny"
      ? { decision: "deny" as const, scopes: [], siteIds: [] }
      : { decision: "approve" as const, scopes: choice.scopes, siteIds: choice.sites.map(({ id }) => id) };
  const by = { owner: await signedIn(personId, signedInAt), requestId: "test" };
  const answer = await decideAuthorization({ request: `${query}`, ...given }, by, now, internet);
  const parameters = Object.fromEntries(new URLSearchParams(answer.slice(answer.indexOf("?"))));
  return { answer, parameters };
}

/** Redeems a code at the token endpoint; `more` changes or adds parameters. */
export const redeem = (
  { clientId, code, verifier }: { clientId: string; code: string; verifier: string },
  now: Date,
  more: Record<string, string> = {},
  address = freshAddress(),
) =>
  callOAuth(
    "token",
    {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      ...more,
    },
    { now, address },
  );

/** Refreshes as a public client. */
export const refreshAs = (clientId: string, refreshToken: string, now: Date, more: Record<string, string> = {}) =>
  callOAuth(
    "token",
    { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken, ...more },
    { now, address: freshAddress() },
  );

/** An assistant with a code that a person has just allowed for one site. */
export async function allowed(
  now: Date,
  {
    clientId,
    site,
    scopes = ["sites:read", "analytics:read"],
    more = {},
  }: { clientId?: string; site?: TestSite; scopes?: Scope[]; more?: Record<string, string | undefined> } = {},
) {
  const [id, its] = [clientId ?? (await makeAssistant()), site ?? (await makeSite())];
  const { verifier, challenge } = pkce();
  const query = requestOf(id, { code_challenge: challenge, state: randomUUID(), ...more });
  const { parameters } = await decideRequest(query, its.ownerId, { scopes, sites: [its] }, now);
  return { clientId: id, site: its, code: parameters.code ?? "", verifier, parameters };
}
