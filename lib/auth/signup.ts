import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { emailAddress } from "@/lib/auth/email";
import { holdSignups, joinSignups } from "@/lib/auth/first-account";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { invalidInput, Refusal } from "@/lib/contract/errors";
import { issuesOf } from "@/lib/contract/fields";
import { countedAddress } from "@/lib/counted-address";
import { db, Prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { takeRate } from "@/lib/gateway/rate";
import { isOutOfTurn } from "@/lib/pool";
import { acceptWithin, requireInvitation } from "@/lib/sites/invitations";
import { busy } from "@/lib/sites/members";

const HOUR_MS = 3_600_000;
const ACCOUNTS_PER_ADDRESS_AND_HOUR = 100;

const signupFields = z.strictObject({
  email: emailAddress,
  password: newPassword,
  name: z
    .string("must be text")
    .trim()
    .max(100, "must have at most 100 characters")
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must have no control characters")
    .optional()
    .transform((name) => name || null),
});

/** Whether anyone new may make an account now. The first account can always be made. */
export async function signupIsOpen(): Promise<boolean> {
  return env().SIGNUP === "open" || (await db().person.count({ take: 1 })) === 0;
}

/** Whether who is invited to a site may make an account for that. */
export const invitedMayJoin = (): boolean => env().SIGNUP !== "closed";

/** Whether an address has an account. Only its holder may be told: `email` is normal already. */
export const hasAccount = async (email: string): Promise<boolean> =>
  (await db().person.count({ where: { email } })) > 0;

/**
 * Makes a person's account.
 *
 * @param given what was typed: email, password, name?
 * @param address the browser's address, which is limited to 100 new accounts an hour
 * @param invitation the secret of a link that invites this e-mail address to a site: it is accepted with that, and
 *   opens a service whose sign-up is by invitation
 * @throws Refusal `invalid_input` naming the fields, `role_denied` when sign-up is not open, `rate_limited`, and for an
 *   invitation what `acceptInvitation` throws
 */
export async function createPerson(
  given: unknown,
  address: string,
  now: Date,
  invitation?: string,
): Promise<{ personId: number }> {
  const read = signupFields.safeParse(given);
  if (!read.success) throw invalidInput(issuesOf(read.error));
  const key = `signup:address:${createHash("sha256").update(countedAddress(address)).digest("hex")}`;
  const { allowed, retryAfter } = await takeRate(key, ACCOUNTS_PER_ADDRESS_AND_HOUR, HOUR_MS, now);
  if (!allowed) {
    throw new Refusal(
      "rate_limited",
      "Too many accounts were made from your address. Try again later.",
      {},
      retryAfter,
    );
  }
  const { email, name, password } = read.data;
  // Before anything is said about the address: who made an invitation up does not learn who has an account.
  if (invitation !== undefined) await requireInvitation(db(), invitation, email, now);
  // Hashed before the address is looked up: a known one takes as long as a new one.
  const passwordHash = await hashPassword(password);
  const making = db().$transaction(async (tx) => {
    await requireOpen(tx, invitation !== undefined);
    const person = await addPerson(tx, { email, name, passwordHash, createdAt: now });
    if (invitation !== undefined)
      await acceptWithin(tx, invitation, { ...person, email, requestId: randomUUID() }, now);
    return person;
  });
  return making.catch((error) => {
    throw isOutOfTurn(error) ? busy() : error;
  });
}

/** An invitation that turns out to be none refuses the whole sign-up a moment later. */
async function requireOpen(tx: Prisma.TransactionClient, invited: boolean): Promise<void> {
  const { SIGNUP } = env();
  if (SIGNUP === "open" || (SIGNUP === "invite" && invited)) {
    await joinSignups(tx);
    return;
  }
  // Of all who want to be the first person only one is.
  await holdSignups(tx);
  const someone = await tx.person.count({ take: 1 });
  if (someone > 0) throw new Refusal("role_denied", "New accounts are closed here. Ask the person who runs it.");
}

async function addPerson(tx: Prisma.TransactionClient, data: Prisma.PersonCreateInput): Promise<{ personId: number }> {
  try {
    return { personId: (await tx.person.create({ data })).id };
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    throw invalidInput([{ path: "email", message: "already has an account; sign in instead" }]);
  }
}
