import { beforeAll, expect, test } from "vitest";
import { deleteAccount, deletionBlockers } from "@/lib/account/delete-account";
import { exportAccount } from "@/lib/account/export-account";
import { lockSignupsExclusive, lockSignupsShared } from "@/lib/auth/administrators";
import { createPerson } from "@/lib/auth/create-person";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import type { Role } from "@/lib/contract/access";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { type Db, db } from "@/lib/platform/db";
import { refused, revisionOf } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { EMAIL_TIME, emailsOf, emailsTo } from "@/lib/testing/emails";
import { PATIENT, someoneWaitsFor } from "@/lib/testing/locks";
import { doAction, newOwner, withSecondFactor } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

/** Account deletion and account export. */

// Who is the last administrator is a state of a whole database.
databaseForTests();

const now = EMAIL_TIME;

// The first account administers the service, so it must not be one of the accounts under test.
beforeAll(async () => {
  await makePerson();
});

/** A person with these roles, each on a site that someone else created. */
async function person(...roles: Role[]) {
  const owner = await newOwner(now);
  const sites = [];
  for (const role of roles) {
    const site = await makeSite({ now });
    await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role } });
    sites.push(site);
  }
  return { owner, sites };
}
/** A person who administers the service, beside those of this test. */
async function administrator() {
  const owner = await newOwner(now);
  await db().person.update({ where: { id: owner.personId }, data: { administrator: true } });
  return { ...owner, administrator: true };
}
type TestSite = Awaited<ReturnType<typeof makeSite>>;

/** Demotes the creator of a site, so that the test person is its only owner. */
const makeSole = (site: TestSite) =>
  db().membership.update({
    where: { siteId_personId: { siteId: site.id, personId: site.ownerId } },
    data: { role: "manager" },
  });

