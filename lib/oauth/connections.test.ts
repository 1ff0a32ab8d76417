import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { actionLog } from "@/lib/agents/action-log";
import { decideApproval } from "@/lib/gateway/decide";
import { connectionOf, listConnections, listOtherAgents } from "@/lib/oauth/connections";
import { narrowConnection, removeFromSite, revokeConnection } from "@/lib/oauth/disconnect";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { leaveSite } from "@/lib/sites/members";
import { makeMember } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { signedIn } from "@/lib/testing/owners";
import {
  callApi,
  makeClient,
  makePerson,
  makeSite,
  siteWithAgent,
  type TestClient,
  type TestSite,
} from "@/lib/testing/world";

/** Connected agents: listing them and reducing their access. */

const SCOPES = ["sites:read", "sites:write", "sites:delete"] as const;

const setup = () => siteWithAgent(SCOPES);

const by = (personId: number, agent: TestClient) => ({ personId, clientId: agent.id, requestId: randomUUID() });
const read = (agent: TestClient, site: TestSite) =>
  callApi("sites.settings.get", { token: agent.token, input: { site_id: site.id } });
const settings = (site: TestSite) => ({
  site_id: site.id,
  name: "New",
  timezone: "UTC",
  reporting_currency: "USD",
  public: true,
});

async function refreshToken(agent: TestClient, ownerId: number) {
  const hash = new Uint8Array(digest(freshSecret()));
  const [now, later] = [new Date(), new Date(Date.now() + 3600_000)];
  const about = {
    issuer: "x",
    audience: "x",
    familyId: randomUUID(),
    issuedAt: now,
    expiresAt: later,
    familyExpiresAt: later,
  };
  await db().refreshToken.create({ data: { hash, clientId: agent.id, ownerId, scopes: [...SCOPES], ...about } });
}

async function deviceCode(agent: TestClient, status: "pending" | "approved") {
  const hash = () => new Uint8Array(digest(freshSecret()));
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000) };
  await db().deviceCode.create({
    data: {
      hash: hash(),
      userCodeHash: hash(),
      clientId: agent.id,
      scopes: [...SCOPES],
      interval: 5,
      status,
      ...times,
    },
  });
}

test("an agent is listed only for its person, with its scopes and the sites where they are still a member", async () => {
  const { site, agent } = await setup();
  const left = await makeSite();
  await db().clientSite.create({ data: { clientId: agent.id, siteId: left.id } });
  const { active } = await listConnections(site.ownerId, new Date());
  expect(active).toMatchObject([
    {
      clientId: agent.id,
      kind: "delegated",
      scopes: SCOPES,
      sites: [{ siteId: site.id, domain: site.host, open: true }],
    },
  ]);
  const stranger = await makePerson();
  expect((await listConnections(stranger, new Date())).active).toEqual([]);
  for (const id of [agent.id, "nobody", "\u0000", "x".repeat(300)]) expect(await connectionOf(stranger, id)).toBeNull();
});

test("a person can see and disconnect a machine whose account they took over", async () => {
  const { site, agent } = await setup();
  const machine = await makeClient({ scopes: SCOPES, sites: [site] });
  const account = await db().machineAccount.create({
    data: {
      id: `ffm_${randomUUID()}`,
      domain: site.host,
      recoveryHash: new Uint8Array(digest("key")),
      ownerId: site.ownerId,
      createdAt: new Date(),
    },
  });
  await db().client.update({ where: { id: machine.id }, data: { accountId: account.id } });
  const { active } = await listConnections(site.ownerId, new Date());
  expect(active.find(({ clientId }) => clientId === machine.id)).toMatchObject({ kind: "machine", domain: site.host });
  await revokeConnection(by(site.ownerId, machine), new Date());
  expect([(await read(machine, site)).status, (await read(agent, site)).status]).toEqual([401, 200]);
});

test("a disconnected agent is refused at its next call; its tokens, codes and pending approvals are revoked", async () => {
  const { site, agent } = await setup();
  await refreshToken(agent, site.ownerId);
  await deviceCode(agent, "pending");
  await deviceCode(agent, "approved");
  const refused = await callApi("sites.delete", { token: agent.token, input: { site_id: site.id } });
  expect((await read(agent, site)).status).toBe(200);
  await revokeConnection(by(site.ownerId, agent), new Date());

  expect((await read(agent, site)).status).toBe(401);
  const open = { clientId: agent.id, revokedAt: null };
  expect(await db().accessToken.count({ where: open })).toBe(0);
  expect(await db().refreshToken.count({ where: open })).toBe(0);
  expect(await db().deviceCode.count({ where: { clientId: agent.id, NOT: { status: "denied" } } })).toBe(0);
  expect(await db().clientSite.count({ where: { clientId: agent.id } })).toBe(0);
  const { id } = refused.body.error.details.approval;
  expect((await db().approval.findUniqueOrThrow({ where: { id } })).status).toBe("superseded");
  const { active, ended } = await listConnections(site.ownerId, new Date());
  expect([active, ended.map(({ clientId }) => clientId)]).toEqual([[], [agent.id]]);
});

