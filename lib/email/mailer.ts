import { randomUUID } from "node:crypto";
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { unlink, unlinkOthers } from "@/lib/email/links";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { describeError, log } from "@/lib/platform/log";
import { seal, unseal } from "@/lib/platform/secrets";
import { clip, plainText } from "@/lib/platform/text";

/** A letter to one person: plain, and some as HTML beside it. */
export interface Email {
  /** One e-mail address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** A picture that the HTML shows as `cid:<cid>`, in base64. */
  picture?: { cid: string; png: string };
  /** Where one POST without a sign-in ends letters of this kind (RFC 8058). */
  unsubscribe?: string;
}

/** A try that failed is followed by another after a minute, then two, four and so on, at most an hour. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3600_000;
const GIVEN_UP_AFTER_MS = 24 * 3600_000;
/** Few enough that a round is over before the first wait is: while one process sends a letter, no other takes it. */
const LETTERS_A_ROUND = 20;
const SMTP_PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

const placeOf = (id: string) => `mail:${id}`;

/** Puts a letter on its way as part of the caller's transaction: it leaves when, and only when, that is committed. */
export async function queueEmail(tx: Db, letter: Email, now: Date): Promise<void> {
  const id = randomUUID();
  const sealed = new Uint8Array(seal(Buffer.from(JSON.stringify(letter)), placeOf(id)));
  await tx.mail.create({ data: { id, letter: sealed, createdAt: now, sendAfter: now } });
}

/** What a waiting letter says. */
export const openEmail = (row: { id: string; letter: Uint8Array }): Email =>
  JSON.parse(unseal(row.letter, placeOf(row.id)).toString());

interface Taken {
  id: string;
  letter: Uint8Array;
  attempts: number;
  created_at: Date;
}

/**
 * Sends the letters whose time has come, oldest first, by `SMTP_URL` or into the outbox. Any number of processes may do
 * so at once. A letter goes out twice only when a process dies between sending and noting it; its Message-ID is the same.
 */
export async function sendQueuedEmails(now: Date): Promise<void> {
  for (let sent = 0; sent < LETTERS_A_ROUND; sent++) {
    const taken = await takeNext(now);
    if (!taken) return;
    try {
      await post(messageOf(taken), taken);
    } catch (error) {
      await noteFailure(taken, error, now);
      // Most likely the mail server is away: the others wait for the next round instead of failing one by one.
      return;
    }
    await db().mail.deleteMany({ where: { id: taken.id } });
  }
}

/** Takes a letter by putting off its next try: should this process die, that try comes by itself. */
async function takeNext(now: Date): Promise<Taken | undefined> {
  const rows = await db().$queryRaw<Taken[]>`
    UPDATE mail SET
      attempts = attempts + 1,
      send_after = ${now}::timestamptz
        + least(${FIRST_WAIT_MS} * pow(2, least(attempts, 20)), ${LONGEST_WAIT_MS}) * interval '1 millisecond'
    WHERE id = (SELECT id FROM mail WHERE send_after <= ${now} ORDER BY send_after, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id::text, letter, attempts, created_at`;
  return rows[0];
}

async function noteFailure(taken: Taken, error: unknown, now: Date): Promise<void> {
  const facts = { attempts: taken.attempts, ...describeError(error) };
  if (now.getTime() - taken.created_at.getTime() < GIVEN_UP_AFTER_MS) {
    return log.warn(facts, "a letter could not be sent and will be tried again");
  }
  await db().mail.deleteMany({ where: { id: taken.id } });
  log.error(facts, "a letter could not be sent for a day and was given up");
}

function messageOf(taken: Taken): SendMailOptions {
  const { to, subject, text, html, picture, unsubscribe } = openEmail(taken);
  const host = new URL(env().BASE_URL).hostname;
  return {
    from: env().MAIL_FROM ?? `Footfall <footfall@${host}>`,
    // An address object is one address, whatever characters are in it; text would be read as a list.
    to: { name: "", address: to },
    subject: plainText(subject),
    text,
    textEncoding: "quoted-printable",
    date: taken.created_at,
    messageId: `<${taken.id}@${host}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe && {
        "List-Unsubscribe": `<${unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
    ...(html !== undefined && { html }),
    ...(picture && { attachments: [pictureOf(picture)] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const pictureOf = ({ cid, png }: { cid: string; png: string }) => ({
  cid,
  filename: "visitors.png",
  content: Buffer.from(png, "base64"),
  contentType: "image/png",
  contentDisposition: "inline" as const,
});

async function post(message: SendMailOptions, { id, created_at }: Taken): Promise<void> {
  const { SMTP_URL, DATA_DIR } = env();
  if (!SMTP_URL) return putIntoOutbox(path.join(DATA_DIR, "outbox"), message, `${stamp(created_at)}-${id}.eml`);
  const transport = nodemailer.createTransport({ url: SMTP_URL, ...SMTP_PATIENCE });
  try {
    await transport.sendMail(message);
  } finally {
    transport.close();
  }
}

/** A time as a file's name can hold it: 20261120T121530123Z. */
const stamp = (at: Date) => at.toISOString().replace(/[-:.]/g, "");

/** Readable by this service's user alone, and never seen half written. */
async function putIntoOutbox(outbox: string, message: SendMailOptions, name: string): Promise<void> {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const { message: bytes } = await composer.sendMail(message);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const unfinished = path.join(outbox, `.${name}.${randomUUID()}`);
  await writeFile(unfinished, bytes as Buffer, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, path.join(outbox, name));
}

/**
 * A letter of ours: paragraphs, and at its end who writes and why it came. Only our own addresses can become links in it;
 * names that others chose are to be cleaned by `quoteName` first.
 *
 * @param kept what is left as it is besides, such as the verified domain of the reader's site.
 */
export function writeEmail(
  to: string,
  subject: string,
  paragraphs: string[],
  why: string,
  kept: readonly string[] = [],
): Email {
  const close = `-- \nFootfall, ${env().BASE_URL}\nYou get this letter because ${why}.`;
  const text = `${[...paragraphs, close].join("\n\n")}\n`;
  return { to, subject: unlinkOthers(subject, kept), text: unlinkOthers(text, kept) };
}

/** A name that a stranger chose, on one line, short, marked as theirs, and never a link. */
export const quoteName = (name: string): string => `“${unlink(clip(name.replaceAll(/\s+/g, " "), 120))}”`;

/** A moment as letters tell it, such as "20 November 2026, 12:15 UTC". */
export const formatUtc = (at: Date): string =>
  `${at.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }).replace(" at ", ", ")} UTC`;
