import { createHmac, timingSafeEqual } from "node:crypto";
import { emailPerson, recoveryCodeUsed } from "@/lib/auth/notices";
import { db } from "@/lib/platform/db";
import { derivedKeys, unseal } from "@/lib/platform/secrets";

const STEP_SECONDS = 30;
/** Clocks differ: the code of the step before and after is taken too. */
const DRIFT = [-1, 0, 1];

/** Where a person's seed is sealed to. */
export const totpSeedPlace = (personId: number): string => `person.totp_seed:${personId}`;

/** The six digits of one time step (RFC 6238 with HMAC-SHA-1, RFC 4226 section 5.3). */
export function totpCode(seed: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", seed).update(counter).digest();
  const at = (mac[mac.length - 1] ?? 0) & 0x0f;
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** The time step of a moment. */
export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** The step whose code was typed, or null. */
export function stepOfCode(seed: Uint8Array, typed: string, now: Date): number | null {
  const steps = DRIFT.map((drift) => totpStep(now) + drift);
  return steps.find((step) => timingSafeEqual(Buffer.from(totpCode(seed, step)), Buffer.from(typed))) ?? null;
}

/** The forms in which a recovery code may be kept, the newest key's first. Its 50 bits would be found from a plain digest. */
export const recoveryCodeHashes = (code: string): Uint8Array<ArrayBuffer>[] =>
  derivedKeys("recovery-code").map((key) => new Uint8Array(createHmac("sha256", key).update(code).digest()));

/**
 * Takes the second factor that a person typed: six digits of their app, or one of their recovery codes, in any case and
 * with any spaces or dashes. Each works once, whatever is tried side by side.
 *
 * @returns which of the two it was, or null when it is not right (any more).
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

/** Its use is told to the person by letter: a stolen code is noticed. */
function takeRecoveryCode(personId: number, code: string, now: Date): Promise<boolean> {
  // Letters that the codes do not have, typed for the digits they look like.
  const meant = code.replace(/O/g, "0").replace(/[IL]/g, "1");
  return db().$transaction(async (tx) => {
    const { count } = await tx.recoveryCode.updateMany({
      where: { personId, hash: { in: recoveryCodeHashes(meant) }, usedAt: null, person: { totpSince: { not: null } } },
      data: { usedAt: now },
    });
    if (count === 0) return false;
    const left = await tx.recoveryCode.count({ where: { personId, usedAt: null } });
    await emailPerson(tx, personId, recoveryCodeUsed(left), now);
    return true;
  });
}

async function takeTotp(personId: number, code: string, now: Date): Promise<boolean> {
  const person = await db().person.findUnique({ where: { id: personId, totpSince: { not: null } } });
  if (!person?.totpSeed) return false;
  const step = stepOfCode(unseal(person.totpSeed, totpSeedPlace(personId)), code, now);
  if (step === null) return false;
  const { count } = await db().person.updateMany({
    where: { id: personId, OR: [{ totpLastStep: null }, { totpLastStep: { lt: step } }] },
    data: { totpLastStep: step },
  });
  return count === 1;
}
