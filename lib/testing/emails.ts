import { type Letter, openLetter } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";

/**
 * For tests that read letters: far ahead, so that no server that another test runs on the same database finds them due
 * and sends them.
 */
export const LETTER_TIME = new Date("2040-05-01T12:00:00Z");

/** The letters that wait for someone, oldest first. */
export async function lettersTo(email: string): Promise<Letter[]> {
  const rows = await db().mail.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return rows.map(openLetter).filter((letter) => letter.to === email);
}

/** The same, of a person. */
export async function lettersOf(personId: number): Promise<Letter[]> {
  const { email } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return lettersTo(email);
}

/** The secret of the link that finishes a sign-up; empty when the email has none. */
export const signupLink = (email: Letter | undefined): string =>
  /\/signup\/([\w-]{43})\n/.exec(email?.text ?? "")?.[1] ?? "";
