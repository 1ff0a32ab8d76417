import { Fault } from "@/lib/platform/errors";
import { openPool, reportsConfig } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { ReportConcurrency } from "@/lib/platform/report-concurrency";
import { type BoundedPool, boundQueries } from "@/lib/platform/report-queries";

/** The maximum duration of a report, and of each of its statements, in milliseconds. */
const REPORT_DEADLINE_MS = 20_000;
/**
 * Report statements of one caller that may run at the same time, so that no caller blocks all others
 * (`report-shares.ts`).
 */
export const REPORTS_OF_ONE_CALLER = 3;

interface OpenReports {
  pool: BoundedPool;
  deadlineMs: number;
}

const state = processWide<{ open?: OpenReports }>("reports", () => ({}));

export interface ReportOptions {
  reportDeadlineMs?: number;
  /** How many report statements of one caller run at the same time. */
  reportsOfOneCaller?: number;
}

/**
 * Opens the read-only pool of reports, whose statements have a deadline.
 *
 * @param cancel cancels the statement of this Postgres process over another connection.
 */
export function openReports(
  url: string,
  limits: { max: number; connectionTimeoutMillis: number },
  { reportDeadlineMs: deadlineMs = REPORT_DEADLINE_MS, reportsOfOneCaller = REPORTS_OF_ONE_CALLER }: ReportOptions,
  cancel: (pid: number) => Promise<unknown>,
): void {
  // Postgres underestimates the rows of report steps, and nested loops over them would run for hours. It also
  // underestimates the cost of passing rows between workers: a high cost makes workers aggregate what they read.
  const settings = { enable_nestloop: "off", parallel_tuple_cost: "0.4" };
  const pool = openPool("reports", { ...reportsConfig(url, deadlineMs, settings), ...limits });
  const concurrency = new ReportConcurrency(limits.max, reportsOfOneCaller);
  state.open = { pool: boundQueries(pool, concurrency, cancel), deadlineMs };
}

/** Forgets the pool, which `closePools` closes. */
export function forgetReports(): void {
  delete state.open;
}

function opened(): OpenReports {
  if (!state.open) throw new Fault("This thread has no connections for reports");
  return state.open;
}

/**
 * The read-only pool for reports: every statement has a deadline, and all statements of a report end with it
 * (`asReport`).
 */
export const reports = (): Pick<BoundedPool, "query"> => opened().pool;
/** Report work besides the statements of `reports()`, under the same concurrency limit. */
export const reportWork = (): Pick<BoundedPool, "inTurn"> => opened().pool;
export const reportDeadlineMs = (): number => opened().deadlineMs;
