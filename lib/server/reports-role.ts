import { ConfigError } from "@/lib/platform/env";
import { withConnection } from "@/lib/platform/pool";

/** Tables outside of the schema `facts` that reports read. */
const ALSO_READ = ["exchange_rate", "search_day", "search_number"];

/**
 * Grants the report role read access to the schema `facts`, including tables that are added later.
 *
 * @param url the database with the role that owns the tables.
 * @param reportsUrl the database with the report role; nothing happens when both are the same.
 * @throws ConfigError when the report role may change data, or its statements cannot be cancelled.
 */
export async function prepareReportsRole(url: string, reportsUrl: string): Promise<void> {
  if (url === reportsUrl) return;
  const role = await withConnection(reportsUrl, async (client) => {
    const { rows } = await client.query("SELECT current_user AS role");
    return rows[0].role as string;
  });
  await withConnection(url, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*) FILTER (WHERE NOT has_table_privilege($1, oid, 'SELECT'))::int AS unreadable,
              bool_or(has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS may_write,
              pg_has_role(current_user, $1, 'USAGE') AS may_cancel, current_user AS owner
       FROM pg_class WHERE relkind IN ('r', 'p')
         AND (relnamespace = 'facts'::regnamespace OR oid = ANY($2::text[]::regclass[]))`,
      [role, ALSO_READ],
    );
    const [{ unreadable, may_write, may_cancel, owner }] = rows;
    const name = client.escapeIdentifier(role);
    if (may_write)
      throw new ConfigError(`REPORTS_DATABASE_URL: the role ${role} can change data; use a role that can only read.`);
    if (!may_cancel)
      throw new ConfigError(
        `REPORTS_DATABASE_URL: ${owner} cannot cancel the statements of ${role}; run: GRANT ${name} TO ${client.escapeIdentifier(owner)}`,
      );
    if (unreadable === 0) return;
    const also = ALSO_READ.map((table) => `GRANT SELECT ON ${table} TO ${name};`).join("\n");
    await client.query(`
      GRANT USAGE ON SCHEMA facts TO ${name};
      GRANT SELECT ON ALL TABLES IN SCHEMA facts TO ${name};
      ALTER DEFAULT PRIVILEGES IN SCHEMA facts GRANT SELECT ON TABLES TO ${name};
      ${also}`);
  });
}
