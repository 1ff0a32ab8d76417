import pg from "pg";
import { SINGLE_THREAD } from "@/lib/platform/connections";
import { ConfigError } from "@/lib/platform/env";
import { CONNECT_WITHIN_MS } from "@/lib/platform/pool";

/** The maximum number of connections of a command. */
const CONNECTIONS_OF_A_COMMAND = Object.values(SINGLE_THREAD).reduce((sum, size) => sum + size, 0);

/**
 * Refuses a database that cannot be reached, and a connection pooler that shares one Postgres connection between several
 * clients. Footfall needs session state: settings, prepared statements, locks, and process ids for cancelling statements.
 *
 * @param variable the environment variable that holds `url`, for the error message.
 * @param connections the maximum number of connections of this process with `url`.
 * @throws ConfigError when nothing can connect, and when the pooler shares connections or provides fewer than this
 *   process needs.
 */
export async function checkPooler(
  variable: string,
  url: string,
  connections = CONNECTIONS_OF_A_COMMAND,
): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    const backends = new Set<number>();
    while (clients.length < connections) {
      const backend = await connectTo(url, clients).catch((error: Error) => {
        if (clients.length < 2) throw unreachable(variable, error);
        throw tooSmall(variable, clients.length - 1, connections, error.message);
      });
      // Without a pooler, the process id that a new client receives is the id of the process that runs its statements.
      if (backend === (clients[0] as { processID?: number }).processID) return;
      if (backends.has(backend)) throw sharing(variable, connections);
      backends.add(backend);
    }
    // In reverse order, because a round-robin pooler with one connection per client would pass in the same order.
    const order = [...backends];
    for (const [index, client] of [...clients.entries()].reverse()) {
      if ((await pooledBackend(client)) !== order[index]) throw sharing(variable, connections);
    }
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Refuses a database that cannot be reached. @throws ConfigError */
export async function checkReachable(variable: string, url: string): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    await connectTo(url, clients);
  } catch (error) {
    throw unreachable(variable, error as Error);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Adds a client to `clients`. @returns the id of its Postgres process. */
async function connectTo(url: string, clients: pg.Client[]): Promise<number> {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: CONNECT_WITHIN_MS };
  const client = new pg.Client({ connectionString: url, ...limits });
  // A lost connection rejects its pending statement; without a listener the error event would end the process.
  client.on("error", () => {});
  clients.push(client);
  await client.connect();
  return pooledBackend(client);
}

async function pooledBackend(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return (rows[0] as { pid: number }).pid;
}

/** Node reports a name with several addresses as several errors. */
function unreachable(variable: string, error: Error): ConfigError {
  const [cause = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  return new ConfigError(
    `${variable} cannot be used (${cause.message}): check that Postgres runs there, and the user, password and database ` +
      "of the URL.",
  );
}

const advice = (connections: number) =>
  `Connect to Postgres directly, or through a pooler in session mode that has ${connections} connections to Postgres for ` +
  `each process like this one (PgBouncer: pool_mode = session, default_pool_size = ${connections} × processes).`;

const sharing = (variable: string, connections: number) =>
  new ConfigError(
    `${variable} leads to a connection pooler in transaction or statement mode, where clients share connections to Postgres. ` +
      "Footfall needs its own connections for prepared statements, settings, locks and cancelled reports. " +
      advice(connections),
  );

const tooSmall = (variable: string, given: number, connections: number, reason: string) =>
  new ConfigError(
    `${variable} leads to a connection pooler that gave this process ${given} of ${connections} connections (${reason}). ${advice(connections)}`,
  );
