import pg from "pg";
import { gauge, THREAD } from "@/lib/platform/metrics";
import { processWide } from "@/lib/platform/process-wide";

/** How long a caller waits for a connection, and for any one answer, before the database counts as away. */
export const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 15_000;

/** The open pools, by their names. */
const open = processWide("pools", () => new Map<string, pg.Pool>());

gauge("footfall_pool_connections", "Connections to Postgres, and callers that wait for one.", "thread|pool|state", () =>
  Object.fromEntries(
    [...open].flatMap(([name, pool]) => {
      const key = `${THREAD}|${name}`;
      const used = pool.totalCount - pool.idleCount;
      return [
        [`${key}|used`, used],
        [`${key}|idle`, pool.idleCount],
        [`${key}|waiting`, pool.waitingCount],
      ];
    }),
  ),
);

/** Opens a pool of connections under a name of this process's own. */
export function openPool(name: string, config: pg.PoolConfig): pg.Pool {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const pool = new pg.Pool({ ...limits, ...config });
  // A connection that breaks, idle or in use, rejects what waits on it and is replaced. Without a listener of its own
  // the event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  open.set(name, pool);
  return pool;
}

/** Works with one connection outside of the pools. */
export async function withConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Closes all that were opened. */
export async function closePools(): Promise<void> {
  const pools = [...open.values()];
  open.clear();
  await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
}

/** Facts, for the writer: no dashboard can make an event wait for a connection. */
export function openIngestPool(url: string, limits: pg.PoolConfig): void {
  const config = { connectionString: url, idleTimeoutMillis: 60_000, pipeline: true };
  openPool("ingest", { ...config, ...limits } as pg.PoolConfig);
}

/** The Postgres process behind each connection for reports. Behind a pooler, `processID` of pg is a number of the pooler's. */
const backends = processWide("backends", () => new WeakMap<pg.ClientBase, number>());

/** The id of the Postgres process that runs the statements of this connection, which `reportsConfig` opened. */
export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client);

/**
 * How connections for reports are opened: they only read, whatever role they have, and nothing on them takes longer than
 * the deadline. A statement sets this before anything else runs, because PgBouncer refuses start-up parameters.
 *
 * @param settings further settings of Postgres by their names.
 */
export function reportsConfig(url: string, deadlineMs: number, settings: Record<string, string> = {}): pg.PoolConfig {
  const all = {
    default_transaction_read_only: "on",
    statement_timeout: `${deadlineMs}`,
    idle_in_transaction_session_timeout: `${deadlineMs}`,
    ...settings,
  };
  return {
    connectionString: url,
    query_timeout: deadlineMs + CONNECT_WITHIN_MS,
    onConnect: (client) => prepareForReports(client, all),
  };
}

async function prepareForReports(client: pg.ClientBase, settings: Record<string, string>): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, count(set_config(name, value, false))
     FROM unnest($1::text[], $2::text[]) AS setting(name, value)`,
    [Object.keys(settings), Object.values(settings)],
  );
  backends.set(client, (rows[0] as { pid: number }).pid);
}

export function ingestPool(): pg.Pool {
  const pool = open.get("ingest");
  if (!pool) throw new Error("openIngestPool() has not run in this process");
  return pool;
}

/** Does something with facts, all or nothing, on one of the writer's connections. */
export async function inIngestTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await ingestPool().connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** Undoes a transaction and gives its connection back; one that is broken is thrown away. */
export const rollBack = (client: pg.PoolClient): Promise<void> =>
  client.query("ROLLBACK").then(
    () => client.release(),
    (broken) => client.release(broken),
  );

// Prisma's and Node's codes for a database that cannot be reached, is full of callers, or went away in the middle;
// and Postgres's classes 08 (connection), 53 (resources), 58 (system) and 57P (shutting down or starting up).
const AWAY_CODES =
  /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037|P2039|ECONN(REFUSED|RESET)|EPIPE|ENOENT|08...|53...|58...|57P..)$/;
/** What Prisma's adapter calls the same when it happens to a raw statement; what it has no name for keeps its code. */
const AWAY_KINDS = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
const AWAY_WORDS =
  /connection terminated|connection error|timeout exceeded when trying to connect|not queryable|query read timeout/i;

interface Meta {
  code?: unknown;
  driverAdapterError?: { cause?: { kind?: unknown; originalCode?: unknown } };
}

/** Whether an error means that the database is away, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code, meta } = cause as { code?: unknown; meta?: Meta };
    if (AWAY_CODES.test(String(code)) || AWAY_CODES.test(String(meta?.code)) || AWAY_WORDS.test(cause.message))
      return true;
    const { kind, originalCode } = meta?.driverAdapterError?.cause ?? {};
    if (AWAY_KINDS.test(String(kind)) || AWAY_CODES.test(String(originalCode))) return true;
  }
  return false;
}

/** Postgres gave up waiting for a lock (55P03), or for two that waited for each other (40P01, Prisma's P2034). */
export function isOutOfTurn(error: unknown): boolean {
  const { code, meta, message } = (error ?? {}) as { code?: unknown; meta?: Meta; message?: unknown };
  if (error instanceof pg.DatabaseError) return /^(55P03|40P01)$/.test(`${code}`);
  // Known by its name, because a thread that only writes does without Prisma.
  if (!(error instanceof Error) || error.name !== "PrismaClientKnownRequestError") return false;
  return code === "P2034" || /55P03|40P01/.test(JSON.stringify([meta, message]));
}
