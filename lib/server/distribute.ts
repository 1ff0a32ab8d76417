import type pg from "pg";
import { OperatorError } from "@/lib/platform/errors";
import { withConnection } from "@/lib/platform/pool";
import { migrate } from "@/lib/server/migrate";

/** Distributes the facts over the nodes of Citus, the distributed Postgres. See docs/growing.md. */

const DISTRIBUTION_LOCK = 0x6469_7374;

/** The facts cannot be distributed. The message says why and what to do. */
export class NotDistributed extends OperatorError {}

/**
 * Distributes each table of the schema `facts` by site, so that all facts of a site are on one node. Control tables stay
 * on the coordinator. An empty database is migrated first. A table that is already distributed stays as it is, so an interrupted run continues.
 *
 * @param onTable called with the name of each table after it was distributed.
 * @returns the tables that were distributed, and the number of worker nodes.
 * @throws NotDistributed for a Postgres without Citus or without workers, and while a server is connected.
 */
export function distribute(
  url: string,
  onTable: (name: string) => void = () => {},
): Promise<{ tables: string[]; workers: number }> {
  return withConnection(url, async (client) => {
    const workers = await countWorkers(client);
    await refuseOthers(client);
    await migrate(url);
    return { tables: await distributeMissing(client, onTable), workers };
  });
}

/**
 * Distributes the tables that migrations have added to distributed facts. Processes that start at the same time do it once.
 *
 * @returns their names; none on one node.
 */
export function distributeAdded(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    const { rows: citus } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
    if (citus.length === 0) return [];
    await client.query("SELECT pg_advisory_lock($1)", [DISTRIBUTION_LOCK]);
    const tables = await readTables(client);
    const isComplete = tables.every(({ distributed }) => distributed === tables[0]?.distributed);
    return isComplete ? [] : distributeMissing(client);
  });
}

/** Distributes the tables that are on the coordinator alone. @returns their names. */
async function distributeMissing(client: pg.Client, onTable: (name: string) => void = () => {}): Promise<string[]> {
  const tables = await readTables(client);
  let [together] = tables.filter(({ distributed }) => distributed);
  // Indexes and lookups call them on every node.
  await client.query(
    `SELECT create_distributed_function(oid::regprocedure) FROM pg_proc
     WHERE pronamespace = 'facts'::regnamespace AND provolatile = 'i'`,
  );
  const missing = tables.filter(({ distributed }) => !distributed);
  for (const { name } of missing) {
    // One statement is one transaction.
    await client.query("SELECT create_distributed_table($1::regclass, 'site_id', colocate_with => $2)", [
      name,
      together?.name ?? "none",
    ]);
    together ??= { name, distributed: true };
    onTable(name);
  }
  // The rows that the coordinator had before it copied them to the nodes. Partitions follow their table.
  for (const { name } of tables)
    await client.query("SELECT truncate_local_data_after_distributing_table($1::regclass)", [name]);
  return missing.map(({ name }) => name);
}

async function countWorkers(client: pg.Client): Promise<number> {
  const { rows: extensions } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (extensions.length === 0)
    throw new NotDistributed(
      "DATABASE_URL is not a database of Citus: connect to its coordinator, and run CREATE EXTENSION citus in this database and in the one of the same name on each worker.",
    );
  const { rows } = await client.query("SELECT count(*)::int AS workers FROM citus_get_active_worker_nodes()");
  if (rows[0].workers === 0)
    throw new NotDistributed(
      "Citus has no worker nodes: add them on the coordinator with SELECT citus_add_node('<host>', <port>).",
    );
  return rows[0].workers;
}

/** A server would write to tables of which some are distributed. */
async function refuseOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS others FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
       AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'`,
  );
  if (rows[0].others > 0)
    throw new NotDistributed(`Stop all servers first: the database has ${rows[0].others} other connections.`);
}

/** Returns the tables of the schema `facts`, without partitions. */
async function readTables(client: pg.Client): Promise<{ name: string; distributed: boolean }[]> {
  const { rows } = await client.query(
    `SELECT format('%I.%I', nspname, relname) AS name, logicalrelid IS NOT NULL AS distributed
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid AND partmethod = 'h'
     WHERE nspname = 'facts' AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  return rows;
}
