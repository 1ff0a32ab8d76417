import { expect, test } from "vitest";
import { openReset, requestReset, resetPassword, sendReset } from "@/lib/account/reset";
import { knownBrowserCookie } from "@/lib/auth/known-browser";
import { emailConsentGiven } from "@/lib/auth/notices";
import { listSessions } from "@/lib/auth/session-list";
import { ownerOfSession } from "@/lib/auth/session-row";
import { signIn, TooManyTries } from "@/lib/auth/sign-in";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { faults, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { codeOf, doAction, newOwner, ownerAgain, withSecondFactor } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, makeSite } from "@/lib/testing/world";

/** A person's own account: password, sessions and password reset by email. */

const now = EMAIL_TIME;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const NEW = "a quite different password";
const from = () => crypto.randomUUID();

/** Requests a reset link and returns it from the email. */
async function linkFor(email: string, at = now): Promise<string> {
  const links = async () =>
    (await emailsTo(email)).flatMap(({ text }) => /\/reset\/([\w-]{43})\n/.exec(text)?.[1] ?? []);
  const known = await links();
  if (await requestReset(email, from(), at)) await sendReset(email, at);
  return (await links()).find((link) => !known.includes(link)) ?? "";
}

test("a password change replaces the old password and signs out every other browser at its next request", async () => {
  const owner = await newOwner(now);
  const otherSession = await ownerAgain(owner.email, now);
  const link = await linkFor(owner.email);
  expect((await doAction(owner, "password.change", { password: NEW }, now)).status).toBe(200);
  expect((await doAction(otherSession, "sessions.revoke_others", {}, now)).status).toBe(401);
  expect(await ownerOfSession(owner.sid, now)).not.toBeNull();
  expect(await signIn({ email: owner.email, password: PASSWORD, address: from() }, now)).toBeNull();
  expect(await signIn({ email: owner.email, password: NEW, address: from() }, now)).not.toBeNull();
  expect(await openReset(link, now)).toBeNull();
  expect((await emailsTo(owner.email)).map(({ subject }) => subject)).toContain("Your password was changed");
});

test("a new password has the same length rules as one at sign-up", async () => {
  const owner = await newOwner(now);
  const { status, body } = await doAction(owner, "password.change", { password: "short" }, now);
  expect([status, body.error.details.issues[0]]).toEqual([
    422,
    { path: "password", message: "must have at least 12 characters" },
  ]);
});

test("a person lists their sessions and signs out one browser or all others", async () => {
  const owner = await newOwner(now);
  const [phone, office] = [await ownerAgain(owner.email, later(1)), await ownerAgain(owner.email, later(2))];
  const listed = await listSessions(owner, later(3));
  expect(listed.map(({ current }) => current)).toEqual([true, false, false]);
  expect(JSON.stringify(listed)).not.toContain(owner.sid);

  const second = listed[1]?.id ?? "";
  expect((await doAction(owner, "sessions.revoke", { session: second }, later(3))).status).toBe(200);
  expect((await doAction(owner, "sessions.revoke", { session: second }, later(3))).status).toBe(404);
  const left = await Promise.all([phone, office].map(({ sid }) => ownerOfSession(sid, later(3))));
  expect(left.filter((one) => one !== null)).toHaveLength(1);

  expect((await doAction(owner, "sessions.revoke_others", {}, later(3))).status).toBe(200);
  expect(await listSessions(owner, later(3))).toHaveLength(1);
});

test("a person cannot sign out another person's session", async () => {
  const [owner, other] = [await newOwner(now), await newOwner(now)];
  const [otherPersons] = await listSessions(other, now);
  expect((await doAction(owner, "sessions.revoke", { session: otherPersons?.id ?? "" }, now)).status).toBe(404);
  expect(await ownerOfSession(other.sid, now)).not.toBeNull();
});

test("a reset link sets a new password once and ends every session", async () => {
  const owner = await newOwner(now);
  const [link, other] = [await linkFor(owner.email), await linkFor(owner.email, later(1))];
  expect(await openReset(link, now)).toEqual({ email: owner.email, code: null, restores: false });
  const both = await Promise.allSettled([1, 2].map(() => resetPassword(link, { password: NEW }, from(), later(2))));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await ownerOfSession(owner.sid, later(2))).toBeNull();
  expect(await signIn({ email: owner.email, password: NEW, address: from() }, later(2))).not.toBeNull();
  for (const ended of [link, other]) {
    expect(await openReset(ended, later(2))).toBeNull();
    expect((await refused(resetPassword(ended, { password: PASSWORD }, from(), later(2))))?.code).toBe("not_found");
  }
});

