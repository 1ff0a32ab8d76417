import { createHash } from "node:crypto";
import {
  type Email,
  type EmailText,
  formatUtc,
  openEmail,
  queueEmail,
  type Reader,
  writeEmail,
} from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { CAUSED_EMAILS } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";
import { inLanguage } from "@/lib/texts/in-language";
import { t } from "@/lib/texts/translate";

/** Emails about what others do. Whoever acts often sends few of them, and one digest an hour. */

const MAX_LINES = 100;

/** An email that somebody causes. */
interface Caused {
  email: Email;
  /** The language of its reader, as in `Reader`. */
  language: string | null;
  /** Who acts and whom it reaches, as ids. */
  key: string;
  /** Returns what happened, as a line of the digest, and why its reader gets it, in the language of the reader. */
  write(): { line: string } & Pick<EmailText, "why" | "kept">;
}

/** Queues an email; beyond the limit of its key, its line joins the digest that is sent at the end of the hour. */
export async function queueThrottled(tx: Db, { key, email, language, write }: Caused, now: Date): Promise<void> {
  const { limit, seconds } = CAUSED_EMAILS;
  const hourMs = seconds * 1000;
  // Locks the count until the transaction ends, so that no line of a digest is lost.
  const { allowed } = await takeRate(`emails:${key}`, limit, hourMs, now, tx);
  if (allowed) return queueEmail(tx, email, now);
  const sendAfter = new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs);
  const id = uuidOf(`${key}:${sendAfter.toISOString()}`);
  const row = await tx.mail.findUnique({ where: { id } });
  const known = row ? (openEmail(row).digest ?? []) : [];
  const digest = inLanguage(language, () => {
    const { line, ...reason } = write();
    return digestOf({ email: email.to, language }, [...known, `${formatUtc(now)}: ${line}`], reason);
  });
  if (row) await tx.mail.delete({ where: { id } });
  await queueEmail(tx, digest, now, { id, sendAfter });
}

function digestOf(reader: Reader, lines: string[], reason: Pick<EmailText, "why" | "kept">): Email {
  const shown = lines.slice(0, MAX_LINES).map((line) => `    ${line}`);
  const count = lines.length - MAX_LINES;
  const email = writeEmail(reader, () => ({
    subject: t("{count} further changes", { count: lines.length }),
    paragraphs: [
      t("After {limit} emails within an hour, these are told in one:", { limit: CAUSED_EMAILS.limit }),
      [...shown, ...(count > 0 ? [`    ${t("and {count} more", { count })}`] : [])].join("\n"),
      t("If you did not expect so many, ask who did this, and take away their access."),
    ],
    ...reason,
  }));
  // Lines that are not shown are only counted.
  return { ...email, digest: lines.map((line, index) => (index < MAX_LINES ? line : "")) };
}

/** The same UUID for the same text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
