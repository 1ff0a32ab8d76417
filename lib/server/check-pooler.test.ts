import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { test as concurrent, expect, inject, onTestFinished } from "vitest";
import { connectionBudget, reportConnections } from "@/lib/platform/connections";
import { closeDatabase, db, openDatabase } from "@/lib/platform/db";
import { ConfigError } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";
import { asReport } from "@/lib/platform/report-queries";
import { sharesOf } from "@/lib/platform/report-shares";
import { checkPooler } from "@/lib/server/check-pooler";
import { type DatabaseUrls, prepareDatabase } from "@/lib/server/database";
import { openTestDatabase } from "@/lib/testing/database";
import { PATIENT_MS } from "@/lib/testing/patience";
import { hasPgBouncer, startPgBouncer } from "@/lib/testing/pgbouncer";
import { rowsOf } from "@/lib/testing/rows";
import { startSharingPooler } from "@/lib/testing/sharing-pooler";
import { callApi, makeClient, makeSite, send, TEST_SECRETS } from "@/lib/testing/world";

/** Sequential, because the tests reopen the databases of this process. */
const test = concurrent.sequential;
const behindPgBouncer = concurrent.runIf(hasPgBouncer).sequential;

const run = promisify(execFile);
const NEEDED = connectionBudget(false).total;

/** Runs the database part of boot. */
async function boot(databaseUrl: string, reportsUrl = databaseUrl): Promise<DatabaseUrls> {
  const urls = { databaseUrl, reportsUrl };
  await prepareDatabase(urls, { budget: connectionBudget(false), hasPooler: true });
  return urls;
}

/** Opens the databases of this process through a pooler, until the end of the test. */
async function useDatabase({ databaseUrl, reportsUrl }: DatabaseUrls): Promise<void> {
  onTestFinished(async () => {
    await closeDatabase();
    openTestDatabase();
  });
  await closeDatabase();
  openDatabase(databaseUrl, { reportsUrl, connectWithinMs: PATIENT_MS });
}

const refusal = (booting: Promise<unknown>) =>
  booting.then(
    () => null,
    (error) => [error instanceof ConfigError, error.message],
  );

const ADVICE =
  `Connect to Postgres directly, or through a pooler in session mode that has ${NEEDED} connections to Postgres for ` +
  `each process like this one (PgBouncer: pool_mode = session, default_pool_size = ${NEEDED} × processes).`;

for (const mode of ["transaction", "statement"] as const) {
  behindPgBouncer(
    `a ${mode}-mode pooler in front of Postgres is refused at boot with the reason and the fix`,
    async () => {
      const [url] = await startPgBouncer({ mode }, inject("databaseUrl"));
      expect(await refusal(boot(url))).toEqual([
        true,
        "DATABASE_URL leads to a connection pooler in transaction or statement mode, where clients share connections to Postgres. " +
          `Footfall needs its own connections for prepared statements, settings, locks and cancelled reports. ${ADVICE}`,
      ]);
    },
  );
}

test("a pooler other than PgBouncer that shares connections is refused", async () => {
  const url = await startSharingPooler(inject("databaseUrl"));
  const [isConfigError, message] = (await refusal(boot(url))) ?? [];
  expect(isConfigError).toBe(true);
  expect(message).toMatch(/^DATABASE_URL leads to a connection pooler in transaction or statement mode/);
});

/** Opens as many connections between the pooler and Postgres: as long as a transaction is open, it has its own. */
async function openAtOnce(url: string, count: number): Promise<void> {
  let begun = 0;
  let commit = () => {};
  const allBegun = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const transaction = async (client: pg.Client) => {
    await client.query("BEGIN");
    if (++begun === count) commit();
    await allBegun;
    await client.query("COMMIT");
  };
  await Promise.all(Array.from({ length: count }, () => withConnection(url, transaction)));
}

behindPgBouncer("a transaction-mode pooler is refused also when it assigns its connections round-robin", async () => {
  const [url] = await startPgBouncer({ mode: "transaction", roundRobin: true }, inject("databaseUrl"));
  for (const open of [NEEDED, NEEDED + 1]) {
    await openAtOnce(url, open);
    const [, message] = (await refusal(checkPooler("DATABASE_URL", url, NEEDED))) ?? [];
    expect(message, `${open} open connections`).toContain("transaction or statement mode");
  }
});