test("a reset link expires after an hour, and a forged one is refused", async () => {
  const owner = await newOwner(now);
  const link = await linkFor(owner.email);
  expect(await openReset(link, later(59))).not.toBeNull();
  for (const [token, at] of [
    [link, later(60)],
    [link.slice(1), now],
    ["", now],
  ] as const) {
    expect(await openReset(token, at)).toBeNull();
    expect((await refused(resetPassword(token, { password: NEW }, from(), at)))?.code).toBe("not_found");
  }
});

test("the database stores only the digest of a reset link's secret", async () => {
  const owner = await newOwner(now);
  const link = await linkFor(owner.email);
  const rows = await db().passwordReset.findMany({ where: { personId: owner.personId } });
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]?.hash ?? []).toString("latin1")).not.toContain(link);
});

test("with two-factor authentication a reset also needs a code", async () => {
  const { owner, codes } = await withSecondFactor(await newOwner(now), now);
  const link = await linkFor(owner.email);
  expect(await openReset(link, now)).toEqual({ email: owner.email, code: "app", restores: false });
  for (const given of [{}, { code: "" }, { code: "wrong" }, { code: await codeOf(owner.personId, now) }])
    expect(await faults(resetPassword(link, { password: NEW, ...given }, from(), now))).toEqual([
      "code: is not the code your app shows now; each code works only once",
    ]);
  await resetPassword(link, { password: NEW, code: codes[0] }, from(), now);
  expect(await ownerOfSession(owner.sid, now)).toBeNull();
});

test("after five wrong codes on a reset link further attempts are refused", async () => {
  const { owner, codes } = await withSecondFactor(await newOwner(now), now);
  const link = await linkFor(owner.email);
  for (let tries = 0; tries < 5; tries++)
    await refused(resetPassword(link, { password: NEW, code: "no" }, from(), now));
  const again = resetPassword(link, { password: NEW, code: codes[0] }, from(), now);
  expect((await refused(again))?.code).toBe("rate_limited");
});

test("a reset request does not reveal who has an account", async () => {
  const owner = await newOwner(now);
  const stranger = `${crypto.randomUUID()}@example.com`;
  for (const email of [owner.email, stranger]) {
    for (let asked = 0; asked < 3; asked++) expect(await requestReset(email, from(), now)).toBe(true);
    expect(await requestReset(email, from(), now)).toBe(false);
    expect(await requestReset(email, from(), later(61))).toBe(true);
  }
  await sendReset(stranger, now);
  expect(await emailsTo(stranger)).toEqual([]);
});

test("one IP address can request at most 20 reset links an hour", async () => {
  const address = from();
  for (let asked = 0; asked < 20; asked++) await requestReset(`${crypto.randomUUID()}@example.com`, address, now);
  const more = requestReset(`${crypto.randomUUID()}@example.com`, address, now);
  expect((await refused(more))?.code).toBe("rate_limited");
});

test("a reset marks its browser as known, so that strangers' attempts do not lock it out", async () => {
  const owner = await newOwner(now);
  const address = from();
  const wrong = () => signIn({ email: owner.email, password: "not the password", address }, now);
  for (let tries = 0; tries < 5; tries++) await wrong();
  await expect(wrong()).rejects.toThrow(TooManyTries);
  const email = await resetPassword(await linkFor(owner.email), { password: NEW }, from(), now);
  const { name, value } = knownBrowserCookie(email);
  const cookies = `${name}=${value}`;
  expect(await signIn({ email: owner.email, password: NEW, address, cookies }, now)).not.toBeNull();
});

