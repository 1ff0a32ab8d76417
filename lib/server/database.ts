import { type ConnectionBudget, reportConnections } from "@/lib/platform/connections";
import { closeDataDir } from "@/lib/platform/data-dir";
import { ConfigError, type Env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { checkConnections } from "@/lib/server/check-connections";
import { checkPooler } from "@/lib/server/check-pooler";
import { migrate } from "@/lib/server/migrate";
import { prepareReportsRole } from "@/lib/server/reports-role";

/** Where the database is reached, and where reports read it. */
export interface DatabaseUrls {
  databaseUrl: string;
  reportsUrl: string;
}

/** Where the configured database is reached. @throws ConfigError when none is configured. */
export function configuredUrls({ DATABASE_URL, REPORTS_DATABASE_URL, DATA_DIR }: Env): DatabaseUrls {
  if (!DATABASE_URL) {
    throw new ConfigError(
      "DATABASE_URL must be given where Next is started by itself: set it, or run `npm start`, which brings a database.",
    );
  }
  closeDataDir(DATA_DIR);
  return { databaseUrl: DATABASE_URL, reportsUrl: REPORTS_DATABASE_URL ?? DATABASE_URL };
}

/**
 * Brings a database up to date.
 *
 * @param budget the connections that this process may open.
 * @param hasPooler whether there may be a connection pooler in between.
 * @throws ConfigError when Postgres has no room for this process's connections, a pooler in front of it shares
 *   connections between clients, or the role of reports will not do.
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  { budget, hasPooler }: { budget: ConnectionBudget; hasPooler: boolean },
): Promise<void> {
  await checkConnections(urls.databaseUrl, budget);
  if (hasPooler) await checkPoolers(urls, budget);
  const applied = await migrate(urls.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, "database brought up to date");
  await prepareReportsRole(urls.databaseUrl, urls.reportsUrl);
}

async function checkPoolers({ databaseUrl, reportsUrl }: DatabaseUrls, budget: ConnectionBudget): Promise<void> {
  const { total } = budget;
  const reading = reportConnections(budget);
  if (databaseUrl === reportsUrl) return checkPooler("DATABASE_URL", databaseUrl, total);
  await checkPooler("DATABASE_URL", databaseUrl, total - reading);
  await checkPooler("REPORTS_DATABASE_URL", reportsUrl, reading);
}
