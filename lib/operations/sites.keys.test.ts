import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { unlink } from "@/lib/email/links";
import { decideApproval } from "@/lib/gateway/decide";
import { db } from "@/lib/platform/db";
import { call, makeMember, refused, summaryOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { doAction, newOwner } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite, type TestClient, type TestSite } from "@/lib/testing/world";

/** All of it happens in this moment, but for sign-ins that are too old. */
const NOW = EMAIL_TIME;
const MINUTE_MS = 60_000;

async function stage(): Promise<{ site: TestSite; agent: TestClient }> {
  const site = await makeSite();
  const scopes = ["sites:read", "sites:write"] as const;
  return { site, agent: await makeClient({ scopes, sites: [site], personId: site.ownerId, now: NOW }) };
}

const approve = (id: string, personId: number) =>
  decideApproval(id, "approved", { personId, signedInAt: NOW, secondFactor: false, requestId: "test" }, NOW);

/** What an agent wants, under which key, and with whose yes. */
interface Wanted {
  operation: string;
  input: Record<string, unknown>;
  key: string;
  approval?: string;
}

const want = ({ token }: TestClient, { operation, input, key, approval }: Wanted) =>
  callApi(operation, { token, input, key, headers: approval ? { "x-agent-approval-id": approval } : {}, now: NOW });

/** Asks, has the site's owner agree, and asks again. @returns the answer, and what was sent for it. */
async function wantWithYes(site: TestSite, agent: TestClient, act: string, more: object = {}) {
  const wanted = { operation: `sites.keys.${act}`, input: { site_id: site.id, ...more }, key: randomUUID() };
  const { status, body } = await want(agent, wanted);
  expect([status, body.error.code, body.error.details.approval.risk]).toEqual([409, "approval_required", "security"]);
  const approval = body.error.details.approval.id;
  await approve(approval, site.ownerId);
  const sent = { ...wanted, approval };
  return { sent, answer: await want(agent, sent) };
}

test("an agent creates a key after its human's yes, posts events with it, rotates and revokes it", async () => {
  const { site, agent } = await stage();
  const { answer } = await wantWithYes(site, agent, "create", { name: "Shop" });
  const { key, key_id } = answer.body.data;
  expect([answer.status, key]).toEqual([200, expect.stringMatching(/^ffk_[A-Za-z0-9_-]{43}$/)]);
  const event = { type: "page", context: { page: { url: `https://${site.host}/` } } };
  const posted = async (secret: string) => (await postEvents([event], { key: secret, at: NOW })).status;
  expect(await posted(key)).toBe(200);

  const { answer: rotated } = await wantWithYes(site, agent, "rotate", { key_id, overlap_hours: 24 });
  const fresh = rotated.body.data;
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
  expect((await wantWithYes(site, agent, "revoke", { key_id })).answer.body.data).toEqual({ key_id });
  expect(await listed()).toEqual([successor]);
});

test("the key is answered again only to the client that made it, for the same call under the same Idempotency-Key", async () => {
  const { site, agent } = await stage();
  const { sent, answer } = await wantWithYes(site, agent, "create", { name: "Shop", expires_in_days: 30 });
  const again = await want(agent, sent);
  expect([again.status, again.body.replayed, again.body.data]).toEqual([200, true, answer.body.data]);
  expect(await db().ingestKey.count({ where: { siteId: site.id } })).toBe(1);

  const scopes = ["sites:read", "sites:write"] as const;
  const other = await makeClient({ scopes, sites: [site], personId: site.ownerId, now: NOW });
  const theirs = await want(other, sent);
  expect([theirs.status, theirs.body.error.code]).toEqual([409, "approval_required"]);
  expect(JSON.stringify(theirs.body)).not.toContain(answer.body.data.key);
  const changed = await want(agent, { ...sent, input: { ...sent.input, name: "Other" } });
  expect([changed.status, changed.body.error.code]).toEqual([409, "idempotency_conflict"]);
});

test("the key stands nowhere in the database: not in the remembered answer, the approval, the audit nor an email", async () => {
  const { site, agent } = await stage();
  const { sent, answer } = await wantWithYes(site, agent, "create", { name: "Shop" });
  const { key } = answer.body.data;
  const remembered = await db().idempotencyRecord.findMany({ where: { scope: agent.id } });
  expect(remembered.map(({ operation }) => operation)).toEqual(["sites.keys.create"]);
  expect(Buffer.from(remembered[0]?.answer ?? []).includes(key)).toBe(false);
  const approval = await db().approval.findUniqueOrThrow({ where: { id: sent.approval } });
  const audit = await db().audit.findMany({ where: { siteId: site.id } });
  const letters = await emailsOf(site.ownerId);
  const kept = JSON.stringify([approval, audit.map(({ detail }) => detail), letters]);
  expect(kept).toContain("Shop");
  expect(kept).not.toContain(key);
});

test("the audit says which client created a key, for whom, with whose approval and which request", async () => {
  const { site, agent } = await stage();
  const { sent, answer } = await wantWithYes(site, agent, "create", { name: "Shop" });
  const rows = await db().audit.findMany({
    where: { siteId: site.id, operation: "sites.keys.create" },
    orderBy: { id: "asc" },
  });
  expect(rows).toMatchObject([
    { detail: { decision: "approved" } },
    {
      clientId: agent.id,
      personId: site.ownerId,
      approvalId: sent.approval,
      requestId: answer.body.request_id,
      detail: { name: "Shop", key_id: answer.body.data.key_id, site_domain: site.host },
    },
  ]);
});

test("a machine without a human creates a key with the yes of an owner of its site, and not with a manager's", async () => {
  const site = await makeSite();
  const manager = await makeMember(site.id, "manager");
  const machine = await makeClient({ scopes: ["sites:write"], sites: [site], now: NOW });
  const wanted = { operation: "sites.keys.create", input: { site_id: site.id, name: "Shop" }, key: randomUUID() };
  const { id } = (await want(machine, wanted)).body.error.details.approval;
  expect((await refused(approve(id, manager)))?.code).toBe("approval_denied");
  await approve(id, site.ownerId);
  const { key_id } = (await want(machine, { ...wanted, approval: id })).body.data;
  const row = await db().ingestKey.findUniqueOrThrow({ where: { id: key_id } });
  expect(row.createdById).toBeNull();
});

test("scopes: a client with sites:read lists keys and makes none; one without it does not list them", async () => {
  const site = await makeSite();
  const tokenOf = async (scope: "sites:read" | "sites:write") =>
    (await makeClient({ scopes: [scope], sites: [site], personId: site.ownerId })).token;
  const [reader, writer] = [await tokenOf("sites:read"), await tokenOf("sites:write")];
  const input = { site_id: site.id };
  expect((await callApi("sites.keys.list", { token: reader, input })).body.data).toEqual({ keys: [] });
  const made = await callApi("sites.keys.create", { token: reader, input: { ...input, name: "Shop" } });
  const listed = await callApi("sites.keys.list", { token: writer, input });
  for (const { body } of [made, listed]) expect(body.error.code).toBe("insufficient_scope");
});

test("on the page a manager creates a key with a sign-in of the last five minutes, and every owner is emailed", async () => {
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

test("a human reads which key is made, replaced or ended, and is not asked about one that is not there", async () => {
  const site = await makeSite();
  const { key, key_id } = await keyOf(site);
  const name = `A test's server (ffk_…${key.slice(-4)})`;
  const summary = (act: string, input: object) => summaryOf(site.ownerId, site.id, `sites.keys.${act}`, input);
  expect(await summary("create", { name: " Shop\u0007 ", expires_in_days: 1 })).toEqual([
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
