import type pg from "pg";
import type { ConnectionBudget } from "@/lib/platform/connections";
import { ConfigError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { withConnection } from "@/lib/platform/pool";

/**
 * Prints how many connections this process opens at most, how many Postgres allows and how many are open, and how many
 * processes it has room for.
 *
 * @throws ConfigError when Postgres does not allow enough for one process, whatever else is connected to it.
 */
export async function checkConnections(url: string, budget: ConnectionBudget): Promise<void> {
  const { setting, allowed, open } = await withConnection(url, readLimit);
  const processes = Math.floor(allowed / budget.total);
  log.info({ connections: budget, allowed, open, processes }, "connections to Postgres at most");
  if (processes > 0) return;
  throw new ConfigError(
    `Postgres allows ${allowed} connections (${setting}), and each process of Footfall needs up to ${budget.total}: ` +
      `raise the limit to ${budget.total} for each process.`,
  );
}

interface Limit {
  /** Where the limit is set. */
  setting: string;
  allowed: number;
  /** How many connections the whole Postgres has at the moment, also those of other programs. */
  open: number;
}

/** The narrowest of the limits that apply to this role and database. */
async function readLimit(client: pg.Client): Promise<Limit> {
  // Limits of a role or a database are -1 where there are none; reserved_connections is new in Postgres 16.
  const { rows } = await client.query<Limit>(`
    SELECT setting, allowed, (SELECT sum(numbackends)::int FROM pg_stat_database) AS open FROM (
      SELECT 'max_connections - superuser_reserved_connections - reserved_connections' AS setting,
             current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
               - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed
      UNION ALL SELECT format('the CONNECTION LIMIT of role %s', rolname), rolconnlimit
        FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper
      UNION ALL SELECT format('the CONNECTION LIMIT of database %s', datname), datconnlimit
        FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    ) AS limits ORDER BY allowed LIMIT 1`);
  return rows[0] as Limit;
}