test("parallel requests disconnect an agent once", async () => {
  const { site, agent } = await setup();
  const tries = Array.from({ length: 5 }, () => revokeConnection(by(site.ownerId, agent), new Date()));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await db().audit.count({ where: { clientId: agent.id, operation: "agents.revoke" } })).toBe(1);
});

test("only an agent's own person can reduce its access, not an owner of its site", async () => {
  const { site, agent } = await setup();
  const owner = await makePerson();
  await db().membership.create({ data: { siteId: site.id, personId: owner, role: "owner" } });
  for (const person of [owner, await makePerson()]) {
    const kept = { scopes: ["sites:read"] as const, siteIds: [] };
    await expect(revokeConnection(by(person, agent), new Date())).rejects.toMatchObject({ code: "not_found" });
    await expect(narrowConnection(by(person, agent), kept, [...OPERATIONS.values()], new Date())).rejects.toMatchObject(
      { code: "not_found" },
    );
  }
  expect((await read(agent, site)).status).toBe(200);
});

test("reduced access takes effect at the next call, and pending approvals beyond it are withdrawn", async () => {
  const { site, agent } = await setup();
  const second = await makeSite();
  await db().membership.create({ data: { siteId: second.id, personId: site.ownerId, role: "owner" } });
  await db().clientSite.create({ data: { clientId: agent.id, siteId: second.id } });
  const requestApproval = async (operation: string, input: Record<string, unknown>) =>
    (await callApi(operation, { token: agent.token, input })).body.error.details.approval.id as string;
  const lostScope = await requestApproval("sites.delete", { site_id: site.id });
  const lostSite = await requestApproval("sites.settings.update", settings(second));
  const kept = await requestApproval("sites.settings.update", settings(site));

  const left = { scopes: ["sites:read", "sites:write"] as const, siteIds: [site.id] };
  await narrowConnection(by(site.ownerId, agent), left, [...OPERATIONS.values()], new Date());
  expect((await read(agent, site)).status).toBe(200);
  expect((await read(agent, second)).body.error.code).toBe("site_not_granted");
  const refused = await callApi("sites.delete", { token: agent.token, input: { site_id: site.id } });
  expect(refused.body.error.code).toBe("insufficient_scope");
  const status = async (id: string) => (await db().approval.findUniqueOrThrow({ where: { id } })).status;
  expect(await Promise.all([lostScope, lostSite, kept].map(status))).toEqual(["superseded", "superseded", "pending"]);
});

test("reducing access never adds a scope or a site, and a refused change has no effect", async () => {
  const { site, agent } = await setup();
  const foreign = await makeSite();
  const narrow = (scopes: readonly ("sites:read" | "teams:write")[], siteIds: number[]) =>
    narrowConnection(by(site.ownerId, agent), { scopes, siteIds }, [...OPERATIONS.values()], new Date());
  await expect(narrow(["sites:read", "teams:write"], [site.id])).rejects.toMatchObject({ code: "invalid_input" });
  for (const other of [foreign.id, 2 ** 31 + 5]) {
    await expect(narrow(["sites:read"], [site.id, other])).rejects.toMatchObject({ code: "site_not_granted" });
  }
  const connection = await connectionOf(site.ownerId, agent.id);
  expect([connection?.scopes, connection?.sites.map(({ siteId }) => siteId)]).toEqual([SCOPES, [site.id]]);
});

test("an owner sees others' agents on their site and who added them; a manager does not", async () => {
  const { site, agent } = await setup();
  const [owner, manager] = [await makePerson(), await makePerson()];
  await db().membership.create({ data: { siteId: site.id, personId: owner, role: "owner" } });
  await db().membership.create({ data: { siteId: site.id, personId: manager, role: "manager" } });
  const machine = await makeClient({ scopes: ["sites:read"], sites: [site] });
  const others = await listOtherAgents(owner);
  expect(others.map(({ clientId }) => clientId).sort()).toEqual([agent.id, machine.id].sort());
  expect(others.find(({ clientId }) => clientId === agent.id)?.origin).toMatch(/^Added by .\*\*\*@example\.com$/);
  expect(await listOtherAgents(manager)).toEqual([]);
  // Its own person finds it in their own list.
  expect((await listOtherAgents(site.ownerId)).map(({ clientId }) => clientId)).toEqual([machine.id]);
});

test("an owner removes another person's agent from their site, and only from that one", async () => {
  const { site, agent } = await setup();
  const second = await makeSite();
  await db().membership.create({ data: { siteId: second.id, personId: site.ownerId, role: "viewer" } });
  await db().clientSite.create({ data: { clientId: agent.id, siteId: second.id } });
  await removeFromSite(by(second.ownerId, agent), second.id, new Date());
  expect((await read(agent, second)).body.error.code).toBe("site_not_granted");
  expect((await read(agent, site)).status).toBe(200);
  for (const [person, siteId] of [
    [second.ownerId, second.id],
    [second.ownerId, site.id],
    [second.ownerId, 2 ** 31 + 5],
    [await makePerson(), site.id],
  ] as const) {
    await expect(removeFromSite(by(person, agent), siteId, new Date())).rejects.toMatchObject({ code: "not_found" });
  }
  expect((await read(agent, site)).status).toBe(200);
});

