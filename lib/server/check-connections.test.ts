import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { CONNECTIONS, connectionBudget, SINGLE_THREAD, singleThreadBudget } from "@/lib/platform/connections";
import { ConfigError } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";
import { REPORTS_OF_ONE_CALLER } from "@/lib/platform/reports";
import { startPostgres } from "@/lib/postgres/start";
import { checkConnections } from "@/lib/server/check-connections";
import { emptyDatabase } from "@/lib/testing/database";
import { temporaryDir } from "@/lib/testing/temporary-dir";

test("one process opens at most 20 connections to Postgres", () => {
  const { total, ...pools } = connectionBudget(true);
  expect(total).toBeLessThanOrEqual(20);
  expect(Object.values(pools).reduce((sum, size) => sum + size, 0)).toBe(total);
  expect(connectionBudget(false).total).toBe(total - 1);
  // One caller never uses all report connections.
  expect(Math.min(CONNECTIONS.main.reports, SINGLE_THREAD.reports)).toBeGreaterThan(REPORTS_OF_ONE_CALLER);
  expect(singleThreadBudget().total + CONNECTIONS.lock).toBeLessThanOrEqual(20);
});

/** The test database with a new role. */
async function narrowRole(options: string): Promise<{ role: string; url: URL }> {
  const role = `narrow_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(`CREATE ROLE ${role} LOGIN PASSWORD 'x' ${options}`);
  const url = new URL(inject("databaseUrl"));
  url.username = role;
  url.password = "x";
  return { role, url };
}

const asAdmin = (sql: string) => withConnection(inject("adminUrl"), (admin) => admin.query(sql));
const refusal = (url: string) => checkConnections(url, connectionBudget(false)).catch((error) => error);
const NEEDED = connectionBudget(false).total;

test("a Postgres with room for the connections of one process is accepted", async () => {
  await checkConnections(inject("databaseUrl"), connectionBudget(true));
  const { url } = await narrowRole(`CONNECTION LIMIT ${NEEDED}`);
  await checkConnections(url.href, connectionBudget(false));
});

test("boot fails when the role may open too few connections, naming the role and the required number", async () => {
  const { role, url } = await narrowRole(`CONNECTION LIMIT ${NEEDED - 1}`);
  const refused = await refusal(url.href);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(refused.message).toBe(
    `Postgres allows ${NEEDED - 1} connections (the CONNECTION LIMIT of role ${role}), and each process of Footfall ` +
      `needs up to ${NEEDED}: raise the limit to ${NEEDED} for each process.`,
  );
});

test("boot fails when the database allows too few connections, naming the database and the required number", async () => {
  const url = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  await asAdmin(`ALTER DATABASE ${name} CONNECTION LIMIT 6`);
  const refused = await refusal(url);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(refused.message).toContain(`allows 6 connections (the CONNECTION LIMIT of database ${name})`);
  expect(refused.message).toContain(`needs up to ${NEEDED}`);
});

test("boot fails when max_connections is too low, naming the setting and the required number", async ({
  onTestFinished,
}) => {
  const dataDir = temporaryDir(onTestFinished);
  let postgres = await startPostgres(dataDir);
  await withConnection(postgres.adminUrl, (admin) => admin.query("ALTER SYSTEM SET max_connections = 20"));
  await postgres.stop();
  postgres = await startPostgres(dataDir);
  const refused = await refusal(postgres.url);
  await postgres.stop();
  expect(refused).toBeInstanceOf(ConfigError);
  // Postgres reserves three connections for superusers.
  expect(refused.message).toContain("allows 17 connections (max_connections - superuser_reserved_connections");
  expect(refused.message).toContain(`needs up to ${NEEDED}`);
});
