import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type PoolSizes, SINGLE_THREAD } from "@/lib/platform/connections";
import { Fault } from "@/lib/platform/errors";
import { CONNECT_WITHIN_MS, closePools, openIngestPool, openPool, reportsConfig } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { ReportConcurrency } from "@/lib/platform/report-concurrency";
import { boundQueries, type ReportWork } from "@/lib/platform/report-queries";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** The maximum duration of a transaction in milliseconds, besides waiting for its connection. */
const TRANSACTION_MS = 15_000;
/** The maximum duration of a report, and of each of its statements, in milliseconds. */
const REPORT_DEADLINE_MS = 20_000;
/**
 * Report statements of one caller that may run at the same time, so that no caller blocks all others
 * (`report-shares.ts`).
 */
export const REPORTS_OF_ONE_CALLER = 3;

interface Databases {
  control: PrismaClient;
  /** Null in a thread without report connections. */
  forReports: { reports: PrismaClient; work: ReportWork } | null;
  reportDeadlineMs: number;
}

const state = processWide<{ open?: Databases }>("databases", () => ({}));

interface Options {
  /** The same database with a read-only role; reports use `url` by default. */
  reportsUrl?: string;
  connections?: PoolSizes;
  reportDeadlineMs?: number;
  /** Milliseconds to wait for a connection; tests that keep all CPUs busy need more. */
  connectWithinMs?: number;
  /** How many report statements of one caller run at the same time. */
  reportsOfOneCaller?: number;
}

/**
 * Opens the Postgres pools of this thread. Ingest has its own pool, so that dashboards never delay an event. Reports
 * have a read-only pool with a statement deadline.
 */
export function openDatabase(url: string, options: Options = {}): void {
  const { connections = SINGLE_THREAD, reportDeadlineMs = REPORT_DEADLINE_MS } = options;
  const { connectWithinMs = CONNECT_WITHIN_MS } = options;
  const limits = { connectionTimeoutMillis: connectWithinMs };
  const transactionOptions = { maxWait: connectWithinMs, timeout: connectWithinMs + TRANSACTION_MS };
  const control = openPool("control", { ...limits, connectionString: url, max: connections.control });
  openIngestPool(url, { ...limits, max: connections.ingest });
  state.open = {
    control: new PrismaClient({ adapter: new PrismaPg(control), transactionOptions }),
    forReports:
      connections.reports > 0 ? openReports(url, control, { ...limits, max: connections.reports }, options) : null,
    reportDeadlineMs,
  };
}

function openReports(
  url: string,
  control: pg.Pool,
  limits: { max: number },
  options: Options,
): Databases["forReports"] {
  const { reportsUrl = url, reportDeadlineMs = REPORT_DEADLINE_MS } = options;
  // Postgres underestimates the rows of report steps, and nested loops over them would run for hours. It also
  // underestimates the cost of passing rows between workers: a high cost makes workers aggregate what they read.
  const settings = { enable_nestloop: "off", parallel_tuple_cost: "0.4" };
  const pool = openPool("reports", { ...reportsConfig(reportsUrl, reportDeadlineMs, settings), ...limits });
  const concurrency = new ReportConcurrency(limits.max, options.reportsOfOneCaller ?? REPORTS_OF_ONE_CALLER);
  const work = boundQueries(pool, concurrency, (pid) => control.query("SELECT pg_cancel_backend($1)", [pid]));
  return { reports: new PrismaClient({ adapter: new PrismaPg(pool) }), work };
}

export async function closeDatabase(): Promise<void> {
  const { open } = state;
  if (!open) return;
  delete state.open;
  await Promise.all([open.control.$disconnect(), open.forReports?.reports.$disconnect()]);
  await closePools();
}

function opened(): Databases {
  if (!state.open) throw new Fault("openDatabase() has not run in this process");
  return state.open;
}

function openedReports(): NonNullable<Databases["forReports"]> {
  const { forReports } = opened();
  if (!forReports) throw new Fault("This thread has no connections for reports");
  return forReports;
}

/** Prisma client for control data: people, sites, permissions. */
export const db = (): PrismaClient => opened().control;
/**
 * Read-only Prisma client for reports: every statement has a deadline, and all statements of a report end with it
 * (`asReport`).
 */
export const reports = (): PrismaClient => openedReports().reports;
/** Report work besides the statements of `reports()`, under the same concurrency limit. */
export const reportWork = (): ReportWork => openedReports().work;
export const reportDeadlineMs = (): number => opened().reportDeadlineMs;
