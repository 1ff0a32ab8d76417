import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SCOPES, type Scope } from "@/lib/contract/vocabulary";
import type { Answer, Incoming } from "@/lib/gateway/http";
import { manage } from "@/lib/gateway/management";
import { collect } from "@/lib/ingest/simple";
import type { Known } from "@/lib/testing/from-schema";
import { faultOf } from "@/lib/testing/openapi-answers";
import { type Asked, requests, type Target, targets } from "@/lib/testing/openapi-requests";
import { CHROME, makeClient, makeSite } from "@/lib/testing/world";

/** A client that has read /openapi.json and nothing else, and tries everything. */

const RUNS = 3_200;
/** The same requests on every run: a change breaks it or does not. Another number looks elsewhere. */
const SEED = 20_261_120;

/** Remembers what an answer names, so that later requests are about things that exist. */
function learn(value: unknown, known: Known, name = ""): void {
  if (Array.isArray(value)) for (const item of value) learn(item, known, name);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) learn(item, known, key);
  } else if (/_id$/.test(name) && name !== "request_id" && name !== "event_id" && value !== null) {
    const values = known.get(name) ?? [];
    if (!values.includes(value) && values.length < 50) known.set(name, [...values, value]);
  }
}

test("a fuzzer that knows only /openapi.json finds no 500 and no undocumented answer", async () => {
  const site = await makeSite();
  const begin = Date.now();
  let calls = 0;
  const clients = new Map<number, Promise<{ token: string; weak: string }>>();
  /** New tokens every two hundred calls, and half a second between two: the limits are not what is tried here. */
  const turn = () => {
    const now = new Date(begin + calls++ * 500);
    const era = Math.floor(calls / 200);
    const tokens = clients.get(era) ?? makeTokens(site, new Date(begin + era * 200 * 500 - 1000));
    clients.set(era, tokens);
    return { now, tokens };
  };
  const seen = new Map<string, Set<number>>();
  const fuzz = (target: Target) => {
    const { operationId } = target.told;
    const known: Known = new Map<string, unknown[]>([["site_id", [site.id]]]);
    known.set(
      "domain",
      operationId === "event.send" ? [site.host] : Array.from({ length: 400 }, () => `${randomUUID()}.example`),
    );
    const property = fc.asyncProperty(requests(target, known), async (asked) => {
      const { now, tokens } = turn();
      const answer = await send(target, asked, now, await tokens);
      seen.set(operationId, (seen.get(operationId) ?? new Set()).add(answer.status));
      const fault = faultOf(target, asked, answer);
      if (fault) throw new Error(fault);
      if (answer.status === 200) learn(JSON.parse(answer.body), known);
    });
    return fc.assert(property, { seed: SEED, numRuns: Math.ceil(RUNS / targets.length) });
  };
  for (const target of targets) await fuzz(target);
  // It got further than the checks of input: it would be blind otherwise.
  for (const [id, statuses] of seen) {
    expect(
      [200, 202, 404, 409].some((status) => statuses.has(status)),
      `${id}: ${[...statuses]}`,
    ).toBe(true);
  }
  expect([...seen.keys()]).toEqual(targets.map(({ told }) => told.operationId));
}, 120_000);

async function makeTokens(site: { id: number; ownerId: number }, now: Date) {
  const options = { sites: [site], personId: site.ownerId, now };
  const [strong, weak] = await Promise.all([
    makeClient({ ...options, scopes: Object.keys(SCOPES) as Scope[] }),
    makeClient({ ...options, scopes: [] }),
  ]);
  return { token: strong.token, weak: weak.token };
}

function send({ path }: Target, asked: Asked, now: Date, tokens: { token: string; weak: string }): Promise<Answer> {
  const { authorization: sent, ...rest } = asked.headers;
  const authorization = sent === "token" || sent === "weak" ? `Bearer ${tokens[sent]}` : sent;
  const headers: Record<string, string | undefined> = { "user-agent": CHROME, ...rest, authorization };
  const incoming: Incoming = {
    header: (name) => headers[name] ?? null,
    bytes: async (limit) => (asked.body.length > limit ? null : asked.body),
  };
  if (path === "/api/event") return collect(incoming, { address: "203.0.113.7", now });
  const operation = path.split("/").at(-1) ?? "";
  return manage({ ...incoming, method: asked.method, query: new URLSearchParams(asked.query) }, operation, now);
}
