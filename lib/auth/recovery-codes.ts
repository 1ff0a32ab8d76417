import { createHmac, randomInt } from "node:crypto";
import { emailPerson, recoveryCodeUsed } from "@/lib/auth/notices";
import { type Db, db } from "@/lib/platform/db";
import { derivedKeys } from "@/lib/platform/secrets";

const RECOVERY_CODES = 10;
/** Crockford base32, without look-alike characters. Ten of them are 50 bits. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns the code's HMAC under each server key, newest first. A plain digest of 50 bits could be brute-forced. */
const hashesOf = (code: string): Uint8Array<ArrayBuffer>[] =>
  derivedKeys("recovery-code").map((key) => new Uint8Array(createHmac("sha256", key).update(code).digest()));

/** Replaces a person's recovery codes. @returns the new ones, to be shown once. */
export async function replaceRecoveryCodes(tx: Db, personId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, freshCode);
  await tx.recoveryCode.deleteMany({ where: { personId } });
  await tx.recoveryCode.createMany({
    data: codes.flatMap((code) => {
      const [hash] = hashesOf(code);
      return hash ? [{ personId, hash }] : [];
    }),
  });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

const freshCode = () => Array.from({ length: 10 }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");

/**
 * Uses up a recovery code, and emails the person, so that they notice the use of a stolen one.
 *
 * @param code in upper case, without spaces and dashes.
 * @returns whether it was one that had not been used.
 */
export function takeRecoveryCode(personId: number, code: string, now: Date): Promise<boolean> {
  // Look-alike letters that the codes do not contain.
  const normalised = code.replace(/O/g, "0").replace(/[IL]/g, "1");
  return db().$transaction(async (tx) => {
    const { count } = await tx.recoveryCode.updateMany({
      where: { personId, hash: { in: hashesOf(normalised) }, usedAt: null },
      data: { usedAt: now },
    });
    if (count === 0) return false;
    const left = await tx.recoveryCode.count({ where: { personId, usedAt: null } });
    await emailPerson(tx, personId, recoveryCodeUsed(left), now);
    return true;
  });
}
