import { randomInt } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { withConnection } from "@/lib/platform/pool";
import { DATABASE_ROLES } from "@/lib/postgres/roles";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { prepareReportsRole } from "@/lib/server/reports-role";
import { citusDatabase, dropCitusDatabases } from "@/lib/testing/citus";
import { runningServers, SERVERS_OF_TESTS } from "@/lib/testing/server";
import { databaseUrl, TEMPLATE } from "@/lib/testing/template";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    reportsUrl: string;
    adminUrl: string;
    freshSeed: number;
    /** The Citus that the databases of this run are on, and the beginning of their names; null for a plain Postgres. */
    citus: { url: string; prefix: string } | null;
  }
}

/** Names the variable with the databases of another run, as JSON. A run that gets them starts no Postgres. */
export const SHARED_DATABASES = "DATABASES_OF_TESTS";

/** Draws the seed of the run, and starts one Postgres for all its tests. Their files and databases are deleted afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-tests-"));
  // Postgres runs as another user when root runs the tests.
  chmodSync(folder, 0o755);
  // Workers and the servers that they start are often killed, so they cannot delete what they made.
  process.env.TMPDIR = folder;
  const servers = path.join(folder, "servers");
  writeFileSync(servers, "");
  process.env[SERVERS_OF_TESTS] = servers;
  const end = await provideAll(project);
  return async () => {
    for (const pid of runningServers(servers)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended after the worker that would have noted it.
      }
    }
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function provideAll(project: TestProject): Promise<() => Promise<void>> {
  const chosen = Number.parseInt(process.env.LUCK ?? "", 10);
  const seed = Number.isNaN(chosen) ? randomInt(2 ** 31) : chosen;
  project.provide("freshSeed", seed);
  project.provide("citus", null);
  process.stdout.write(`The oracle checks worlds of seed ${seed}: LUCK=${seed} npx vitest run lib/testing/oracle\n`);
  const shared = process.env[SHARED_DATABASES];
  if (shared) {
    const { databaseUrl, reportsUrl, adminUrl } = JSON.parse(shared);
    provideDatabases(project, { url: databaseUrl, reportsUrl, adminUrl });
    return async () => {};
  }
  const citusUrl = process.env.CITUS_URL;
  if (citusUrl) return provideCitus(project, citusUrl);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-test-"));
  const first = await startPostgres(dataDir);
  await withConnection(first.adminUrl, async (client) => {
    // Nothing needs to survive a crash.
    for (const setting of ["fsync", "full_page_writes"]) await client.query(`ALTER SYSTEM SET ${setting} = off`);
    // Each worker and each server that a test starts has pools of its own.
    await client.query("ALTER SYSTEM SET max_connections = 400");
    await client.query(`CREATE DATABASE ${TEMPLATE} OWNER ${DATABASE_ROLES.app}`);
  });
  await first.stop();
  const postgres = await startPostgres(dataDir);
  await migrate(databaseUrl(postgres.url, TEMPLATE));
  await migrate(postgres.url);
  await prepareReportsRole(postgres.url, postgres.reportsUrl);
  await withConnection(postgres.adminUrl, async (client) => {
    // Tests of deadlocks wait for it; those that must survive one set a longer timeout.
    await client.query("ALTER DATABASE postgres SET deadlock_timeout = '100ms'");
    await client.query("GRANT SET ON PARAMETER deadlock_timeout TO PUBLIC");
  });
  provideDatabases(project, postgres);
  return () => postgres.stop();
}

/** Gives the tests databases with distributed facts, on a Citus that runs already. */
async function provideCitus(project: TestProject, citusUrl: string): Promise<() => Promise<void>> {
  const prefix = `footfall_test_${process.pid}_`;
  const { url, reportsUrl } = await citusDatabase(citusUrl, `${prefix}shared`);
  await prepareReportsRole(url, reportsUrl);
  project.provide("citus", { url: citusUrl, prefix });
  provideDatabases(project, { url, reportsUrl, adminUrl: databaseUrl(citusUrl, "postgres") });
  return () => dropCitusDatabases(citusUrl, prefix);
}

function provideDatabases(
  project: TestProject,
  { url, reportsUrl, adminUrl }: { url: string; reportsUrl: string; adminUrl: string },
): void {
  project.provide("databaseUrl", url);
  project.provide("reportsUrl", reportsUrl);
  project.provide("adminUrl", adminUrl);
}
