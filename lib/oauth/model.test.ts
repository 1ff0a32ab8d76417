import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bearerPrincipal } from "@/lib/api/principal";
import type { Scope } from "@/lib/contract/access";
import type { Principal } from "@/lib/contract/define";
import { decideApproval } from "@/lib/gateway/decide";
import { narrowConnection, revokeConnection } from "@/lib/oauth/disconnect";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { listSites } from "@/lib/sites/access";
import { callIdentity, freshKey, provenChallenge, registerAgent } from "@/lib/testing/agents";
import { refused } from "@/lib/testing/calls";
import { dnsForTests } from "@/lib/testing/internet";
import { callOAuth, consent, grants, postAuth, statusAndError, type TestAgent } from "@/lib/testing/oauth";
import { signedIn } from "@/lib/testing/owners";
import { callApi, makeSite, type TestSite } from "@/lib/testing/world";

/**
 * Model-based test: agents, their person and the service act in random order with a fake clock. Invariants are checked
 * after each step.
 */

const dns = dnsForTests();
const REQUESTED: Scope[] = ["sites:read", "sites:write", "analytics:read", "account:read"];
const DECIDING = "deciding";
const START = new Date("2025-03-12T12:00:00Z").getTime();

interface Agent extends TestAgent {
  kind: "machine" | "delegated";
  revoked: boolean;
  /** A machine's recovery data. */
  account: { domain: string; recoveryKey: string } | null;
  /** The granted access, which is the most it may ever have. */
  consent: { scopes: Scope[]; sites: number[] };
}
interface Code {
  agent: Agent;
  code: string;
  userCode: string;
  at: number;
  status: "pending" | "approved" | "denied" | "redeemed";
  consented: Scope[];
}
interface Family {
  scopes: Scope[];
  dead: boolean;
}
interface Tokens {
  agent: Agent;
  access: string;
  refresh: string | null;
  family: Family | null;
  used: boolean;
  at: number;
}
interface PendingApproval {
  id: string;
  key: string;
  agent: Agent;
  input: Record<string, unknown>;
  spent: number;
}

/** The state of one run. */
class World {
  now = START;
  agents: Agent[] = [];
  codes: Code[] = [];
  tokens: Tokens[] = [];
  requests: PendingApproval[] = [];

  constructor(
    readonly personId: number,
    readonly sites: readonly TestSite[],
    /** Events that occurred in any run, to verify the coverage of the test. */
    readonly seen: Set<string>,
  ) {}

  get at(): Date {
    return new Date(this.now);
  }

  waits = (code: Code) => code.status === "pending" && this.now < code.at + 600_000 && !code.agent.revoked;
}

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % Math.max(1, from.length)];
/** One of the last two: older ones have mostly expired. */
const newest = <T>(from: readonly T[], index: number): T | undefined => pick(from.slice(-2).reverse(), index % 2);
const subset = <T>(from: readonly T[], mask: number): T[] => from.filter((_, bit) => (mask >> bit) % 2 === 1);

/** A machine with a verified domain. */
async function registered(now: Date): Promise<Agent> {
  const {
    clientId: id,
    clientSecret: secret,
    siteId,
    domain,
    recoveryKey,
  } = await registerAgent(dns, { scopes: REQUESTED, now });
  const consented = { scopes: REQUESTED, sites: [siteId] };
  return { id, secret, kind: "machine", revoked: false, account: { domain, recoveryKey }, consent: consented };
}

async function bootstrapped(now: Date): Promise<Agent> {
  const { data } = (await callIdentity("delegations", { name: "An agent", scopes: REQUESTED }, { now })).body;
  const { client_id: id, client_secret: secret } = data;
  return { id, secret, kind: "delegated", revoked: false, account: null, consent: { scopes: [], sites: [] } };
}

type Step = (world: World, pickOne: number, mask: number) => Promise<void>;

