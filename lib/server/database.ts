import { connectionBudget, reportConnections } from "@/lib/connections";
import type { Env } from "@/lib/env";
import { log } from "@/lib/log";
import { checkConnections } from "@/lib/server/check-connections";
import { checkPooler } from "@/lib/server/check-pooler";
import { closeDataDir } from "@/lib/server/data-dir";
import { migrate } from "@/lib/server/migrate";
import { noteAddress, startPostgres } from "@/lib/server/postgres";
import { prepareReportsRole } from "@/lib/server/reports-role";

/** Where the database is reached, and where reports read it. */
export interface DatabaseUrls {
  databaseUrl: string;
  reportsUrl: string;
}

/**
 * Starts the embedded database unless another is configured, and brings it up to date.
 *
 * @param onStart told how to stop what has been started, before anything else can fail.
 * @throws ConfigError when Postgres has no room for this process's connections, a pooler in front of it shares
 *   connections between clients, or the role of reports will not do.
 */
export async function startDatabase(env: Env, onStart: (stop: () => Promise<void>) => void): Promise<DatabaseUrls> {
  const urls = env.DATABASE_URL ? foreignUrls(env, env.DATABASE_URL) : await embeddedUrls(env, onStart);
  await checkConnections(urls.databaseUrl, !env.DATABASE_URL);
  if (env.DATABASE_URL) await checkPoolers(urls);
  const applied = await migrate(urls.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, "database brought up to date");
  await prepareReportsRole(urls.databaseUrl, urls.reportsUrl);
  return urls;
}

async function checkPoolers({ databaseUrl, reportsUrl }: DatabaseUrls): Promise<void> {
  const { total } = connectionBudget(false);
  if (databaseUrl === reportsUrl) return checkPooler("DATABASE_URL", databaseUrl, total);
  await checkPooler("DATABASE_URL", databaseUrl, total - reportConnections());
  await checkPooler("REPORTS_DATABASE_URL", reportsUrl, reportConnections());
}

function foreignUrls(env: Env, databaseUrl: string): DatabaseUrls {
  closeDataDir(env.DATA_DIR);
  return { databaseUrl, reportsUrl: env.REPORTS_DATABASE_URL ?? databaseUrl };
}

async function embeddedUrls(env: Env, onStart: (stop: () => Promise<void>) => void): Promise<DatabaseUrls> {
  const { url, reportsUrl, stop } = await startPostgres(env.DATA_DIR);
  onStart(stop);
  noteAddress(env.DATA_DIR, env.BASE_URL);
  return { databaseUrl: url, reportsUrl };
}
