import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { setPassword } from "@/lib/account/change-password";
import { signInByPasskeyAnswer } from "@/lib/auth/other-sign-in";
import { askForPasskey } from "@/lib/auth/passkeys";
import { signIn } from "@/lib/auth/sign-in";
import { startSecondFactor } from "@/lib/auth/two-factor-setup";
import type { Owner } from "@/lib/contract/define";
import { takeOver } from "@/lib/identity/take-over";
import { db } from "@/lib/platform/db";
import { freshSecret } from "@/lib/platform/secrets";
import { makeAssistant, requestOf } from "@/lib/testing/assistants";
import { EMAIL_TIME } from "@/lib/testing/emails";
import { PATIENT, someoneWaitsFor } from "@/lib/testing/locks";
import { callOAuth, findCode, makeAgent, postAuth } from "@/lib/testing/oauth";
import { codeOf, doAction, newOwner, withSecondFactor } from "@/lib/testing/owners";
import { softPasskey } from "@/lib/testing/passkey";
import { PASSWORD } from "@/lib/testing/password";
import { callApi, makeClient, makeSite, type TestSite } from "@/lib/testing/world";

/** Requests that passed the check of their session, or of their password, just before a reset of the password. */

const now = EMAIL_TIME;
const ORIGIN = "http://localhost:3000";

/** Runs a request while a reset is about to commit: after its checks, and before its effect. */
async function duringReset<Answer>(personId: number, request: () => Promise<Answer>): Promise<Answer> {
  const { running } = await db().$transaction(async (tx) => {
    const change = { personId, passwordHash: `new ${randomUUID()}`, requestId: "test", disconnectAgents: true };
    await setPassword(tx, change, now);
    const running = request();
    running.catch(() => undefined);
    await someoneWaitsFor(tx);
    return { running };
  }, PATIENT);
  return running;
}

interface Thief {
  owner: Owner;
  site: TestSite;
}

const access = ({ site }: Thief) => ({ scopes: ["sites:read"], site_ids: [site.id] });

/** What a thief with a session does to keep access: each is prepared, and returns the request. */
const ATTEMPTS: Record<string, (thief: Thief) => Promise<[operation: string, input: object]>> = {
  "add a passkey": async ({ owner }) => {
    const { body } = await doAction(owner, "passkeys.start", {}, now);
    return ["passkeys.add", { name: "Mine", answer: softPasskey(ORIGIN).register(body.data) }];
  },
  "make a token": async (thief) => ["tokens.create", { name: "Mine", ...access(thief) }],
  "connect an assistant": async (thief) => [
    "authorize.decide",
    { request: `${requestOf(await makeAssistant())}`, decision: "approve", ...access(thief) },
  ],
  "connect an agent by its code": async (thief) => {
    const agent = await makeAgent({ kind: "delegated", scopes: ["sites:read"] });
    const { body } = await callOAuth("device", postAuth(agent), { now });
    const { question } = await findCode(body.user_code, thief.owner.personId, now);
    return ["device.decide", { question, decision: "approve", ...access(thief) }];
  },
  "approve the call of another person's agent": async ({ site }) => {
    const other = await makeSite();
    const { token } = await makeClient({ scopes: ["sites:delete"], sites: [site], personId: other.ownerId, now });
    await db().membership.create({ data: { siteId: site.id, personId: other.ownerId, role: "owner" } });
    await callApi("sites.delete", { token, input: { site_id: site.id }, now });
    const { id } = await db().approval.findFirstOrThrow({ where: { siteId: site.id } });
    return ["approvals.decide", { id, decision: "approved" }];
  },
  "set a password": async () => ["password.change", { password: "a password of the thief" }],
  "set up an app": async ({ owner }) => {
    await startSecondFactor(owner);
    return ["totp.confirm", { code: await codeOf(owner.personId, now) }];
  },
  "read new recovery codes": async ({ owner }) => {
    await withSecondFactor(owner, now);
    return ["totp.renew_codes", {}];
  },
  "delete the account": async ({ site }) => {
    const other = await makeSite();
    await db().membership.create({ data: { siteId: site.id, personId: other.ownerId, role: "owner" } });
    return ["account.delete", {}];
  },
};

