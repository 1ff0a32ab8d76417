import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/server/migrate";
import { startPostgres } from "@/lib/server/postgres";

declare module "vitest" {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** One private Postgres for the whole run, gone afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "footfall-test-"));
  const postgres = await startPostgres(dataDir);
  await migrate(postgres.url);
  project.provide("databaseUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
