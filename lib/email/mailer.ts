import { randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { unlink, unlinkOthers } from "@/lib/email/links";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { currentLocale } from "@/lib/platform/locale";
import { describeError, log } from "@/lib/platform/log";
import { seal, unseal } from "@/lib/platform/secrets";
import { clip, plainText } from "@/lib/platform/text";
import { inLanguage } from "@/lib/texts/in-language";
import { currentLanguage, t } from "@/lib/texts/translate";

/** An email to one person: plain text, and optionally HTML. Stored as JSON, so field names must stay stable. */
export interface Email {
  /** One email address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** A base64 PNG that the HTML embeds as `cid:<cid>`. */
  picture?: { cid: string; png: string };
  /** One-click unsubscribe URL (RFC 8058). */
  unsubscribe?: string;
  /** The lines of a digest, to which more are added until it is sent. */
  digest?: string[];
}

/** Whether emails reach people. Without a mail server they only lie in the outbox, where the operator finds them. */
export const deliversEmail = (): boolean => env().SMTP_URL !== undefined;

/** Exponential backoff: retries after one minute, then two, four and so on, at most an hour. */
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 3600_000;
const GIVE_UP_AFTER_MS = DAY_MS;
/** Few enough to finish within `FIRST_RETRY_MS`, so that no other process picks up an email that is being sent. */
const EMAILS_PER_RUN = 20;
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

const sealContext = (id: string) => `mail:${id}`;

/** Queues an email within the caller's transaction; it is sent if and only if the transaction commits. */
export async function queueEmail(
  tx: Db,
  email: Email,
  now: Date,
  { id = randomUUID() as string, sendAfter = now } = {},
): Promise<void> {
  const sealed = new Uint8Array(seal(Buffer.from(JSON.stringify(email)), sealContext(id)));
  await tx.mail.create({ data: { id, content: sealed, createdAt: now, sendAfter } });
}

/** Decrypts a queued email. */
export const openEmail = (row: { id: string; content: Uint8Array }): Email =>
  JSON.parse(unseal(row.content, sealContext(row.id)).toString());

interface QueuedEmail {
  id: string;
  content: Uint8Array;
  attempts: number;
  created_at: Date;
}

/**
 * Sends all due emails, oldest first, through `SMTP_URL` or into the outbox folder. Safe to run in several processes at
 * once. An email is sent twice, with the same Message-ID, only if a process dies between sending and deleting it.
 */
export async function sendQueuedEmails(now: Date): Promise<void> {
  for (let sent = 0; sent < EMAILS_PER_RUN; sent++) {
    const queued = await leaseNext(now);
    if (!queued) return;
    try {
      await deliver(messageOf(openEmail(queued), queued), queued);
    } catch (error) {
      await recordFailure(queued, error, now);
      // Most likely the SMTP server is down: leave the others for the next run instead of failing one by one.
      return;
    }
    await db().mail.deleteMany({ where: { id: queued.id } });
  }
}

/** Sends an email at once, without the queue. @throws Error of the mail server or the connection to it */
export async function sendNow(email: Email, now: Date): Promise<void> {
  const sent = { id: randomUUID(), created_at: now };
  await deliver(messageOf(email, sent), sent);
}

/** Returns when the next queued email is due; null when none is queued. */
export async function nextEmailAt(): Promise<Date | null> {
  const { _min } = await db().mail.aggregate({ _min: { sendAfter: true } });
  return _min.sendAfter;
}

/** Leases the next due email by postponing its next attempt, so that it is retried if this process dies. */
async function leaseNext(now: Date): Promise<QueuedEmail | undefined> {
  const rows = await db().$queryRaw<QueuedEmail[]>`
    UPDATE mail SET
      attempts = attempts + 1,
      send_after = ${now}::timestamptz
        + least(${FIRST_RETRY_MS} * pow(2, least(attempts, 20)), ${MAX_RETRY_MS}) * interval '1 millisecond'
    WHERE id = (SELECT id FROM mail WHERE send_after <= ${now} ORDER BY send_after, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id::text, content, attempts, created_at`;
  return rows[0];
}

async function recordFailure(queued: QueuedEmail, error: unknown, now: Date): Promise<void> {
  const fields = { attempts: queued.attempts, ...describeError(error) };
  if (now.getTime() - queued.created_at.getTime() < GIVE_UP_AFTER_MS) {
    return log.warn(fields, "failed to send an email, will retry");
  }
  await db().mail.deleteMany({ where: { id: queued.id } });
  log.error(fields, "failed to send an email for a day, dropped it");
}

/** An email on its way. */
type Sent = Pick<QueuedEmail, "id" | "created_at">;

function messageOf({ to, subject, text, html, picture, unsubscribe }: Email, sent: Sent): SendMailOptions {
  const host = new URL(env().BASE_URL).hostname;
  return {
    from: env().MAIL_FROM ?? `Footfall <footfall@${host}>`,
    // An address object is always one address; a string would be parsed as a list.
    to: { name: "", address: to },
    subject: plainText(subject),
    text,
    textEncoding: "quoted-printable",
    date: sent.created_at,
    messageId: `<${sent.id}@${host}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    ...(html !== undefined && { html }),
    ...(picture && { attachments: [inlineImage(picture)] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const inlineImage = ({ cid, png }: { cid: string; png: string }) => ({
  cid,
  filename: "visitors.png",
  content: Buffer.from(png, "base64"),
  contentType: "image/png",
  contentDisposition: "inline" as const,
});

async function deliver(message: SendMailOptions, { id, created_at }: Sent): Promise<void> {
  const { SMTP_URL } = env();
  if (!SMTP_URL) return writeToOutbox(outboxFolder(), message, `${stamp(created_at)}-${id}.eml`);
  const transport = nodemailer.createTransport({ url: SMTP_URL, ...SMTP_TIMEOUTS });
  try {
    await transport.sendMail(message);
  } finally {
    transport.close();
  }
}

/** The folder of emails that no mail server delivers. */
export const outboxFolder = (): string => path.join(env().DATA_DIR, "outbox");

/** Returns the number of emails in the outbox. */
export async function countOutbox(): Promise<number> {
  const names = await readdir(outboxFolder()).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
  return names.filter((name) => name.endsWith(".eml")).length;
}

/** Formats a time for a file name: 20261120T121530123Z. */
const stamp = (at: Date) => at.toISOString().replace(/[-:.]/g, "");

/** Writes the message atomically, readable only by the user that runs this service. */
async function writeToOutbox(outbox: string, message: SendMailOptions, name: string): Promise<void> {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const { message: bytes } = await composer.sendMail(message);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const temporary = path.join(outbox, `.${name}.${randomUUID()}`);
  await writeFile(temporary, bytes as Buffer, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path.join(outbox, name));
}

/** Who gets an email. */
export interface Reader {
  email: string;
  /** The one that they chose; null for that of the current request, such as the language of who added them. */
  language: string | null;
}

/** What an email says. */
export interface EmailText {
  subject: string;
  paragraphs: string[];
  /** Completes the sentence "You received this email because …." */
  why: string;
  /** Other strings than URLs below `BASE_URL` that may become links, such as the verified domain of the recipient's site. */
  kept?: readonly string[];
}

/**
 * Builds an email from paragraphs, with a footer that says who sent it and why. Only URLs below `BASE_URL` become
 * links; pass untrusted names through `quoteName` first.
 *
 * @param write is called in the language of the reader
 */
export const writeEmail = ({ email, language }: Reader, write: () => EmailText): Email =>
  inLanguage(language, () => {
    const { subject, paragraphs, why, kept } = write();
    const reason = t("You received this email because {why}.", { why });
    const text = `${[...paragraphs, `-- \nFootfall, ${env().BASE_URL}\n${reason}`].join("\n\n")}\n`;
    return { to: email, subject: unlinkOthers(subject, kept), text: unlinkOthers(text, kept) };
  });

/**
 * Returns an untrusted name in quotation marks: on one line, clipped to 120 characters, and never a link.
 *
 * @param kept strings that may become links, as for `writeEmail`
 */
export const quoteName = (name: string, kept: readonly string[] = []): string =>
  t("“{name}”", { name: unlink(clip(name.replaceAll(/\s+/g, " "), 120), kept) });

/** Formats a time for emails, such as "20 November 2026, 12:15 UTC". */
export function formatUtc(at: Date): string {
  const locale = currentLanguage() === "en" ? "en-GB" : currentLocale();
  const text = at.toLocaleString(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${text.replace(" at ", ", ")} UTC`;
}
