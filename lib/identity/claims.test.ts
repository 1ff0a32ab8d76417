import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { checkClaim, readClaim, startClaim } from "@/lib/identity/claims";
import { db } from "@/lib/platform/db";
import { createSite } from "@/lib/sites/create";
import { decide } from "@/lib/testing/approved";
import { refused, revisionOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { dnsForTests } from "@/lib/testing/internet";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { callApi, makeClient, makePerson, makeSite, type TestClient } from "@/lib/testing/world";

/** Domain takeover: a person verifies an agent's domain and takes it over with its sites. */

const dns = dnsForTests();
const NOW = new Date();
const later = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR_MS = 3600_000;

interface Agent extends TestClient {
  accountId: string;
  domain: string;
  /** The site that the agent created. */
  siteId: number;
}

/** Creates a machine account with a client, a token and a site without members. */
async function makeAgent(): Promise<Agent> {
  const site = await makeSite();
  await db().membership.deleteMany({ where: { siteId: site.id } });
  const client = await makeClient({ scopes: ["sites:read", "sites:write", "sites:delete"], sites: [site] });
  const account = await db().machineAccount.create({
    data: {
      id: `acc_${randomUUID()}`,
      domain: site.host,
      recoveryHash: new Uint8Array(32),
      createdAt: NOW,
      clients: { connect: { id: client.id } },
    },
  });
  return { ...client, accountId: account.id, domain: site.host, siteId: site.id };
}

async function makeClaimer() {
  const personId = await makePerson();
  const { email } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return { personId, email, requestId: "test" };
}
type Claimer = Awaited<ReturnType<typeof makeClaimer>>;

async function publish(agent: Agent, ...claimers: Claimer[]): Promise<void> {
  const values: string[] = [];
  for (const claimer of claimers) values.push((await startClaim(agent.id, "dns", claimer, NOW)).record.value);
  dns.set(`_footfall-challenge.${agent.domain}`, { TXT: values });
}

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
  expect(await checkClaim(agent.id, ann, NOW)).toEqual({ standing: "yours", missing: [] });
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
  const ask = (headers: Record<string, string> = {}) =>
    callApi("sites.delete", { token: agent.token, input: { site_id: agent.siteId }, key: "delete-it-1", headers });
  const alone = await ask();
  expect([alone.status, alone.body.error.code]).toEqual([409, "interactive_required"]);
  expect(alone.body.error.details.interactive_url).toBe(`http://localhost:3000/agents/claim/${agent.id}`);

  await publish(agent, ann);
  await checkClaim(agent.id, ann, NOW);
  const asked = await ask();
  expect([asked.status, asked.body.error.code]).toEqual([409, "approval_required"]);
  const { id } = asked.body.error.details.approval;
  await decide(id, ann.personId);
  const done = await ask({ "x-agent-approval-id": id });
  expect([done.status, done.body.data.deleted]).toEqual([200, true]);
});

test("before the record is published nothing is transferred, and the person sees what was found instead", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const { record } = await startClaim(agent.id, "dns", ann, NOW);
  const look = () => checkClaim(agent.id, ann, NOW);
  const missing = { found: false, method: "dns", reason: "dns_no_match" };
  expect(await look()).toEqual({ standing: "open", missing: [{ ...missing, temporary: false }] });
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
  await startClaim(agent.id, "dns", eve, NOW);
  expect((await checkClaim(agent.id, eve, NOW)).standing).toBe("open");
  expect(await ownersOf(agent)).toEqual([null, null, []]);
});

test("of two people who verify the domain one wins, and the other sees that the agent is taken", async () => {
  const agent = await makeAgent();
  const claimers = [await makeClaimer(), await makeClaimer()];
  await publish(agent, ...claimers);
  const looks = await Promise.all(claimers.map((claimer) => checkClaim(agent.id, claimer, NOW)));
  expect(looks.map(({ standing }) => standing).sort()).toEqual(["taken", "yours"]);
  const winner = claimers[looks.findIndex(({ standing }) => standing === "yours")]?.personId;
  expect(await ownersOf(agent)).toEqual([winner, winner, [winner]]);
});

test("two parallel checks by one person take over once", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await publish(agent, ann);
  const looks = await Promise.all([checkClaim(agent.id, ann, NOW), checkClaim(agent.id, ann, NOW)]);
  expect(looks.map(({ standing }) => standing)).toEqual(["yours", "yours"]);
  expect(await db().audit.count({ where: { clientId: agent.id, siteId: agent.siteId } })).toBe(1);
});

test("a takeover keeps existing owners of a site, and makes a member with a lower role its owner where there is none", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const owned = await makeSite();
  const managed = await makeSite();
  await db().membership.updateMany({
    where: { siteId: managed.id },
    data: { role: "manager", personId: ann.personId },
  });
  await db().clientSite.createMany({ data: [owned, managed].map(({ id }) => ({ clientId: agent.id, siteId: id })) });
  await publish(agent, ann);
  await checkClaim(agent.id, ann, NOW);
  const members = async (siteId: number) =>
    (await db().membership.findMany({ where: { siteId } })).map(({ personId, role }) => [personId, role]);
  expect(await members(owned.id)).toEqual([[owned.ownerId, "owner"]]);
  expect(await members(managed.id)).toEqual([[ann.personId, "owner"]]);
});

