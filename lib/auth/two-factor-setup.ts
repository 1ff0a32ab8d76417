import { randomBytes, randomInt } from "node:crypto";
import { renderSVG } from "uqr";
import { base32 } from "@/lib/auth/base32";
import { emailPerson, recoveryCodesRenewed, secondFactorOff, secondFactorOn } from "@/lib/auth/notices";
import { reauthenticate } from "@/lib/auth/reauth";
import { endSessions } from "@/lib/auth/session-row";
import { recoveryCodeHashes, stepOfCode, totpSeedPlace } from "@/lib/auth/two-factor";
import type { Owner } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { takeRate } from "@/lib/platform/rate";
import { seal, unseal } from "@/lib/platform/secrets";

/** RFC 4226 section 4 asks for a seed of 160 bits. */
const SEED_BYTES = 20;
const RECOVERY_CODES = 10;
/** Crockford's letters: none looks like another. Ten of them are 50 bits. */
const CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TRIES = 5;
const WINDOW_MS = 15 * 60_000;

/**
 * Makes the seed of a second factor and shows it this once. It counts for nothing until a code confirms that the
 * person's app has it; starting again replaces it.
 *
 * @returns the seed in base32 to type, the address that apps know, and that address as a QR code (SVG).
 * @throws Refusal `invalid_input` when one is set up already.
 */
export async function startSecondFactor(owner: Owner): Promise<{ secret: string; uri: string; qr: string }> {
  const seed = randomBytes(SEED_BYTES);
  const { count } = await db().person.updateMany({
    where: { id: owner.personId, totpSince: null },
    data: { totpSeed: new Uint8Array(seal(seed, totpSeedPlace(owner.personId))), totpLastStep: null },
  });
  if (count === 0) throw setUpAlready();
  const secret = base32(seed);
  const uri = `otpauth://totp/Footfall:${encodeURIComponent(owner.email)}?secret=${secret}&issuer=Footfall`;
  return { secret, uri, qr: renderSVG(uri, { border: 2 }) };
}

/**
 * Switches the second factor on with a first code from the app. Every other session ends: it was opened without one.
 *
 * @returns the recovery codes, shown this once.
 * @throws Refusal `invalid_input` naming the code, `rate_limited` after five wrong ones in 15 minutes.
 */
export async function confirmSecondFactor(owner: Owner, code: string, now: Date): Promise<string[]> {
  const { personId } = owner;
  const { allowed, retryAfter } = await takeRate(`totp.confirm:${personId}`, TRIES, WINDOW_MS, now);
  if (!allowed) {
    throw new Refusal("rate_limited", "Too many wrong codes. Wait a while, then try again.", undefined, retryAfter);
  }
  const { totpSeed, totpSince } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  if (totpSince) throw setUpAlready();
  if (!totpSeed) throw invalidInput([{ path: "code", message: "belongs to no set-up; start it anew" }]);
  const digits = code.replace(/\s/g, "");
  const step = /^\d{6}$/.test(digits) ? stepOfCode(unseal(totpSeed, totpSeedPlace(personId)), digits, now) : null;
  if (step === null) {
    throw invalidInput([
      { path: "code", message: "is not the code your app shows now; check that this device's clock is right" },
    ]);
  }
  return db().$transaction(async (tx) => {
    const { count } = await tx.person.updateMany({
      where: { id: personId, totpSince: null, totpSeed },
      data: { totpSince: now, totpLastStep: step },
    });
    if (count === 0) throw invalidInput([{ path: "code", message: "belongs to an older set-up; start it anew" }]);
    await endSessions(tx, personId, now, owner.sid);
    await emailPerson(tx, personId, secondFactorOn, now);
    return replaceCodes(tx, personId);
  });
}

/**
 * Makes new recovery codes in place of all old ones.
 *
 * @throws Refusal `invalid_input` when no second factor is set up.
 */
export async function renewRecoveryCodes(owner: Owner, now: Date): Promise<string[]> {
  return db().$transaction(async (tx) => {
    // The row is held, so that of two renewals side by side one set of codes is left and not both.
    const [person] = await tx.$queryRaw<{ totp_since: Date | null }[]>`
      SELECT totp_since FROM person WHERE id = ${owner.personId} FOR NO KEY UPDATE`;
    if (!person?.totp_since) throw notSetUp();
    await emailPerson(tx, owner.personId, recoveryCodesRenewed, now);
    return replaceCodes(tx, owner.personId);
  });
}

/**
 * Switches the second factor off. Password and code are shown once more, however fresh the session is.
 *
 * @throws Refusal as `reauthenticate` does.
 */
export async function stopSecondFactor(
  owner: Owner,
  given: { password: string; code: string },
  now: Date,
): Promise<void> {
  if (!owner.secondFactor) throw notSetUp();
  await reauthenticate(owner, given, now);
  await db().$transaction(async (tx) => {
    await endSecondFactor(tx, owner.personId);
    await endSessions(tx, owner.personId, now, owner.sid);
    await emailPerson(tx, owner.personId, secondFactorOff, now);
  });
}

/** Removes the second factor of a person and its recovery codes. */
export async function endSecondFactor(tx: Db, personId: number): Promise<void> {
  await tx.person.update({
    where: { id: personId },
    data: { totpSeed: null, totpSince: null, totpLastStep: null },
  });
  await tx.recoveryCode.deleteMany({ where: { personId } });
}

async function replaceCodes(tx: Db, personId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, freshCode);
  await tx.recoveryCode.deleteMany({ where: { personId } });
  await tx.recoveryCode.createMany({
    data: codes.flatMap((code) => {
      const [hash] = recoveryCodeHashes(code);
      return hash ? [{ personId, hash }] : [];
    }),
  });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

const freshCode = () => Array.from({ length: 10 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");

const setUpAlready = () =>
  new Refusal("invalid_input", "The second step is set up already; switch it off first to set up another app.");
const notSetUp = () => new Refusal("invalid_input", "No second step is set up; set one up first.");

/** Since when a person's second factor is on, null when it is not, and how many recovery codes are left. */
export async function readSecondFactor(personId: number): Promise<{ since: Date | null; codesLeft: number }> {
  const [{ totpSince }, codesLeft] = await Promise.all([
    db().person.findUniqueOrThrow({ where: { id: personId }, select: { totpSince: true } }),
    db().recoveryCode.count({ where: { personId, usedAt: null } }),
  ]);
  return { since: totpSince, codesLeft };
}
