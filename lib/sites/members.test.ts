import { expect, test } from "vitest";
import { joinByInvitation } from "@/lib/account/join";
import { requestSignup } from "@/lib/auth/signup";
import type { Role } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { unlink } from "@/lib/email/links";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { setEnv } from "@/lib/platform/env";
import { createSite } from "@/lib/sites/create";
import { listInvitations, readInvitation } from "@/lib/sites/invitations";
import { listMembers } from "@/lib/sites/members";
import { maskEmail } from "@/lib/sites/people";
import { callApproved, decide } from "@/lib/testing/approved";
import { refused, revisionOf } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf, emailsTo } from "@/lib/testing/emails";
import { PATIENT } from "@/lib/testing/locks";
import { doAction, newOwner } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, TEST_SECRETS } from "@/lib/testing/world";

/** Members of a site: roles, invitations and ownership transfers. Most actions are called as pages do. */

const now = EMAIL_TIME;
const days = (count: number) => new Date(now.getTime() + count * DAY_MS);
const address = () => crypto.randomUUID();

async function siteOf(owner: Owner): Promise<number> {
  const site = { host: `${crypto.randomUUID()}.example`, name: null, timezone: "UTC", public: false, now };
  return createSite(db(), { ...site, creator: { kind: "owner", personId: owner.personId } });
}

async function ownedSite() {
  const ann = await newOwner(now);
  return { ann, siteId: await siteOf(ann) };
}

async function member(siteId: number, role: Role): Promise<Owner> {
  const person = await newOwner(now);
  await db().membership.create({ data: { siteId, personId: person.personId, role } });
  return person;
}

const rolesOf = async (siteId: number) =>
  Object.fromEntries((await listMembers(siteId)).map(({ personId, role }) => [personId, role]));
const code = async (answer: ReturnType<typeof doAction>) => {
  const { status, body } = await answer;
  return body.error?.code ?? status;
};
const operations = async (siteId: number) =>
  (await db().audit.findMany({ where: { siteId }, orderBy: { id: "asc" } })).map(({ operation }) => operation);

/** Sends an invitation and returns the secret in its email. */
async function invite(by: Owner, siteId: number, email: string, role: Role = "viewer"): Promise<string> {
  const secrets = async () =>
    (await emailsTo(email)).flatMap(({ text }) => /\/invite\/([\w-]{43})\n/.exec(text)?.[1] ?? []);
  const known = await secrets();
  expect(await code(doAction(by, "sites.members.invite", { site_id: siteId, email, role }, now))).toBe(200);
  return (await secrets()).find((secret) => !known.includes(secret)) ?? "";
}
const accept = (by: Owner, invitation: string) => doAction(by, "invitations.accept", { invitation }, now);

test("an owner changes roles and removes members, which updates the revision and the audit and emails the member", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await member(siteId, "viewer");
  const change = { site_id: siteId, person_id: ben.personId };
  expect(await code(doAction(ann, "sites.members.update", { ...change, role: "manager" }, now))).toBe(200);
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "owner", [ben.personId]: "manager" });
  expect(await code(doAction(ann, "sites.members.remove", change, now))).toBe(200);
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "owner" });
  expect(await code(doAction(ann, "sites.members.remove", change, now))).toBe("not_found");
  expect(await revisionOf(siteId)).toBe(3);
  expect(await operations(siteId)).toEqual(["sites.members.update", "sites.members.remove"]);
  const subjects = (await emailsOf(ben.personId)).map(({ subject }) =>
    subject.replace(/[\w-]+(\.|\[\.\])example/, "it"),
  );
  expect(subjects.sort()).toEqual(["You no longer have access to it", "Your role on it is now manager"]);
});

test("managers and viewers cannot manage members", async () => {
  const { ann, siteId } = await ownedSite();
  for (const role of ["manager", "viewer"] as const) {
    const ben = await member(siteId, role);
    const owner = { site_id: siteId, person_id: ann.personId };
    const self = { site_id: siteId, person_id: ben.personId };
    expect(await code(doAction(ben, "sites.members.update", { ...self, role: "owner" }, now))).toBe("role_denied");
    expect(await code(doAction(ben, "sites.members.remove", owner, now))).toBe("role_denied");
    const invitation = { site_id: siteId, email: "eve@example.com", role: "owner" };
    expect(await code(doAction(ben, "sites.members.invite", invitation, now))).toBe("role_denied");
    expect(await code(doAction(ben, "sites.delete", { site_id: siteId }, now))).toBe("role_denied");
    const transfer = { site_id: siteId, new_owner_id: ben.personId };
    expect(await code(doAction(ben, "sites.ownership.transfer", transfer, now))).toBe("role_denied");
  }
});