const steps: Record<string, Step> = {
  async bootstrap(world, _, mask) {
    if (world.agents.length >= 4) return;
    world.agents.push(await (mask % 3 === 0 ? registered(world.at) : bootstrapped(world.at)));
  },

  async recover(world, one) {
    const agent = pick(
      world.agents.filter(({ kind, revoked }) => kind === "machine" && !revoked),
      one,
    );
    if (!agent?.account) return;
    const [{ domain, recoveryKey }, client_id, newKey] = [agent.account, agent.id, freshKey()];
    const challenge = { domain, recovery_key: newKey, purpose: "recover" as const, client_id };
    const challenge_id = await provenChallenge(dns, challenge, world.at);
    const call = { challenge_id, recovery_key: recoveryKey, client_id };
    const { status, body } = await callIdentity("recoveries", call, { now: world.at });
    expect([status, body.data.site_ids]).toEqual([201, agent.consent.sites]);
    agent.revoked = true;
    const { client_id: id, client_secret: secret } = body.data;
    world.agents.push({ ...agent, id, secret, revoked: false, account: { domain, recoveryKey: newKey } });
    world.seen.add("recover");
  },

  async authorize(world, one) {
    const agent = pick(world.agents, one);
    if (!agent) return;
    const reply = await callOAuth("device", postAuth(agent), { now: world.at });
    if (agent.revoked || agent.kind === "machine") expect(reply.status).not.toBe(200);
    if (reply.status !== 200) return;
    const { device_code: code, user_code: userCode } = reply.body;
    world.codes.push({ agent, code, userCode, at: world.now, status: "pending", consented: [] });
  },

  async approve(world, one, mask) {
    const code = pick(world.codes.filter(world.waits), one);
    const scopes = subset(REQUESTED, mask % 16 || 15);
    const sites = subset(world.sites, scopes.includes("account:read") ? mask >> 4 : mask >> 4 || 7);
    if (!code) return;
    expect(await consent(code.userCode, world.personId, { scopes, sites }, world.at)).toBe("approve");
    code.status = "approved";
    code.consented = scopes;
    code.agent.consent = { scopes, sites: sites.map(({ id }) => id) };
  },

  async deny(world, one) {
    const code = pick(world.codes.filter(world.waits), one);
    if (!code) return;
    await consent(code.userCode, world.personId, "deny", world.at);
    code.status = "denied";
  },

  async poll(world, one, mask) {
    const open = world.codes.filter(({ status }) => one % 3 === 0 || status === "pending" || status === "approved");
    const code = newest(open, one);
    if (!code) return;
    world.now += (mask % 3) * 3000;
    const reply = await grants.poll(code.agent, code.code, world.at);
    world.seen.add(`poll ${statusAndError(reply)}`);
    if (reply.status !== 200) return;
    expect([code.status, code.agent.revoked]).toEqual(["approved", false]);
    code.status = "redeemed";
    for (const old of world.tokens) if (old.agent === code.agent && old.family) old.family.dead = true;
    const family = { scopes: code.consented, dead: false };
    const { access_token: access, refresh_token: refresh } = reply.body;
    world.tokens.push({ agent: code.agent, access, refresh, family, used: false, at: world.now });
  },

  async refresh(world, one, mask) {
    await refresh(
      world,
      pick(
        world.tokens.filter(({ refresh, used }) => refresh && !used),
        one,
      ),
      mask,
    );
  },

  async replay(world, one, mask) {
    await refresh(
      world,
      pick(
        world.tokens.filter(({ used }) => used),
        one,
      ),
      mask,
    );
  },

  async credentials(world, one) {
    const agent = pick(world.agents, one);
    if (!agent) return;
    const reply = await grants.credentials(agent, {}, { now: world.at });
    if (agent.revoked || agent.kind === "delegated") expect(reply.status).not.toBe(200);
    if (reply.status !== 200) return;
    world.tokens.push({
      agent,
      access: reply.body.access_token,
      refresh: null,
      family: null,
      used: false,
      at: world.now,
    });
  },

  async revoke(world, one, mask) {
    const tokens = pick(world.tokens, one);
    if (!tokens) return;
    const whole = tokens.refresh !== null && mask % 2 === 0;
    const token = whole ? `${tokens.refresh}` : tokens.access;
    const reply = await callOAuth("revoke", { token, ...postAuth(tokens.agent) }, { now: world.at });
    if (reply.status !== 200) return;
    if (whole && tokens.family) tokens.family.dead = true;
    expect(await principalOf(token, world.at)).toBeNull();
  },

  async narrow(world, one, mask) {
    const agent = pick(world.agents, one);
    if (!agent || agent.revoked || agent.kind === "machine" || agent.consent.scopes.length === 0) return;
    const chosen = subset(agent.consent.scopes, mask);
    const scopes = chosen.length === 0 ? agent.consent.scopes : chosen;
    const siteIds = subset(agent.consent.sites, mask >> 4);
    const by = { personId: world.personId, clientId: agent.id, requestId: "test" };
    await narrowConnection(by, { scopes, siteIds }, [...OPERATIONS.values()], world.at);
    agent.consent = { scopes, sites: siteIds };
    world.seen.add("narrow");
  },

  async disconnect(world, one, mask) {
    const agent = pick(world.agents, one);
    // Rarely, or nothing would be left to test.
    if (!agent || agent.kind === "machine" || mask % 3 !== 0 || agent.consent.scopes.length === 0 || agent.revoked)
      return;
    await revokeConnection({ personId: world.personId, clientId: agent.id, requestId: "test" }, world.at);
    agent.revoked = true;
    world.seen.add("disconnect");
  },

  async requestApproval(world, one, mask) {
    const tokens = newest(world.tokens, one);
    const site = pick(world.sites, mask);
    if (!tokens || !site) return;
    const input = {
      site_id: site.id,
      name: `${mask}`,
      timezone: "UTC",
      reporting_currency: "EUR",
      public: mask % 2 === 0,
    };
    const key = randomUUID();
    const reply = await update(world, tokens.access, { input, key });
    expect(reply.status).not.toBe(200);
    if (reply.body.error.code !== "approval_required") return;
    world.requests.push({ id: reply.body.error.details.approval.id, key, agent: tokens.agent, input, spent: 0 });
  },

  async decide(world, one, mask) {
    const request = newest(world.requests, one);
    if (!request) return;
    const by = { ...(await signedIn(world.personId, world.at)), requestId: DECIDING };
    await refused(decideApproval(request.id, mask % 4 === 0 ? "denied" : "approved", by, world.at));
  },

  async consume(world, one, mask) {
    const request = newest(world.requests, one);
    const tokens = newest(
      world.tokens.filter(({ agent }) => agent === request?.agent),
      0,
    );
    if (!request || !tokens) return;
    // Sometimes in parallel, with the same key and with another one.
    const keys = mask % 2 === 0 ? [request.key] : [request.key, randomUUID(), request.key];
    const replies = await Promise.all(
      keys.map((key) => update(world, tokens.access, { input: request.input, key, approval: request.id })),
    );
    request.spent += replies.filter(({ status, body }) => status === 200 && !body.replayed).length;
    if (request.spent > 0) world.seen.add("consume");
  },

  async wait(world, one, mask) {
    const seconds = mask === 7 ? 31 * 86_400 : pick([1, 20, 200, 1000], one);
    world.now += (seconds ?? 0) * 1000;
  },
};

