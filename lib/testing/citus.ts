import { withConnection } from "@/lib/platform/pool";
import { DATABASE_ROLES } from "@/lib/postgres/roles";
import { distribute } from "@/lib/server/distribute";
import { databaseUrl } from "@/lib/testing/template";

/**
 * Databases on a Citus cluster, for `CITUS_URL=postgresql://superuser@coordinator/database npx vitest run …`: then all
 * tests of a run use distributed facts. The nodes must trust connections of this machine.
 */

/** Returns the URLs of the coordinator and of the workers, in databases of this name. */
async function nodesOf(citusUrl: string, database: string): Promise<[string, ...string[]]> {
  const workers = await withConnection(citusUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT node_name AS host, node_port AS port FROM citus_get_active_worker_nodes()",
    );
    return rows;
  });
  const urls = workers.map(({ host, port }) => Object.assign(new URL(citusUrl), { hostname: host, port }));
  return [databaseUrl(citusUrl, database), ...urls.map((url) => databaseUrl(`${url}`, database))];
}

const asRole = (url: string, role: string): string =>
  `${Object.assign(new URL(url), { username: role, password: "" })}`;

export interface CitusDatabase {
  /** The coordinator with the role that owns all tables. */
  url: string;
  /** The same with the role that can only read facts. */
  reportsUrl: string;
}

/** Creates a database with distributed facts on all nodes. */
export async function citusDatabase(citusUrl: string, name: string): Promise<CitusDatabase> {
  const created = await emptyCitusDatabase(citusUrl, name);
  await distribute(created.url);
  return created;
}

/** Creates a database without tables on all nodes. */
export async function emptyCitusDatabase(citusUrl: string, name: string): Promise<CitusDatabase> {
  const nodes = await nodesOf(citusUrl, name);
  for (const node of nodes) {
    await withConnection(databaseUrl(node, "postgres"), async (client) => {
      for (const role of [DATABASE_ROLES.app, DATABASE_ROLES.reports]) {
        const { rows } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
        if (rows.length === 0) await client.query(`CREATE ROLE ${role} LOGIN`);
      }
      await client.query(`ALTER ROLE ${DATABASE_ROLES.reports} SET default_transaction_read_only = on`);
      await client.query(`GRANT ${DATABASE_ROLES.reports} TO ${DATABASE_ROLES.app}`);
      // Tests of deadlocks set it.
      await client.query("GRANT SET ON PARAMETER deadlock_timeout TO PUBLIC");
      await client.query(`CREATE DATABASE ${name} OWNER ${DATABASE_ROLES.app}`);
    });
    await withConnection(node, (client) => client.query("CREATE EXTENSION citus"));
  }
  const [coordinator, ...workers] = nodes;
  await withConnection(coordinator, async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [hostname, Number(port)]);
    for (const worker of workers.map((url) => new URL(url)))
      await client.query("SELECT citus_add_node($1, $2)", [worker.hostname, Number(worker.port)]);
  });
  return { url: asRole(coordinator, DATABASE_ROLES.app), reportsUrl: asRole(coordinator, DATABASE_ROLES.reports) };
}

/** Drops the databases whose names begin with this prefix on all nodes. */
export async function dropCitusDatabases(citusUrl: string, prefix: string): Promise<void> {
  for (const node of await nodesOf(citusUrl, "postgres"))
    await withConnection(node, async (client) => {
      const { rows } = await client.query("SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)", [
        prefix,
      ]);
      for (const { name } of rows) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
}
