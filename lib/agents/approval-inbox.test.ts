import { expect, test } from "vitest";
import { approvalFor, countPending, listApprovals } from "@/lib/agents/approval-inbox";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { decide } from "@/lib/testing/approved";
import { callApi, makePerson, siteWithAgent, type TestClient, type TestSite } from "@/lib/testing/world";

/** The approval inbox: who sees which requests, and their states. */

const SCOPES = ["sites:read", "sites:write", "sites:delete"] as const;

async function requestApproval(agent: TestClient, site: TestSite, operation = "sites.delete"): Promise<string> {
  const settings = { name: "New", timezone: "UTC", reporting_currency: "USD", public: true };
  const input = { site_id: site.id, ...(operation === "sites.delete" ? {} : settings) };
  const { body } = await callApi(operation, { token: agent.token, input });
  return body.error.details.approval.id;
}

const setup = () => siteWithAgent(SCOPES);

const join = (site: TestSite, personId: number, role: "viewer" | "manager" | "owner") =>
  db().membership.create({ data: { siteId: site.id, personId, role } });

test("a request shows the agent, the site, its code and what would change", async () => {
  const { site, agent } = await setup();
  const id = await requestApproval(agent, site, "sites.settings.update");
  const { waiting, ended } = await listApprovals(site.ownerId, new Date());
  expect(ended).toEqual([]);
  expect(waiting).toHaveLength(1);
  expect(waiting[0]).toMatchObject({
    id,
    state: "pending",
    title: "Change a site's settings",
    risk: "sharing",
    agent: { clientId: agent.id, name: "A test's agent", domain: null, actsFor: "you", own: true },
    site: { siteId: site.id, domain: site.host, open: true },
    whyNot: null,
    decidedBy: null,
  });
  expect(waiting[0]?.lines).toContainEqual({
    label: "Public dashboard",
    before: "Members only",
    after: expect.any(String),
  });
});

test("a stranger cannot see requests in the list or by id", async () => {
  const { site, agent } = await setup();
  const id = await requestApproval(agent, site);
  const stranger = await makePerson();
  const now = new Date();
  expect(await listApprovals(stranger, now)).toEqual({ waiting: [], ended: [] });
  expect(await countPending(stranger, now)).toBe(0);
  for (const one of [id, "apr_nobody", "'; --", "\u0000", "a".repeat(500)]) {
    expect(await approvalFor(one, stranger, now)).toBeNull();
  }
});

test("a manager sees requests of other people's agents, and whether their own role may decide", async () => {
  const { site, agent } = await setup();
  const [manager, viewer, owner] = [await makePerson(), await makePerson(), await makePerson()];
  await join(site, manager, "manager");
  await join(site, viewer, "viewer");
  await join(site, owner, "owner");
  const destructive = await requestApproval(agent, site);
  const sharing = await requestApproval(agent, site, "sites.settings.update");
  const now = new Date();
  const why = async (id: string, person: number) => (await approvalFor(id, person, now))?.whyNot;
  expect(await why(destructive, owner)).toBeNull();
  expect(await why(destructive, manager)).toBe("Only an owner of the site may decide this; you are a manager there.");
  expect(await why(sharing, manager)).toBeNull();
  expect(await Promise.all([owner, manager, viewer].map((person) => countPending(person, now)))).toEqual([2, 1, 0]);
  expect((await approvalFor(destructive, owner, now))?.agent).toMatchObject({ own: false });
});

test("a viewer sees no requests about a site in the list or by id, except of their own agent", async () => {
  const { site, agent } = await setup();
  const viewer = await makePerson();
  await join(site, viewer, "viewer");
  const now = new Date();
  const id = await requestApproval(agent, site, "sites.settings.update");
  expect([await approvalFor(id, viewer, now), await listApprovals(viewer, now)]).toEqual([
    null,
    { waiting: [], ended: [] },
  ]);
  await db().client.update({ where: { id: agent.id }, data: { ownerId: viewer } });
  expect((await approvalFor(id, viewer, now))?.whyNot).toContain("you are a viewer there");
  expect((await listApprovals(viewer, now)).waiting).toHaveLength(1);
});

