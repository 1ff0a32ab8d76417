import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { gauge, THREAD } from "@/lib/metrics/registry";
import { processWide } from "@/lib/process-wide";
import { boundQueries, type ReportWork } from "@/lib/report-queries";
import { ReportTurns } from "@/lib/report-turns";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** How long a report may take, and Postgres work on one statement of it, in milliseconds. */
const REPORT_DEADLINE_MS = 20_000;
const REPORT_CONNECTIONS = 6;
/** Of one site: the dashboards of one never keep all others waiting. */
export const REPORTS_OF_ONE_SITE = 4;
/** A dashboard asks some forty statements; beyond ten of them at once the last would not be in time. */
const REPORTS_WAITING = 400;
/** How long a caller waits for a connection, and for any one answer, before the database counts as away. */
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 15_000;

interface Databases {
  pools: pg.Pool[];
  control: PrismaClient;
  reports: PrismaClient;
  reportWork: ReportWork;
  ingest: pg.Pool;
  reportDeadlineMs: number;
}

const shelf = processWide<{ open?: Databases }>("databases", () => ({}));

/**
 * Opens this process's three pools on one Postgres. Ingest has its own, so that no dashboard can make an
 * event wait for a connection; reports have their own with a deadline, so that none runs for ever.
 *
 * @param options.reportingProcess told the id of each process that Postgres, wherever it runs, has for reports.
 * @param options.reportsOfOneSite how many report statements of one site run at the same time.
 */
export function openDatabase(
  url: string,
  {
    reportDeadlineMs = REPORT_DEADLINE_MS,
    reportingProcess = (_: number): unknown => null,
    reportsOfOneSite = REPORTS_OF_ONE_SITE,
  } = {},
): void {
  const control = openPool(url, { max: 10 });
  const reports = openPool(url, {
    max: REPORT_CONNECTIONS,
    statement_timeout: reportDeadlineMs,
    query_timeout: reportDeadlineMs + CONNECT_WITHIN_MS,
    // How many rows a step of a report leaves is a guess of Postgres', often far too low: a loop in a loop would have no end.
    // And a row that a worker hands over costs more than it thinks: what workers read they should add up themselves.
    options: "-c enable_nestloop=off -c parallel_tuple_cost=0.4",
  });
  reports.on("connect", (client) => {
    const { processID } = client as { processID?: number };
    if (processID) reportingProcess(processID);
  });
  const turns = new ReportTurns(REPORT_CONNECTIONS, reportsOfOneSite, REPORTS_WAITING);
  const reportWork = boundQueries(reports, turns, (pid) => control.query("SELECT pg_cancel_backend($1)", [pid]));
  const ingest = openPool(url, { max: 6, idleTimeoutMillis: 60_000, pipeline: true } as pg.PoolConfig);
  shelf.open = {
    pools: [control, reports, ingest],
    control: new PrismaClient({ adapter: new PrismaPg(control) }),
    reports: new PrismaClient({ adapter: new PrismaPg(reports) }),
    reportWork,
    ingest,
    reportDeadlineMs,
  };
}

const POOLS = ["control", "reports", "ingest"];
gauge("footfall_pool_connections", "Connections to Postgres, and callers that wait for one.", "thread|pool|state", () =>
  Object.fromEntries(
    (shelf.open?.pools ?? []).flatMap((pool, index) => {
      const key = `${THREAD}|${POOLS[index]}`;
      const used = pool.totalCount - pool.idleCount;
      return [
        [`${key}|used`, used],
        [`${key}|idle`, pool.idleCount],
        [`${key}|waiting`, pool.waitingCount],
      ];
    }),
  ),
);

function openPool(connectionString: string, more: pg.PoolConfig): pg.Pool {
  const limits = { connectionTimeoutMillis: CONNECT_WITHIN_MS, query_timeout: ANSWER_WITHIN_MS };
  const pool = new pg.Pool({ connectionString, ...limits, ...more });
  // A connection that breaks, idle or in use, rejects what waits on it and is replaced. Without a listener of its own
  // the event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

export async function closeDatabase(): Promise<void> {
  const { open } = shelf;
  if (!open) return;
  delete shelf.open;
  await Promise.all([open.control.$disconnect(), open.reports.$disconnect()]);
  await Promise.all(open.pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
}

function opened(): Databases {
  if (!shelf.open) throw new Error("openDatabase() has not run in this process");
  return shelf.open;
}

/** People, sites and rights. */
export const db = (): PrismaClient => opened().control;
/** Facts, for reading: every statement has a deadline, and those of one report end together (`asReport`). */
export const reports = (): PrismaClient => opened().reports;
/** What reports do by other ways than `reports()`. */
export const reportWork = (): ReportWork => opened().reportWork;
export const reportDeadlineMs = (): number => opened().reportDeadlineMs;
/** Facts, for the writer. */
export const ingestPool = (): pg.Pool => opened().ingest;

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
    await client.query("ROLLBACK").then(
      () => client.release(),
      (broken) => client.release(broken),
    );
    throw error;
  }
}

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
export const isOutOfTurn = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? /^(55P03|40P01)$/.test(error.code ?? "")
    : error instanceof Prisma.PrismaClientKnownRequestError &&
      (error.code === "P2034" || /55P03|40P01/.test(JSON.stringify([error.meta, error.message])));
