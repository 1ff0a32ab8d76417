import { createHash, createHmac } from "node:crypto";
import type { Result } from "@/lib/ingest/api/batch";
import { measure } from "@/lib/ingest/api/measurement";
import { db } from "@/lib/platform/db";
import { fromWeb, toWeb } from "@/lib/platform/http/http";
import { createKey } from "@/lib/sites/ingest-keys";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** Sends batches of events through the Measurement Protocol. */

/** The address of sending servers. */
export const SERVER_ADDRESS = "192.0.2.200";

/** Creates an ingest key of a site without emailing its owners. */
export function keyOf(site: TestSite, { days = null as number | null, now = new Date("2020-01-01T00:00:00Z") } = {}) {
  const principal = { kind: "owner", personId: site.ownerId } as const;
  return createKey({ db: db(), site, principal, now }, "A test's server", days);
}

/** Creates a site with an ingest key. */
export async function siteWithKey(): Promise<{ site: TestSite; key: string }> {
  const site = await makeSite();
  return { site, key: (await keyOf(site)).key };
}

export interface Batch {
  key: string | null;
  at?: string | Date;
  headers?: Record<string, string>;
  address?: string | null;
}

/** An answer of the Measurement Protocol. */
export interface Answered {
  status: number;
  headers: Headers;
  body: {
    results: Result[];
    counts: Record<string, number>;
    client_ip?: { accepted: boolean; reason?: string };
    error?: { code: string; message: string; details?: { issues: { path: string }[] } };
    request_id: string;
  };
}

/** Posts a body unchanged. */
export async function postBody(body: BodyInit, { key, at, headers = {}, address }: Batch): Promise<Answered> {
  const bearer: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const path = "/api/v1/events";
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer, ...headers },
    body,
  });
  const caller = { address: address ?? SERVER_ADDRESS, now: at === undefined ? new Date() : new Date(at), path };
  const response = toWeb(await measure(fromWeb(request), caller));
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Posts events in one batch. */
export const postEvents = (events: unknown[], batch: Batch): Promise<Answered> =>
  postBody(JSON.stringify({ events }), batch);

/** Returns the three headers with which a server forwards the address of its visitor. */
export function signedIp(key: string, body: string, ip: string, timestamp: string): Record<string, string> {
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return {
    "x-footfall-client-ip": ip,
    "x-footfall-client-ip-timestamp": timestamp,
    "x-footfall-client-ip-signature": createHmac("sha256", key)
      .update(`${timestamp}\n${ip}\n${bodyHash}`)
      .digest("hex"),
  };
}
