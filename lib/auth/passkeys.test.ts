import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signInByPasskeyAnswer } from "@/lib/auth/other-sign-in";
import { askForPasskey, listPasskeys } from "@/lib/auth/passkeys";
import { ownerOfSession } from "@/lib/auth/session-row";
import { SecondFactorNeeded, signIn } from "@/lib/auth/sign-in";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { freshSecret } from "@/lib/platform/secrets";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { codeOf, doAction, newOwner, ownerAgain, withSecondFactor, wrongCodeOf } from "@/lib/testing/owners";
import { softPasskey } from "@/lib/testing/passkey";
import { PASSWORD } from "@/lib/testing/password";

/** Passkeys as sign-in, as second factor and as reauthentication, with answers that are really signed. */

const ORIGIN = "http://localhost:3000";
const now = EMAIL_TIME;
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

type SoftPasskey = ReturnType<typeof softPasskey>;

/** Adds a passkey as the account page does. */
async function add(owner: Owner, name = "Laptop", passkey = softPasskey(ORIGIN), changes = {}) {
  const { body } = await doAction(owner, "passkeys.start", {}, now);
  return doAction(owner, "passkeys.add", { name, answer: passkey.register(body.data, changes) }, now);
}

/** A person with a passkey, in a fresh session. */
async function withPasskey() {
  const passkey = softPasskey(ORIGIN);
  const owner = await newOwner(now);
  const { body } = await add(owner, "Laptop", passkey);
  return { owner, passkey, codes: body.data.recovery_codes as string[] };
}

/** A browser without a session that has asked for a challenge. */
async function asking(at = now) {
  const holder = freshSecret();
  const options = await askForPasskey(holder, null, at);
  const enter = async (answer: object, cookie = holder, when = at) =>
    signInByPasskeyAnswer(
      { answer: JSON.stringify(answer) },
      { address: randomUUID(), cookies: `footfall.passkey=${cookie}` },
      when,
    );
  return { options, enter };
}

const stateOf = (owner: Owner) => ownerOfSession(owner.sid, now);

test("a passkey signs in alone, in the browser that asked, and its last use is listed", async () => {
  const { owner, passkey } = await withPasskey();
  const { options, enter } = await asking(later(1));
  expect(options).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
  const signedIn = await enter(passkey.answer(options));
  expect(signedIn).toMatchObject({ personId: owner.personId, email: owner.email });
  expect(await listPasskeys(owner.personId)).toMatchObject([{ name: "Laptop", lastUsedAt: later(1) }]);
});

test("the first passkey turns on two-factor authentication: the password alone no longer signs in", async () => {
  const owner = await newOwner(now);
  const other = await ownerAgain(owner.email, now);
  const { body } = await add(owner);
  expect(body.data.recovery_codes).toHaveLength(10);
  expect(await stateOf(owner)).toMatchObject({ secondFactor: true, ways: { passkey: true, app: false } });
  expect(await stateOf(other)).toBeNull();
  const given = { email: owner.email, password: PASSWORD, address: randomUUID() };
  await expect(signIn(given, now)).rejects.toThrow(SecondFactorNeeded);
  expect(await signIn({ ...given, code: body.data.recovery_codes[0] }, now)).not.toBeNull();
  const subjects = (await emailsTo(owner.email)).map(({ subject }) => subject);
  expect(subjects).toContain("A passkey was added to your account");
});

test("an answer from another origin, for another host, without its user or of another ceremony is refused", async () => {
  const { passkey } = await withPasskey();
  for (const changes of [
    { origin: "https://evil.example" },
    { origin: "http://localhost:3001" },
    { rpId: "evil.example" },
    { verified: false },
    { type: "webauthn.create" },
  ]) {
    const { options, enter } = await asking();
    expect(await enter(passkey.answer(options, changes)), JSON.stringify(changes)).toBeNull();
  }
  for (const changes of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { verified: false }]) {
    const owner = await newOwner(now);
    expect((await add(owner, "Laptop", softPasskey(ORIGIN), changes)).status, JSON.stringify(changes)).toBe(422);
    expect(await listPasskeys(owner.personId)).toEqual([]);
  }
});

test("a replayed answer is refused: each challenge works once, for five minutes, in the browser that asked", async () => {
  const { passkey } = await withPasskey();
  const { options, enter } = await asking();
  const answer = passkey.answer(options);
  expect(await enter(answer)).not.toBeNull();
  expect(await enter(answer)).toBeNull();

  const stolen = await asking();
  expect(await stolen.enter(passkey.answer(stolen.options), freshSecret())).toBeNull();
  const slow = await asking();
  expect(await slow.enter(passkey.answer(slow.options), undefined, later(5))).toBeNull();
  const own = await asking();
  expect(await own.enter(passkey.answer(own.options, { challenge: "bWFkZSB1cA" }))).toBeNull();
});

