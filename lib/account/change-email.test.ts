import { expect, test } from "vitest";
import { deletionBlockers } from "@/lib/account/delete-account";
import { openReset, resetPassword, sendReset } from "@/lib/account/reset";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn } from "@/lib/auth/sign-in";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner, ownerAgain, withSecondFactor } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, makeSite, type TestSite } from "@/lib/testing/world";

/** A new address of an account, from the request to the link that takes the account back. */

const now = EMAIL_TIME;
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const NEW_PASSWORD = "a quite different password";
const someAddress = () => `${crypto.randomUUID()}@example.org`;

const change = (owner: Owner, email: string, at = now) => doAction(owner, "email.change", { email }, at);
const confirm = (owner: Owner, token: string, at = now) => doAction(owner, "email.confirm_change", { token }, at);
const linksTo = async (path: string, email: string) =>
  (await emailsTo(email)).flatMap(({ text }) => new RegExp(`/${path}/([\\w-]{43})\\n`).exec(text)?.[1] ?? []);
const subjectsTo = async (email: string) => (await emailsTo(email)).map(({ subject }) => subject);
const linkTo = async (email: string) => (await linksTo("confirm/email", email)).at(-1) ?? "";
const addressOf = async ({ personId }: Owner) =>
  (await db().person.findUniqueOrThrow({ where: { id: personId } })).email;
const signedIn = async (email: string, password = PASSWORD) =>
  (await signIn({ email, password, address: crypto.randomUUID() }, now)) !== null;

/** Changes the address of a person, by its link. */
async function changed(owner: Owner, email: string, at = now): Promise<void> {
  expect((await change(owner, email, at)).status).toBe(200);
  expect((await confirm(owner, await linkTo(email), at)).status).toBe(200);
}

test("a new address counts once its mailbox has confirmed it; other browsers are signed out, reset links end, and agents stay", async () => {
  const owner = await newOwner(now);
  const other = await ownerAgain(owner.email, now);
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
  const agent = await makeClient({ scopes: ["sites:read"], sites: [site], personId: owner.personId, now });
  await sendReset(owner.email, now);
  const [reset = ""] = await linksTo("reset", owner.email);
  const email = someAddress();
  expect((await change(owner, ` ${email.toUpperCase()}`)).status).toBe(200);
  expect(await addressOf(owner)).toBe(owner.email);
  expect(await subjectsTo(owner.email)).toContain("A new email address was entered for your account");

  expect((await confirm(owner, await linkTo(email))).status).toBe(200);
  expect([await signedIn(email), await signedIn(owner.email)]).toEqual([true, false]);
  expect(await ownerOfSession(owner.sid, now)).toMatchObject({ email, confirmed: true });
  expect(await ownerOfSession(other.sid, now)).toBeNull();
  expect(await openReset(reset, now)).toBeNull();
  expect((await callApi("sites.list", { token: agent.token, now })).status).toBe(200);
  // No address stands in the log, which outlives the account.
  const rows = await db().audit.findMany({ where: { personId: owner.personId } });
  expect(rows.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["account.email_asked", "account.email_changed"]),
  );
  expect(JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain("@");
});

test("a stranger at an open browser cannot change the address without the password", async () => {
  const owner = await newOwner(now);
  const refusal = await change(owner, someAddress(), later(1));
  expect(refusal.body.error?.code).toBe("reauthentication_required");
  expect(await db().emailChange.count({ where: { personId: owner.personId } })).toBe(0);
});

test("the link of a new address works once, for two days, only the latest one, and in no other account", async () => {
  const [owner, thief] = [await newOwner(now), await newOwner(now)];
  const [first, second] = [someAddress(), someAddress()];
  await change(owner, first);
  const replaced = await linkTo(first);
  await change(owner, second);
  const link = await linkTo(second);
  for (const [by, token, at] of [
    [owner, replaced, now],
    [thief, link, now],
    [owner, link, later(48)],
    [owner, "x", now],
  ] as const)
    expect((await confirm(by, token, at)).body.error?.code).toBe("not_found");
  const pressedTwice = await Promise.all([confirm(owner, link), confirm(owner, link)]);
  expect(pressedTwice.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await addressOf(owner)).toBe(second);
  await change(owner, someAddress());
  expect((await doAction(owner, "email.cancel_change", {}, now)).status).toBe(200);
  expect(await db().emailChange.count({ where: { personId: owner.personId } })).toBe(0);
});