test("reducing access and using an approval never deadlock: both lock the approval first", async () => {
  for (const take of ["narrow", "remove", "leave"] as const) {
    const { site, agent } = await setup();
    const owner = await makeMember(site.id, "owner");
    const refused = await callApi("sites.delete", { token: agent.token, input: { site_id: site.id } });
    const { id } = refused.body.error.details.approval;
    const kept = { scopes: ["sites:read"] as const, siteIds: [] };
    const leaving = { personId: site.ownerId, siteId: site.id, requestId: "test", now: new Date() };
    const taking = {
      narrow: () => narrowConnection(by(site.ownerId, agent), kept, [...OPERATIONS.values()], new Date()),
      remove: () => removeFromSite(by(owner, agent), site.id, new Date()),
      leave: () => leaveSite(leaving),
    };
    const { done } = await db().$transaction(async (tx) => {
      // The locks of an approved deletion, in its order.
      await tx.approval.update({ where: { id }, data: { requestId: "spent" } });
      const done = taking[take]();
      await someoneWaitsFor(tx);
      await tx.clientSite.updateMany({ where: { siteId: site.id }, data: { createdAt: new Date() } });
      return { done };
    });
    await done;
    expect(await db().clientSite.count({ where: { clientId: agent.id } })).toBe(0);
    expect((await db().approval.findUniqueOrThrow({ where: { id } })).status).toBe("superseded");
  }
});

test("removing an agent from a site emails its person, unless they did it themselves", async () => {
  const site = await makeSite();
  const [human, now] = [await makeMember(site.id, "manager"), EMAIL_TIME];
  const agent = await makeClient({ scopes: SCOPES, sites: [site], personId: human });
  await removeFromSite(by(site.ownerId, agent), site.id, now);
  const [email, ...more] = await emailsOf(human);
  expect([email?.subject, more, await emailsOf(site.ownerId)]).toEqual([
    `Your agent was removed from ${site.host}`,
    [],
    [],
  ]);
  expect(email?.text).toContain("“A test's agent”");
  const own = await makeClient({ scopes: SCOPES, sites: [site], personId: site.ownerId });
  await removeFromSite(by(site.ownerId, own), site.id, now);
  expect(await emailsOf(site.ownerId)).toEqual([]);
});

test("the log of an agent lists what it did and what people decided, newest first, 50 per page", async () => {
  const { site, agent } = await setup();
  const input = settings(site);
  const { body } = await callApi("sites.settings.update", { token: agent.token, input });
  const { id } = body.error.details.approval;
  const now = new Date();
  const row = { at: now, clientId: agent.id, siteId: site.id, operation: "sites.settings.update", approvalId: id };
  const detail = { decision: "approved", payload_sha256: "00" };
  await db().audit.create({ data: { ...row, personId: site.ownerId, requestId: "decision", detail } });
  for (let i = 0; i < 52; i++) {
    await db().audit.create({ data: { ...row, approvalId: null, requestId: `call-${i}`, detail: {} } });
  }
  const connection = await connectionOf(site.ownerId, agent.id);
  if (!connection) throw new Error("The agent is not connected");
  const first = await actionLog(connection, site.ownerId, undefined, new Date());
  expect(first.entries).toHaveLength(50);
  expect(first.entries[0]).toMatchObject({
    requestId: "call-51",
    by: null,
    site: { siteId: site.id, domain: site.host },
  });
  const rest = await actionLog(connection, site.ownerId, first.older ?? "", new Date());
  expect(rest.entries.map(({ requestId }) => requestId)).toEqual(["call-1", "call-0", "decision"]);
  expect(rest.entries[2]).toMatchObject({ title: "Approved: Change a site's settings", by: "you", approvalId: id });
  expect(rest.older).toBeNull();
});

test("the log of an agent shows a deleted site with its former domain", async () => {
  const { site, agent } = await setup();
  const [input, now] = [{ site_id: site.id }, new Date()];
  const { approval } = (await callApi("sites.delete", { token: agent.token, input })).body.error.details;
  const human = { ...(await signedIn(site.ownerId, now)), requestId: randomUUID() };
  await decideApproval(approval.id, "approved", human, now);
  const headers = { "x-agent-approval-id": approval.id };
  expect((await callApi("sites.delete", { token: agent.token, input, headers })).status).toBe(200);
  const connection = await connectionOf(site.ownerId, agent.id);
  if (!connection) throw new Error("The agent is not connected");
  const { entries } = await actionLog(connection, site.ownerId, undefined, new Date());
  expect(entries.map(({ title, site }) => [title, site?.domain])).toEqual([
    ["Delete a site", site.host],
    ["Approved: Delete a site", site.host],
  ]);
});