test("a stranger cannot leave a site, and ids of another tenant are not found", async () => {
  const { ann, siteId } = await ownedSite();
  const { ann: eve, siteId: other } = await ownedSite();
  await invite(ann, siteId, `${crypto.randomUUID()}@example.com`);
  const [waiting] = await listInvitations({ siteId }, now);
  expect(await code(doAction(eve, "members.leave", { site_id: siteId }, now))).toBe("site_not_granted");
  const mixed = { site_id: other, invitation_id: waiting?.id };
  expect(await code(doAction(eve, "sites.members.invitations.withdraw", mixed, now))).toBe("not_found");
  const stranger = { site_id: other, person_id: ann.personId };
  expect(await code(doAction(eve, "sites.members.remove", stranger, now))).toBe("not_found");
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "owner" });
  expect(await listInvitations({ siteId }, now)).toHaveLength(1);
});

test("the last owner of a site cannot leave, step down or be removed", async () => {
  const { ann, siteId } = await ownedSite();
  await member(siteId, "manager");
  const me = { site_id: siteId, person_id: ann.personId };
  expect(await code(doAction(ann, "members.leave", { site_id: siteId }, now))).toBe("role_denied");
  expect(await code(doAction(ann, "sites.members.update", { ...me, role: "viewer" }, now))).toBe("role_denied");
  expect(await code(doAction(ann, "sites.members.remove", me, now))).toBe("role_denied");
  expect(await revisionOf(siteId)).toBe(1);
});

test("when two owners remove each other at the same time, one request is refused", async () => {
  for (const id of ["sites.members.remove", "members.leave"]) {
    const { ann, siteId } = await ownedSite();
    const ben = await member(siteId, "owner");
    const outcomes = await Promise.all([
      code(
        doAction(
          ann,
          id,
          { site_id: siteId, ...(id === "sites.members.remove" ? { person_id: ben.personId } : {}) },
          now,
        ),
      ),
      code(
        doAction(
          ben,
          id,
          { site_id: siteId, ...(id === "sites.members.remove" ? { person_id: ann.personId } : {}) },
          now,
        ),
      ),
    ]);
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
    expect(Object.values(await rolesOf(siteId))).toEqual(["owner"]);
  }
});

test("agents of a member who leaves or is removed lose the site, also if the member rejoins", async () => {
  for (const id of ["members.leave", "sites.members.remove"] as const) {
    const { ann, siteId } = await ownedSite();
    const ben = await member(siteId, "owner");
    const scopes = ["sites:read", "sites:delete"] as const;
    const agent = await makeClient({ scopes, sites: [{ id: siteId }], personId: ben.personId, now });
    const anns = await makeClient({ scopes, sites: [{ id: siteId }], personId: ann.personId, now });
    const callAs = (operation: string, { token } = agent) =>
      callApi(operation, { token, input: { site_id: siteId }, now });
    const { approval } = (await callAs("sites.delete")).body.error.details;
    const [by, about] = id === "members.leave" ? [ben, {}] : [ann, { person_id: ben.personId }];
    expect(await code(doAction(by, id, { site_id: siteId, ...about }, now))).toBe(200);
    await db().membership.create({ data: { siteId, personId: ben.personId, role: "owner" } });
    expect((await callAs("sites.settings.get")).body.error.code).toBe("site_not_granted");
    expect((await callAs("sites.settings.get", anns)).status).toBe(200);
    expect((await db().approval.findUniqueOrThrow({ where: { id: approval.id } })).status).toBe("superseded");
  }
});

