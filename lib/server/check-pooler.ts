import pg from "pg";
import { SINGLE_THREAD } from "@/lib/platform/connections";
import { ConfigError } from "@/lib/platform/env";
import { CONNECT_WITHIN_MS } from "@/lib/platform/pool";

/** What a command opens at most. */
const CONNECTIONS_OF_A_COMMAND = Object.values(SINGLE_THREAD).reduce((sum, size) => sum + size, 0);

/**
 * Refuses a connection pooler that shares one Postgres connection between several clients. Footfall keeps state in its
 * connections: settings, prepared statements, locks, and the ids of processes whose statements it cancels.
 *
 * @param variable the environment variable that holds `url`, for the message.
 * @param connections how many this process opens with `url` at most.
 * @throws ConfigError when the pooler shares connections, or has fewer than this process needs.
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
        throw clients.length < 2 ? error : tooSmall(variable, clients.length - 1, connections, error.message);
      });
      // Only Postgres itself tells a new client the id of the process that will run its statements.
      if (backend === (clients[0] as { processID?: number }).processID) return;
      if (backends.has(backend)) throw sharing(variable, connections);
      backends.add(backend);
    }
    // In the reverse order, because a pooler may hand out its connections in turn, and have as many as there are clients.
    const order = [...backends];
    for (const [index, client] of [...clients.entries()].reverse()) {
      if ((await backendOf(client)) !== order[index]) throw sharing(variable, connections);
    }
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** Adds a client to `clients`. @returns the id of the Postgres process that answers it. */
async function connectTo(url: string, clients: pg.Client[]): Promise<number> {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: CONNECT_WITHIN_MS };
  const client = new pg.Client({ connectionString: url, ...limits });
  // A connection that ends early rejects the statement that waits on it; without a listener it would end the process.
  client.on("error", () => {});
  clients.push(client);
  await client.connect();
  return backendOf(client);
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return (rows[0] as { pid: number }).pid;
}

const wayOut = (connections: number) =>
  `Connect to Postgres directly, or through a pooler in session mode that has ${connections} connections to Postgres for ` +
  `each process like this one (PgBouncer: pool_mode = session, default_pool_size = ${connections} × processes).`;

const sharing = (variable: string, connections: number) =>
  new ConfigError(
    `${variable} leads to a connection pooler in transaction or statement mode, where clients share connections to Postgres. ` +
      "Footfall needs connections of its own for its prepared statements, settings, locks and cancelled reports. " +
      wayOut(connections),
  );

const tooSmall = (variable: string, given: number, connections: number, reason: string) =>
  new ConfigError(
    `${variable} leads to a connection pooler that gave this process ${given} of ${connections} connections (${reason}). ${wayOut(connections)}`,
  );