test("of two parallel answers to one challenge, one signs in", async () => {
  const { passkey } = await withPasskey();
  const { options, enter } = await asking();
  const answer = passkey.answer(options);
  const done = await Promise.all([enter(answer), enter(answer)]);
  expect(done.filter((one) => one !== null)).toHaveLength(1);
});

test("a counter that does not grow is refused, as a copy of the passkey would send it", async () => {
  const { passkey } = await withPasskey();
  const sign = async (counter: number) => {
    const { options, enter } = await asking();
    return (await enter(passkey.answer(options, { counter }))) !== null;
  };
  expect(await sign(10)).toBe(true);
  expect([await sign(10), await sign(3), await sign(0)]).toEqual([false, false, false]);
  expect(await sign(11)).toBe(true);
});

test("a passkey without a counter signs in again and again", async () => {
  const passkey = softPasskey(ORIGIN);
  await add(await newOwner(now), "Phone", passkey, { counter: 0 });
  for (let time = 0; time < 2; time++) {
    const { options, enter } = await asking();
    expect(await enter(passkey.answer(options, { counter: 0 }))).not.toBeNull();
  }
});

/** Asks for a proof in a session and answers it with a passkey. */
async function prove(owner: Owner, passkey: SoftPasskey, at: Date, id = "session.reauthenticate") {
  const { body } = await doAction(owner, "passkeys.ask_owner", {}, at);
  return doAction(owner, id, { passkey: passkey.answer(body.data) }, at);
}

test("a passkey counts as a fresh reauthentication with both factors", async () => {
  const { owner, passkey } = await withPasskey();
  expect((await doAction(owner, "passkeys.start", {}, later(11))).body.error.code).toBe("reauthentication_required");
  expect((await prove(owner, passkey, later(11))).status).toBe(200);
  expect((await doAction(owner, "passkeys.start", {}, later(12))).status).toBe(200);
});

test("the passkey of another person neither reauthenticates nor removes anything", async () => {
  const [{ owner }, eve] = [await withPasskey(), await withPasskey()];
  expect((await prove(owner, eve.passkey, later(11))).status).toBe(422);
  expect((await stateOf(owner))?.signedInAt).toEqual(now);
  expect((await doAction(owner, "passkeys.remove", { passkey: eve.passkey.id }, now)).body.error.code).toBe(
    "not_found",
  );
  expect(await listPasskeys(eve.owner.personId)).toHaveLength(1);
  // An answer to the challenge of another session of the same person.
  const again = await newOwner(now);
  const { body } = await doAction(again, "passkeys.ask_owner", {}, now);
  const answer = eve.passkey.answer(body.data);
  expect((await doAction(eve.owner, "session.reauthenticate", { passkey: answer }, now)).status).toBe(422);
});

test("a passkey that belongs to an account cannot be added to another one", async () => {
  const { passkey } = await withPasskey();
  const eve = await newOwner(now);
  expect((await add(eve, "Mine", passkey)).status).toBe(422);
  expect(await stateOf(eve)).toMatchObject({ secondFactor: false });
});

test("an account whose address is not confirmed gets no passkey", async () => {
  const owner = await newOwner(now);
  await db().person.update({ where: { id: owner.personId }, data: { confirmedAt: null } });
  expect((await doAction(owner, "passkeys.start", {}, now)).body.error.code).toBe("role_denied");
});

test("removing the only passkey turns two-factor authentication off and signs out every other browser", async () => {
  const { owner, codes } = await withPasskey();
  const [{ id } = { id: "" }] = await listPasskeys(owner.personId);
  const signedIn = await signIn({ email: owner.email, password: PASSWORD, address: randomUUID(), code: codes[0] }, now);
  expect((await doAction(owner, "passkeys.remove", { passkey: id }, now)).status).toBe(200);
  expect(await stateOf(owner)).toMatchObject({ secondFactor: false });
  expect(await ownerOfSession(signedIn?.sid ?? "", now)).toBeNull();
  expect(await db().recoveryCode.count({ where: { personId: owner.personId } })).toBe(0);
  const subjects = (await emailsTo(owner.email)).map(({ subject }) => subject);
  expect(subjects).toContain("A passkey was removed from your account");
});

