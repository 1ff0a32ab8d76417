import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { type Email, queueEmail, sendQueuedEmails } from "@/lib/email/mailer";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { databaseForTests } from "@/lib/testing/database";
import { freePort } from "@/lib/testing/server";
import { type MailServer, startMailServer } from "@/lib/testing/smtp";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { TEST_SECRETS } from "@/lib/testing/world";

/** Uses its own database and runs tests one after the other, so that only this file's emails are in the queue. */
const test = concurrent.sequential;

databaseForTests();

const now = new Date("2026-11-20T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const MAIL = "ann@example.com";

const queue = (more: Partial<Email> = {}, at = now) =>
  queueEmail(db(), { to: MAIL, subject: "Hello", text: "An email.\n", ...more }, at);
const waiting = () => db().mail.findMany();

function configure(more: Record<string, string>): void {
  setEnv({ NODE_ENV: "test", DATABASE_URL: inject("databaseUrl"), APP_SECRETS: TEST_SECRETS, ...more });
}

async function mailServer(): Promise<MailServer> {
  const server = await startMailServer();
  onTestFinished(server.stop);
  configure({ SMTP_URL: server.url, BASE_URL: "https://stats.example.com" });
  return server;
}

function outbox(): { dir: string; files: () => string[] } {
  const dataDir = temporaryDir();
  configure({ DATA_DIR: dataDir, BASE_URL: "https://stats.example.com" });
  const dir = path.join(dataDir, "outbox");
  return { dir, files: () => readdirSync(dir).sort() };
}

test("an email is delivered to the SMTP server and deleted from the queue", async () => {
  const server = await mailServer();
  await queue({ subject: "Grüße", text: "Schöne Grüße\n" });
  await sendQueuedEmails(now);
  const [email] = server.emails;
  expect(server.emails).toHaveLength(1);
  expect(email?.to).toBe(MAIL);
  expect(email?.text).toContain("From: Footfall <footfall@stats.example.com>");
  expect(email?.text).toContain("Subject: =?UTF-8?");
  expect(email?.text).toContain("Sch=C3=B6ne Gr=C3=BC=C3=9Fe");
  expect(email?.text).toContain("Auto-Submitted: auto-generated");
  expect(await waiting()).toEqual([]);
});

test("an email queued in a transaction that rolls back is never sent", async () => {
  const server = await mailServer();
  const failing = db().$transaction(async (tx) => {
    await queueEmail(tx, { to: MAIL, subject: "Hello", text: "An email." }, now);
    throw new Error("refused after all");
  });
  await expect(failing).rejects.toThrow("refused after all");
  await sendQueuedEmails(now);
  expect(server.emails).toEqual([]);
});

test("a queued email is encrypted in the database", async () => {
  const server = await mailServer();
  await queue({ text: "https://stats.example.com/reset/secret-of-the-link" });
  const [row] = await waiting();
  const bytes = Buffer.from(row?.content ?? []).toString("latin1");
  for (const secret of ["secret-of-the-link", MAIL, "Hello"]) expect(bytes).not.toContain(secret);
  await sendQueuedEmails(now);
  expect(server.emails[0]?.text).toContain("secret-of-the-link");
});

test("while the SMTP server is down the retry delay doubles, and emails are sent once it is back", async () => {
  const port = await freePort();
  configure({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue();
  await sendQueuedEmails(now);
  await sendQueuedEmails(later(0.9));
  expect((await waiting()).map(({ attempts, sendAfter }) => [attempts, sendAfter])).toEqual([[1, later(1)]]);
  await sendQueuedEmails(later(1));
  expect((await waiting()).map(({ attempts, sendAfter }) => [attempts, sendAfter])).toEqual([[2, later(3)]]);

  const server = await startMailServer(port);
  onTestFinished(server.stop);
  await sendQueuedEmails(later(2.9));
  expect(server.emails).toEqual([]);
  await sendQueuedEmails(later(3));
  expect(server.emails).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test("an email that could not be sent for a day is dropped", async () => {
  configure({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  await queue();
  for (let minute = 0; minute < 24 * 60; minute++) {
    const due = await db().mail.count({ where: { sendAfter: { lte: later(minute) } } });
    if (due > 0) await sendQueuedEmails(later(minute));
  }
  const [row] = await waiting();
  expect(row?.attempts).toBeGreaterThan(20);
  await sendQueuedEmails(later(25 * 60));
  expect(await waiting()).toEqual([]);
});

test("concurrent senders send each email exactly once", async () => {
  const server = await mailServer();
  for (let n = 0; n < 30; n++) await queue({ subject: `Email ${n}.` });
  await Promise.all(Array.from({ length: 6 }, () => sendQueuedEmails(now)));
  const subjects = server.emails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim());
  expect(new Set(subjects).size).toBe(30);
  expect(subjects).toHaveLength(30);
});

test("without SMTP_URL emails are written to outbox files that only this service can read", async () => {
  const { dir, files } = outbox();
  await queue({ subject: "Second" }, later(1));
  await queue({ subject: "First" });
  await sendQueuedEmails(later(1));
  expect(files()).toEqual([
    expect.stringMatching(/^20261120T120000000Z-[0-9a-f-]{36}\.eml$/),
    expect.stringMatching(/^20261120T120100000Z-[0-9a-f-]{36}\.eml$/),
  ]);
  const [first] = files();
  expect(statSync(path.join(dir, first ?? "")).mode & 0o777).toBe(0o600);
  expect(readFileSync(path.join(dir, first ?? ""), "utf8")).toContain("Subject: First");
  expect(await waiting()).toEqual([]);
});

test("a line break in a subject or an address adds no header and no recipient", async () => {
  const server = await mailServer();
  await queue({ subject: "Hello\r\nBcc: eve@example.com\r\n\r\nEvil" });
  await queue({ to: "ann@example.com\r\nBcc: eve@example.com" }, later(-1));
  await queue({ to: "ann@example.com, eve@example.com" }, later(-2));
  for (let round = 0; round < 3; round++) await sendQueuedEmails(now);
  for (const { to, text } of server.emails) {
    expect(to).not.toBe("eve@example.com");
    expect(text).not.toMatch(/^Bcc:/im);
  }
  expect(server.emails.some(({ text }) => text.includes("Subject: HelloBcc: eve@example.comEvil"))).toBe(true);
});