test("a site created during the takeover gets the person as owner", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await publish(agent, ann);
  const creator = { kind: "client", clientId: agent.id, clientKind: "machine", personId: null, scopes: [] } as const;
  const site = { name: null, timezone: "UTC", public: false, creator, now: NOW };
  const ownersOfSite = async (siteId: number) =>
    (await db().membership.findMany({ where: { siteId, role: "owner" } })).map(({ personId }) => personId);
  // Started before and committed after: the takeover waits for it.
  const look = await db().$transaction(async (tx) => {
    const siteId = await createSite(tx, { ...site, host: `${randomUUID()}.example` });
    const looking = checkClaim(agent.id, ann, NOW);
    await someoneWaitsFor(tx);
    return { siteId, looking };
  });
  expect((await look.looking).standing).toBe("yours");
  expect(await ownersOfSite(look.siteId)).toEqual([ann.personId]);
  // Started without a person, finished after the takeover.
  expect(await ownersOfSite(await createSite(db(), { ...site, host: `${randomUUID()}.example` }))).toEqual([
    ann.personId,
  ]);
});

test("a record is valid for a day and stays the same until then", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const first = await startClaim(agent.id, "dns", ann, NOW);
  expect(await startClaim(agent.id, "dns", ann, later(23 * HOUR_MS))).toEqual(first);
  dns.set(first.record.dns_name, { TXT: [first.record.value] });
  expect((await refused(checkClaim(agent.id, ann, later(24 * HOUR_MS))))?.code).toBe("not_found");
  expect((await startClaim(agent.id, "dns", ann, later(24 * HOUR_MS))).record.value).not.toBe(first.record.value);
  expect(await ownersOf(agent)).toEqual([null, null, []]);
});

test("a person sees an agent's sites and their own records, but no details of another person's agent", async () => {
  const [agent, ann, eve] = [await makeAgent(), await makeClaimer(), await makeClaimer()];
  await publish(agent, ann);
  const open = { standing: "open", domain: agent.domain, name: "A test's agent" };
  expect(await readClaim(agent.id, ann.personId, NOW)).toMatchObject({ ...open, records: [{ method: "dns" }] });
  expect(await readClaim(agent.id, eve.personId, NOW)).toMatchObject({ ...open, records: [] });
  await checkClaim(agent.id, ann, NOW);
  expect(await readClaim(agent.id, ann.personId, NOW)).toMatchObject({
    standing: "yours",
    sites: [{ siteId: agent.siteId, domain: agent.domain, owned: true, yours: true }],
    records: [],
  });
  expect(await readClaim(agent.id, eve.personId, NOW)).toMatchObject({ standing: "taken", sites: [], scopes: [] });
  expect((await refused(startClaim(agent.id, "dns", eve, NOW)))?.code).toBe("not_found");
  expect(await checkClaim(agent.id, eve, NOW)).toEqual({ standing: "taken", missing: [] });
});

test("an unknown, delegated or revoked client cannot be taken over, nor one without an account", async () => {
  const ann = await makeClaimer();
  const delegated = await makeClient({ scopes: [], personId: ann.personId });
  const revoked = await makeAgent();
  await db().client.update({ where: { id: revoked.id }, data: { revokedAt: NOW } });
  const loose = await makeClient({ scopes: [] });
  for (const id of ["ffc_nobody", "", "\u0000", "../x", delegated.id, revoked.id, loose.id]) {
    expect(await readClaim(id, ann.personId, NOW), id).toBeNull();
    expect((await refused(startClaim(id, "dns", ann, NOW)))?.code, id).toBe("not_found");
    expect((await refused(checkClaim(id, ann, NOW)))?.code, id).toBe("not_found");
  }
});

test("checks are limited to 20 in ten minutes", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  await startClaim(agent.id, "dns", ann, NOW);
  for (let look = 0; look < 20; look++) await checkClaim(agent.id, ann, NOW);
  expect((await refused(checkClaim(agent.id, ann, NOW)))?.code).toBe("rate_limited");
  expect((await checkClaim(agent.id, ann, later(601_000))).standing).toBe("open");
});

test("a takeover emails the person", async () => {
  const [agent, ann] = [await makeAgent(), await makeClaimer()];
  const { record } = await startClaim(agent.id, "dns", ann, EMAIL_TIME);
  dns.set(record.dns_name, { TXT: [record.value] });
  await checkClaim(agent.id, ann, EMAIL_TIME);
  expect(await emailsTo(ann.email)).toMatchObject([{ subject: `You took over an agent: ${agent.domain}` }]);
});
