import { expect, test } from "vitest";
import { base32 } from "@/lib/auth/base32";
import { knownBrowserCookie } from "@/lib/auth/known-browser";
import { ownerOfSession } from "@/lib/auth/session-row";
import { SecondFactorNeeded, type SignInTry, signIn, TooManyTries } from "@/lib/auth/sign-in";
import { stepOfCode, takeSecondFactor, totpCode, totpStep } from "@/lib/auth/two-factor";
import { confirmSecondFactor, startSecondFactor } from "@/lib/auth/two-factor-setup";
import { db } from "@/lib/platform/db";
import { refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { codeOf, doAction, isCodeOf, newOwner, ownerAgain, withSecondFactor, wrongCodeOf } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";

const now = EMAIL_TIME;
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const STEP = 30;

const enrolled = async () => withSecondFactor(await newOwner(now), now);
const tried = (email: string, more: Partial<SignInTry> = {}, at = later(STEP)) =>
  signIn({ email, password: PASSWORD, address: crypto.randomUUID(), ...more }, at);
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (answer) => (answer ? "in" : "refused"),
    (error) => error.message as string,
  );

test("codes match RFC 6238 and RFC 4226", () => {
  const seed = Buffer.from("12345678901234567890");
  const hotp = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"];
  expect(hotp.map((_, counter) => totpCode(seed, counter))).toEqual(hotp);
  for (const [seconds, code] of [
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ] as const)
    expect(totpCode(seed, totpStep(new Date(seconds * 1000)))).toBe(code);
});

