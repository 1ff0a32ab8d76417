import { createServer } from "node:net";
import { expect, test } from "vitest";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import type { Owner } from "@/lib/contract/define";
import { sendReports } from "@/lib/email-reports/send";
import { queryPublicSite } from "@/lib/gateway/execute";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { setEnv } from "@/lib/platform/env";
import { call, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner, ownerAgain } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { callApi, makeClient, makeSite, post, postRaw, TEST_SECRETS } from "@/lib/testing/world";

/** What administrators of the service do with accounts and sites. */

// Who is the last administrator, and which reports are due, are states of a whole database.
databaseForTests();

const now = EMAIL_TIME;

async function administrator(): Promise<Owner> {
  const { email, personId } = await newOwner(now);
  await db().person.update({ where: { id: personId }, data: { administrator: true } });
  return ownerAgain(email, now);
}
const subjectsTo = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject);
const disable = (admin: Owner, personId: number, disabled = true, at = now) =>
  doAction(admin, "admin.people.set_disabled", { person_id: personId, disabled }, at);

test("a disabled person cannot sign in, their sessions end, and their agents, tokens and ingest keys stop until they are enabled", async () => {
  const [admin, ann] = [await administrator(), await newOwner(now)];
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: ann.personId, role: "owner" } });
  const agent = await makeClient({ scopes: ["sites:read"], sites: [site], personId: ann.personId, now });
  const made = await doAction(ann, "sites.keys.create", { site_id: site.id, name: "Shop", expires_in_days: null }, now);
  const { key } = made.body.data;
  // A key is read again after five seconds.
  const withKey = async (at: Date) =>
    (
      await postRaw(JSON.stringify({ domain: site.host, name: "pageview", url: `https://${site.host}/` }), {
        at,
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const states = async (at: Date) => ({
    session: (await ownerOfSession(ann.sid, at)) !== null,
    api: (await callApi("sites.list", { token: agent.token, now: at })).status,
    key: await withKey(at),
  });
  expect(await states(now)).toEqual({ session: true, api: 200, key: 202 });

  expect((await disable(admin, ann.personId)).status).toBe(200);
  expect(await states(after(10))).toEqual({ session: false, api: 401, key: 401 });
  const again = signIn({ email: ann.email, password: PASSWORD, address: "192.0.2.1" }, now);
  await expect(again).rejects.toThrow("account_disabled");
  expect(await signIn({ email: ann.email, password: "wrong", address: "192.0.2.1" }, now)).toBeNull();
  expect(await subjectsTo(ann.email)).toContain("Your account was disabled");

  expect((await disable(admin, ann.personId, false)).status).toBe(200);
  // Sessions that ended stay ended.
  expect(await states(after(20))).toEqual({ session: false, api: 200, key: 202 });
  expect((await ownerAgain(ann.email, now)).personId).toBe(ann.personId);
});

test("only administrators disable, with a fresh proof, and nobody disables themselves", async () => {
  const [admin, ann, ben] = [await administrator(), await newOwner(now), await newOwner(now)];
  const site = await makeSite();
  const refusedTo = async (owner: Owner, at = now) => {
    const answers = [
      await disable(owner, ben.personId, true, at),
      await doAction(owner, "admin.people.set_administrator", { person_id: ben.personId, administrator: true }, at),
      await doAction(owner, "admin.sites.set_disabled", { site_id: site.id, disabled: true }, at),
    ];
    return answers.map(({ body }) => body.error?.code);
  };
  expect(await refusedTo(ann)).toEqual(["role_denied", "role_denied", "role_denied"]);
  expect((await doAction(ann, "admin.mail.send_test", {}, now)).body.error.code).toBe("role_denied");
  const stale = "reauthentication_required";
  expect(await refusedTo(admin, new Date(now.getTime() + 3_600_000))).toEqual([stale, stale, stale]);
  expect((await disable(admin, admin.personId)).body.error.code).toBe("role_denied");
  expect((await disable(admin, 2 ** 31 - 1)).body.error.code).toBe("not_found");
  expect((await disable(admin, 2 ** 40)).body.error.code).toBe("not_found");
  const { disabledAt } = await db().person.findUniqueOrThrow({ where: { id: ben.personId } });
  expect(disabledAt).toBeNull();
});

// Sequential, because other tests make administrators.
test.sequential("a second administrator can be named, and of two that remove each other at once one stays", async () => {
  const first = await administrator();
  await db().person.updateMany({ where: { id: { not: first.personId } }, data: { administrator: false } });
  const set = (by: Owner, personId: number, administrator: boolean) =>
    doAction(by, "admin.people.set_administrator", { person_id: personId, administrator }, now);
  expect((await set(first, first.personId, false)).body.error.code).toBe("role_denied");
  const second = await newOwner(now);
  expect((await set(first, second.personId, true)).status).toBe(200);
  expect(await subjectsTo(second.email)).toContain("You now administer this service");
  // With a third one nobody is the last: only who is removed meanwhile may remove nobody.
  const third = await newOwner(now);
  expect((await set(first, third.personId, true)).status).toBe(200);
  const outcomes = await Promise.all([set(first, second.personId, false), set(second, first.personId, false)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(await db().person.count({ where: { administrator: true } })).toBe(2);
  const left = await db().person.findFirst({ where: { administrator: true, id: { not: third.personId } } });
  const last = left?.id === first.personId ? first : second;
  const other = left?.id === first.personId ? second : first;
  expect((await set(last, third.personId, false)).status).toBe(200);
  // A disabled administrator is none that remains.
  await set(last, other.personId, true);
  await disable(last, other.personId);
  expect((await set(last, last.personId, false)).body.error.code).toBe("role_denied");
  const unconfirmed = await newOwner(now);
  await db().person.update({ where: { id: unconfirmed.personId }, data: { confirmedAt: null } });
  expect((await set(last, unconfirmed.personId, true)).body.error.code).toBe("role_denied");
});

test("a disabled site refuses events and calls with the way out, is shown to nobody, and keeps its data for its owners", async () => {
  const admin = await administrator();
  const site = await makeSite({ now });
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  const agent = await makeClient({ scopes: ["sites:read", "events:read"], sites: [site], personId: site.ownerId, now });
  expect((await post(site, "/", { at: now })).status).toBe(202);
  const set = (disabled: boolean) => doAction(admin, "admin.sites.set_disabled", { site_id: site.id, disabled }, now);
  expect((await set(true)).status).toBe(200);
  // Ingest reads a site again after ten seconds, in a process that has read it before.
  await expect.poll(async () => (await post(site, "/", { at: now })).status).toBe(403);
  const { error } = await (await post(site, "/", { at: now })).json();
  expect([error.code, error.message]).toEqual(["site_not_granted", expect.stringContaining("ask them to enable it")]);

  const asOwner = await refused(call(site.ownerId, "sites.settings.get", { site_id: site.id }, now));
  expect(asOwner?.message).toMatch(/sites\.export returns it/);
  const token = agent.token;
  expect((await callApi("sites.goals.list", { token, input: { site_id: site.id }, now })).status).toBe(403);
  expect((await callApi("sites.export", { token, input: { site_id: site.id }, now })).status).toBe(200);
  const { sites } = await call(site.ownerId, "sites.list", {}, now);
  expect(sites.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([true]);
  const anonymous = queryPublicSite("192.0.2.1")(analyticsOverview, { input: { site_id: site.id }, now });
  expect((await refused(anonymous))?.code).toBe("site_not_granted");
  expect(await subjectsTo((await db().person.findUniqueOrThrow({ where: { id: site.ownerId } })).email)).toContain(
    `${site.host} was disabled`,
  );

  expect((await set(false)).status).toBe(200);
  expect(await refused(call(site.ownerId, "sites.settings.get", { site_id: site.id }, now))).toBeNull();
});

test("email reports go neither to a disabled person nor about a disabled site", async () => {
  const admin = await administrator();
  const [ann, ben] = [await newOwner(now), await newOwner(now)];
  const [site, off] = [await makeSite({ now }), await makeSite({ now })];
  for (const [owner, on] of [
    [ann, site],
    [ben, off],
    [ben, site],
  ] as const) {
    await db().membership.create({ data: { siteId: on.id, personId: owner.personId, role: "manager" } });
    const subscribed = await doAction(owner, "sites.reports.update", { site_id: on.id, weekly: true }, now);
    expect(subscribed.status).toBe(200);
  }
  await disable(admin, ann.personId);
  await doAction(admin, "admin.sites.set_disabled", { site_id: off.id, disabled: true }, now);
  const nextWeek = new Date(now.getTime() + 8 * DAY_MS);
  await sendReports(nextWeek);
  const subjects = async (to: Owner) =>
    (await emailsTo(to.email)).map(({ subject }) => subject).filter((subject) => /\.example/.test(subject));
  expect(await subjects(ann)).toEqual([]);
  expect((await subjects(ben)).every((subject) => subject.includes(site.host))).toBe(true);
  expect((await subjects(ben)).length).toBe(1);
});

// Sequential, because SMTP_URL and DATA_DIR are settings of the process.
test.sequential("a test email shows what the mail server said, or where the email lies", async () => {
  const admin = await administrator();
  const settings = { DATABASE_URL: "postgres://unused", APP_SECRETS: TEST_SECRETS, NODE_ENV: "test" };
  const server = createServer((socket) => socket.end("554 5.7.1 No mail from you today\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const send = async () => (await doAction(admin, "admin.mail.send_test", {}, now)).body.data;
  try {
    setEnv({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` });
    expect(await send()).toMatchObject({ to: admin.email, error: expect.stringContaining("No mail from you today") });
    setEnv({ ...settings, SMTP_URL: "smtp://127.0.0.1:9" });
    expect((await send()).error).toMatch(/ECONNREFUSED/);
    const folder = temporaryDir();
    setEnv({ ...settings, DATA_DIR: folder });
    expect(await send()).toEqual({ to: admin.email, outbox: `${folder}/outbox`, error: null });
  } finally {
    setEnv(settings);
    server.close();
  }
});
