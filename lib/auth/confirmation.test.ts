import { expect, test } from "vitest";
import { openReset, resetPassword, sendReset } from "@/lib/account/reset";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import { requestSignup } from "@/lib/auth/signup";
import type { Owner } from "@/lib/contract/define";
import { unlink } from "@/lib/email/links";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner, withSecondFactor } from "@/lib/testing/owners";
import { callApi, makeClient, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** Accounts that were created before sign-up verified the address. */

const now = EMAIL_TIME;
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const NEW = "a quite different password";

async function unconfirm<Someone extends Owner>(owner: Someone): Promise<Someone> {
  await db().person.update({ where: { id: owner.personId }, data: { confirmedAt: null } });
  return { ...owner, confirmed: false };
}
const unconfirmed = async () => unconfirm(await newOwner(now));

/** Returns the secret of the last link of a kind in someone's emails. */
const linkTo = async (page: "confirm" | "reset", email: string) =>
  (await emailsTo(email)).flatMap(({ text }) => new RegExp(`/${page}/([\\w-]+)\n`).exec(text)?.[1] ?? []).at(-1) ?? "";

async function resetLinkOf(email: string): Promise<string> {
  await sendReset(email, now);
  return linkTo("reset", email);
}

test("an account whose address is not confirmed cannot invite, connect agents, get emails or set up two-factor authentication", async () => {
  const owner = await unconfirmed();
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
  const about = { site_id: site.id };
  const refusedActions: [id: string, input: object][] = [
    ["sites.members.invite", { ...about, email: "ben@example.com", role: "viewer" }],
    ["totp.start", {}],
    ["totp.confirm", { code: "123456" }],
    ["device.find", { user_code: "BCDF-GHJK" }],
    ["device.decide", { question: "x", decision: "approve", scopes: [], site_ids: [] }],
    ["claims.start", { client_id: "ffc_x", domain: "x.example", method: "dns" }],
    ["claims.check", { client_id: "ffc_x" }],
    ["sites.reports.update", { ...about, weekly: true }],
    ["monitoring.emails", { ...about, emails: true }],
  ];
  for (const [id, input] of refusedActions) {
    const { status, body } = await doAction(owner, id, input, now);
    expect([id, status, body.error?.code]).toEqual([id, 403, "role_denied"]);
    expect(body.error.message).toContain("choose “Send confirmation email”");
  }
  const usable: [id: string, input: object][] = [
    ["sites.reports.update", { ...about, weekly: false }],
    ["sites.tracking_test.start", about],
  ];
  for (const [id, input] of usable) expect([id, (await doAction(owner, id, input, now)).status]).toEqual([id, 200]);
});

test("a confirmation link confirms only the address of the signed-in person it was sent to", async () => {
  const [owner, other] = [await unconfirmed(), await unconfirmed()];
  expect((await doAction(owner, "email.send_confirmation", {}, now)).status).toBe(200);
  const token = await linkTo("confirm", owner.email);
  const confirm = async (by: Owner, given: string, at = now) =>
    (await doAction(by, "email.confirm", { token: given }, at)).status;
  expect(await confirm(other, token)).toBe(404);
  expect(await confirm(owner, token.replace(/^\d+/, `${other.personId}`))).toBe(404);
  expect(await confirm(other, token.replace(/^\d+/, `${other.personId}`))).toBe(404);
  expect(await confirm(owner, token, later(48))).toBe(404);
  expect(await confirm(owner, token)).toBe(200);
  expect(await ownerOfSession(owner.sid, now)).toMatchObject({ confirmed: true });
  expect(await ownerOfSession(other.sid, now)).toMatchObject({ confirmed: false });
  expect((await doAction(owner, "totp.start", {}, now)).status).toBe(200);
});

test("a person can request three confirmation emails an hour", async () => {
  const owner = await unconfirmed();
  for (let sent = 0; sent < 3; sent++)
    expect((await doAction(owner, "email.send_confirmation", {}, now)).status).toBe(200);
  expect((await doAction(owner, "email.send_confirmation", {}, now)).status).toBe(429);
});

test("a password reset takes over an unconfirmed account without the code of a second factor that a stranger set up", async () => {
  const stranger = await unconfirm((await withSecondFactor(await newOwner(now), now)).owner);
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: stranger.personId, role: "viewer" } });
  const agent = await makeClient({ scopes: ["sites:read"], sites: [site], personId: stranger.personId, now });

  await requestSignup(stranger.email, "/sites", crypto.randomUUID(), now);
  const exists = (await emailsTo(stranger.email)).find(({ subject }) => subject === "You already have an account");
  expect(exists?.text).toContain("/reset");
  const link = await resetLinkOf(stranger.email);
  expect(await openReset(link, now)).toEqual({ email: stranger.email, code: null, restores: false });
  await resetPassword(link, { password: NEW }, crypto.randomUUID(), now);

  expect(await ownerOfSession(stranger.sid, now)).toBeNull();
  expect((await callApi("sites.list", { token: agent.token, now })).status).toBe(401);
  const signedIn = await signIn({ email: stranger.email, password: NEW, address: crypto.randomUUID() }, now);
  expect(await ownerOfSession(signedIn?.sid ?? "", now)).toMatchObject({ confirmed: true, secondFactor: false });
  expect(await db().recoveryCode.count({ where: { personId: stranger.personId } })).toBe(0);
  const notice = (await emailsTo(stranger.email)).find(({ subject }) => subject === "Your email address is confirmed");
  expect(notice?.text).toContain(unlink(site.host));
});

// Sequential, because SMTP_URL is a setting of the process.
test.sequential("accepting an invitation that was only emailed confirms the address", async () => {
  const [ann, ben] = [await newOwner(now), await unconfirmed()];
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: ann.personId, role: "owner" } });
  const without = { DATABASE_URL: "postgres://unused", APP_SECRETS: TEST_SECRETS, NODE_ENV: "test" };
  setEnv({ ...without, SMTP_URL: "smtp://127.0.0.1:9" });
  try {
    await doAction(ann, "sites.members.invite", { site_id: site.id, email: ben.email, role: "viewer" }, now);
  } finally {
    setEnv(without);
  }
  const invitation = /\/invite\/([\w-]+)\n/.exec((await emailsTo(ben.email))[0]?.text ?? "")?.[1] ?? "";
  expect((await doAction(ben, "invitations.accept", { invitation }, now)).status).toBe(200);
  expect(await ownerOfSession(ben.sid, now)).toMatchObject({ confirmed: true });
});
