import type pg from "pg";
import type { ConnectionBudget } from "@/lib/platform/connections";
import { ConfigError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { withConnection } from "@/lib/platform/pool";

/**
 * Logs the maximum number of connections of this process, how many Postgres allows, how many are open, and for how many
 * processes that is enough.
 *
 * @throws ConfigError when Postgres does not allow enough connections for one process.
 */
export async function checkConnections(url: string, budget: ConnectionBudget): Promise<void> {
  const { setting, allowed, open } = await withConnection(url, readLimit);
  const processes = Math.floor(allowed / budget.total);
  log.info({ connections: budget, allowed, open, processes }, "maximum connections to Postgres");
  if (processes > 0) return;
  throw new ConfigError(
    `Postgres allows ${allowed} connections (${setting}), and each process of Footfall needs up to ${budget.total}: ` +
      `raise the limit to ${budget.total} for each process.`,
  );
}

interface ConnectionLimit {
  /** The setting that sets the limit. */
  setting: string;
  allowed: number;
  /** Open connections of the whole Postgres instance, including other programs. */
  open: number;
}

/** Returns the lowest limit that applies to this role and database. */
async function readLimit(client: pg.Client): Promise<ConnectionLimit> {
  // Limits of roles and databases are -1 when unset; reserved_connections is new in Postgres 16.
  const { rows } = await client.query<ConnectionLimit>(`
    SELECT setting, allowed, (SELECT sum(numbackends)::int FROM pg_stat_database) AS open FROM (
      SELECT 'max_connections - superuser_reserved_connections - reserved_connections' AS setting,
             current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
               - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed
      UNION ALL SELECT format('the CONNECTION LIMIT of role %s', rolname), rolconnlimit
        FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper
      UNION ALL SELECT format('the CONNECTION LIMIT of database %s', datname), datconnlimit
        FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    ) AS limits ORDER BY allowed LIMIT 1`);
  return rows[0] as ConnectionLimit;
}
