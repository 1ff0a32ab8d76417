import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type PoolSizes, SINGLE_THREAD } from "@/lib/platform/connections";
import { CONNECT_WITHIN_MS, closePools, openIngestPool, openPool, reportsConfig } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { ReportConcurrency } from "@/lib/platform/report-concurrency";
import { boundQueries, type ReportWork } from "@/lib/platform/report-queries";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** How long a report may take, and Postgres work on one statement of it, in milliseconds. */
const REPORT_DEADLINE_MS = 20_000;
/** Of one caller, so that none ever keeps all others waiting (`report-shares.ts`). */
export const REPORTS_OF_ONE_CALLER = 3;

interface Databases {
  control: PrismaClient;
  /** Null in a thread that answers no reports. */
  forReports: { reports: PrismaClient; work: ReportWork } | null;
  reportDeadlineMs: number;
}

const shelf = processWide<{ open?: Databases }>("databases", () => ({}));

interface Options {
  /** The same database as a role that can only read; by default reports connect as everything else does. */
  reportsUrl?: string;
  connections?: PoolSizes;
  reportDeadlineMs?: number;
  /** How long a caller waits for a connection; tests that keep all processors busy need longer. */
  connectWithinMs?: number;
  /** How many report statements of one caller run at the same time. */
  reportsOfOneCaller?: number;
}

/**
 * Opens this thread's pools on one Postgres. Ingest has its own, so that no dashboard can make an event wait for a
 * connection; reports have their own, which only reads, with a deadline, so that none runs for ever.
 */
export function openDatabase(url: string, options: Options = {}): void {
  const { connections = SINGLE_THREAD, reportDeadlineMs = REPORT_DEADLINE_MS, connectWithinMs } = options;
  const limits = { connectionTimeoutMillis: connectWithinMs ?? CONNECT_WITHIN_MS };
  const control = openPool("control", { ...limits, connectionString: url, max: connections.control });
  openIngestPool(url, { ...limits, max: connections.ingest });
  shelf.open = {
    control: new PrismaClient({ adapter: new PrismaPg(control) }),
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
  // How many rows a step of a report leaves is a guess of Postgres', often far too low: a loop in a loop would have no end.
  // And a row that a worker hands over costs more than it thinks: what workers read they should add up themselves.
  const settings = { enable_nestloop: "off", parallel_tuple_cost: "0.4" };
  const pool = openPool("reports", { ...reportsConfig(reportsUrl, reportDeadlineMs, settings), ...limits });
  const turns = new ReportConcurrency(limits.max, options.reportsOfOneCaller ?? REPORTS_OF_ONE_CALLER);
  const work = boundQueries(pool, turns, (pid) => control.query("SELECT pg_cancel_backend($1)", [pid]));
  return { reports: new PrismaClient({ adapter: new PrismaPg(pool) }), work };
}

export async function closeDatabase(): Promise<void> {
  const { open } = shelf;
  if (!open) return;
  delete shelf.open;
  await Promise.all([open.control.$disconnect(), open.forReports?.reports.$disconnect()]);
  await closePools();
}

function opened(): Databases {
  if (!shelf.open) throw new Error("openDatabase() has not run in this process");
  return shelf.open;
}

function openedReports(): NonNullable<Databases["forReports"]> {
  const { forReports } = opened();
  if (!forReports) throw new Error("This thread was given no connections for reports");
  return forReports;
}

/** People, sites and rights. */
export const db = (): PrismaClient => opened().control;
/** Facts, for reading: every statement has a deadline, and those of one report end together (`asReport`). */
export const reports = (): PrismaClient => openedReports().reports;
/** What reports do by other ways than `reports()`. */
export const reportWork = (): ReportWork => openedReports().work;
export const reportDeadlineMs = (): number => opened().reportDeadlineMs;