test("every owner is emailed once about each change of members, and so is the affected member", async () => {
  const { ann, siteId } = await ownedSite();
  const [carl, dora, eve] = [await member(siteId, "owner"), await member(siteId, "owner"), await newOwner(now)];
  const about = { site_id: siteId, person_id: dora.personId };
  expect(await code(accept(eve, await invite(ann, siteId, eve.email, "viewer")))).toBe(200);
  expect(await code(doAction(ann, "sites.members.update", { ...about, role: "manager" }, now))).toBe(200);
  expect(await code(doAction(eve, "members.leave", { site_id: siteId }, now))).toBe(200);
  expect(await code(doAction(ann, "sites.members.remove", about, now))).toBe(200);
  const emailed = async (person: Owner) =>
    (await emailsOf(person.personId)).map(({ subject }) => subject.replace(/[\w-]+(\.|\[\.\])example/, "it")).sort();
  const [changed, invited, removed] = ["Change a member's role: it", "Invite a member: it", "Remove a member: it"];
  const [joined, left] = ["Someone joined it", "Someone left it"];
  expect(await emailed(carl)).toEqual([changed, invited, removed, joined, left]);
  expect(await emailed(ann)).toEqual([changed, invited, removed, joined, left]);
  const toDora = ["You no longer have access to it", "Your role on it is now manager"];
  expect(await emailed(dora)).toEqual([changed, invited, joined, ...toDora]);
  expect(await emailed(eve)).toEqual(["You are invited to view the analytics of it"]);
  const email = (await emailsOf(carl.personId)).find(({ subject }) => subject.startsWith("Change a member's role"));
  expect(email?.text).toContain(`Role of ${unlink(maskEmail(dora.email))}, ID ${dora.personId}: “owner” → “manager”`);
});

test("every member lists members and open invitations, without the invitation links", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await member(siteId, "viewer");
  const email = `${crypto.randomUUID()}@example.com`;
  const secret = await invite(ann, siteId, email, "manager");
  const { body } = await doAction(ben, "sites.members.list", { site_id: siteId }, now);
  expect(body.data.members).toMatchObject([
    { person_id: ann.personId, email: ann.email, name: null, role: "owner", since: expect.any(String) },
    { person_id: ben.personId, email: ben.email, name: null, role: "viewer", since: expect.any(String) },
  ]);
  expect(body.data.invitations).toEqual([
    {
      invitation_id: expect.any(Number),
      email,
      role: "manager",
      since: now.toISOString(),
      expires_at: days(7).toISOString(),
    },
  ]);
  expect(JSON.stringify(body)).not.toContain(secret);
  const stranger = await newOwner(now);
  expect(await code(doAction(stranger, "sites.members.list", { site_id: siteId }, now))).toBe("site_not_granted");
  const site = [{ id: siteId }];
  const reader = await makeClient({ scopes: ["sites:read", "teams:write"], sites: site, personId: ann.personId, now });
  const response = await callApi("sites.members.list", { token: reader.token, input: { site_id: siteId }, now });
  expect(response.body.error.code).toBe("insufficient_scope");
});

test("an agent invites, changes and removes members only with an owner's approval; the audit names both", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await member(siteId, "viewer");
  const agent = await makeClient({ scopes: ["teams:write"], sites: [{ id: siteId }], personId: ann.personId, now });
  const run = (operation: string, input: object) =>
    callApproved(operation, {
      token: agent.token,
      input: { site_id: siteId, ...input },
      approverId: ann.personId,
      now,
    });
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await run("sites.members.invite", { email, role: "viewer" });
  expect(invited.body.data).toMatchObject({ invitation_id: expect.any(Number), email, role: "viewer" });
  expect(invited.lines).toEqual([
    { label: `Invitation for ${email}`, before: null, after: "As viewer, who reads every report of the site" },
  ]);
  expect((await emailsTo(email))[0]?.text).toContain(unlink(ann.email));

  const label = `${maskEmail(ben.email)}, ID ${ben.personId}`;
  const changed = await run("sites.members.update", { person_id: ben.personId, role: "manager" });
  expect(changed.body.data).toEqual({ person_id: ben.personId, role: "manager" });
  expect(changed.lines).toEqual([{ label: `Role of ${label}`, before: "viewer", after: "manager" }]);
  const removed = await run("sites.members.remove", { person_id: ben.personId });
  expect(removed.body.data).toEqual({ person_id: ben.personId });
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "owner" });

  const withdrawal = { site_id: siteId, invitation_id: invited.body.data.invitation_id };
  const withdrawn = await run("sites.members.invitations.withdraw", withdrawal);
  expect(withdrawn.body.data).toEqual({ invitation_id: withdrawal.invitation_id });
  const entries = await db().audit.findMany({
    where: { siteId, operation: { startsWith: "sites." } },
    orderBy: { id: "asc" },
  });
  const done = entries.filter(({ detail }) => !Object.hasOwn(detail as object, "decision"));
  expect(done.map(({ clientId, personId, approvalId }) => ({ clientId, personId, approvalId }))).toEqual(
    [invited.approvalId, changed.approvalId, removed.approvalId, withdrawn.approvalId].map((approvalId) => ({
      clientId: agent.id,
      personId: ann.personId,
      approvalId,
    })),
  );
});

