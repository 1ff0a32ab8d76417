import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { CONNECTIONS, connectionBudget, SINGLE_THREAD } from "@/lib/connections";
import { REPORTS_OF_ONE_CALLER } from "@/lib/db";
import { ConfigError } from "@/lib/env";
import { withConnection } from "@/lib/pool";
import { checkConnections } from "@/lib/server/check-connections";

test("one process opens at most 20 connections to Postgres", () => {
  const { total, ...pools } = connectionBudget(true);
  expect(total).toBeLessThanOrEqual(20);
  expect(Object.values(pools).reduce((sum, size) => sum + size, 0)).toBe(total);
  expect(connectionBudget(false).total).toBe(total - 1);
  // One site never holds all connections of reports.
  expect(Math.min(CONNECTIONS.main.reports, SINGLE_THREAD.reports)).toBeGreaterThan(REPORTS_OF_ONE_CALLER);
  expect(Object.values(SINGLE_THREAD).reduce((sum, size) => sum + size, 1)).toBeLessThanOrEqual(20);
});

test("boot is refused when Postgres has no room for the connections, by the setting and the number needed", async () => {
  await checkConnections(inject("databaseUrl"), true);
  const role = `narrow_${randomUUID().replaceAll("-", "")}`;
  await withConnection(inject("adminUrl"), (admin) =>
    admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 7`),
  );
  const url = new URL(inject("databaseUrl"));
  url.username = role;
  url.password = "x";
  const refused = await checkConnections(url.href, false).catch((error) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(refused.message).toContain(`7 connections (the CONNECTION LIMIT of role ${role})`);
  expect(refused.message).toContain(`up to ${connectionBudget(false).total}`);
});
