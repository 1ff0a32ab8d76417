import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { withConnection } from "@/lib/platform/pool";
import { startPostgres } from "@/lib/postgres/start";
import { migrate } from "@/lib/server/migrate";
import { prepareReportsRole } from "@/lib/server/reports-role";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
    reportsUrl: string;
    adminUrl: string;
  }
}

/** Starts one Postgres for the whole test run, and deletes it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-test-"));
  const postgres = await startPostgres(dataDir);
  await migrate(postgres.url);
  await prepareReportsRole(postgres.url, postgres.reportsUrl);
  await withConnection(postgres.adminUrl, async (client) => {
    // With a long timeout, Postgres ends the transaction that has waited longest, even on a busy machine.
    await client.query("ALTER DATABASE postgres SET deadlock_timeout = '8s'");
    await client.query("GRANT SET ON PARAMETER deadlock_timeout TO PUBLIC");
    // Nothing needs to survive a crash.
    await client.query("ALTER SYSTEM SET fsync = off");
    await client.query("SELECT pg_reload_conf()");
  });
  project.provide("databaseUrl", postgres.url);
  project.provide("reportsUrl", postgres.reportsUrl);
  project.provide("adminUrl", postgres.adminUrl);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
