import type { Scope } from "@/lib/contract/access";
import { decideConsent } from "@/lib/oauth/consent";
import { deviceEndpoint } from "@/lib/oauth/device";
import { answerOAuth, type OAuthEndpoint } from "@/lib/oauth/entry-point";
import { findConsent } from "@/lib/oauth/find-code";
import { introspectEndpoint } from "@/lib/oauth/introspect";
import { revokeEndpoint } from "@/lib/oauth/revoke";
import { tokenEndpoint } from "@/lib/oauth/token";
import { managementResource } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { PERSONAL_OPERATIONS } from "@/lib/operations/personal/index";
import { db } from "@/lib/platform/db";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { signedIn } from "@/lib/testing/owners";

/** Creates agents with secrets, and calls the OAuth endpoints like HTTP requests. */

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export interface TestAgent {
  id: string;
  secret: string;
}

/**
 * Creates a client like the identity endpoints: a machine client with its scopes, or an unapproved delegated client.
 */
export async function makeAgent(options: {
  kind: "machine" | "delegated";
  scopes: readonly Scope[];
  ownerId?: number | null;
  secret?: string;
}): Promise<TestAgent> {
  const { kind, scopes, ownerId = null, secret = freshSecret() } = options;
  const id = `ffc_${freshSecret()}`;
  await db().client.create({
    data: {
      id,
      kind,
      name: "A test's agent",
      secretHash: new Uint8Array(digest(secret)),
      ownerId,
      requestedScopes: [...scopes],
      grantedScopes: kind === "machine" ? [...scopes] : [],
    },
  });
  return { id, secret };
}

const ENDPOINTS = {
  token: tokenEndpoint,
  device: deviceEndpoint,
  revoke: revokeEndpoint,
  introspect: introspectEndpoint,
} satisfies Record<string, OAuthEndpoint>;

export interface OAuthCall {
  now?: Date;
  method?: string;
  headers?: Record<string, string>;
  query?: string;
  address?: string;
}

/** Calls an OAuth endpoint. Text parameters are sent unchanged. */
export async function callOAuth(
  endpoint: keyof typeof ENDPOINTS,
  parameters: Record<string, string> | string,
  { now = new Date(), method = "POST", headers = {}, query = "", address = "203.0.113.9" }: OAuthCall = {},
) {
  const all: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    [CALLER_HEADERS.address]: address,
    ...headers,
  };
  const body = Buffer.from(typeof parameters === "string" ? parameters : `${new URLSearchParams(parameters)}`);
  const request = {
    method,
    query: new URLSearchParams(query),
    header: (name: string) => all[name] ?? null,
    bytes: async (limit: number) => (body.length > limit ? null : body),
  };
  const answer = await answerOAuth(ENDPOINTS[endpoint], request, now);
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

export type OAuthReply = Awaited<ReturnType<typeof callOAuth>>;

/** Returns a summary of a reply: `200`, or `400 slow_down`. */
export const statusAndError = ({ status, body }: OAuthReply): string =>
  status === 200 ? "200" : `${status} ${body.error}`;

export const postAuth = ({ id, secret }: TestAgent) => ({ client_id: id, client_secret: secret });
export const basicAuth = ({ id, secret }: TestAgent) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

/** Valid calls of each grant; `more` changes or adds parameters. */
export const grants = {
  credentials: (agent: TestAgent, more: Record<string, string> = {}, call?: OAuthCall) =>
    callOAuth("token", { grant_type: "client_credentials", ...common(agent), ...more }, call),
  poll: (agent: TestAgent, deviceCode: string, now?: Date, more: Record<string, string> = {}) =>
    callOAuth(
      "token",
      { grant_type: DEVICE_GRANT, device_code: deviceCode, ...common(agent), ...more },
      now ? { now } : {},
    ),
  refresh: (agent: TestAgent, refreshToken: string, now?: Date, more: Record<string, string> = {}) =>
    callOAuth(
      "token",
      { grant_type: "refresh_token", refresh_token: refreshToken, ...common(agent), ...more },
      now ? { now } : {},
    ),
};

const common = (agent: TestAgent) => ({ ...postAuth(agent), resource: managementResource() });

/** Returns a unique address, so that rate limits by address do not affect other tests. */
let lastAddress = 0;
export function freshAddress(): string {
  const network = [process.pid >>> 16, process.pid & 0xffff, lastAddress++].map((part) => part.toString(16));
  return `fd00:${network.join(":")}::1`;
}

/** Opens a user code as a person. */
export const findCode = async (userCode: string, personId: number, now: Date, address = freshAddress()) =>
  findConsent(userCode, { owner: await signedIn(personId, now), address }, [...OPERATIONS.values()], now);

/** Opens a user code and decides, with a fresh sign-in. */
export async function consent(
  userCode: string,
  personId: number,
  choice: { scopes: Scope[]; sites: readonly { id: number }[] } | "deny",
  now = new Date(),
) {
  const { question } = await findCode(userCode, personId, now);
  return decide(question, personId, choice, now);
}

export async function decide(
  question: string,
  personId: number,
  choice: { scopes: Scope[]; sites: readonly { id: number }[] } | "deny",
  now: Date,
  signedInAt = now,
) {
  const given =
    choice === "deny"
      ? { question, decision: "deny" as const, scopes: [], siteIds: [] }
      : { question, decision: "approve" as const, scopes: choice.scopes, siteIds: choice.sites.map(({ id }) => id) };
  return decideConsent(given, { owner: await signedIn(personId, signedInAt), requestId: "test" }, now);
}

/** Calls a personal operation without the checks of session, origin and token. */
export async function runPersonal(id: string, input: object, personId: number, now: Date) {
  const operation = PERSONAL_OPERATIONS.get(id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  const owner = await signedIn(personId, now);
  return operation.run({ input: operation.input.parse(input), owner, address: freshAddress(), requestId: "test", now });
}
