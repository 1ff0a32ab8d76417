import os from "node:os";
import { hash as argon2, type Options, verify } from "@node-rs/argon2";
import { z } from "zod";
import { processWide } from "@/lib/platform/process-wide";

// Argon2id (the library's default), above the OWASP minimum of 19 MiB and two passes; takes about 0.1 s.
const COST: Options = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

const PASSWORD_MIN = 12;
const PASSWORD_MAX = 256;

/** Rules for new passwords: length only. */
export const newPassword = z
  .string("must be text")
  .transform((text) => text.normalize("NFC"))
  .refine((text) => [...text].length >= PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`)
  .refine((text) => [...text].length <= PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`);

interface HashSlots {
  free: number;
  waiting: (() => void)[];
}
const slots = () => processWide<HashSlots>("password-gate", () => ({ free: os.availableParallelism(), waiting: [] }));

/** Limits concurrent hashes to the number of cores: each takes 64 MiB and a core. */
async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  const { waiting } = slots();
  if (slots().free > 0) slots().free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else slots().free += 1;
  }
}

/** Hashes a password (argon2id, PHC string). */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => argon2(password.normalize("NFC"), COST));

const decoy = () => processWide("password-decoy", () => hashPassword("a password that nobody has"));

/**
 * Computes the decoy hash at boot, so that the first sign-in with an unknown address takes no longer than later ones.
 */
export const prepareDecoy = async (): Promise<void> => void (await decoy());

/**
 * Verifies a password. Without a hash (unknown person) it does the same work and returns false, so that timing does not
 * reveal which accounts exist.
 */
export async function checkPassword(hash: string | null, password: string): Promise<boolean> {
  const against = hash ?? (await decoy());
  const typed = password.slice(0, PASSWORD_MAX * 4).normalize("NFC");
  const matches = await withHashSlot(() => verify(against, typed));
  return matches && hash !== null;
}
