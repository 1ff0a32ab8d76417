import { type Email, openEmail } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";

/**
 * The time at which tests queue emails: far in the future, so that a server of another test on the same database does
 * not send them.
 */
export const EMAIL_TIME = new Date("2040-05-01T12:00:00Z");

/** The opened emails by id and version of their row: the tests of a worker queue thousands, and opening one takes longest. */
const opened = new Map<string, Email>();

/** Returns the queued emails to this address, oldest first. */
export async function emailsTo(email: string): Promise<Email[]> {
  const queued = await db().$queryRaw<{ id: string; version: string }[]>`
    SELECT id::text, id || ' ' || xmin AS version FROM mail ORDER BY created_at, id`;
  const versions = new Map(queued.filter(({ version }) => !opened.has(version)).map((row) => [row.id, row.version]));
  for (const row of await db().mail.findMany({ where: { id: { in: [...versions.keys()] } } }))
    opened.set(versions.get(row.id) ?? "", openEmail(row));
  return queued.flatMap(({ version }) => opened.get(version) ?? []).filter(({ to }) => to === email);
}

/** Returns the queued emails to this person, oldest first. */
export async function emailsOf(personId: number): Promise<Email[]> {
  const { email } = await db().person.findUniqueOrThrow({ where: { id: personId } });
  return emailsTo(email);
}

/** Returns the secret of the sign-up link in an email; an empty string if there is none. */
export const signupLink = (email: Email | undefined): string =>
  /\/signup\/([\w-]{43})\n/.exec(email?.text ?? "")?.[1] ?? "";