test("seeds are encoded in base32 (RFC 4648)", () => {
  const written = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map((text) => base32(Buffer.from(text)));
  expect(written).toEqual(["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]);
});

test("a clock may be one step off, not two", () => {
  const seed = Buffer.from("12345678901234567890");
  const step = totpStep(now);
  const read = [-2, -1, 0, 1, 2].map((drift) => stepOfCode(seed, totpCode(seed, step + drift), now));
  expect(read).toEqual([null, step - 1, step, step + 1, null]);
});

test("the seed is returned once, as text, URI and QR code, and takes effect when a code confirms it", async () => {
  const owner = await newOwner(now);
  const { status, body } = await doAction(owner, "totp.start", {}, now);
  expect(status).toBe(200);
  expect(body.data.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(body.data.uri).toBe(
    `otpauth://totp/Footfall:${encodeURIComponent(owner.email)}?secret=${body.data.secret}&issuer=Footfall`,
  );
  expect(body.data.qr).toMatch(/^<svg /);
  expect(await outcome(tried(owner.email))).toBe("in");

  const confirmed = await doAction(owner, "totp.confirm", { code: await codeOf(owner.personId, now) }, now);
  expect(new Set(confirmed.body.data.recovery_codes).size).toBe(10);
  for (const code of confirmed.body.data.recovery_codes) {
    expect(code).toMatch(/^[0-9ABCDEFGHJKMNPQRSTVWXYZ]{5}-[0-9ABCDEFGHJKMNPQRSTVWXYZ]{5}$/);
  }
  expect(await outcome(tried(owner.email))).toBe("second_factor_needed");
  expect((await emailsOf(owner.personId)).map(({ subject }) => subject)).toEqual(["Two-factor authentication is on"]);
});

test("a wrong code does not confirm the setup, and after five further codes are refused", async () => {
  const owner = await newOwner(now);
  await startSecondFactor(owner);
  const right = await codeOf(owner.personId, now);
  const wrong = await wrongCodeOf(owner.personId, now);
  for (let tries = 0; tries < 5; tries++) {
    const { status, body } = await doAction(owner, "totp.confirm", { code: wrong }, now);
    expect([status, body.error.details.issues[0].path]).toEqual([422, "code"]);
  }
  expect((await doAction(owner, "totp.confirm", { code: right }, now)).status).toBe(429);
});

test("starting again before confirming replaces the seed", async () => {
  const owner = await newOwner(now);
  await startSecondFactor(owner);
  const old = await codeOf(owner.personId, now);
  // One seed in 300,000 has the same code.
  do await startSecondFactor(owner);
  while (await isCodeOf(owner.personId, old, now));
  const fresh = await codeOf(owner.personId, now);
  expect((await refused(confirmSecondFactor(owner, old, now)))?.code).toBe("invalid_input");
  expect(await confirmSecondFactor(owner, fresh, now)).toHaveLength(10);
  expect((await refused(startSecondFactor(owner)))?.code).toBe("invalid_input");
});

test("neither the seed nor a recovery code is stored in plain text", async () => {
  const owner = await newOwner(now);
  const { secret } = await startSecondFactor(owner);
  const codes = await confirmSecondFactor(owner, await codeOf(owner.personId, now), now);
  const rows = JSON.stringify([
    await db().person.findUnique({ where: { id: owner.personId } }),
    await db().recoveryCode.findMany({ where: { personId: owner.personId } }),
  ]);
  for (const text of [secret, ...codes, ...codes.map((code) => code.replace("-", ""))])
    expect(rows).not.toContain(text);
});

test("a code is requested only after the correct password, and no session is opened before it", async () => {
  const { owner } = await enrolled();
  expect(await outcome(tried(owner.email, { password: "not the password" }))).toBe("refused");
  await expect(tried(owner.email)).rejects.toThrow(SecondFactorNeeded);
  expect(await outcome(tried(owner.email, { code: "not a code" }))).toBe("second_factor_wrong");
  expect(await db().ownerSession.count({ where: { personId: owner.personId, revokedAt: null } })).toBe(1);
  expect(await outcome(tried(owner.email, { code: await codeOf(owner.personId, later(STEP)) }))).toBe("in");
});

test("a wrong code counts as a failed attempt, and a missing code does not reset the counter", async () => {
  const { owner } = await enrolled();
  for (let tries = 0; tries < 4; tries++) {
    expect(await outcome(tried(owner.email, { code: "wrong" }))).toBe("second_factor_wrong");
    expect(await outcome(tried(owner.email))).toBe("second_factor_needed");
  }
  expect(await outcome(tried(owner.email, { code: "wrong" }))).toBe("second_factor_wrong");
  const right = await codeOf(owner.personId, later(STEP));
  await expect(tried(owner.email, { code: right })).rejects.toThrow(TooManyTries);
});

test("wrong passwords do not use up an account's code attempts, wrong codes from anywhere do", async () => {
  const { owner } = await enrolled();
  for (let tries = 0; tries < 6; tries++)
    expect(await outcome(tried(owner.email, { password: "not the password", code: "wrong" }))).toBe("refused");
  expect(await outcome(tried(owner.email, { code: await codeOf(owner.personId, later(STEP)) }))).toBe("in");
  const { name, value } = knownBrowserCookie(owner.email);
  for (let tries = 0; tries < 5; tries++)
    expect(await outcome(tried(owner.email, { code: "wrong" }))).toBe("second_factor_wrong");
  const known = { cookies: `${name}=${value}`, code: await codeOf(owner.personId, later(2 * STEP)) };
  await expect(tried(owner.email, known, later(2 * STEP))).rejects.toThrow(TooManyTries);
});

test("a code works once, across sign-in and reauthentication", async () => {
  const { owner } = await enrolled();
  const used = await codeOf(owner.personId, now);
  expect(await outcome(tried(owner.email, { code: used }, now))).toBe("second_factor_wrong");
  const code = await codeOf(owner.personId, later(STEP));
  expect(await outcome(tried(owner.email, { code }))).toBe("in");
  const proof = { password: PASSWORD, code };
  expect((await doAction(owner, "session.reauthenticate", proof, later(STEP))).status).toBe(422);
  const next = { password: PASSWORD, code: await codeOf(owner.personId, later(2 * STEP)) };
  expect((await doAction(owner, "session.reauthenticate", next, later(2 * STEP))).status).toBe(200);
  expect(await outcome(tried(owner.email, { code: next.code }, later(2 * STEP)))).toBe("second_factor_wrong");
});

test("one code used in parallel is accepted once", async () => {
  const { owner, codes } = await enrolled();
  for (const code of [await codeOf(owner.personId, later(STEP)), codes[0] ?? ""]) {
    const all = await Promise.all(Array.from({ length: 6 }, () => takeSecondFactor(owner.personId, code, later(STEP))));
    expect(all.filter((kind) => kind !== null)).toHaveLength(1);
  }
});

test("a recovery code works once, in any spelling, and its person is emailed how many are left", async () => {
  const { owner, codes } = await enrolled();
  const typed = ` ${codes[3]?.toLowerCase().replace("-", " ")} `;
  expect(await outcome(tried(owner.email, { code: typed }))).toBe("in");
  expect(await outcome(tried(owner.email, { code: typed }))).toBe("second_factor_wrong");
  const notices = (await emailsOf(owner.personId)).filter(({ subject }) => subject === "A recovery code was used");
  expect(notices).toHaveLength(1);
  expect(notices[0]?.text).toContain("9 of them are left");
});

test("another person's codes and recovery codes are refused", async () => {
  const [one, other] = [await enrolled(), await enrolled()];
  for (const code of [await codeOf(other.owner.personId, later(STEP)), other.codes[0] ?? ""])
    expect(await takeSecondFactor(one.owner.personId, code, later(STEP))).toBeNull();
});

test("new recovery codes invalidate the old ones", async () => {
  const { owner, codes } = await enrolled();
  const { body } = await doAction(owner, "totp.renew_codes", {}, later(STEP));
  expect(await takeSecondFactor(owner.personId, codes[0] ?? "", now)).toBeNull();
  expect(await takeSecondFactor(owner.personId, body.data.recovery_codes[0], now)).toBe("recovery");
});

test("turning two-factor authentication off needs password and code, and deletes the recovery codes", async () => {
  const { owner, codes } = await enrolled();
  const code = await codeOf(owner.personId, later(STEP));
  const stop = (password: string, code: string) => doAction(owner, "totp.stop", { password, code }, later(STEP));
  expect((await stop(PASSWORD, "000")).status).toBe(422);
  expect((await stop("not the password", code)).status).toBe(422);
  expect((await stop(PASSWORD, code)).status).toBe(200);
  expect(await outcome(tried(owner.email))).toBe("in");
  expect(await takeSecondFactor(owner.personId, codes[0] ?? "", now)).toBeNull();
  expect((await doAction(owner, "totp.renew_codes", {}, later(STEP))).status).toBe(422);
});

test("turning two-factor authentication on or off signs every other browser out immediately", async () => {
  const owner = await newOwner(now);
  const otherSession = await ownerAgain(owner.email, now);
  await withSecondFactor(owner, now);
  expect((await doAction(otherSession, "sessions.revoke_others", {}, now)).status).toBe(401);
  expect(await ownerOfSession(owner.sid, now)).toMatchObject({ secondFactor: true });

  const again = await ownerAgain(owner.email, later(STEP), await codeOf(owner.personId, later(STEP)));
  const proof = { password: PASSWORD, code: await codeOf(owner.personId, later(2 * STEP)) };
  expect((await doAction(owner, "totp.stop", proof, later(2 * STEP))).status).toBe(200);
  expect(await ownerOfSession(again.sid, later(2 * STEP))).toBeNull();
});

test("setup, confirmation and renewal require a fresh sign-in", async () => {
  const owner = await newOwner(now);
  for (const [id, input] of [
    ["totp.start", {}],
    ["totp.confirm", { code: "123456" }],
    ["totp.renew_codes", {}],
    ["password.change", { password: "another long password" }],
  ] as const) {
    const { status, body } = await doAction(owner, id, input, later(11 * 60));
    expect([id, status, body.error.code]).toEqual([id, 403, "reauthentication_required"]);
  }
});
