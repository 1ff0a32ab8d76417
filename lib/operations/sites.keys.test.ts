import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { unlink } from "@/lib/email/links";
import { db } from "@/lib/platform/db";
import { MINUTE_MS } from "@/lib/platform/durations";
import { callApproved, decide } from "@/lib/testing/approved";
import { call, makeMember, refused, summaryOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { doAction, newOwner } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite, siteWithAgent, type TestClient, type TestSite } from "@/lib/testing/world";

/** The time of all calls, except for outdated sign-ins. */
const NOW = EMAIL_TIME;

const stage = () => siteWithAgent(["sites:read", "sites:write"], NOW);

/** Calls, has the owner approve, and calls again. */
async function approved(site: TestSite, agent: TestClient, act: string, more: object = {}) {
  const asked = { token: agent.token, input: { site_id: site.id, ...more }, approverId: site.ownerId, now: NOW };
  const answer = await callApproved(`sites.keys.${act}`, asked);
  expect(answer.first.body.error.details.approval.risk).toBe("security");
  return answer;
}

test("with approvals, an agent creates a key, posts events with it, rotates and revokes it", async () => {
  const { site, agent } = await stage();
  const { status, body } = await approved(site, agent, "create", { name: "Shop" });
  const { key, key_id } = body.data;
  expect([status, key]).toEqual([200, expect.stringMatching(/^ffk_[A-Za-z0-9_-]{43}$/)]);
  const event = { type: "page", context: { page: { url: `https://${site.host}/` } } };
  const posted = async (secret: string) => (await postEvents([event], { key: secret, at: NOW })).status;
  expect(await posted(key)).toBe(200);

  const fresh = (await approved(site, agent, "rotate", { key_id, overlap_hours: 24 })).body.data;
  expect(fresh).toMatchObject({ previous_key_id: key_id, previous_key_valid_until: expect.any(String) });
  expect([await posted(fresh.key), await posted(key)]).toEqual([200, 200]);

  const listed = async () => {
    const { body } = await callApi("sites.keys.list", { token: agent.token, input: { site_id: site.id }, now: NOW });
    expect(JSON.stringify(body)).not.toContain(key.slice(4, 40));
    return body.data.keys.map(({ key_id, name, hint }: Record<string, unknown>) => ({ key_id, name, hint }));
  };
  const [old, successor] = [
    { key_id, name: "Shop", hint: key.slice(-4) },
    { key_id: fresh.key_id, name: "Shop", hint: fresh.key.slice(-4) },
  ];
  expect(await listed()).toEqual([successor, old]);
  expect((await approved(site, agent, "revoke", { key_id })).body.data).toEqual({ key_id });
  expect(await listed()).toEqual([successor]);
});

test("the key is replayed only to the client that created it, for the same call and Idempotency-Key", async () => {
  const { site, agent } = await stage();
  const { sent, body } = await approved(site, agent, "create", { name: "Shop", expires_in_days: 30 });
  const again = await callApi("sites.keys.create", sent);
  expect([again.status, again.body.replayed, again.body.data]).toEqual([200, true, body.data]);
  expect(await db().ingestKey.count({ where: { siteId: site.id } })).toBe(1);

  const scopes = ["sites:read", "sites:write"] as const;
  const other = await makeClient({ scopes, sites: [site], personId: site.ownerId, now: NOW });
  const theirs = await callApi("sites.keys.create", { ...sent, token: other.token });
  expect([theirs.status, theirs.body.error.code]).toEqual([409, "approval_required"]);
  expect(JSON.stringify(theirs.body)).not.toContain(body.data.key);
  const changed = await callApi("sites.keys.create", { ...sent, input: { ...sent.input, name: "Other" } });
  expect([changed.status, changed.body.error.code]).toEqual([409, "idempotency_conflict"]);
});

test("the key is not stored in the replayable answer, the approval, the audit log or an email", async () => {
  const { site, agent } = await stage();
  const { approvalId, body } = await approved(site, agent, "create", { name: "Shop" });
  const { key } = body.data;
  const remembered = await db().idempotencyRecord.findMany({ where: { scope: agent.id } });
  expect(remembered.map(({ operation }) => operation)).toEqual(["sites.keys.create"]);
  expect(Buffer.from(remembered[0]?.answer ?? []).includes(key)).toBe(false);
  const approval = await db().approval.findUniqueOrThrow({ where: { id: approvalId } });
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  const emails = await emailsOf(site.ownerId);
  const stored = JSON.stringify([approval, audit.map(({ detail }) => detail), emails]);
  expect(stored).toContain("Shop");
  expect(stored).not.toContain(key);
});