test("nobody learns from a request whether an address has an account, and two accounts never share one", async () => {
  const [owner, other] = [await newOwner(now), await newOwner(now)];
  const [taken, free] = [await change(owner, other.email), await change(owner, someAddress())];
  expect([taken.status, taken.body.data]).toEqual([free.status, free.body.data]);
  expect(await subjectsTo(other.email)).toContain("This address already has an account");
  expect(await linksTo("confirm/email", other.email)).toEqual([]);
  const contested = someAddress();
  await change(owner, contested);
  const mine = await linkTo(contested);
  await change(other, contested);
  const theirs = (await linksTo("confirm/email", contested)).find((link) => link !== mine) ?? "";
  const outcomes = await Promise.all([confirm(owner, mine), confirm(other, theirs)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test("a stranger's mailbox gets three such emails a day, of all accounts together", async () => {
  const email = someAddress();
  for (let times = 0; times < 5; times++) expect((await change(await newOwner(now), email)).status).toBe(200);
  expect(await emailsTo(email)).toHaveLength(3);
  const owner = await newOwner(now);
  for (let times = 0; times < 5; times++) await change(owner, someAddress());
  expect((await change(owner, someAddress())).body.error?.code).toBe("rate_limited");
  expect((await change(await newOwner(now), "no address")).status).toBe(422);
});

test("a reset of the password ends what a thief has asked for, and the link of the former address survives a new password of the thief", async () => {
  const owner = await newOwner(now);
  const asked = someAddress();
  await change(owner, asked);
  await sendReset(owner.email, now);
  const [reset = ""] = await linksTo("reset", owner.email);
  await resetPassword(reset, { password: NEW_PASSWORD }, "192.0.2.1", now);
  expect(await db().emailChange.count({ where: { personId: owner.personId } })).toBe(0);

  const victim = await newOwner(now);
  const stolen = someAddress();
  await changed(victim, stolen);
  const thieves = { password: NEW_PASSWORD, disconnect_agents: false };
  expect((await doAction(victim, "password.change", thieves, now)).status).toBe(200);
  const site = await makeSite();
  const agent = await makeClient({ scopes: ["sites:read"], sites: [site], personId: victim.personId, now });
  const [back = ""] = await linksTo("reset", victim.email);
  expect(await openReset(back, now)).toEqual({ email: victim.email, code: null, restores: true });
  expect(await openReset(back, later(72))).toBeNull();
  expect(await resetPassword(back, { password: PASSWORD }, "192.0.2.1", now)).toBe(victim.email);
  expect([await addressOf(victim), await signedIn(victim.email)]).toEqual([victim.email, true]);
  expect(await ownerOfSession(victim.sid, now)).toBeNull();
  expect((await callApi("sites.list", { token: agent.token, now })).status).toBe(401);
  expect(await subjectsTo(stolen)).toContain("This address no longer belongs to an account");
  expect((await refused(resetPassword(back, { password: PASSWORD }, "192.0.2.1", now)))?.code).toBe("not_found");
});

test("a second factor that a thief sets up after the change does not lock the former address out, and an earlier one is asked for", async () => {
  const victim = await newOwner(now);
  await changed(victim, someAddress());
  await withSecondFactor(victim, now);
  const [back = ""] = await linksTo("reset", victim.email);
  expect((await openReset(back, now))?.code).toBeNull();
  expect(await resetPassword(back, { password: NEW_PASSWORD }, "192.0.2.1", now)).toBe(victim.email);
  expect(await signedIn(victim.email, NEW_PASSWORD)).toBe(true);
  expect(await db().recoveryCode.count({ where: { personId: victim.personId } })).toBe(0);

  const { owner, codes } = await withSecondFactor(await newOwner(now), now);
  await changed(owner, someAddress());
  const [link = ""] = await linksTo("reset", owner.email);
  expect((await openReset(link, now))?.code).toBe("app");
  expect((await refused(resetPassword(link, { password: NEW_PASSWORD }, "192.0.2.1", now)))?.code).toBe(
    "invalid_input",
  );
  expect(await resetPassword(link, { password: NEW_PASSWORD, code: codes[0] }, "192.0.2.1", now)).toBe(owner.email);
  const { totpConfirmedAt } = await db().person.findUniqueOrThrow({ where: { id: owner.personId } });
  expect(totpConfirmedAt).not.toBeNull();
});

test("an account cannot be deleted while its former address can take it back, and can be once that address has or may no longer", async () => {
  const [victim, owner] = [await newOwner(now), await newOwner(now)];
  const remove = (of: Owner, at = now) => doAction(of, "account.delete", {}, at);
  await changed(victim, someAddress());
  const { status, body } = await remove(victim);
  expect([status, body.error?.code]).toEqual([403, "role_denied"]);
  expect(body.error.message).toContain("the former address can take the account back");
  expect(await deletionBlockers(victim.personId, now)).toMatchObject({ returnsUntil: later(72) });
  const [back = ""] = await linksTo("reset", victim.email);
  await resetPassword(back, { password: PASSWORD }, "192.0.2.1", now);
  const again = await ownerAgain(victim.email, now);
  expect((await remove(again)).status).toBe(200);

  const email = someAddress();
  await changed(owner, email);
  const afterwards = await ownerAgain(email, later(72));
  expect((await remove(afterwards, later(72))).status).toBe(200);
});

test("of two changes the first address takes the account back, whatever link a thief uses before", async () => {
  const owner = await newOwner(now);
  const [second, third] = [someAddress(), someAddress()];
  await changed(owner, second);
  await changed(owner, third, new Date(now.getTime() + 60_000));
  const [first = "", thieves = ""] = [(await linksTo("reset", owner.email))[0], (await linksTo("reset", second))[0]];
  await resetPassword(thieves, { password: NEW_PASSWORD }, "192.0.2.1", now);
  expect(await addressOf(owner)).toBe(second);
  await expect(resetPassword(first, { password: PASSWORD }, "192.0.2.1", now)).resolves.toBe(owner.email);
  expect([await addressOf(owner), await signedIn(owner.email)]).toEqual([owner.email, true]);
  expect(await db().passwordReset.count({ where: { personId: owner.personId } })).toBe(0);
});

test("alerts to a person's address follow its change and its return, and stay where the former one is a recipient of its own", async () => {
  const owner = await newOwner(now);
  const sites = [await makeSite(), await makeSite(), await makeSite()];
  const rule = { metric: "visits", condition: "below", threshold: 1, span: "hour" };
  const second = someAddress();
  for (const site of sites) {
    await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
    const input = { ...rule, site_id: site.id, name: "Quiet", channels: [{ kind: "email", email: owner.email }] };
    expect((await doAction(owner, "sites.alerts.save", input, now)).status).toBe(200);
  }
  const [, added, left] = sites as [TestSite, TestSite, TestSite];
  await db().recipient.create({
    data: { siteId: added.id, email: owner.email, confirmedAt: now, createdAt: now, addedById: owner.personId },
  });
  await db().membership.deleteMany({ where: { siteId: left.id, personId: owner.personId } });
  const addresses = () =>
    Promise.all(
      sites.map(
        async ({ id }) => (await db().alertChannel.findFirstOrThrow({ where: { rule: { siteId: id } } })).email,
      ),
    );
  await changed(owner, second);
  expect(await addresses()).toEqual([second, owner.email, owner.email]);
  const [back = ""] = await linksTo("reset", owner.email);
  await resetPassword(back, { password: NEW_PASSWORD }, "192.0.2.1", now);
  expect(await addresses()).toEqual([owner.email, owner.email, owner.email]);
});

test("an address that was never confirmed is told nothing and gets no link", async () => {
  const owner = await newOwner(now);
  await db().person.update({ where: { id: owner.personId }, data: { confirmedAt: null } });
  await changed(owner, someAddress());
  expect(await emailsTo(owner.email)).toEqual([]);
});

test("a name is shown as it was typed, can be removed, and cannot hide characters", async () => {
  const owner = await newOwner(now);
  const rename = (name: string) => doAction(owner, "account.rename", { name }, now);
  const nameOf = async () => (await ownerOfSession(owner.sid, now))?.name;
  expect((await rename("  Ann Ä ")).status).toBe(200);
  expect(await nameOf()).toBe("Ann Ä");
  expect((await rename("Ann\u200bÄ")).status).toBe(422);
  expect((await rename("")).status).toBe(200);
  expect(await nameOf()).toBeNull();
});
