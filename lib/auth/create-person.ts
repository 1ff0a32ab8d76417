import { z } from "zod";
import { lockSignupsShared } from "@/lib/auth/administrators";
import { emailAddress } from "@/lib/auth/email";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { issuesOf, nameText } from "@/lib/contract/fields";
import { type Db, db, Prisma } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import type { Language } from "@/lib/texts/languages";

const personFields = z.strictObject({
  email: emailAddress,
  password: newPassword,
  name: nameText(100)
    .optional()
    .transform((name) => name || null),
});

/**
 * Inserts an account, under a lock of sign-ups. The first one administers the service.
 *
 * @param person `language` is that of the page on which they sign up.
 * @param confirmed whether its owner has shown that they read its email address.
 * @returns the id of the person.
 * @throws Refusal `invalid_input` at `email` when the address already has an account.
 */
export async function insertPerson(
  tx: Db,
  person: { email: string; passwordHash: string | null; name?: string | null; language?: Language },
  now: Date,
  confirmed = true,
): Promise<number> {
  try {
    const administrator = (await tx.person.count({ take: 1 })) === 0;
    const data = { ...person, administrator, createdAt: now, confirmedAt: confirmed ? now : null };
    return (await tx.person.create({ data })).id;
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
    throw invalidInput([{ path: "email", message: "already has an account; sign in instead" }]);
  }
}

/**
 * Creates an account without verifying its address: for callers that need none, such as the demo.
 *
 * @param input email, password, name?
 * @throws Refusal `invalid_input` naming the fields.
 */
export async function createPerson(input: unknown, now: Date): Promise<{ personId: number }> {
  const parsed = personFields.safeParse(input);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  const { password, ...person } = parsed.data;
  const passwordHash = await hashPassword(password);
  return db().$transaction(async (tx) => {
    await lockSignupsShared(tx);
    return { personId: await insertPerson(tx, { ...person, passwordHash }, now) };
  });
}
