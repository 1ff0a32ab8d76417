import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { checkClaim, readClaim, startClaim } from "@/lib/identity/claims";
import { managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { HOUR_MS } from "@/lib/platform/durations";
import { hashOf } from "@/lib/platform/secrets";
import { createSite } from "@/lib/sites/create";
import { decide } from "@/lib/testing/approved";
import { refused, revisionOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { dnsForTests } from "@/lib/testing/internet";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { signedIn } from "@/lib/testing/owners";
import { callApi, makeClient, makePerson, makeSite, type TestClient } from "@/lib/testing/world";

/** Domain takeover: a person verifies an agent's domain and takes it over with its sites. */

const dns = dnsForTests();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);

interface Agent extends TestClient {
  accountId: string;
  domain: string;
  /** The site that the agent created. */
  siteId: number;
}

const RECOVERY_KEY = "a".repeat(64);

/** Creates a site without members. */
async function makeOwnerlessSite() {
  const site = await makeSite();
  await db().membership.deleteMany({ where: { siteId: site.id } });
  return site;
}

/** Creates a machine account with a client, a token and sites without members. The first one has its domain. */
async function makeAgent(others: { id: number }[] = []): Promise<Agent> {
  const site = await makeOwnerlessSite();
  const sites = [site, ...others];
  const client = await makeClient({ scopes: ["sites:read", "sites:write", "sites:delete", "sites:create"], sites });
  const account = await db().machineAccount.create({
    data: {
      id: `acc_${randomUUID()}`,
      domain: site.host,
      recoveryHash: hashOf(RECOVERY_KEY),
      createdAt: NOW,
      clients: { connect: { id: client.id } },
    },
  });
  return { ...client, accountId: account.id, domain: site.host, siteId: site.id };
}

async function makeClaimer(now = NOW) {
  const personId = await makePerson();
  const { email } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return { personId, email, sid: (await signedIn(personId, now)).sid, requestId: "test" };
}
type Claimer = Awaited<ReturnType<typeof makeClaimer>>;

const start = (agent: Agent, by: Claimer, now = NOW, domain = agent.domain) =>
  startClaim(agent.id, { domain, method: "dns" }, by, now);
const check = (agent: Agent, by: Claimer, now = NOW, key: string | null = null) => checkClaim(agent.id, by, key, now);

async function publishFor(agent: Agent, domain: string, ...claimers: Claimer[]): Promise<void> {
  const values: string[] = [];
  for (const claimer of claimers) values.push((await start(agent, claimer, NOW, domain)).record.value);
  dns.set(`_footfall-challenge.${domain}`, { TXT: values });
}
const publish = (agent: Agent, ...claimers: Claimer[]) => publishFor(agent, agent.domain, ...claimers);

const deleting =
  (agent: Agent, siteId: number, key: string) =>
  (headers: Record<string, string> = {}) =>
    callApi("sites.delete", { token: agent.token, input: { site_id: siteId }, key, headers });
const ownersOfSite = async (siteId: number) =>
  (await db().membership.findMany({ where: { siteId, role: "owner" } })).map(({ personId }) => personId);

const ownersOf = (agent: Agent) =>
  Promise.all([
    db().machineAccount.findUniqueOrThrow({ where: { id: agent.accountId } }),
    db().client.findUniqueOrThrow({ where: { id: agent.id } }),
    db().membership.findMany({ where: { siteId: agent.siteId, role: "owner" } }),
  ]).then(([account, client, members]) => [account.ownerId, client.ownerId, members.map(({ personId }) => personId)]);

test("verifying the domain makes the person the agent's human and owner of its sites; the agent's token stays valid", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const revision = await revisionOf(agent.siteId);
  await publish(agent, ann);
  expect(await check(agent, ann)).toEqual({ standing: "yours", taken: [agent.siteId], missing: [] });
  expect(await ownersOf(agent)).toEqual([ann.personId, ann.personId, [ann.personId]]);
  expect(await revisionOf(agent.siteId)).toBe(revision + 1);
  const { status, body } = await callApi("sites.settings.get", {
    token: agent.token,
    input: { site_id: agent.siteId },
  });
  expect([status, body.data.role]).toEqual([200, "owner"]);
  const rows = await db().audit.findMany({
    where: { clientId: agent.id, operation: "claims.check" },
    orderBy: { siteId: { sort: "asc", nulls: "last" } },
  });
  expect(rows.map(({ siteId, personId }) => [siteId, personId])).toEqual([
    [agent.siteId, ann.personId],
    [null, ann.personId],
  ]);
});