/** What a thief would keep. */
async function keptBy({ personId }: Owner) {
  const [person, passkeys, clients, approvals, codes] = await Promise.all([
    db().person.findUniqueOrThrow({ where: { id: personId } }),
    db().passkey.count({ where: { personId } }),
    db().client.count({ where: { ownerId: personId, revokedAt: null } }),
    db().approval.count({ where: { approverId: personId, status: "approved" } }),
    db().recoveryCode.findMany({ where: { personId }, orderBy: { hash: "asc" } }),
  ]);
  const { totpConfirmedAt } = person;
  return { passkeys, clients, approvals, app: totpConfirmedAt, codes: codes.map(({ hash }) => Buffer.from(hash)) };
}

/** Each holds three connections at once. */
const alone = test.sequential;

alone.each(Object.keys(ATTEMPTS))(
  "a request that passed its session check just before a reset does not get to %s",
  async (name) => {
    const owner = await newOwner(now);
    const site = await makeSite();
    await db().membership.deleteMany({ where: { siteId: site.id } });
    await db().membership.create({ data: { siteId: site.id, personId: owner.personId, role: "owner" } });
    const thief = { owner, site: { ...site, ownerId: owner.personId } };
    const [operation, input] = (await ATTEMPTS[name]?.(thief)) ?? ["", {}];
    const before = await keptBy(owner);
    const answer = await duringReset(owner.personId, () => doAction(owner, operation, input, now));
    expect([answer.status, answer.body.error?.code]).toEqual([401, "unauthenticated"]);
    expect(await keptBy(owner)).toEqual(before);
    const { passwordHash } = await db().person.findUniqueOrThrow({ where: { id: owner.personId } });
    expect(passwordHash).toMatch(/^new /);
  },
);

alone("a password that was right just before a reset opens no session after it", async () => {
  const { email, personId } = await newOwner(now);
  const given = { email, password: PASSWORD, address: randomUUID() };
  expect(await duringReset(personId, () => signIn(given, now))).toBeNull();
  expect(await db().ownerSession.count({ where: { personId, revokedAt: null } })).toBe(0);
});

alone("a passkey that answered just before a reset removed it opens no session after it", async () => {
  const owner = await newOwner(now);
  const passkey = softPasskey(ORIGIN);
  const { body } = await doAction(owner, "passkeys.start", {}, now);
  await doAction(owner, "passkeys.add", { name: "Mine", answer: passkey.register(body.data) }, now);
  const holder = freshSecret();
  const answer = passkey.answer(await askForPasskey(holder, null, now));
  const by = { address: randomUUID(), cookies: `footfall.passkey=${holder}` };
  const enter = () => signInByPasskeyAnswer({ answer: JSON.stringify(answer) }, by, now);
  expect(await duringReset(owner.personId, enter)).toBeNull();
  expect(await db().ownerSession.count({ where: { personId: owner.personId, revokedAt: null } })).toBe(0);
});

alone("a takeover of an agent that began just before a reset takes nothing after it", async () => {
  const [owner, site] = [await newOwner(now), await makeSite()];
  await db().membership.deleteMany({ where: { siteId: site.id } });
  const machine = await makeClient({ scopes: ["sites:read"], sites: [site], now });
  const account = { id: `acc_${randomUUID()}`, domain: site.host, recoveryHash: new Uint8Array(32), createdAt: now };
  await db().machineAccount.create({ data: account });
  await db().client.update({ where: { id: machine.id }, data: { accountId: account.id } });
  const person = { id: owner.personId, email: owner.email, sid: owner.sid };
  const claim = { accountId: account.id, domain: site.host, agent: "A", person, requestId: "test" };
  const taking = () => takeOver({ ...claim, challenges: [], hasKey: true }, now).catch((error: Error) => error.message);
  expect(await duringReset(owner.personId, taking)).toContain("Your session has ended");
  expect(await db().membership.count({ where: { siteId: site.id } })).toBe(0);
  expect((await db().client.findUniqueOrThrow({ where: { id: machine.id } })).ownerId).toBeNull();
});