test("changes that would fail create no approval request: a non-member, the last owner, an unconfirmed inviter", async () => {
  const { ann, siteId } = await ownedSite();
  const agent = await makeClient({ scopes: ["teams:write"], sites: [{ id: siteId }], personId: ann.personId, now });
  const refusal = async (operation: string, input: object) => {
    const { body } = await callApi(operation, { token: agent.token, input: { site_id: siteId, ...input }, now });
    return body.error.code;
  };
  const stranger = { person_id: (await newOwner(now)).personId };
  expect(await refusal("sites.members.update", { ...stranger, role: "manager" })).toBe("not_found");
  expect(await refusal("sites.members.remove", stranger)).toBe("not_found");
  expect(await refusal("sites.members.remove", { person_id: 2 ** 31 })).toBe("not_found");
  expect(await refusal("sites.members.remove", { person_id: ann.personId })).toBe("role_denied");
  await db().person.update({ where: { id: ann.personId }, data: { confirmedAt: null } });
  expect(await refusal("sites.members.invite", { email: "ben@example.com", role: "viewer" })).toBe("role_denied");
  expect(await db().approval.count({ where: { clientId: agent.id } })).toBe(0);
});

test("a machine account without a person cannot invite, even on a site it owns", async () => {
  const { siteId } = await ownedSite();
  await db().membership.deleteMany({ where: { siteId } });
  const machine = await makeClient({ scopes: ["teams:write"], sites: [{ id: siteId }], now });
  const input = { site_id: siteId, email: "ben@example.com", role: "viewer" };
  const { body } = await callApi("sites.members.invite", { token: machine.token, input, now });
  expect(body.error).toMatchObject({ code: "role_denied", message: expect.stringContaining("needs a person") });
});

test("an agent that removes its own person from a site gets the same response when it repeats the call", async () => {
  const { ann, siteId } = await ownedSite();
  await member(siteId, "owner");
  const agent = await makeClient({ scopes: ["teams:write"], sites: [{ id: siteId }], personId: ann.personId, now });
  const input = { site_id: siteId, person_id: ann.personId };
  const key = crypto.randomUUID();
  const remove = (headers = {}) => callApi("sites.members.remove", { token: agent.token, input, key, headers, now });
  const { id } = (await remove()).body.error.details.approval;
  await decide(id, ann.personId, "approved", now);
  const headers = { "x-agent-approval-id": id };
  const answers = [await remove(headers), await remove(headers)];
  expect(answers.map(({ body }) => body.data)).toEqual([{ person_id: ann.personId }, { person_id: ann.personId }]);
  expect((await rolesOf(siteId))[ann.personId]).toBeUndefined();
});

test("signing up by invitation while the site is locked creates no account and can be retried", async () => {
  const { ann, siteId } = await ownedSite();
  const email = `${crypto.randomUUID()}@example.com`;
  const secret = await invite(ann, siteId, email);
  const signUp = () => refused(joinByInvitation(secret, { email, password: PASSWORD }, now));
  const held = await db().$transaction(async (tx) => {
    await lockSite(tx, siteId);
    return signUp();
  }, PATIENT);
  expect([held?.code, held?.retryAfter]).toEqual(["operation_in_progress", 1]);
  expect(await db().person.count({ where: { email } })).toBe(0);
  expect(await signUp()).toBeNull();
});

test("members other than the last owner can leave", async () => {
  const { siteId } = await ownedSite();
  const ben = await member(siteId, "viewer");
  expect(await code(doAction(ben, "members.leave", { site_id: siteId }, now))).toBe(200);
  expect(await code(doAction(ben, "members.leave", { site_id: siteId }, now))).toBe("site_not_granted");
});

test("an invitation can be accepted once, only by its email address, and grants its role", async () => {
  const { ann, siteId } = await ownedSite();
  const [ben, eve] = [await newOwner(now), await newOwner(now)];
  const secret = await invite(ann, siteId, ben.email, "manager");
  expect(await readInvitation(db(), secret, now)).toMatchObject({
    place: { siteId },
    role: "manager",
    email: ben.email,
  });
  expect(await code(accept(eve, secret))).toBe("role_denied");
  const both = await Promise.all([code(accept(ben, secret)), code(accept(ben, secret))]);
  expect(both.sort()).toEqual([200, "not_found"]);
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "owner", [ben.personId]: "manager" });
  expect(await operations(siteId)).toEqual(["sites.members.invite", "invitations.accept"]);
  expect(await revisionOf(siteId)).toBe(3);
});