test("an operation refused for lack of a human is sent for approval after the takeover, and then executed", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const ask = deleting(agent, agent.siteId, "delete-it-1");
  const alone = await ask();
  expect([alone.status, alone.body.error.code]).toEqual([409, "interactive_required"]);
  expect(alone.body.error.details.interactive_url).toBe(`http://localhost:3000/agents/claim/${agent.id}`);

  await publish(agent, ann);
  await check(agent, ann);
  const asked = await ask();
  expect([asked.status, asked.body.error.code]).toEqual([409, "approval_required"]);
  const { id } = asked.body.error.details.approval;
  await decide(id, ann.personId);
  const done = await ask({ "x-agent-approval-id": id });
  expect([done.status, done.body.data.deleted]).toEqual([200, true]);
});

test("before the record is published nothing is transferred, and the person sees what was found instead", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const { record } = await start(agent, ann);
  const look = () => check(agent, ann);
  const missing = { found: false, method: "dns", domain: agent.domain, reason: "dns_no_match" };
  expect(await look()).toEqual({ standing: "open", taken: [], missing: [{ ...missing, temporary: false }] });
  dns.set(record.dns_name, { TXT: ["something else"] });
  expect((await look()).missing).toEqual([{ ...missing, temporary: false, instead: ["something else"] }]);
  dns.set(record.dns_name, "servfail");
  expect((await look()).missing).toEqual([{ ...missing, temporary: true }]);
  expect(await ownersOf(agent)).toEqual([null, null, []]);
  expect(await db().challenge.findMany({ where: { clientId: agent.id } })).toMatchObject([{ attempts: 2 }]);
});

test("a record published for another person proves nothing", async () => {
  const [agent, ann, eve] = [await makeAgent(), await makeClaimer(), await makeClaimer()];
  await publish(agent, ann);
  await start(agent, eve);
  expect((await check(agent, eve)).standing).toBe("open");
  expect(await ownersOf(agent)).toEqual([null, null, []]);
});

test("of two people who verify the domain one wins, and the other sees that the agent is taken", async () => {
  const agent = await makeAgent();
  const claimers = [await makeClaimer(), await makeClaimer()];
  await publish(agent, ...claimers);
  const looks = await Promise.all(claimers.map((claimer) => check(agent, claimer)));
  expect(looks.map(({ standing }) => standing).sort()).toEqual(["taken", "yours"]);
  const winner = claimers[looks.findIndex(({ standing }) => standing === "yours")]?.personId;
  expect(await ownersOf(agent)).toEqual([winner, winner, [winner]]);
});

test("two parallel checks by one person take over once", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await publish(agent, ann);
  const looks = await Promise.all([check(agent, ann), check(agent, ann)]);
  expect(looks.map(({ standing }) => standing)).toEqual(["yours", "yours"]);
  expect(await db().audit.count({ where: { clientId: agent.id, siteId: agent.siteId } })).toBe(1);
});

test("a takeover keeps existing owners of a site, and makes a member with a lower role its owner where there is none", async () => {
  const ann = await makeClaimer();
  const [owned, managed] = [await makeSite(), await makeSite()];
  const agent = await makeAgent([owned, managed]);
  await db().membership.updateMany({
    where: { siteId: managed.id },
    data: { role: "manager", personId: ann.personId },
  });
  await publish(agent, ann);
  await publishFor(agent, managed.host, ann);
  expect(await check(agent, ann)).toEqual({
    standing: "open",
    taken: [agent.siteId, managed.id].sort(byNumber),
    missing: [],
  });
  expect([await ownersOfSite(owned.id), await ownersOfSite(managed.id)]).toEqual([[owned.ownerId], [ann.personId]]);
  expect((await readClaim(agent.id, ann.personId, NOW))?.otherSites).toBe(1);
});

const byNumber = (one: number, other: number) => one - other;