/** Creates an agent of the owner with a pending approval, and another person's agent whose approval the owner gave. */
async function withAgents(owner: Owner) {
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
  const scopes: Scope[] = ["sites:read", "sites:delete"];
  const ask = async (personId: number) => {
    const agent = await makeClient({ scopes, sites: [site], personId, now });
    const asked = await callApi("sites.delete", { token: agent.token, input: { site_id: site.id }, now });
    return { ...agent, approval: asked.body.error.details.approval.id as string };
  };
  const [own, others] = [await ask(owner.personId), await ask(site.ownerId)];
  const decision = { id: others.approval, decision: "approved" };
  expect((await doAction(owner, "approvals.decide", decision, now)).status).toBe(200);
  return {
    /** Status of the own agent's token, and of the two approvals. */
    async state() {
      const { status } = await callApi("sites.list", { token: own.token, now });
      const rows = await Promise.all(
        [own, others].map(({ approval }) => db().approval.findUniqueOrThrow({ where: { id: approval } })),
      );
      return [status, ...rows.map((row) => row.status)];
    },
  };
}
const ENDED = [401, "superseded", "superseded"];

test("a password reset ends agents, their tokens, pending approvals and approvals not used yet", async () => {
  const owner = await newOwner(now);
  const { state } = await withAgents(owner);
  expect(await state()).toEqual([200, "pending", "approved"]);
  await resetPassword(await linkFor(owner.email), { password: NEW }, from(), now);
  expect(await state()).toEqual(ENDED);
  const [email] = (await emailsTo(owner.email)).filter(({ subject }) => subject === "Your password was changed");
  expect(email?.text).toContain(
    "every browser was signed out. Passkeys were removed, and identities of a provider unlinked. Agents that acted for you were disconnected, and personal tokens revoked.",
  );
  const acts = await db().audit.findMany({
    where: { personId: owner.personId, operation: "agents.revoke" },
    orderBy: { id: "asc" },
  });
  expect(acts).toHaveLength(1);
});

test("a password change ends agents and approvals unless the person keeps them", async () => {
  const [owner, keeper] = [await newOwner(now), await newOwner(now)];
  const [ended, kept] = [await withAgents(owner), await withAgents(keeper)];
  expect((await doAction(owner, "password.change", { password: NEW }, now)).status).toBe(200);
  expect(await ended.state()).toEqual(ENDED);
  const keepAgents = { password: NEW, disconnect_agents: false };
  expect((await doAction(keeper, "password.change", keepAgents, now)).status).toBe(200);
  expect(await kept.state()).toEqual([200, "pending", "approved"]);
});

test("securing an account ends every session, agent and approval in one step and takes a new password", async () => {
  const owner = await newOwner(now);
  const otherSession = await ownerAgain(owner.email, now);
  const { state } = await withAgents(owner);
  const link = await linkFor(owner.email);
  expect((await doAction(owner, "account.secure", { password: NEW }, later(11))).body.error.code).toBe(
    "reauthentication_required",
  );
  expect((await doAction(owner, "account.secure", { password: "short" }, now)).status).toBe(422);
  expect(await state()).toEqual([200, "pending", "approved"]);
  expect((await doAction(owner, "account.secure", { password: NEW }, now)).status).toBe(200);
  expect(await state()).toEqual(ENDED);
  for (const { sid } of [owner, otherSession]) expect(await ownerOfSession(sid, now)).toBeNull();
  expect(await openReset(link, now)).toBeNull();
  expect(await signIn({ email: owner.email, password: PASSWORD, address: from() }, now)).toBeNull();
  expect(await signIn({ email: owner.email, password: NEW, address: from() }, now)).not.toBeNull();
});

test("a consent emails the person the agent, its scopes and its sites, in the same transaction", async () => {
  const owner = await newOwner(now);
  const site = await makeSite();
  const clientName = "Helper\r\nBcc: eve@example.com";
  const scopes: Scope[] = ["sites:read", "sites:delete"];
  const consent = { personId: owner.personId, clientName, scopes, siteIds: [site.id] };
  const refusedConsent = db().$transaction(async (tx) => {
    await emailConsentGiven(tx, consent, now);
    throw new Error("refused after all");
  });
  await expect(refusedConsent).rejects.toThrow("refused after all");
  expect(await emailsTo(owner.email)).toEqual([]);
  await emailConsentGiven(db(), consent, now);
  const [email] = await emailsTo(owner.email);
  expect(email?.text).toContain(`“Helper Bcc: eve[@]example[.]com” act for you on ${site.host}`);
  for (const scope of scopes) expect(email?.text).toContain(`\n    ${SCOPES[scope]}\n`);
});