test("the database stores only a digest of an invitation's secret", async () => {
  const { ann, siteId } = await ownedSite();
  const secret = await invite(ann, siteId, `${crypto.randomUUID()}@example.com`);
  const rows = await db().invitation.findMany({ where: { siteId } });
  const audit = await db().audit.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const text =
    rows.map(({ hash }) => Buffer.from(hash).toString("latin1")).join() +
    JSON.stringify(audit.map((row) => row.detail));
  expect(text).not.toContain(secret);
});

test("inviting an address again replaces its invitation and invalidates the earlier link", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await newOwner(now);
  const first = await invite(ann, siteId, ben.email, "owner");
  const second = await invite(ann, siteId, ` ${ben.email.toUpperCase()}`.trim().toLowerCase(), "viewer");
  expect(await listInvitations({ siteId }, now)).toHaveLength(1);
  expect(await code(accept(ben, first))).toBe("not_found");
  expect(await code(accept(ben, second))).toBe(200);
});

test("an invitation is invalid after seven days, when withdrawn, and when its sender is no longer an owner", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await newOwner(now);
  const old = await invite(ann, siteId, ben.email);
  expect(await readInvitation(db(), old, days(6.9))).not.toBeNull();
  expect(await readInvitation(db(), old, days(7))).toBeNull();
  expect(await listInvitations({ siteId }, days(7))).toEqual([]);

  const [waiting] = await listInvitations({ siteId }, now);
  const withdrawal = { site_id: siteId, invitation_id: waiting?.id };
  expect(await code(doAction(ann, "sites.members.invitations.withdraw", withdrawal, now))).toBe(200);
  expect(await code(accept(ben, old))).toBe("not_found");

  const carl = await member(siteId, "owner");
  const last = await invite(carl, siteId, ben.email);
  const demotion = { site_id: siteId, person_id: carl.personId, role: "manager" };
  expect(await code(doAction(ann, "sites.members.update", demotion, now))).toBe(200);
  expect(await code(accept(ben, last))).toBe("not_found");
  expect(await listInvitations({ siteId }, now)).toEqual([]);
});

test("accepting an invitation raises a lower role and never lowers a higher one", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await member(siteId, "manager");
  expect(await code(accept(ben, await invite(ann, siteId, ben.email, "viewer")))).toBe(200);
  expect((await rolesOf(siteId))[ben.personId]).toBe("manager");
  expect(await code(accept(ben, await invite(ann, siteId, ben.email, "owner")))).toBe(200);
  expect((await rolesOf(siteId))[ben.personId]).toBe("owner");
});

test("one person sends at most 50 invitations a day", async () => {
  const { ann, siteId } = await ownedSite();
  const send = (at: Date) =>
    code(doAction(ann, "sites.members.invite", { site_id: siteId, email: "again@example.com", role: "viewer" }, at));
  for (let sent = 0; sent < 50; sent++) expect(await send(now)).toBe(200);
  expect(await send(now)).toBe("rate_limited");
});

test("transferring and deleting a site on pages requires a sign-in within the last five minutes", async () => {
  const { ann, siteId } = await ownedSite();
  const ben = await member(siteId, "viewer");
  const stale = new Date(now.getTime() + 6 * 60_000);
  const transfer = { site_id: siteId, new_owner_id: ben.personId };
  expect(await code(doAction(ann, "sites.ownership.transfer", transfer, stale))).toBe("reauthentication_required");
  expect(await code(doAction(ann, "sites.ownership.transfer", transfer, now))).toBe(200);
  expect(await rolesOf(siteId)).toEqual({ [ann.personId]: "manager", [ben.personId]: "owner" });
  expect((await emailsOf(ben.personId)).some(({ subject }) => /^Your role on .* is now owner$/.test(subject))).toBe(
    true,
  );
  expect(await code(doAction(ben, "sites.delete", { site_id: siteId }, stale))).toBe("reauthentication_required");
  expect(await code(doAction(ben, "sites.delete", { site_id: siteId }, now))).toBe(200);
  expect(await db().site.count({ where: { id: siteId } })).toBe(0);
});

