import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as concurrent, expect } from "vitest";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { asReport } from "@/lib/platform/report-queries";
import { sharesOf } from "@/lib/platform/report-shares";
import { withRequestAbort } from "@/lib/platform/request-signal";
import { rowsOf } from "@/lib/testing/rows";

/** Sequential, because endless statements use up the report connections of the process. */
const test = concurrent.sequential;

/** A separate caller for each test. */
const sharesOfTest = (personId: number) => sharesOf({ kind: "owner", personId: -personId });

/** A statement that never ends by itself. */
const endless = (mark: string) => rowsOf`SELECT ${mark}::text AS mark FROM pg_sleep(3600)`;

/**
 * Waits until this many endless statements are running. Their marks are parameters and not visible, so only the number
 * counts.
 */
async function untilRunning(marks: number): Promise<void> {
  for (let running = -1; running !== marks; ) {
    const [row] = await db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%AS mark FROM pg_sleep%'
      AND pid <> pg_backend_pid()`;
    running = row?.count ?? 0;
  }
}

/** Why Postgres ended a statement. */
const endOf = (statement: Promise<unknown>) => statement.then(String, (error) => `${error.message}`);
const CANCELLED = /due to user request/;

test("running statements of a caller who disconnects are cancelled, and waiting ones never run", async () => {
  const disconnect = new AbortController();
  const ends: Promise<string>[] = [];
  const report = asReport({ shares: sharesOfTest(1), deadlineMs: DAY_MS, signal: disconnect.signal }, () => {
    const statements = Array.from({ length: 10 }, () => endless(randomUUID()));
    ends.push(...statements.map((one) => endOf(one)));
    return Promise.all(statements);
  });
  const refused = expect(report).rejects.toMatchObject({ code: "unavailable" });
  await untilRunning(3);
  // Meanwhile the reports of another person are answered.
  const other = asReport({ shares: sharesOfTest(2), deadlineMs: DAY_MS }, () => rowsOf`SELECT 7 AS seven`);
  expect(await other).toEqual([{ seven: 7 }]);
  disconnect.abort();
  await refused;
  const errors = await Promise.all(ends);
  expect(errors.filter((end) => CANCELLED.test(end))).toHaveLength(3);
  expect(errors.filter((end) => /abort/i.test(end))).toHaveLength(7);
  await untilRunning(0);
});

test("the statements of a page are cancelled when the client disconnects before the response is complete", async () => {
  let end: Promise<string> | undefined;
  const server = createServer((_, response) =>
    withRequestAbort(response, () => {
      response.write("The head of the page.");
      end = endOf(asReport({ shares: sharesOfTest(5), deadlineMs: DAY_MS }, () => endless(randomUUID())));
    }),
  );
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const leaving = new AbortController();
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: leaving.signal });
  await untilRunning(1);
  leaving.abort();
  // The message of an aborted report, long before its deadline.
  expect(await end).toContain("took longer than");
  await untilRunning(0);
  server.close();
});

test("when one statement of a report fails, the others are cancelled", async () => {
  let end: Promise<string> = Promise.resolve("");
  const report = asReport({ shares: sharesOfTest(3), deadlineMs: DAY_MS }, async () => {
    const slow = endless(randomUUID());
    end = endOf(slow);
    await untilRunning(1);
    await rowsOf`SELECT 1 / 0`;
  });
  await expect(report).rejects.toThrow(/division by zero/);
  expect(await end).toMatch(CANCELLED);
});

test("a report ends at its deadline with an actionable error, and fast reports are not affected", async () => {
  const leaving = new AbortController();
  const longer = { shares: sharesOfTest(6), deadlineMs: DAY_MS, signal: leaving.signal };
  const running = endOf(asReport(longer, () => endless(randomUUID())));
  await untilRunning(1);
  const slow = asReport({ shares: sharesOfTest(4), deadlineMs: 200 }, () => endless(randomUUID()));
  await expect(slow).rejects.toMatchObject({ code: "unavailable", retryAfter: 10 });
  // The statement was cancelled with its report: Postgres has not even ended one that began before it.
  await untilRunning(1);
  leaving.abort();
  await running;
  for (let turn = 0; turn < 20; turn++) {
    expect(await asReport({ shares: sharesOfTest(4), deadlineMs: DAY_MS }, () => rowsOf`SELECT 1 AS one`)).toEqual([
      { one: 1 },
    ]);
  }
});
