import os from "node:os";
import { hash as argon2, type Options, verify } from "@node-rs/argon2";
import { z } from "zod";
import { processWide } from "@/lib/platform/process-wide";

// Argon2id (the library's default) above the OWASP floor of 19 MiB and two passes; about 0.1 s here.
const COST: Options = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

/** A password that may be chosen: long enough, nothing else asked. */
export const newPassword = z
  .string("must be text")
  .transform((text) => text.normalize("NFC"))
  .refine((text) => [...text].length >= PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`)
  .refine((text) => [...text].length <= PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`);

interface Gate {
  free: number;
  waiting: (() => void)[];
}
const gate = () => processWide<Gate>("password-gate", () => ({ free: os.availableParallelism(), waiting: [] }));

/** Each hash takes 64 MiB and a core: more at once than there are cores would only cost memory. */
async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  const { waiting } = gate();
  if (gate().free > 0) gate().free -= 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else gate().free += 1;
  }
}

/** The form in which a password is kept (argon2id, PHC string). */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => argon2(password.normalize("NFC"), COST));

const decoy = () => processWide("password-decoy", () => hashPassword("a password that nobody has"));

/** Makes the decoy at boot, so that the first unknown person after it does not wait longer than the next. */
export const prepareDecoy = async (): Promise<void> => void (await decoy());

/**
 * Whether `password` is the one behind `hash`. Without a hash (an unknown person) it does the same work
 * and says no, so that the time taken does not tell who exists.
 */
export async function checkPassword(hash: string | null, password: string): Promise<boolean> {
  const against = hash ?? (await decoy());
  const typed = password.slice(0, PASSWORD_MAX * 4).normalize("NFC");
  const right = await withHashSlot(() => verify(against, typed));
  return right && hash !== null;
}
