import { ConfigError, type Env } from "@/lib/env";
import { log } from "@/lib/log";
import { closeDataDir } from "@/lib/platform/data-dir";
import { checkConnections } from "@/lib/server/check-connections";
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
 * @param ownPostgres whether it is the embedded one.
 * @throws ConfigError when Postgres has no room for this process's connections, or the role of reports will not do.
 */
export async function prepareDatabase(urls: DatabaseUrls, ownPostgres: boolean): Promise<void> {
  await checkConnections(urls.databaseUrl, ownPostgres);
  const applied = await migrate(urls.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, "database brought up to date");
  await prepareReportsRole(urls.databaseUrl, urls.reportsUrl);
}
