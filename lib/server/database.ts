import { type ConnectionBudget, reportConnections } from "@/lib/platform/connections";
import { restrictDataDir } from "@/lib/platform/data-dir";
import { ConfigError, type Env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { checkConnections } from "@/lib/server/check-connections";
import { checkPooler } from "@/lib/server/check-pooler";
import { distributeAdded } from "@/lib/server/distribute";
import { migrate } from "@/lib/server/migrate";
import { prepareReportsRole } from "@/lib/server/reports-role";

/** The URLs of the database: for everything, and for reports. */
export interface DatabaseUrls {
  databaseUrl: string;
  reportsUrl: string;
}

/** Returns the URLs of the configured database. @throws ConfigError when none is configured. */
export function configuredUrls({ DATABASE_URL, REPORTS_DATABASE_URL, DATA_DIR }: Env): DatabaseUrls {
  if (!DATABASE_URL) {
    throw new ConfigError(
      "DATABASE_URL must be set when Next is started alone: set it, or run `npm start`, which includes a database.",
    );
  }
  restrictDataDir(DATA_DIR);
  return { databaseUrl: DATABASE_URL, reportsUrl: REPORTS_DATABASE_URL ?? DATABASE_URL };
}

/**
 * Checks a database and applies pending migrations. Tables that they add to distributed facts are distributed.
 *
 * @param budget the connections that this process may open.
 * @param hasPooler whether a connection pooler is possible.
 * @throws ConfigError when the database cannot be reached, Postgres allows too few connections, a pooler shares
 *   connections between clients, or the report role is not suitable.
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  { budget, hasPooler }: { budget: ConnectionBudget; hasPooler: boolean },
): Promise<void> {
  if (hasPooler) await checkPoolers(urls, budget);
  await checkConnections(urls.databaseUrl, budget);
  const applied = await migrate(urls.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, "migrations applied");
  const distributed = await distributeAdded(urls.databaseUrl);
  if (distributed.length > 0) log.info({ tables: distributed }, "new tables of facts distributed");
  await prepareReportsRole(urls.databaseUrl, urls.reportsUrl);
}

async function checkPoolers({ databaseUrl, reportsUrl }: DatabaseUrls, budget: ConnectionBudget): Promise<void> {
  const { total } = budget;
  const reading = reportConnections(budget);
  if (databaseUrl === reportsUrl) return checkPooler("DATABASE_URL", databaseUrl, total);
  await checkPooler("DATABASE_URL", databaseUrl, total - reading);
  await checkPooler("REPORTS_DATABASE_URL", reportsUrl, reading);
}