test("a person who lost the role before deciding is refused, and the request stays pending", async () => {
  const { site, agent } = await setup();
  const id = await requestApproval(agent, site);
  expect((await approvalFor(id, site.ownerId, new Date()))?.whyNot).toBeNull();
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "manager" } });
  await expect(decide(id, site.ownerId, "approved")).rejects.toMatchObject({ code: "approval_denied" });
  expect((await approvalFor(id, site.ownerId, new Date()))?.state).toBe("pending");
});

test("every final state has a name: denied, approved, done, lapsed, expired, superseded", async () => {
  const { site, agent } = await setup();
  const now = new Date();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const id = await requestApproval(agent, site);
  const state = async (at: Date) => (await approvalFor(id, site.ownerId, at))?.state;
  expect([await state(now), await state(later(DAY_MS + 60_000))]).toEqual(["pending", "expired"]);
  await decide(id, site.ownerId, "approved");
  expect([await state(now), await state(later(2 * 3600_000))]).toEqual(["approved", "lapsed"]);
  const { status } = await callApi("sites.delete", {
    token: agent.token,
    input: { site_id: site.id },
    headers: { "x-agent-approval-id": id },
  });
  expect([status, await state(now)]).toEqual([200, "done"]);

  const second = await setup();
  const denied = await requestApproval(second.agent, second.site);
  await decide(denied, second.site.ownerId, "denied");
  const { ended } = await listApprovals(second.site.ownerId, new Date());
  expect(ended).toMatchObject([{ id: denied, state: "denied", decidedBy: "you" }]);
  const waiting = await requestApproval(second.agent, second.site, "sites.settings.update");
  await db().client.update({ where: { id: second.agent.id }, data: { revokedAt: new Date() } });
  expect((await approvalFor(waiting, second.site.ownerId, new Date()))?.state).toBe("superseded");
  expect(await countPending(second.site.ownerId, new Date())).toBe(0);
  await expect(decide(waiting, second.site.ownerId, "approved")).rejects.toMatchObject({ code: "approval_denied" });
});

test("requests older than 90 days are not listed", async () => {
  const { site, agent } = await setup();
  await requestApproval(agent, site);
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  expect((await listApprovals(site.ownerId, at(89))).ended).toHaveLength(1);
  expect((await listApprovals(site.ownerId, at(91))).ended).toHaveLength(0);
});

test("deceptive characters are removed from the name of an agent, and refused in what it asks for", async () => {
  const { site, agent } = await setup();
  await db().client.update({ where: { id: agent.id }, data: { name: "Trusted\u202eevil\u0007\u2066" } });
  const input = { site_id: site.id, name: "a\u202eb", timezone: "UTC", reporting_currency: "USD", public: true };
  const refused = await callApi("sites.settings.update", { token: agent.token, input });
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, "name"]);
  const named = { ...input, name: "ab" };
  const { body } = await callApi("sites.settings.update", { token: agent.token, input: named });
  const shown = await approvalFor(body.error.details.approval.id, site.ownerId, new Date());
  expect(shown?.agent.name).toBe("Trustedevil");
  expect(shown?.lines.find(({ label }) => label === "Name")?.after).toBe("ab");
});

test("reading a request, as mail scanners do with its link, leaves it pending", async () => {
  const { site, agent } = await setup();
  const id = await requestApproval(agent, site);
  const before = await db().approval.findUniqueOrThrow({ where: { id } });
  for (let i = 0; i < 3; i++) await approvalFor(id, site.ownerId, new Date());
  await listApprovals(site.ownerId, new Date());
  expect(await db().approval.findUniqueOrThrow({ where: { id } })).toEqual(before);
});
