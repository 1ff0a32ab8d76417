import { connectionBudget } from "@/lib/connections";
import { ConfigError } from "@/lib/env";
import { log } from "@/lib/log";
import { withConnection } from "@/lib/pool";

/**
 * Prints how many connections this process opens at most.
 *
 * @param ownPostgres whether it is the embedded one.
 * @throws ConfigError when Postgres does not allow as many, whatever else is connected to it.
 */
export async function checkConnections(url: string, ownPostgres: boolean): Promise<void> {
  const budget = connectionBudget(ownPostgres);
  const limit = await withConnection(url, async (client) => {
    // Limits of a role or a database are -1 where there are none; reserved_connections is new in Postgres 16.
    const { rows } = await client.query<{ setting: string; allowed: number }>(`
      SELECT * FROM (
        SELECT 'max_connections - superuser_reserved_connections - reserved_connections' AS setting,
               current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                 - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed
        UNION ALL SELECT format('the CONNECTION LIMIT of role %s', rolname), rolconnlimit
          FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper
        UNION ALL SELECT format('the CONNECTION LIMIT of database %s', datname), datconnlimit
          FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
      ) AS limits ORDER BY allowed LIMIT 1`);
    return rows[0] as { setting: string; allowed: number };
  });
  log.info({ connections: budget, allowed: limit.allowed }, "connections to Postgres at most");
  if (limit.allowed >= budget.total) return;
  throw new ConfigError(
    `Postgres allows ${limit.allowed} connections (${limit.setting}) and each process of Footfall needs up to ${budget.total}: raise the limit.`,
  );
}
