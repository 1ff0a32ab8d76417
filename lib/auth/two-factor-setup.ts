import { randomBytes } from "node:crypto";
import { renderSVG } from "uqr";
import { base32 } from "@/lib/auth/base32";
import { appRemoved, emailPerson, recoveryCodesRenewed, secondFactorOff, secondFactorOn } from "@/lib/auth/notices";
import { endCodesWithoutFactor } from "@/lib/auth/passkeys";
import { hasSecondFactor, readWays } from "@/lib/auth/person-ways";
import { type Proof, reauthenticate } from "@/lib/auth/reauth";
import { replaceRecoveryCodes } from "@/lib/auth/recovery-codes";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import { stepOfCode, totpSeedPlace } from "@/lib/auth/two-factor";
import type { Owner } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireRate } from "@/lib/platform/rate";
import { seal, unseal } from "@/lib/platform/secrets";

/** 160 bits, as RFC 4226 section 4 recommends. */
const SEED_BYTES = 20;
const TRIES = 5;
const WINDOW_MS = 15 * 60_000;

/**
 * Creates a TOTP seed and returns it once. It has no effect until confirmed with a code; starting again replaces it.
 *
 * @returns the seed in base32, the `otpauth:` URI, and the URI as a QR code (SVG).
 * @throws Refusal `invalid_input` when an app is already set up.
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
    await lockSession(tx, owner, now);
    const { count } = await tx.person.updateMany({
      where: { id: personId, totpConfirmedAt: null, totpSeed },
      data: { totpConfirmedAt: now, totpLastStep: step },
    });
    if (count === 0) throw invalidInput([{ path: "code", message: "is for an earlier setup; start the setup again" }]);
    await endSessions(tx, personId, now, owner.sid);
    await emailPerson(tx, personId, secondFactorOn, now);
    return replaceRecoveryCodes(tx, personId);
  });
}

/**
 * Replaces the recovery codes.
 *
 * @throws Refusal `invalid_input` when two-factor authentication is off.
 */
export async function renewRecoveryCodes(owner: Owner, now: Date): Promise<string[]> {
  return db().$transaction(async (tx) => {
    // Also serialises parallel renewals, so that only one set of codes remains.
    await lockSession(tx, owner, now);
    if (!hasSecondFactor(await readWays(tx, owner.personId))) throw notOn();
    await emailPerson(tx, owner.personId, recoveryCodesRenewed, now);
    return replaceRecoveryCodes(tx, owner.personId);
  });
}

/**
 * Removes the authenticator app. Always requires a proof with both factors, even in a fresh session. Without passkeys
 * two-factor authentication is off.
 *
 * @throws Refusal like `reauthenticate`.
 */
export async function stopSecondFactor(owner: Owner, proof: Proof, now: Date): Promise<void> {
  if (!owner.ways.app) throw notOn();
  await reauthenticate(owner, proof, now);
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await forgetApp(tx, owner.personId);
    const turnedOff = await endCodesWithoutFactor(tx, owner.personId);
    await endSessions(tx, owner.personId, now, owner.sid);
    await emailPerson(tx, owner.personId, turnedOff ? secondFactorOff : appRemoved, now);
  });
}

/** Removes all second factors of a person: the authenticator app, passkeys and recovery codes. */
export async function endSecondFactors(tx: Db, personId: number): Promise<void> {
  await forgetApp(tx, personId);
  await tx.passkey.deleteMany({ where: { personId } });
  await endCodesWithoutFactor(tx, personId);
}

const forgetApp = (tx: Db, personId: number) =>
  tx.person.update({
    where: { id: personId },
    data: { totpSeed: null, totpConfirmedAt: null, totpLastStep: null },
  });

const alreadyOn = () =>
  new Refusal("invalid_input", "An authenticator app is already set up. Turn it off before you set up another one.");
const notOn = () => new Refusal("invalid_input", "Two-factor authentication is off. Set it up first.");

/** Returns since when an authenticator app is set up (null: none is), and the number of unused recovery codes. */
export async function readSecondFactor(personId: number): Promise<{ since: Date | null; codesLeft: number }> {
  const [{ totpConfirmedAt }, codesLeft] = await Promise.all([
    db().person.findUniqueOrThrow({ where: { id: personId }, select: { totpConfirmedAt: true } }),
    db().recoveryCode.count({ where: { personId, usedAt: null } }),
  ]);
  return { since: totpConfirmedAt, codesLeft };
}
