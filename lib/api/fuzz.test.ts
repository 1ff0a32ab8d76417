import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { z } from "zod";
import { manage } from "@/lib/api/management";
import { SCOPES, type Scope } from "@/lib/contract/access";
import { answerIdentity, type IdentityEndpoint } from "@/lib/identity/answer";
import { challenges } from "@/lib/identity/challenges";
import { delegations } from "@/lib/identity/delegations";
import { recoveries } from "@/lib/identity/recoveries";
import { registrations } from "@/lib/identity/registrations";
import { measure } from "@/lib/ingest/api/measurement";
import { collect } from "@/lib/ingest/api/simple";
import { deviceEndpoint } from "@/lib/oauth/device";
import { answerOAuth, type OAuthEndpoint } from "@/lib/oauth/entry-point";
import { introspectEndpoint } from "@/lib/oauth/introspect";
import { answerRegistration } from "@/lib/oauth/register";
import { revokeEndpoint } from "@/lib/oauth/revoke";
import { tokenEndpoint } from "@/lib/oauth/token";
import { managementResource } from "@/lib/oauth/tokens";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import type { Known } from "@/lib/testing/from-schema";
import { dnsForTests } from "@/lib/testing/internet";
import { keyOf } from "@/lib/testing/measuring";
import { faultOf } from "@/lib/testing/openapi-answers";
import { type GeneratedRequest, requests, type Target, targets } from "@/lib/testing/openapi-requests";
import { sampled } from "@/lib/testing/tier";
import { CHROME, makeClient, makeSite, type TestSite } from "@/lib/testing/world";

/** Fuzzes every endpoint as a client that knows only /openapi.json. */

/** Fixed seeds make every run identical. `npm run fuzz` sends more requests with other seeds. */
const { FUZZ_RUNS, FUZZ_SEEDS = "20261120" } = process.env;
const RUNS = Number(FUZZ_RUNS ?? 4000);
/** `npm test` fuzzes the identity endpoints, which build on each other, and every fifth of the others. */
const FUZZED = FUZZ_RUNS
  ? targets
  : [...targets.filter(({ identity }) => identity), ...sampled(targets, 5).filter(({ identity }) => !identity)];
const SEEDS = FUZZ_SEEDS.split(",").map(Number);
const MS_A_RUN = 40;

/** Endpoints that build on each other, and parts of the others: each part has its own limit of time. */
const PARTS: [name: string, part: Target[]][] = [["identity", FUZZED.filter(({ identity }) => identity)]];
const OTHERS = FUZZED.filter(({ identity }) => !identity);
const PART = 20;
for (let from = 0; from < OTHERS.length; from += PART)
  PARTS.push([`endpoints from ${from + 1} on`, OTHERS.slice(from, from + PART)]);

// Proofs are looked up in a name server that resolves no names.
dnsForTests();

// Sequential, so that the time of a part is its own.
test.sequential.for(SEEDS.flatMap((seed) => PARTS.map(([name, part]) => ({ seed, name, part }))))(
  "a fuzzer that knows only /openapi.json finds no 500 and no undocumented answer, seed $seed, $name",
  { timeout: 600_000 + RUNS * MS_A_RUN },
  async ({ seed, part }) => {
    const site = await makeSite();
    const nextCall = clock(site);
    const identity: Known = new Map<string, unknown[]>([
      ["recovery_key", Array.from({ length: 3 }, () => randomBytes(32).toString("hex"))],
    ]);
    const seen = new Map<string, Set<number | string>>();
    for (const target of part) {
      const { operationId } = target.operation;
      const outcomes = new Set<number | string>();
      seen.set(operationId, outcomes);
      const known: Known = target.identity ? identity : new Map(await credentialsFor(target, site));
      known.set("site_id", [site.id]).set("field", ["page", "country", "event"]).set("pattern", ["/admin/**"]);
      // A question of Explore goes with no panels, which no schema says.
      if (operationId === "sites.dashboards.save") known.set("explore", [null]);
      if (operationId === "events.send") known.set("url", [`https://${site.host}/`]);
      if (operationId === "oauth.register") known.set("redirect_uris", [["https://assistant.example/callback"]]);
      known.set("domain", operationId === "event.send" ? [site.host] : Array.from({ length: 400 }, freshDomain));
      const property = fc.asyncProperty(requests(target, known), async (request) => {
        const { now, tokens } = nextCall();
        const answer = await send(target, request, now, await tokens);
        const body = JSON.parse(answer.body);
        outcomes.add(answer.status).add(body.error?.code ?? body.error);
        const fault = faultOf(target, request, answer);
        if (fault) throw new Error(fault);
        if (answer.status < 300) learn(body, known);
      });
      await fc.assert(property, { seed, numRuns: Math.ceil(RUNS / targets.length) });
    }
    // Some calls passed input validation; otherwise the fuzzer would test nothing else.
    const further = [200, 201, 202, 404, 409, "proof_not_verified", "recovery_key_wrong"];
    for (const [id, outcomes] of seen) {
      expect(
        further.some((outcome) => outcomes.has(outcome)),
        `${id}: ${[...outcomes]}`,
      ).toBe(true);
    }
  },
);

