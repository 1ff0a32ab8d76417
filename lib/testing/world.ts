import { randomUUID } from "node:crypto";
import { manage } from "@/lib/api/management";
import { RISKS, type Scope } from "@/lib/contract/access";
import { collect } from "@/lib/ingest/api/simple";
import { issueAccessToken } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { createSite } from "@/lib/sites/create";

/** Creates people, sites and clients. Each test creates its own, so that tests can run concurrently. */

export const TEST_SECRETS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export async function makePerson(): Promise<number> {
  const data = { email: `${randomUUID()}@example.com`, passwordHash: "none", confirmedAt: new Date() };
  const person = await db().person.create({ data });
  return person.id;
}

export interface TestSite {
  id: number;
  host: string;
  ownerId: number;
}

export async function makeSite(options: { timezone?: string; now?: Date } = {}): Promise<TestSite> {
  const ownerId = await makePerson();
  const host = `${randomUUID()}.example`;
  const { timezone = "UTC", now = new Date("2020-01-01T00:00:00Z") } = options;
  const id = await createSite(db(), {
    host,
    name: null,
    timezone,
    public: false,
    creator: { kind: "owner", personId: ownerId },
    now,
  });
  return { id, host, ownerId };
}

export interface TestClient {
  id: string;
  secret: string;
  token: string;
}

/**
 * Creates a client with an access token: delegated by `personId`, or a machine client without a person.
 */
export async function makeClient(options: {
  scopes: readonly Scope[];
  sites?: readonly { id: number }[];
  personId?: number | null;
  now?: Date;
  /** The resource of the token; the management API by default. */
  audience?: string;
}): Promise<TestClient> {
  const { scopes, sites = [], personId = null, now = new Date(), audience } = options;
  const id = `ffc_${freshSecret()}`;
  const secret = `ffs_${freshSecret()}`;
  await db().client.create({
    data: {
      id,
      kind: personId === null ? "machine" : "delegated",
      name: "A test's agent",
      secretHash: new Uint8Array(digest(secret)),
      ownerId: personId,
      requestedScopes: [...scopes],
      grantedScopes: [...scopes],
      sites: { create: sites.map((site) => ({ siteId: site.id })) },
    },
  });
  return {
    id,
    secret,
    token: await issueAccessToken(db(), {
      clientId: id,
      ownerId: personId,
      scopes,
      now,
      ...(audience && { audience }),
    }),
  };
}

/** Creates a site and an agent of its owner. */
export async function siteWithAgent(
  scopes: readonly Scope[],
  now?: Date,
): Promise<{ site: TestSite; agent: TestClient }> {
  const site = await makeSite();
  return { site, agent: await makeClient({ scopes, sites: [site], personId: site.ownerId, ...(now && { now }) }) };
}

export interface ApiCall {
  /** An access token; null for none. */
  token: string | null;
  method?: string;
  /** Query parameters of a GET, or the JSON body of a POST (text is sent unchanged). */
  input?: Record<string, unknown> | string;
  /** Query parameters of a POST. */
  query?: Record<string, string>;
  key?: string | null;
  headers?: Record<string, string>;
  now?: Date;
}

/** Returns a value as a query parameter: objects as JSON. */
const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

/**
 * Calls the management API like an HTTP request, and parses the answer. Writes get a random Idempotency-Key by default.
 */
export async function callApi(
  operation: string,
  { token, method, input = {}, query = {}, key, headers = {}, now }: ApiCall,
) {
  const op = OPERATIONS.get(operation);
  const verb = method ?? (op ? RISKS[op.risk].method : "GET");
  const all: Record<string, string> = { "content-type": "application/json", ...headers };
  if (token !== null) all.authorization ??= `Bearer ${token}`;
  if (verb === "POST" && key !== null) all["idempotency-key"] ??= key ?? randomUUID();
  const body = typeof input === "string" ? input : JSON.stringify(input);
  const parameters =
    verb === "GET" && typeof input !== "string" ? Object.entries(input).map(([k, v]) => [k, textOf(v)]) : [];
  const request = {
    method: verb,
    query: new URLSearchParams([...parameters, ...Object.entries(query)]),
    header: (name: string) => all[name] ?? null,
    bytes: async (limit: number) => (body.length > limit ? null : Buffer.from(body)),
  };
  const answer = await manage(request, operation, now ?? new Date());
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.body) };
}

export interface SendOptions {
  at?: string | Date;
  address?: string | null;
  userAgent?: string;
  headers?: Record<string, string>;
}

/** Posts to the Events API like a browser, at a given time. A path is sent as its pageview. */
export function post(site: { host: string }, event: string | object, options: SendOptions = {}): Promise<Response> {
  const pageview = (path: string) => ({ name: "pageview", url: `https://${site.host}${path}` });
  const body = { domain: site.host, ...(typeof event === "string" ? pageview(event) : event) };
  return postRaw(JSON.stringify(body), options);
}

export function postRaw(
  body: BodyInit,
  { at, address = "203.0.113.7", userAgent = CHROME, headers = {} }: SendOptions = {},
) {
  const path = "/api/event";
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, ...headers },
    body,
  });
  return collect(fromWeb(request), { address, now: at === undefined ? new Date() : new Date(at), path }).then(toWeb);
}

/** Posts an event. @throws unless it was stored. */
export async function send(site: { host: string }, event: string | object, options: SendOptions = {}): Promise<void> {
  const response = await post(site, event, options);
  const answer = await response.json();
  if (response.status !== 202 || answer.status !== "stored") throw new Error(`Not stored: ${JSON.stringify(answer)}`);
}