// Sequential, because SIGNUP is a setting of the process.
test.sequential("with SIGNUP=invite an invitation link creates an account for its address and joins the site", async () => {
  const { ann, siteId } = await ownedSite();
  const email = `${crypto.randomUUID()}@example.com`;
  const secret = await invite(ann, siteId, email, "manager");
  const open = { DATABASE_URL: "postgres://unused", APP_SECRETS: TEST_SECRETS, NODE_ENV: "test" };
  const signUp = (more: object, invitation: string) =>
    refused(joinByInvitation(invitation, { email, password: PASSWORD, ...more }, now));
  try {
    setEnv({ ...open, SIGNUP: "closed" });
    expect((await signUp({}, secret))?.code).toBe("role_denied");
    setEnv({ ...open, SIGNUP: "invite" });
    expect((await refused(requestSignup(email, "/sites", address(), now)))?.code).toBe("role_denied");
    expect((await signUp({}, "made-up"))?.code).toBe("not_found");
    expect((await signUp({ email: `${crypto.randomUUID()}@example.com` }, secret))?.code).toBe("role_denied");
    expect(await db().person.count({ where: { email } })).toBe(0);
    expect(await signUp({}, secret)).toBeNull();
  } finally {
    setEnv(open);
  }
  expect((await listMembers(siteId)).find((one) => one.email === email)?.role).toBe("manager");
});

test("without a mail server the inviter sees the link of an invitation, and joining with it confirms no address", async () => {
  const { ann, siteId } = await ownedSite();
  const email = `${crypto.randomUUID()}@example.com`;
  const input = { site_id: siteId, email, role: "viewer" };
  const { body } = await doAction(ann, "sites.members.invite", input, now);
  expect(body.data).toMatchObject({ delivered: false, link: expect.stringMatching(/\/invite\/[\w-]{43}$/) });
  const secret = body.data.link.split("/").at(-1);
  await joinByInvitation(secret, { email, password: PASSWORD }, now);
  const { id, confirmedAt } = await db().person.findUniqueOrThrow({ where: { email } });
  expect(confirmedAt).toBeNull();
  expect(await rolesOf(siteId)).toMatchObject({ [id]: "viewer" });
  // Nothing but the answer and the email has the secret, and the list of members has neither.
  expect(JSON.stringify(await db().audit.findMany({ where: { siteId }, select: { detail: true } }))).not.toContain(
    secret,
  );
  expect(JSON.stringify(await listInvitations({ siteId }, now))).not.toContain(secret);
});

test("a member who accepts a shown link stays unconfirmed, one who was confirmed stays so", async () => {
  const { ann, siteId } = await ownedSite();
  const [ben, carla] = [await newOwner(now), await newOwner(now)];
  await db().person.update({ where: { id: ben.personId }, data: { confirmedAt: null } });
  for (const person of [ben, carla]) {
    const input = { site_id: siteId, email: person.email, role: "viewer" };
    const { body } = await doAction(ann, "sites.members.invite", input, now);
    expect(await code(accept(person, body.data.link.split("/").at(-1)))).toBe(200);
  }
  const confirmed = async ({ personId }: Owner) =>
    (await db().person.findUniqueOrThrow({ where: { id: personId } })).confirmedAt !== null;
  expect(await Promise.all([ben, carla].map(confirmed))).toEqual([false, true]);
});

test("an agent never gets the link of an invitation", async () => {
  const { ann, siteId } = await ownedSite();
  const { token } = await makeClient({
    personId: ann.personId,
    scopes: ["teams:write"],
    sites: [{ id: siteId }],
    now,
  });
  const input = { site_id: siteId, email: `${crypto.randomUUID()}@example.com`, role: "owner" };
  const { body } = await callApproved("sites.members.invite", { token, input, approverId: ann.personId, now });
  expect(body.data).toMatchObject({ email: input.email, delivered: false, link: null });
});

// Sequential, because SMTP_URL is a setting of the process.
test.sequential("with a mail server the link of an invitation is in the email alone, and joining confirms the address", async () => {
  const { ann, siteId } = await ownedSite();
  const email = `${crypto.randomUUID()}@example.com`;
  const without = { DATABASE_URL: "postgres://unused", APP_SECRETS: TEST_SECRETS, NODE_ENV: "test" };
  setEnv({ ...without, SMTP_URL: "smtp://127.0.0.1:9" });
  try {
    const { body } = await doAction(ann, "sites.members.invite", { site_id: siteId, email, role: "viewer" }, now);
    expect(body.data).toMatchObject({ delivered: true, link: null });
  } finally {
    setEnv(without);
  }
  const [secret = ""] = (await emailsTo(email)).flatMap(({ text }) => /\/invite\/([\w-]{43})\n/.exec(text)?.[1] ?? []);
  await joinByInvitation(secret, { email, password: PASSWORD }, now);
  expect((await db().person.findUniqueOrThrow({ where: { email } })).confirmedAt).toEqual(now);
});