test("a site created during the takeover keeps the agent from being the person's, until its own domain is proven", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await publish(agent, ann);
  const who = { kind: "client", clientId: agent.id, clientKind: "machine", personId: null } as const;
  const creator = { ...who, scopes: [], resource: managementResource() };
  const site = { name: null, timezone: "UTC", public: false, creator, now: NOW };
  const host = `${randomUUID()}.example`;
  // Started before and committed after: the takeover waits for it.
  const look = await db().$transaction(async (tx) => {
    const siteId = await createSite(tx, { ...site, host });
    const looking = check(agent, ann);
    await someoneWaitsFor(tx);
    return { siteId, looking };
  });
  expect(await look.looking).toMatchObject({ standing: "open", taken: [agent.siteId] });
  expect(await ownersOfSite(look.siteId)).toEqual([]);
  await publishFor(agent, host, ann);
  expect(await check(agent, ann)).toMatchObject({ standing: "yours", taken: [look.siteId] });
  // Started without a person, finished after the takeover.
  expect(await ownersOfSite(await createSite(db(), { ...site, host: `${randomUUID()}.example` }))).toEqual([
    ann.personId,
  ]);
});

test("one proven domain hands over its own site only, and approvals of the other sites stay without a human", async () => {
  const [other, ann] = [await makeOwnerlessSite(), await makeClaimer()];
  const agent = await makeAgent([other]);
  await publish(agent, ann);
  expect(await check(agent, ann)).toEqual({ standing: "open", taken: [agent.siteId], missing: [] });
  expect(await ownersOf(agent)).toEqual([null, null, [ann.personId]]);
  expect(await ownersOfSite(other.id)).toEqual([]);
  expect((await deleting(agent, other.id, "delete-other")()).body.error.code).toBe("interactive_required");
  expect((await deleting(agent, agent.siteId, "delete-own")()).body.error.code).toBe("approval_required");
  for (const site_id of [agent.siteId, other.id]) {
    const { status, body } = await callApi("sites.settings.get", { token: agent.token, input: { site_id } });
    expect([status, body.data.role]).toEqual([200, "owner"]);
  }
  expect(await readClaim(agent.id, ann.personId, NOW)).toMatchObject({
    standing: "open",
    sites: [
      { siteId: other.id, yours: false, proofs: [other.host] },
      { siteId: agent.siteId, yours: true, proofs: [] },
    ],
  });
});

test("two people who prove different domains of one agent each own and approve for their site alone", async () => {
  const [other, ann, bob] = [await makeOwnerlessSite(), await makeClaimer(), await makeClaimer()];
  const agent = await makeAgent([other]);
  await publish(agent, ann);
  await publishFor(agent, other.host, bob);
  await Promise.all([check(agent, ann), check(agent, bob)]);
  expect(await ownersOf(agent)).toEqual([null, null, [ann.personId]]);
  expect(await ownersOfSite(other.id)).toEqual([bob.personId]);
  const ask = deleting(agent, other.id, "delete-it-1");
  const { id } = (await ask()).body.error.details.approval;
  expect((await refused(decide(id, ann.personId)))?.code).toBe("not_found");
  await decide(id, bob.personId);
  expect((await ask({ "x-agent-approval-id": id })).status).toBe(200);
  expect(await ownersOfSite(agent.siteId)).toEqual([ann.personId]);
});

test("one proof and the recovery key hand over all sites; a wrong key or a key without any proof hand over none", async () => {
  const [other, ann] = [await makeOwnerlessSite(), await makeClaimer()];
  const agent = await makeAgent([other]);
  await start(agent, ann);
  expect((await check(agent, ann, NOW, RECOVERY_KEY)).taken).toEqual([]);
  await publish(agent, ann);
  expect((await refused(check(agent, ann, NOW, "b".repeat(64))))?.code).toBe("recovery_key_wrong");
  expect(await ownersOf(agent)).toEqual([null, null, []]);
  const { standing, taken } = await check(agent, ann, NOW, RECOVERY_KEY);
  expect([standing, taken]).toEqual(["yours", [other.id, agent.siteId]]);
  expect(await ownersOf(agent)).toEqual([ann.personId, ann.personId, [ann.personId]]);
});

test("a site with a second verified domain needs the proof of both, and a domain that nobody verified needs none", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const [second, unproven] = [`${randomUUID()}.example`, `${randomUUID()}.example`];
  await db().siteDomain.createMany({
    data: [
      { siteId: agent.siteId, host: second, verifiedAt: NOW },
      { siteId: agent.siteId, host: unproven },
    ],
  });
  await publish(agent, ann);
  expect(await check(agent, ann)).toMatchObject({ standing: "open", taken: [] });
  expect((await readClaim(agent.id, ann.personId, NOW))?.sites[0]?.proofs).toEqual([agent.domain, second]);
  await publishFor(agent, second, ann);
  expect(await check(agent, ann)).toMatchObject({ standing: "yours", taken: [agent.siteId] });
});

