import { randomUUID } from "node:crypto";
import { db } from "@/lib/db";
import { fromWeb, toWeb } from "@/lib/gateway/http";
import { collect } from "@/lib/ingest/simple";
import { createSite } from "@/lib/sites/create";

/** People and sites for tests. Each test makes its own, so that all of them may run at once. */

export const TEST_SECRETS = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export async function makePerson(): Promise<number> {
  const person = await db().person.create({ data: { email: `${randomUUID()}@example.com`, passwordHash: "none" } });
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
  const id = await createSite(db(), { host, name: null, timezone, public: false, ownerId, now });
  return { id, host, ownerId };
}

export interface Sending {
  at?: string | Date;
  address?: string | null;
  userAgent?: string;
  headers?: Record<string, string>;
}

/** Posts to the Events API as a browser would, at a given time. Paths stand for pageviews of them. */
export function post(site: { host: string }, event: string | object, sending: Sending = {}): Promise<Response> {
  const pageview = (path: string) => ({ name: "pageview", url: `https://${site.host}${path}` });
  const body = { domain: site.host, ...(typeof event === "string" ? pageview(event) : event) };
  return postRaw(JSON.stringify(body), sending);
}

export function postRaw(
  body: BodyInit,
  { at, address = "203.0.113.7", userAgent = CHROME, headers = {} }: Sending = {},
) {
  const request = new Request("http://localhost/api/event", {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, ...headers },
    body,
  });
  return collect(fromWeb(request), { address, now: at === undefined ? new Date() : new Date(at) }).then(toWeb);
}

/** Posts, and fails unless the event was stored. */
export async function send(site: { host: string }, event: string | object, sending: Sending = {}): Promise<void> {
  const response = await post(site, event, sending);
  const answer = await response.json();
  if (response.status !== 202 || answer.status !== "stored") throw new Error(`Not stored: ${JSON.stringify(answer)}`);
}
