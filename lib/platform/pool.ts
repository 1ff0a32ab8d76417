import pg from "pg";
import type { PoolSizes } from "@/lib/platform/connections";
import { Fault } from "@/lib/platform/errors";
import { counter, gauge, THREAD } from "@/lib/platform/metrics";
import { processWide } from "@/lib/platform/process-wide";

/** Milliseconds to wait for a connection and for one result, before the database counts as unavailable. */
export const CONNECT_WITHIN_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

/** The open pools by name. */
const open = processWide("pools", () => new Map<string, pg.Pool>());

gauge("footfall_pool_connections", "Connections to Postgres, and callers waiting for one.", "thread|pool|state", () =>
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

/** Opens a pool of connections. @param name unique in this process. */
export function openPool(name: string, config: pg.PoolConfig): pg.Pool {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: QUERY_TIMEOUT_MS };
  const pool = new pg.Pool({ ...limits, ...config });
  surviveLostConnections(pool);
  open.set(name, pool);
  return pool;
}

const LOST = counter({
  name: "footfall_pool_lost_total",
  help: "Connections to Postgres that broke while they were idle.",
});

/** A broken connection rejects its queries and is replaced; without listeners its error event would end the process. */
function surviveLostConnections(pool: pg.Pool): void {
  pool.on("error", () => LOST.inc());
  pool.on("connect", (client) => client.on("error", () => {}));
}

/** Opens a pool whose connections refuse writes, whatever their role. By a statement, as in `reportsConfig`. */
export function readingPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    onConnect: (client) => client.query("SET default_transaction_read_only = on"),
  });
  surviveLostConnections(pool);
  return pool;
}

/** Runs `work` with a new connection outside of the pools. */
export async function withConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection rejects its queries. Without a listener the error event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Closes all open pools. */
export async function closePools(): Promise<void> {
  const pools = [...open.values()];
  open.clear();
  await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
}

/**
 * Opens the pools of control data and of the event writer, which has its own so that dashboards never delay an event.
 *
 * @returns the pool of control data.
 */
export function openPools(url: string, sizes: Pick<PoolSizes, "control" | "ingest">, limits: pg.PoolConfig = {}) {
  const ingest = { ...limits, connectionString: url, max: sizes.ingest, idleTimeoutMillis: 60_000, pipeline: true };
  openPool("ingest", ingest as pg.PoolConfig);
  return openPool("control", { ...limits, connectionString: url, max: sizes.control });
}

/** The Postgres process of each report connection. Behind a pooler, `processID` of pg is a number of the pooler. */
const backends = processWide("backends", () => new WeakMap<pg.ClientBase, number>());

/** Returns the id of the Postgres process of a connection that was opened with `reportsConfig`. */
export const backendOf = (client: pg.ClientBase): number | undefined => backends.get(client);

/**
 * Returns the pool configuration of report connections: read-only whatever their role, with a statement timeout. The
 * settings are applied by a statement on connect, because PgBouncer refuses startup parameters.
 *
 * @param settings additional Postgres settings by name.
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

function opened(name: string): pg.Pool {
  const pool = open.get(name);
  if (!pool) throw new Fault("The pools are not open in this thread");
  return pool;
}

/** The pool of the event writer, and of whatever else writes facts. */
export const ingestPool = (): pg.Pool => opened("ingest");
/** The pool of control data, for code that runs in the ingest worker, which does not load Prisma. */
export const controlPool = (): pg.Pool => opened("control");

/** Runs `work` in a transaction on a connection of the ingest pool. */
export const inIngestTransaction = <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> =>
  inTransaction(ingestPool(), work);

/** Runs `work` in a transaction on a connection of the pool. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
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

/** Rolls back a transaction and releases its connection; a broken connection is discarded. */
export const rollBack = (client: pg.PoolClient): Promise<void> =>
  client.query("ROLLBACK").then(
    () => client.release(),
    (broken) => client.release(broken),
  );

// Codes of Prisma and Node for a database that is unreachable, out of connections or disconnected, and the Postgres
// classes 08 (connection), 53 (resources), 58 (system) and 57P (shutting down or starting up).
const UNAVAILABLE_CODES =
  /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037|P2039|ECONN(REFUSED|RESET)|EPIPE|ENOENT|08...|53...|58...|57P..)$/;
/** The same errors of raw statements, by the names of Prisma's adapter; errors without a name keep their code. */
const UNAVAILABLE_KINDS = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
const UNAVAILABLE_MESSAGES =
  /connection terminated|connection error|timeout exceeded when trying to connect|not queryable|query read timeout/i;

interface Meta {
  code?: unknown;
  driverAdapterError?: { cause?: { kind?: unknown; originalCode?: unknown } };
}

/** Returns whether an error means that the database is unavailable, not that it refused a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code, meta } = cause as { code?: unknown; meta?: Meta };
    if (
      UNAVAILABLE_CODES.test(String(code)) ||
      UNAVAILABLE_CODES.test(String(meta?.code)) ||
      UNAVAILABLE_MESSAGES.test(cause.message)
    )
      return true;
    const { kind, originalCode } = meta?.driverAdapterError?.cause ?? {};
    if (UNAVAILABLE_KINDS.test(String(kind)) || UNAVAILABLE_CODES.test(String(originalCode))) return true;
  }
  return false;
}

/** Returns whether an error is a lock timeout (55P03) or a deadlock (40P01, P2034 of Prisma). */
export function isLockConflict(error: unknown): boolean {
  const { code, meta, message } = (error ?? {}) as { code?: unknown; meta?: Meta; message?: unknown };
  if (error instanceof pg.DatabaseError) return /^(55P03|40P01)$/.test(`${code}`);
  // Checked by name, because the ingest thread does not load Prisma.
  if (!(error instanceof Error) || error.name !== "PrismaClientKnownRequestError") return false;
  return code === "P2034" || /55P03|40P01/.test(JSON.stringify([meta, message]));
}