test("whoever proves a domain that the agent's site has lost, or one of another site, gets nothing of the agent", async () => {
  const [agent, ann, stranger] = [await makeAgent(), await makeClaimer(), await makeSite()];
  await publish(agent, ann);
  await db().siteDomain.updateMany({
    where: { siteId: agent.siteId },
    data: { siteId: stranger.id, isPrimary: false },
  });
  expect(await check(agent, ann)).toMatchObject({ standing: "open", taken: [] });
  expect(await ownersOf(agent)).toEqual([null, null, []]);
  for (const domain of [agent.domain, stranger.host, "co.uk"]) {
    expect(await refused(start(agent, ann, NOW, domain))).toMatchObject({
      code: "invalid_input",
      details: { issues: [{ path: "domain" }] },
    });
  }
});

test("a record is valid for a day and stays the same until then", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const first = await start(agent, ann);
  expect(await start(agent, ann, later(23 * HOUR_MS))).toEqual(first);
  dns.set(first.record.dns_name, { TXT: [first.record.value] });
  expect((await refused(check(agent, ann, later(24 * HOUR_MS))))?.code).toBe("not_found");
  expect((await start(agent, ann, later(24 * HOUR_MS))).record.value).not.toBe(first.record.value);
  expect(await ownersOf(agent)).toEqual([null, null, []]);
});

test("a person sees an agent's sites and their own records, but no details of another person's agent", async () => {
  const [agent, ann, eve] = [await makeAgent(), await makeClaimer(), await makeClaimer()];
  await publish(agent, ann);
  const open = { standing: "open", domain: agent.domain, name: "A test's agent" };
  expect(await readClaim(agent.id, ann.personId, NOW)).toMatchObject({ ...open, records: [{ method: "dns" }] });
  expect(await readClaim(agent.id, eve.personId, NOW)).toMatchObject({ ...open, records: [] });
  await check(agent, ann);
  expect(await readClaim(agent.id, ann.personId, NOW)).toMatchObject({
    standing: "yours",
    sites: [{ siteId: agent.siteId, domain: agent.domain, yours: true, proofs: [] }],
    otherSites: 0,
    records: [],
  });
  expect(await readClaim(agent.id, eve.personId, NOW)).toMatchObject({ standing: "taken", sites: [], scopes: [] });
  expect((await refused(start(agent, eve)))?.code).toBe("not_found");
  expect(await check(agent, eve)).toEqual({ standing: "taken", taken: [], missing: [] });
});

test("an unknown, delegated or revoked client cannot be taken over, nor one without an account", async () => {
  const ann = await makeClaimer();
  const delegated = await makeClient({ scopes: [], personId: ann.personId });
  const revoked = await makeAgent();
  await db().client.update({ where: { id: revoked.id }, data: { revokedAt: NOW } });
  const loose = await makeClient({ scopes: [] });
  for (const id of ["ffc_nobody", "", "\u0000", "../x", delegated.id, revoked.id, loose.id]) {
    expect(await readClaim(id, ann.personId, NOW), id).toBeNull();
    expect((await refused(startClaim(id, { domain: "any.example", method: "dns" }, ann, NOW)))?.code, id).toBe(
      "not_found",
    );
    expect((await refused(checkClaim(id, ann, null, NOW)))?.code, id).toBe("not_found");
  }
});

test("checks are limited to 20 in ten minutes", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await start(agent, ann);
  for (let look = 0; look < 20; look++) await check(agent, ann);
  expect((await refused(check(agent, ann)))?.code).toBe("rate_limited");
  expect((await check(agent, ann, later(601_000))).standing).toBe("open");
});

test("a takeover emails the person", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer(EMAIL_TIME)];
  const { record } = await start(agent, ann, EMAIL_TIME);
  dns.set(record.dns_name, { TXT: [record.value] });
  await check(agent, ann, EMAIL_TIME);
  expect(await emailsTo(ann.email)).toMatchObject([{ subject: `You took over an agent: ${agent.domain}` }]);
});