const freshDomain = () => `${randomUUID()}.example`;

/** Stores the ids of an answer, so that later requests name existing objects. */
function learn(value: unknown, known: Known, name = ""): void {
  if (Array.isArray(value)) for (const item of value) learn(item, known, name);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) learn(item, known, key);
  } else if (/_id$/.test(name) && name !== "request_id" && name !== "event_id" && value !== null) {
    const values = known.get(name) ?? [];
    if (!values.includes(value) && values.length < 50) known.set(name, [...values, value]);
  }
}

/** Returns the time and tokens of the next call: new tokens every 200 calls, half a second apart, below rate limits. */
function clock(site: TestSite) {
  const begin = Date.now();
  const key = keyOf(site);
  const clients = new Map<number, ReturnType<typeof makeTokens>>();
  let calls = 0;
  return () => {
    const now = new Date(begin + calls++ * 500);
    const era = Math.floor(calls / 200);
    const tokens = clients.get(era) ?? makeTokens(site, key, new Date(begin + era * 200 * 500 - 1000));
    clients.set(era, tokens);
    return { now, tokens };
  };
}

type Tokens = Awaited<ReturnType<typeof makeTokens>>;

async function makeTokens(site: TestSite, key: ReturnType<typeof keyOf>, now: Date) {
  const options = { sites: [site], personId: site.ownerId, now };
  const [strong, weak] = await Promise.all([
    makeClient({ ...options, scopes: Object.keys(SCOPES) as Scope[] }),
    makeClient({ ...options, scopes: [] }),
  ]);
  return { token: strong.token, weak: weak.token, key: (await key).key };
}

/** Returns client credentials, without which every OAuth call ends with the same error. */
async function credentialsFor({ operation, form }: Target, site: TestSite): Promise<[string, unknown[]][]> {
  if (!form) return [];
  const personId = operation.operationId === "oauth.device_code" ? site.ownerId : null;
  const client = await makeClient({ scopes: ["sites:read", "analytics:read"], personId });
  return [
    ["client_id", [client.id]],
    ["client_secret", [client.secret]],
    ["token", [client.token]],
    ["scope", ["sites:read", "analytics:read sites:read", "sites:delete"]],
    ["resource", [managementResource()]],
  ];
}

const IDENTITY = { challenges, registrations, recoveries, delegations };
const OAUTH: Record<string, OAuthEndpoint> = {
  "/oauth/token": tokenEndpoint,
  "/oauth/device/code": deviceEndpoint,
  "/oauth/revoke": revokeEndpoint,
  "/oauth/introspect": introspectEndpoint,
};

function send({ path }: Target, request: GeneratedRequest, now: Date, tokens: Tokens): Promise<Answer> {
  const { authorization: sent, ...rest } = request.headers;
  const right = path === "/api/v1/events" || path === "/api/event" ? "key" : "token";
  const authorization = sent === "token" ? `Bearer ${tokens[right]}` : sent === "weak" ? `Bearer ${tokens.weak}` : sent;
  // Every call has its own address, so that limits per address do not apply.
  const ours = { "user-agent": CHROME, [CALLER_HEADERS.address]: randomUUID() };
  const headers: Record<string, string | undefined> = { ...ours, ...rest, authorization };
  const { method } = request;
  const incoming: Incoming = {
    header: (name) => headers[name] ?? null,
    bytes: async (limit) => (request.body.length > limit ? null : request.body),
  };
  const last = path.split("/").at(-1) ?? "";
  const query = new URLSearchParams(request.query);
  if (path === "/api/v1/events") return measure(incoming, { address: "203.0.113.7", now, path });
  if (path === "/api/event") return collect(incoming, { address: "203.0.113.7", now, path });
  if (path === "/oauth/register") return answerRegistration({ ...incoming, method, query }, now);
  if (OAUTH[path]) return answerOAuth(OAUTH[path], { ...incoming, method, query }, now);
  if (path.startsWith("/api/v1/agents/")) {
    const endpoint = IDENTITY[last as keyof typeof IDENTITY];
    return answerIdentity(
      { ...incoming, method },
      endpoint as unknown as IdentityEndpoint<z.ZodObject, z.ZodObject>,
      now,
    );
  }
  return manage({ ...incoming, method, query }, last, now);
}
