import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import type pg from "pg";
import { askerGone } from "@/lib/asker";
import { Refusal } from "@/lib/contract/errors";
import { processWide } from "@/lib/process-wide";
import { type ReportTurns, TooManyWaiting } from "@/lib/report-turns";

/** Reports end in time: their statements take turns, and none goes on that nobody waits for. */

interface Report {
  siteId: number;
  signal: AbortSignal;
  /** The queue was full for one of its statements. */
  turnedAway?: boolean;
}

const current = processWide("report", () => new AsyncLocalStorage<Report>());
/** What no report asks, such as the look of a page at a site's last event, counts as one site's. */
const NO_SITE = 0;

export interface Bounds {
  siteId: number;
  deadlineMs: number;
  /** Aborted when the caller goes away; of a request that is being answered that is known without it. */
  gone?: AbortSignal | undefined;
}

/**
 * Answers one report. Its statements, and only those that it asks by way of `boundQueries`, wait for their turns and are
 * cancelled at its deadline, when its caller goes away, and as soon as one of them fails.
 *
 * @throws Refusal `unavailable` at the deadline, and when its site has too many statements waiting.
 */
export async function asReport<T>(
  { siteId, deadlineMs, gone = askerGone() }: Bounds,
  work: () => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  // Every statement of the report listens, and a report may have dozens.
  setMaxListeners(0, ending.signal);
  const end = () => ending.abort();
  const timer = setTimeout(end, deadlineMs);
  gone?.addEventListener("abort", end, { once: true });
  if (gone?.aborted) end();
  const report: Report = { siteId, signal: ending.signal };
  try {
    // Waited for within it: statements of Prisma's begin only then, and would else be nobody's.
    return await current.run(report, async () => await work());
  } catch (error) {
    if (report.turnedAway) throw tooMany();
    throw ending.signal.aborted || isOverdue(error) ? overdue(deadlineMs) : error;
  } finally {
    clearTimeout(timer);
    gone?.removeEventListener("abort", end);
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
const tooMany = () =>
  new Refusal(
    "unavailable",
    "Too many reports of this site are being answered at once; repeat the call when some of them are done.",
    undefined,
    5,
  );

/** Postgres ended the statement at its own deadline (57014). */
function isOverdue(error: unknown): boolean {
  const meta = (error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } } | null)?.meta;
  return meta?.driverAdapterError?.cause?.originalCode === "57014";
}

type Query = (...args: unknown[]) => Promise<unknown>;

/** What reports do besides statements of the pool's, in turn with them and ended with them. */
export interface ReportWork {
  /** Works with a connection, as one statement does. */
  lend<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result>;
  /** Works elsewhere, until the signal is aborted. */
  inTurn<Result>(work: (signal?: AbortSignal) => Promise<Result>): Promise<Result>;
}

/**
 * Lets the statements of a pool take turns and be cancelled. What runs in transactions has connections of its own.
 *
 * @param cancel ends what the backend of this process id runs, by another connection.
 */
export function boundQueries(pool: pg.Pool, turns: ReportTurns, cancel: (pid: number) => Promise<unknown>): ReportWork {
  const inTurn: ReportWork["inTurn"] = async (work) => {
    const report = current.getStore();
    const siteId = report?.siteId ?? NO_SITE;
    await turns.take(siteId, report?.signal).catch((error) => {
      if (report && error instanceof TooManyWaiting) report.turnedAway = true;
      throw error;
    });
    try {
      return await work(report?.signal);
    } finally {
      turns.give(siteId);
    }
  };
  const lend: ReportWork["lend"] = (work) =>
    inTurn(async (signal) => runOn(await pool.connect(), work, signal, cancel));
  const run: Query = (...args) => lend((client) => (client.query as Query)(...args));
  pool.query = run as typeof pool.query;
  return { lend, inTurn };
}

/** A connection on which something was cancelled is not used again: a late signal would end another's statement. */
async function runOn<Result>(
  client: pg.PoolClient,
  work: (client: pg.ClientBase) => Promise<Result>,
  signal: AbortSignal | undefined,
  cancel: (pid: number) => Promise<unknown>,
): Promise<Result> {
  let cancelling: Promise<unknown> | null = null;
  const { processID } = client as { processID?: number };
  const stop = () => {
    cancelling = processID ? cancel(processID).catch(() => {}) : Promise.resolve();
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    return await work(client);
  } finally {
    signal?.removeEventListener("abort", stop);
    await cancelling;
    client.release(cancelling !== null);
  }
}