test("the audit log records client, person, approval and request of a created key", async () => {
  const { site, agent } = await stage();
  const { approvalId, body } = await approved(site, agent, "create", { name: "Shop" });
  const rows = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.keys.create" },
    orderBy: { id: "asc" },
  });
  expect(rows).toMatchObject([
    { detail: { decision: "approved" } },
    {
      clientId: agent.id,
      personId: site.ownerId,
      approvalId,
      requestId: body.request_id,
      detail: { name: "Shop", key_id: body.data.key_id, site_domain: site.host },
    },
  ]);
});

test("a machine client needs the approval of a site owner to create a key; a manager cannot approve", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  const machine = await makeClient({ scopes: ["sites:write"], sites: [site], now: NOW });
  const input = { site_id: site.id, name: "Shop" };
  const request = { token: machine.token, input, key: randomUUID(), now: NOW };
  const { id } = (await callApi("sites.keys.create", request)).body.error.details.approval;
  expect((await refused(decide(id, manager, "approved", NOW)))?.code).toBe("approval_denied");
  await decide(id, site.ownerId, "approved", NOW);
  const approved = { ...request, headers: { "x-agent-approval-id": id } };
  const { key_id } = (await callApi("sites.keys.create", approved)).body.data;
  const row = await db().ingestKey.findUniqueOrThrow({ where: { id: key_id } });
  expect(row.createdById).toBeNull();
});

test("sites:read allows listing keys but not creating them, and sites:write not listing them", async () => {
  const site = await makeSite();
  const tokenOf = async (scope: "sites:read" | "sites:write") =>
    (await makeClient({ scopes: [scope], sites: [site], personId: site.ownerId })).token;
  const [reader, writer] = [await tokenOf("sites:read"), await tokenOf("sites:write")];
  const input = { site_id: site.id };
  expect((await callApi("sites.keys.list", { token: reader, input })).body.data).toEqual({ keys: [] });
  const denied = await callApi("sites.keys.create", { token: reader, input: { ...input, name: "Shop" } });
  const listed = await callApi("sites.keys.list", { token: writer, input });
  for (const { body } of [denied, listed]) expect(body.error.code).toBe("insufficient_scope");
});

test("on the dashboard a manager needs a sign-in of the last five minutes to create a key, and owners are emailed", async () => {
  const [site, person] = [await makeSite(), await newOwner(NOW)];
  await db().membership.create({ data: { siteId: site.id, personId: person.personId, role: "manager" } });
  const create = (minutes: number) =>
    doAction(
      person,
      "sites.keys.create",
      { site_id: site.id, name: "Shop", expires_in_days: null },
      new Date(NOW.getTime() + minutes * MINUTE_MS),
    );
  expect((await create(6)).body.error.code).toBe("reauthentication_required");
  expect((await create(4)).body.data.key).toMatch(/^ffk_/);
  expect((await emailsOf(site.ownerId)).map(({ subject }) => unlink(subject))).toEqual([
    unlink(`Create an ingest key: ${site.host}`),
  ]);
});

test("the summary names the key to create, rotate or revoke, and a missing key is not_found", async () => {
  const site = await makeSite();
  const { key, key_id } = await keyOf(site);
  const name = `A test's server (ffk_…${key.slice(-4)})`;
  const summary = (act: string, input: object) => summaryOf(site.ownerId, site.id, `sites.keys.${act}`, input);
  expect(await summary("create", { name: " Shop ", expires_in_days: 1 })).toEqual([
    { label: "Ingest key", before: null, after: "Shop" },
    { label: "Expires", before: null, after: "After 1 day" },
  ]);
  expect(await summary("rotate", { key_id, overlap_hours: 24 })).toEqual([
    {
      label: "Ingest key",
      before: name,
      after: "New key with the same name; the old key works for at most 24 more hours",
    },
  ]);
  expect(await summary("revoke", { key_id })).toEqual([{ label: "Ingest key", before: name, after: null }]);
  await call(site.ownerId, "sites.keys.revoke", { site_id: site.id, key_id });
  for (const [act, input] of [
    ["rotate", { key_id, overlap_hours: 0 }],
    ["revoke", { key_id }],
  ] as const) {
    expect((await refused(summary(act, input)))?.code, act).toBe("not_found");
  }
});
