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
import { lockRow } from "@/lib/platform/lock-row";
import { requireRate } from "@/lib/platform/rate";
import { seal, unseal } from "@/lib/platform/secrets";

/** 160 bits, as RFC 4226 section 4 recommends. */
const SEED_BYTES = 20;
const RECOVERY_CODES = 10;
/** Crockford base32, without look-alike characters. Ten of them are 50 bits. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TRIES = 5;
const WINDOW_MS = 15 * 60_000;

/**
 * Creates a TOTP seed and returns it once. It has no effect until confirmed with a code; starting again replaces it.
 *
 * @returns the seed in base32, the `otpauth:` URI, and the URI as a QR code (SVG).
 * @throws Refusal `invalid_input` when two-factor authentication is already on.
 */
export async function startSecondFactor(owner: Owner): Promise<{ secret: string; uri: string; qr: string }> {
  const seed = randomBytes(SEED_BYTES);
  const { count } = await db().person.updateMany({
    where: { id: owner.personId, totpConfirmedAt: null },
    data: { totpSeed: new Uint8Array(seal(seed, totpSeedPlace(owner.personId))), totpLastStep: null },
  });
  if (count === 0) throw alreadyOn();
  const secret = base32(seed);
  const uri = `otpauth://totp/Footfall:${encodeURIComponent(owner.email)}?secret=${secret}&issuer=Footfall`;
  return { secret, uri, qr: renderSVG(uri, { border: 2 }) };
}

/**
 * Turns on two-factor authentication with a first code from the app, and revokes all other sessions.
 *
 * @returns the recovery codes, shown only once.
 * @throws Refusal `invalid_input` at `code`, `rate_limited` after five wrong codes in 15 minutes.
 */
export async function confirmSecondFactor(owner: Owner, code: string, now: Date): Promise<string[]> {
  const { personId } = owner;
  await requireRate(`totp.confirm:${personId}`, TRIES, WINDOW_MS, now, "Too many wrong codes. Try again later.");
  const { totpSeed, totpConfirmedAt } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  if (totpConfirmedAt) throw alreadyOn();
  if (!totpSeed)
    throw invalidInput([{ path: "code", message: "does not match a started setup; start the setup again" }]);
  const digits = code.replace(/\s/g, "");
  const step = /^\d{6}$/.test(digits) ? stepOfCode(unseal(totpSeed, totpSeedPlace(personId)), digits, now) : null;
  if (step === null) {
    throw invalidInput([
      { path: "code", message: "is not the code your app shows now; check that this device's clock is right" },
    ]);
  }
  return db().$transaction(async (tx) => {
    const { count } = await tx.person.updateMany({
      where: { id: personId, totpConfirmedAt: null, totpSeed },
      data: { totpConfirmedAt: now, totpLastStep: step },
    });
    if (count === 0) throw invalidInput([{ path: "code", message: "is for an earlier setup; start the setup again" }]);
    await endSessions(tx, personId, now, owner.sid);
    await emailPerson(tx, personId, secondFactorOn, now);
    return replaceCodes(tx, personId);
  });
}

/**
 * Replaces the recovery codes.
 *
 * @throws Refusal `invalid_input` when two-factor authentication is off.
 */
export async function renewRecoveryCodes(owner: Owner, now: Date): Promise<string[]> {
  return db().$transaction(async (tx) => {
    // Serialises parallel renewals, so that only one set of codes remains.
    await lockRow(tx, "person", owner.personId);
    const person = await tx.person.findUnique({ where: { id: owner.personId }, select: { totpConfirmedAt: true } });
    if (!person?.totpConfirmedAt) throw notOn();
    await emailPerson(tx, owner.personId, recoveryCodesRenewed, now);
    return replaceCodes(tx, owner.personId);
  });
}

/**
 * Turns off two-factor authentication. Always requires password and code, even in a fresh session.
 *
 * @throws Refusal like `reauthenticate`.
 */
export async function stopSecondFactor(
  owner: Owner,
  given: { password: string; code: string },
  now: Date,
): Promise<void> {
  if (!owner.secondFactor) throw notOn();
  await reauthenticate(owner, given, now);
  await db().$transaction(async (tx) => {
    await endSecondFactor(tx, owner.personId);
    await endSessions(tx, owner.personId, now, owner.sid);
    await emailPerson(tx, owner.personId, secondFactorOff, now);
  });
}

/** Removes a person's TOTP seed and recovery codes. */
export async function endSecondFactor(tx: Db, personId: number): Promise<void> {
  await tx.person.update({
    where: { id: personId },
    data: { totpSeed: null, totpConfirmedAt: null, totpLastStep: null },
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

const freshCode = () => Array.from({ length: 10 }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");

const alreadyOn = () =>
  new Refusal("invalid_input", "Two-factor authentication is already on. Turn it off before you set up another app.");
const notOn = () => new Refusal("invalid_input", "Two-factor authentication is off. Set it up first.");

/** Returns since when two-factor authentication is on (null: off), and the number of unused recovery codes. */
export async function readSecondFactor(personId: number): Promise<{ since: Date | null; codesLeft: number }> {
  const [{ totpConfirmedAt }, codesLeft] = await Promise.all([
    db().person.findUniqueOrThrow({ where: { id: personId }, select: { totpConfirmedAt: true } }),
    db().recoveryCode.count({ where: { personId, usedAt: null } }),
  ]);
  return { since: totpConfirmedAt, codesLeft };
}