behindPgBouncer("a transaction-mode pooler for reports only is refused, naming its variable", async () => {
  const [reportsUrl] = await startPgBouncer({ mode: "transaction" }, inject("reportsUrl"));
  const [isConfigError, message] = (await refusal(boot(inject("databaseUrl"), reportsUrl))) ?? [];
  expect(isConfigError).toBe(true);
  expect(message).toMatch(/^REPORTS_DATABASE_URL leads to a connection pooler in transaction or statement mode/);
  expect(message).toContain(`has ${reportConnections(connectionBudget(false))} connections to Postgres`);
});

behindPgBouncer("commands that write are refused through a transaction-mode pooler", async () => {
  const [url] = await startPgBouncer({ mode: "transaction" }, inject("databaseUrl"));
  const { PATH = "" } = process.env;
  const env = { PATH, NODE_ENV: "production" as const, DATABASE_URL: url, APP_SECRETS: TEST_SECRETS };
  for (const command of [["import.mjs", "--site", "a.example", "package.json"], ["seed.mjs"]]) {
    const [program = "", ...given] = command;
    const ended = await run(process.execPath, [path.join("build", program), ...given], { env }).catch((error) => error);
    expect(ended.stderr, program).toMatch(
      /^DATABASE_URL leads to a connection pooler in transaction or statement mode/,
    );
    expect(ended.code, program).toBe(1);
  }
});

behindPgBouncer(
  "a session-mode pooler with too few connections for one process is refused with both numbers",
  async () => {
    const [url] = await startPgBouncer({ mode: "session", poolSize: 4, waitSeconds: 1 }, inject("databaseUrl"));
    expect(await refusal(boot(url))).toEqual([
      true,
      `DATABASE_URL leads to a connection pooler that gave this process 4 of ${NEEDED} connections (query_wait_timeout). ${ADVICE}`,
    ]);
  },
);

behindPgBouncer("behind a session-mode pooler the service boots, stores an event and answers a report", async () => {
  const urls = await startPgBouncer({ mode: "session" }, inject("databaseUrl"), inject("reportsUrl"));
  await useDatabase(await boot(...urls));
  const site = await makeSite();
  await send(site, "/pooled", { at: "2026-03-02T12:00:00Z" });
  const { token } = await makeClient({ scopes: ["analytics:read"], sites: [site], personId: site.ownerId });
  const input = { site_id: site.id, period: "custom", from: "2026-03-02", to: "2026-03-02" };
  const { status, body } = await callApi("analytics.overview", { token, input });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain("/pooled");
});

behindPgBouncer(
  "behind a session-mode pooler reports keep their settings and are cancelled at their deadline",
  async () => {
    const urls = await startPgBouncer({ mode: "session" }, inject("databaseUrl"), inject("reportsUrl"));
    await useDatabase(await boot(...urls));
    const settings = await rowsOf`
    SELECT current_setting('enable_nestloop') AS enable_nestloop, current_setting('parallel_tuple_cost') AS tuple_cost,
      current_setting('default_transaction_read_only') AS read_only, current_setting('statement_timeout') AS timeout,
      current_setting('idle_in_transaction_session_timeout') AS idle_timeout`;
    const expected = {
      enable_nestloop: "off",
      tuple_cost: "0.4",
      read_only: "on",
      timeout: "20s",
      idle_timeout: "20s",
    };
    expect(settings).toEqual([expected]);
    const shares = sharesOf({ kind: "owner", personId: -77 });
    const endless = () => rowsOf`SELECT 1 AS endless_behind_pooler FROM pg_sleep(3600)`;
    await expect(asReport({ shares, deadlineMs: 200 }, endless)).rejects.toMatchObject({ code: "unavailable" });
    const running = await db().$queryRaw`
    SELECT 1 FROM pg_stat_activity
    WHERE state = 'active' AND query LIKE '%endless_behind_pooler%' AND pid <> pg_backend_pid()`;
    expect(running).toEqual([]);
  },
);

test("a Postgres without a pooler is accepted after a check over a single connection", async () => {
  const role = `alone_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (admin) =>
    admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 1`),
  );
  const url = new URL(inject("databaseUrl"));
  url.username = role;
  url.password = "x";
  await checkPooler("DATABASE_URL", url.href, NEEDED);
});

test("REPORTS_DATABASE_URL needs the report connections of the main thread and of the analytics process", () => {
  const { main_reports = 0, analytics = 0 } = connectionBudget(false) as Record<string, number>;
  expect(main_reports).toBeGreaterThan(0);
  expect(reportConnections(connectionBudget(false))).toBe(main_reports + analytics);
});