test("the last way to sign in cannot be removed, also by two removals at once", async () => {
  const { owner, passkey } = await withPasskey();
  const second = softPasskey(ORIGIN);
  await add(owner, "Phone", second);
  await db().person.update({ where: { id: owner.personId }, data: { passwordHash: null } });
  const remove = (id: string) => doAction(owner, "passkeys.remove", { passkey: id }, now);
  const answers = await Promise.all([remove(passkey.id), remove(second.id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(await listPasskeys(owner.personId)).toHaveLength(1);
});

test("a passkey of an earlier host is no way to sign in, and a code in its place is still asked for", async () => {
  const { owner, passkey, codes } = await withPasskey();
  const { personId, email } = owner;
  await db().passkey.update({ where: { id: passkey.id }, data: { rpId: "old.example" } });
  expect(await stateOf(owner)).toMatchObject({ secondFactor: true, ways: { passkey: false, formerPasskey: true } });
  expect(await listPasskeys(personId)).toMatchObject([{ formerHost: "old.example" }]);
  expect((await doAction(owner, "passkeys.ask_owner", {}, now)).body.data.allowCredentials).toEqual([]);
  const given = { email, password: PASSWORD, address: randomUUID() };
  await expect(signIn(given, now)).rejects.toThrow("second_factor_needed:recovery");
  expect(await signIn({ ...given, code: codes[0] }, now)).not.toBeNull();

  // The last way to sign in is the passkey of this host, however many there are of another.
  const here = softPasskey(ORIGIN);
  await add(owner, "Here", here);
  await db().person.update({ where: { id: personId }, data: { passwordHash: null } });
  const remove = (id: string) => doAction(owner, "passkeys.remove", { passkey: id }, now);
  expect((await remove(here.id)).body.error.code).toBe("role_denied");
  expect((await remove(passkey.id)).status).toBe(200);
  expect(await stateOf(owner)).toMatchObject({ secondFactor: true, ways: { passkey: true, formerPasskey: false } });
});

test("a passkey that is older than the record of its host gets it at its next use", async () => {
  const { owner, passkey } = await withPasskey();
  await db().passkey.update({ where: { id: passkey.id }, data: { rpId: null } });
  expect((await stateOf(owner))?.ways.passkey).toBe(true);
  const { options, enter } = await asking();
  expect(await enter(passkey.answer(options))).not.toBeNull();
  expect(await db().passkey.findUnique({ where: { id: passkey.id } })).toMatchObject({ rpId: "localhost" });
});

test("a wrong code is called what it is: of the app, or a recovery code for whoever has only passkeys", async () => {
  const { owner } = await withPasskey();
  const { owner: withApp } = await withSecondFactor(await newOwner(now), now);
  const wrongWith = async (who: Owner) => {
    const proof = { password: PASSWORD, code: await wrongCodeOf(withApp.personId, now) };
    const { body } = await doAction(who, "session.reauthenticate", proof, now);
    await expect(signIn({ email: who.email, ...proof, address: randomUUID() }, now)).rejects.toThrow(
      who === withApp ? /^second_factor_wrong$/ : /^second_factor_wrong:recovery$/,
    );
    return body.error.details.issues[0];
  };
  expect(await wrongWith(owner)).toEqual({ path: "code", message: expect.stringContaining("your recovery codes") });
  expect(await wrongWith(withApp)).toEqual({ path: "code", message: expect.stringContaining("your app shows") });
});

test("an authenticator app and passkeys are one second factor: either stays when the other goes", async () => {
  const before = await newOwner(now);
  const { owner, codes } = await withSecondFactor(before, now);
  const passkey = softPasskey(ORIGIN);
  expect((await add(owner, "Laptop", passkey)).body.data.recovery_codes).toEqual([]);
  expect((await prove(owner, passkey, later(1), "totp.stop")).status).toBe(200);
  expect(await stateOf(owner)).toMatchObject({ secondFactor: true, ways: { app: false, passkey: true } });
  expect(await signIn({ email: owner.email, password: PASSWORD, address: randomUUID(), code: codes[0] }, now)).not.toBe(
    null,
  );
  expect((await doAction(owner, "totp.start", {}, now)).status).toBe(200);
  const code = await codeOf(owner.personId, now);
  expect((await doAction(owner, "totp.confirm", { code }, now)).body.data.recovery_codes).toHaveLength(10);
});

test("an owner without a password does what needs reauthentication with a passkey, and can set a password", async () => {
  const { owner, passkey } = await withPasskey();
  await db().person.update({ where: { id: owner.personId }, data: { passwordHash: null } });
  expect((await stateOf(owner))?.ways.password).toBe(false);
  const wrong = await doAction(owner, "session.reauthenticate", { password: PASSWORD, code: "1" }, later(11));
  expect(wrong.body.error.details.issues[0].path).toBe("password");
  expect((await prove(owner, passkey, later(11))).status).toBe(200);
  const change = { password: "a quite different password" };
  expect((await doAction(owner, "password.change", change, later(12))).status).toBe(200);
  expect((await stateOf(owner))?.ways.password).toBe(true);
});

test("securing an account removes its passkeys", async () => {
  const { owner } = await withPasskey();
  expect((await doAction(owner, "account.secure", { password: "a quite different password" }, now)).status).toBe(200);
  expect(await listPasskeys(owner.personId)).toEqual([]);
});