/** Uses a refresh token, new or used, and checks the result against the model. */
async function refresh(world: World, tokens: Tokens | undefined, mask: number): Promise<void> {
  if (!tokens?.refresh || !tokens.family) return;
  const { agent, family } = tokens;
  const asked: Record<string, string> = mask % 4 === 0 ? { scope: subset(family.scopes, mask >> 2).join(" ") } : {};
  const reply = await grants.refresh(agent, tokens.refresh, world.at, asked);
  if (tokens.used || family.dead || agent.revoked) expect(reply.status).not.toBe(200);
  if (tokens.used && statusAndError(reply) === "400 invalid_grant") {
    if (!family.dead) world.seen.add("reuse");
    family.dead = true;
  }
  if (reply.status !== 200) return;
  tokens.used = true;
  world.seen.add("refresh");
  expect(await principalOf(tokens.access, world.at)).toBeNull();
  const { access_token: access, refresh_token } = reply.body;
  world.tokens.push({ agent, access, refresh: refresh_token, family, used: false, at: world.now });
}

const update = (
  world: World,
  token: string,
  { input, key, approval }: { input: Record<string, unknown>; key: string; approval?: string },
) => {
  const headers: Record<string, string> = approval ? { "x-agent-approval-id": approval } : {};
  return callApi("sites.settings.update", { token, input, key, headers, now: world.at });
};

