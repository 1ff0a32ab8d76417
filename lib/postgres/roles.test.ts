import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { ConfigError } from "@/lib/platform/env";
import { readingPool, withConnection } from "@/lib/platform/pool";
import { DATABASE_ROLES, passwordFile } from "@/lib/postgres/roles";
import { type EmbeddedPostgres, startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { prepareReportsRole } from "@/lib/server/reports-role";
import { emptyDatabase } from "@/lib/testing/database";
import { rowsOf } from "@/lib/testing/rows";
import { temporaryDir } from "@/lib/testing/temporary-dir";

/** The rows of one statement, or the SQLSTATE of its error. */
const outcome = (url: string, sql: string): Promise<unknown> =>
  withConnection(url, (client) =>
    client.query(sql).then(
      ({ rows }) => rows,
      (error) => error.code,
    ),
  );

const NOT_ALLOWED = "42501";
const READ_ONLY = "25006";

test("the application role is not a superuser and owns every table", async () => {
  const url = inject("databaseUrl");
  expect(
    await outcome(
      url,
      "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles WHERE rolname = current_user",
    ),
  ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }]);
  const others = `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN ('public', 'facts') AND relkind IN ('r', 'p', 'S', 'i') AND relowner <> current_user::regrole`;
  expect(await outcome(url, others)).toEqual([]);
  for (const sql of [
    "COPY (SELECT 1) TO '/tmp/footfall-never'",
    "COPY site (id) FROM '/etc/passwd'",
    "ALTER SYSTEM SET work_mem = '1MB'",
    "SELECT pg_read_file('/etc/passwd')",
    "CREATE ROLE footfall_never",
  ]) {
    expect(await outcome(url, sql), sql).toBe(NOT_ALLOWED);
  }
});

const WRITES = [
  "INSERT INTO facts.name (site_id, first_seen, name) VALUES (1, '2025-01-01', 'x')",
  "UPDATE facts.name SET name = 'x' WHERE false",
  "DELETE FROM facts.name WHERE false",
  "CREATE TABLE facts.never (id int)",
  "CREATE TEMPORARY TABLE never (id int)",
];

test("a report connection can read facts and cannot write, even with default_transaction_read_only off", async () => {
  const url = inject("reportsUrl");
  expect(await outcome(url, "SELECT count(*)::int AS n FROM facts.event WHERE site_id = -1")).toEqual([{ n: 0 }]);
  for (const sql of WRITES) {
    expect(await outcome(url, sql), sql).toBe(READ_ONLY);
    const insisting = await withConnection(url, async (client) => {
      await client.query("SET default_transaction_read_only = off");
      return client.query(sql).catch((error) => error.code);
    });
    expect(insisting, sql).toBe(NOT_ALLOWED);
  }
  for (const sql of ["SELECT email FROM person", `SET ROLE ${DATABASE_ROLES.app}`]) {
    expect(await outcome(url, sql), sql).toBe(NOT_ALLOWED);
  }
});

test("the report pool has its own time limits and is read-only, also with the application role", async () => {
  const settings = await rowsOf`
    SELECT current_user AS role, current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('transaction_read_only') AS reads`;
  expect(settings).toEqual([{ role: DATABASE_ROLES.reports, statement: "5min", idle: "5min", reads: "on" }]);
});

/** Creates a role. @returns its name, and the URL of the test database with this role. */
async function roleOf(rights: string): Promise<{ role: string; url: string }> {
  const role = `reader_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (admin) =>
    admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'; ${rights}`.replaceAll("ROLE_NAME", role)),
  );
  const url = new URL(inject("databaseUrl"));
  url.username = role;
  url.password = "x";
  return { role, url: url.href };
}

test("boot refuses a report role that may write or whose statements cannot be cancelled, and says what to do", async () => {
  const url = inject("databaseUrl");
  const writer = await roleOf(`GRANT ROLE_NAME TO ${DATABASE_ROLES.app}; GRANT INSERT ON facts.event TO ROLE_NAME`);
  await expect(prepareReportsRole(url, writer.url)).rejects.toThrow(/can change data/);
  const unrelated = await roleOf("");
  await expect(prepareReportsRole(url, unrelated.url)).rejects.toThrow(ConfigError);
  await expect(prepareReportsRole(url, unrelated.url)).rejects.toThrow(
    `GRANT "${unrelated.role}" TO "${DATABASE_ROLES.app}"`,
  );
});

test("a report role can read the facts, including months and tables that are added later", async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const { url: reader } = await roleOf(`GRANT ROLE_NAME TO ${DATABASE_ROLES.app}`);
  const reportsUrl = new URL(reader);
  reportsUrl.pathname = new URL(url).pathname;
  const count = "SELECT count(*)::int AS n FROM facts.event_2033_05";
  await prepareReportsRole(url, reportsUrl.href);
  await outcome(url, "SELECT facts.add_month('2033-05-01'::date)");
  expect(await outcome(reportsUrl.href, count)).toEqual([{ n: 0 }]);
  expect(await outcome(reportsUrl.href, "SELECT count(*)::int AS n FROM exchange_rate")).toEqual([{ n: 0 }]);
});

/** Turns a data folder into one of an older version, which had only the superuser. */
async function asLeftByOlderVersion({ adminUrl, stop }: EmbeddedPostgres, dataDir: string): Promise<void> {
  await withConnection(adminUrl, async (admin) => {
    await admin.query(`ALTER DATABASE postgres OWNER TO ${DATABASE_ROLES.admin};
      DROP OWNED BY ${DATABASE_ROLES.app}, ${DATABASE_ROLES.reports}; DROP ROLE ${DATABASE_ROLES.app}; DROP ROLE ${DATABASE_ROLES.reports}`);
    await migrate(adminUrl);
    await admin.query(`INSERT INTO site (id, timezone, user_key) VALUES (7, 'UTC', '\\x');
      SELECT facts.add_month('2025-03-01'::date)`);
  });
  await stop();
  for (const role of ["app", "reports"] as const) rmSync(passwordFile(dataDir, role));
}

test("start transfers everything in a data folder of an older version to the application role", {
  tags: "full",
}, async ({ onTestFinished }) => {
  const dataDir = temporaryDir(onTestFinished);
  await asLeftByOlderVersion(await startPostgres(dataDir), dataDir);
  const { url, stop } = await startPostgres(dataDir);
  try {
    expect(await migrate(url)).toEqual([]);
    expect(await outcome(url, "SELECT id FROM site")).toEqual([{ id: 7 }]);
    // Statements of later migrations and of new months.
    for (const sql of [
      "INSERT INTO site (timezone, user_key) VALUES ('UTC', '\\x')",
      "ALTER TABLE facts.event ADD COLUMN later int",
      "ALTER TYPE role ADD VALUE 'later'",
      "SELECT facts.add_month('2025-04-01'::date)",
      "CREATE OR REPLACE FUNCTION facts.add_month(month date) RETURNS void LANGUAGE sql AS ''",
      "CREATE SCHEMA later",
    ]) {
      expect(await outcome(url, sql), sql).toBeInstanceOf(Array);
    }
  } finally {
    await stop();
  }
});

test("the connections of the analytics engine cannot write, even with the role that owns the tables", async () => {
  const pool = readingPool({ connectionString: inject("databaseUrl"), max: 1 });
  try {
    for (const sql of WRITES)
      expect(
        await pool.query(sql).then(
          () => null,
          ({ code }) => code,
        ),
        sql,
      ).toBe(READ_ONLY);
  } finally {
    await pool.end();
  }
});
