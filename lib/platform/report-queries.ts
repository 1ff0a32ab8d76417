import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import pg from "pg";
import { Refusal } from "@/lib/platform/errors";
import { describeError, log } from "@/lib/platform/log";
import { backendOf } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { type ReportConcurrency, TooManyWaiting } from "@/lib/platform/report-concurrency";
import { SERVICE_SHARES, type Shares } from "@/lib/platform/report-shares";
import { reportTime } from "@/lib/platform/report-time";
import { requestSignal } from "@/lib/platform/request-signal";
import type { Sql } from "@/lib/platform/sql";

/** Bounds reports: statements wait for the concurrency limit and are cancelled when the report ends. */

interface Report {
  shares: Shares;
  signal: AbortSignal;
  /** The error of a statement that found its queue full. */
  queueFull?: TooManyWaiting;
}

const current = processWide("report", () => new AsyncLocalStorage<Report>());

interface ReportBounds {
  /** The shares whose statements and report time the report counts towards. */
  shares: Shares;
  /** Starts even when the report time is used up; its time is still charged. */
  overBudget?: boolean;
  deadlineMs: number;
  /** Aborts the report; defaults to the signal of the current HTTP request. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs one report. Its statements that go through `boundQueries` wait for the concurrency limit. They are cancelled at
 * the deadline, when the client disconnects, and when one of them fails.
 *
 * @throws Refusal `rate_limited` when the report time of its caller is used up, `unavailable` at the deadline and when
 *   too many statements of its caller are waiting.
 */
export async function asReport<T>(
  { shares, overBudget = false, deadlineMs, signal = requestSignal() }: ReportBounds,
  work: () => Promise<T>,
): Promise<T> {
  if (!overBudget) reportTime().refuseSpent(shares);
  const ending = new AbortController();
  // Every statement of the report listens, and a report may have dozens.
  setMaxListeners(0, ending.signal);
  const end = () => ending.abort();
  const timer = setTimeout(end, deadlineMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  const report: Report = { shares, signal: ending.signal };
  try {
    return await current.run(report, work);
  } catch (error) {
    if (report.queueFull) throw tooMany(report.queueFull);
    throw ending.signal.aborted || isOverdue(error) ? overdue(deadlineMs) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    end();
  }
}

const overdue = (deadlineMs: number) =>
  new Refusal(
    "unavailable",
    `This report took longer than ${Math.ceil(deadlineMs / 1000)} seconds; ask for a shorter range, fewer dimensions, or a filter of fewer values, or repeat the call later.`,
    undefined,
    10,
  );
const tooMany = ({ shareName }: TooManyWaiting) =>
  new Refusal(
    "unavailable",
    `Too many reports of ${shareName} are waiting; repeat the call when some of them are done.`,
    undefined,
    5,
  );

/** Postgres ended the statement at its own deadline. */
const isOverdue = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "57014";

/** The pool of reports, and their work besides its statements, with the same concurrency limit and cancellation. */
export interface BoundedPool {
  query<Row extends pg.QueryResultRow>(statement: Sql | pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** Runs `work` outside of the pool, as one statement, until the signal is aborted. */
  inTurn<Result>(work: (signal?: AbortSignal) => Promise<Result>): Promise<Result>;
}

/**
 * Puts the statements of a pool under a concurrency limit and makes them cancellable.
 *
 * @param cancel cancels the statement of this Postgres process over another connection.
 */
export function boundQueries(
  pool: pg.Pool,
  limit: ReportConcurrency,
  cancel: (pid: number) => Promise<unknown>,
): BoundedPool {
  const inTurn: BoundedPool["inTurn"] = async (work) => {
    const report = current.getStore();
    const shares = report?.shares ?? SERVICE_SHARES;
    await limit.acquire(shares, report?.signal).catch((error) => {
      if (report && error instanceof TooManyWaiting) report.queueFull = error;
      throw error;
    });
    const began = performance.now();
    try {
      return await work(report?.signal);
    } finally {
      limit.release(shares);
      reportTime().charge(shares, performance.now() - began);
    }
  };
  return {
    query: (statement) => inTurn(async (signal) => runOn(await pool.connect(), statement, signal, cancel)),
    inTurn,
  };
}

const notCancelled = (error: unknown) =>
  log.warn(describeError(error), "the statement of a report runs on to its deadline: it could not be cancelled");

/** Discards a connection after a cancellation: a late signal could cancel the next statement on it. */
async function runOn<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  statement: Sql | pg.QueryConfig,
  signal: AbortSignal | undefined,
  cancel: (pid: number) => Promise<unknown>,
): Promise<pg.QueryResult<Row>> {
  let cancelling: Promise<unknown> | null = null;
  const backend = backendOf(client);
  const stop = () => {
    cancelling = backend ? cancel(backend).catch(notCancelled) : Promise.resolve();
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    return await client.query<Row>(statement);
  } finally {
    signal?.removeEventListener("abort", stop);
    await cancelling;
    client.release(cancelling !== null);
  }
}
