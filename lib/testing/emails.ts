import { type Email, openEmail } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";

/**
 * For tests that read letters: far ahead, so that no server that another test runs on the same database finds them due
 * and sends them.
 */
export const EMAIL_TIME = new Date("2040-05-01T12:00:00Z");

/** The letters that wait for someone, oldest first. */
export async function emailsTo(email: string): Promise<Email[]> {
  const rows = await db().mail.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return rows.map(openEmail).filter((letter) => letter.to === email);
}

/** The same, of a person. */
export async function emailsOf(personId: number): Promise<Email[]> {
  const { email } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return emailsTo(email);
}

/** The secret of the link that finishes a sign-up; empty when the email has none. */
export const signupLink = (email: Email | undefined): string =>
  /\/signup\/([\w-]{43})\n/.exec(email?.text ?? "")?.[1] ?? "";
