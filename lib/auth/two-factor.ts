import { createHmac, timingSafeEqual } from "node:crypto";
import { takeRecoveryCode } from "@/lib/auth/recovery-codes";
import { db } from "@/lib/platform/db";
import { unseal } from "@/lib/platform/secrets";

const STEP_SECONDS = 30;
/** Accepts the codes of the previous and next step, for clock drift. */
const DRIFT = [-1, 0, 1];

/** Encryption context of a person's sealed seed. */
export const totpSeedPlace = (personId: number): string => `person.totp_seed:${personId}`;

/** Returns the six-digit code of a time step (RFC 6238 with HMAC-SHA-1, RFC 4226 section 5.3). */
export function totpCode(seed: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", seed).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** Returns the time step at `now`. */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** Returns the time step whose code was typed, or null. */
export function stepOfCode(seed: Uint8Array, typed: string, now: Date): number | null {
  const steps = DRIFT.map((drift) => totpStep(now) + drift);
  return steps.find((step) => timingSafeEqual(Buffer.from(totpCode(seed, step)), Buffer.from(typed))) ?? null;
}

/**
 * Verifies and consumes a two-factor code: six digits from the app, or a recovery code in any case, with any spaces or
 * dashes. Each code works once, also with parallel attempts.
 *
 * @returns the kind of code, or null when it is wrong or already used.
 */
export async function takeSecondFactor(
  personId: number,
  typed: string,
  now: Date,
): Promise<"totp" | "recovery" | null> {
  const code = typed.replace(/[\s-]/g, "").toUpperCase();
  if (/^\d{6}$/.test(code)) return (await takeTotp(personId, code, now)) ? "totp" : null;
  return (await takeRecoveryCode(personId, code, now)) ? "recovery" : null;
}

async function takeTotp(personId: number, code: string, now: Date): Promise<boolean> {
  const person = await db().person.findUnique({ where: { id: personId, totpConfirmedAt: { not: null } } });
  if (!person?.totpSeed) return false;
  const step = stepOfCode(unseal(person.totpSeed, totpSeedPlace(personId)), code, now);
  if (step === null) return false;
  const { count } = await db().person.updateMany({
    where: { id: personId, OR: [{ totpLastStep: null }, { totpLastStep: { lt: step } }] },
    data: { totpLastStep: step },
  });
  return count === 1;
}