test("a deleted account loses sign-in, sessions, roles and agents; its sites stay and their owners are emailed", async () => {
  const { owner, sites } = await person("owner", "viewer");
  const [shared] = sites as [TestSite, TestSite];
  const agent = await makeClient({ scopes: ["sites:read"], sites, personId: owner.personId, now });
  const revision = await revisionOf(shared.id);
  expect((await doAction(owner, "account.delete", {}, now)).status).toBe(200);

  expect(await ownerOfSession(owner.sid, now)).toBeNull();
  expect(await signIn({ email: owner.email, password: PASSWORD, address: "192.0.2.1" }, now)).toBeNull();
  expect((await callApi("sites.list", { token: agent.token, now })).status).toBe(401);
  expect(await db().membership.count({ where: { personId: owner.personId } })).toBe(0);
  expect(await db().membership.count({ where: { siteId: shared.id } })).toBe(1);
  expect(await revisionOf(shared.id)).toBe(revision + 1);
  const emails = await emailsOf(shared.ownerId);
  expect(emails.map(({ subject }) => subject)).toEqual([`Someone left ${shared.host}`]);
  expect((await emailsTo(owner.email)).map(({ subject }) => subject)).toEqual(["Your account was deleted"]);
  const entries = await db().audit.findMany({ where: { personId: owner.personId }, orderBy: { id: "asc" } });
  expect(entries.map(({ operation }) => operation)).toEqual(["members.leave", "members.leave", "account.delete"]);
  expect(JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain("@");
});

test("the email address of a deleted account can sign up again and starts empty", async () => {
  const { owner } = await person("manager");
  await doAction(owner, "account.delete", {}, now);
  const { personId } = await createPerson({ email: owner.email, password: PASSWORD }, now);
  expect(personId).not.toBe(owner.personId);
  expect(await db().membership.count({ where: { personId } })).toBe(0);
});

test("a sole owner cannot delete their account until each of the named sites has another owner or is deleted", async () => {
  const { owner, sites } = await person("owner", "owner", "owner");
  const [mine, alsoMine, shared] = sites as [TestSite, TestSite, TestSite];
  await Promise.all([makeSole(mine), makeSole(alsoMine)]);
  const { status, body } = await doAction(owner, "account.delete", {}, now);
  expect([status, body.error.code]).toEqual([403, "role_denied"]);
  for (const { host } of [mine, alsoMine]) expect(body.error.message).toContain(host);
  expect(body.error.message).not.toContain(shared.host);
  const { sites: left } = await deletionBlockers(owner.personId, now);
  expect(left.map(({ siteId }) => siteId).sort()).toEqual([mine.id, alsoMine.id].sort());
  expect(await db().membership.count({ where: { personId: owner.personId } })).toBe(3);

  const handOver = { site_id: mine.id, new_owner_id: mine.ownerId };
  expect((await doAction(owner, "sites.ownership.transfer", handOver, now)).status).toBe(200);
  expect((await doAction(owner, "sites.delete", { site_id: alsoMine.id }, now)).status).toBe(200);
  expect((await doAction(owner, "account.delete", {}, now)).status).toBe(200);
});

test("when both owners of a site delete their accounts at the same time, one deletion is refused", async () => {
  const { owner: ann, sites } = await person("owner");
  const [site] = sites as [TestSite];
  const { owner: ben } = await person();
  await db().membership.update({
    where: { siteId_personId: { siteId: site.id, personId: site.ownerId } },
    data: { personId: ben.personId },
  });
  const outcomes = await Promise.all([ann, ben].map((one) => refused(deleteAccount(one, "test", now))));
  expect(outcomes.map((refusal) => refusal?.code ?? "deleted").sort()).toEqual(["deleted", "role_denied"]);
  expect(await db().membership.count({ where: { siteId: site.id, role: "owner" } })).toBe(1);
});

test("deletion fails with operation_in_progress while one of the sites is locked, and changes nothing", async () => {
  const { owner, sites } = await person("viewer");
  const [site] = sites as [TestSite];
  await db().$transaction(async (tx) => {
    await lockSite(tx, site.id);
    expect((await refused(deleteAccount(owner, "test", now)))?.code).toBe("operation_in_progress");
  }, PATIENT);
  expect(await ownerOfSession(owner.sid, now)).not.toBeNull();
});

test.sequential("the last administrator cannot be deleted while other accounts exist, and another one can", async () => {
  await db().person.updateMany({ data: { administrator: false } });
  const [first, second] = [await administrator(), await administrator()];
  expect((await doAction(first, "account.delete", {}, now)).status).toBe(200);
  const refusal = await refused(deleteAccount(second, "test", now));
  expect(refusal?.message).toMatch(/only administrator/);
  expect(await db().person.count({ where: { id: second.personId } })).toBe(1);
});

test.sequential("deleting the last administrator and signing up are serialised, so that a new account never inherits the service", async () => {
  await db().person.updateMany({ data: { administrator: false } });
  const last = await administrator();
  /** Starts `run` while the lock is held, waits until it blocks on the lock, then releases the lock. */
  const whileLocked = async <T>(lock: typeof lockSignupsShared, run: () => Promise<T>): Promise<T> => {
    const holdLock = async (tx: Db) => {
      await lock(tx);
      const pending = run();
      await someoneWaitsFor(tx);
      return { pending };
    };
    return (await db().$transaction(holdLock, PATIENT)).pending;
  };
  const refusal = await whileLocked(lockSignupsShared, () => refused(deleteAccount(last, "test", now)));
  expect(refusal?.message).toMatch(/only administrator/);
  const newcomer = { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD };
  const { personId } = await whileLocked(lockSignupsExclusive, () => createPerson(newcomer, now));
  expect((await db().person.findUniqueOrThrow({ where: { id: personId } })).administrator).toBe(false);
});

test("the account export contains all stored personal data and no secrets", async () => {
  const { owner: plain, sites } = await person("manager", "viewer");
  const { owner } = await withSecondFactor(plain, now);
  const [site] = sites as [TestSite, TestSite];
  const agent = await makeClient({ scopes: ["sites:read"], sites: [site], personId: owner.personId, now });
  const key = await doAction(
    owner,
    "sites.keys.create",
    { site_id: site.id, name: "Shop", expires_in_days: null },
    now,
  );
  const goal = { site_id: site.id, name: "Sign-up", reached_by: { kind: "event", pattern: "signed_up" } };
  expect((await doAction(owner, "sites.goals.save", goal, now)).status).toBe(200);
  const annotation = { site_id: site.id, date: "2025-03-10", text: "Version 2.0" };
  expect((await doAction(owner, "sites.annotations.save", annotation, now)).status).toBe(200);
  const data = JSON.parse(JSON.stringify(await exportAccount(owner, now)));
  expect(data).toMatchObject({
    exported_at: now.toISOString(),
    account: {
      person_id: owner.personId,
      email: owner.email,
      second_step: { since: now.toISOString(), recovery_codes_left: 10 },
    },
    sessions: [{ this_browser: true }],
    sites: [{ site_id: site.id, domains: [site.host], role: "manager" }, { role: "viewer" }],
    agents: [{ client_id: agent.id, scopes: ["sites:read"], site_ids: [site.id], disconnected_at: null }],
    ingest_keys_made: [{ site_id: site.id, name: "Shop" }],
    saved_on_sites: [
      { kind: "goal", site_id: site.id, name: "Sign-up" },
      { kind: "annotation", site_id: site.id, name: "Version 2.0" },
    ],
  });
  const { passwordHash, totpSeed } = await db().person.findUniqueOrThrow({ where: { id: owner.personId } });
  const secrets = [passwordHash, Buffer.from(totpSeed ?? []).toString("base64"), owner.sid];
  for (const secret of [...secrets, agent.secret, agent.token, key.body.data.key]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(JSON.stringify(data)).not.toContain(secret);
  }
  const others = await exportAccount(await newOwner(now), now);
  expect([others.sites, others.agents, others.ingest_keys_made]).toEqual([[], [], []]);
});