/** The current principal of a bearer token; null when it is invalid. */
const principalOf = (token: string, now: Date): Promise<(Principal & { kind: "client" }) | null> =>
  bearerPrincipal({ header: () => `Bearer ${token}`, bytes: async () => null }, now).catch(() => null);

async function checkToken(world: World, { agent, access, family }: Tokens): Promise<void> {
  const principal = await principalOf(access, world.at);
  if (!principal) return;
  expect([agent.revoked, family?.dead ?? false], "no token outlives its client or family").toEqual([false, false]);
  const allowed = agent.consent.scopes.filter((scope) => !family || family.scopes.includes(scope));
  expect(allowed, "effective scopes are within the consent").toEqual(expect.arrayContaining([...principal.scopes]));
  const { sites } = await listSites(db(), principal, 1, 100);
  expect(agent.consent.sites, "no site beyond the consent").toEqual(
    expect.arrayContaining(sites.map(({ site_id }) => site_id)),
  );
}

/** Checks the invariants. */
async function checkInvariants(world: World): Promise<void> {
  const clientIds = world.agents.map(({ id }) => id);
  const live = await db().refreshToken.groupBy({
    by: ["familyId"],
    where: { clientId: { in: clientIds }, usedAt: null, revokedAt: null, expiresAt: { gt: world.at } },
    _count: true,
  });
  expect(
    live.filter(({ _count }) => _count > 1),
    "one live refresh token in a family",
  ).toEqual([]);

  const young = world.tokens.filter(({ at }) => world.now < at + 900_000);
  await Promise.all(young.map((tokens) => checkToken(world, tokens)));

  // Decisions are audited under the same operation, with request id DECIDING.
  const spent = await db().audit.groupBy({
    by: ["approvalId"],
    where: {
      clientId: { in: clientIds },
      operation: "sites.settings.update",
      approvalId: { not: null },
      requestId: { not: DECIDING },
    },
    _count: true,
  });
  expect(
    spent.filter(({ _count }) => _count > 1),
    "an approval is spent at most once",
  ).toEqual([]);
  expect(world.requests.filter((request) => request.spent > 1)).toEqual([]);
}

class Command implements fc.AsyncCommand<World, null> {
  constructor(
    readonly name: keyof typeof steps,
    readonly one: number,
    readonly mask: number,
  ) {}
  check = () => true;
  async run(world: World) {
    await steps[this.name]?.(world, this.one, this.mask);
    await checkInvariants(world);
  }
  toString = () => `${this.name}(${this.one}, ${this.mask})`;
}

/** Common steps are more frequent than those that end everything. */
const WEIGHTS: Record<string, number> = {
  approve: 2,
  poll: 3,
  refresh: 3,
  authorize: 2,
  requestApproval: 4,
  decide: 4,
  consume: 4,
};
const commands = Object.keys(steps).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] ?? 1 }, () =>
    fc.noBias(fc.tuple(fc.nat(7), fc.nat(127))).map(([one, mask]) => new Command(name, one, mask)),
  ),
);

/** A person with three sites and a connected agent. */
async function startWorld(seen: Set<string>): Promise<World> {
  const sites = await Promise.all(Array.from({ length: 3 }, () => makeSite()));
  const personId = sites[0]?.ownerId ?? 0;
  const others = sites.slice(1).map(({ id }) => ({ siteId: id, personId, role: "owner" as const }));
  await db().membership.createMany({ data: others });
  const world = new World(personId, sites, seen);
  const opening = [
    ["bootstrap", 0, 1],
    ["authorize", 0, 0],
    ["approve", 0, 127],
    ["poll", 0, 0],
  ] as const;
  for (const [name, one, mask] of opening) await new Command(name, one, mask).run(world);
  return world;
}

test("in any sequence of actions no token, scope, site or approval exceeds what was granted", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (run) => {
      const world = await startWorld(seen);
      await fc.asyncModelRun(() => ({ model: world, real: null }), run);
    }),
    { seed: 8628, numRuns: 25 },
  );
  const reached = [
    "disconnect",
    "narrow",
    "recover",
    "refresh",
    "reuse",
    "consume",
    "poll 200",
    "poll 400 expired_token",
  ];
  expect([...seen]).toEqual(expect.arrayContaining(reached));
});
