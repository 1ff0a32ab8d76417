import { PrismaPg } from "@prisma/adapter-pg";
import { type PoolSizes, SINGLE_THREAD } from "@/lib/platform/connections";
import { Fault } from "@/lib/platform/errors";
import { CONNECT_WITHIN_MS, closePools, openPools } from "@/lib/platform/pool";
import { processWide } from "@/lib/platform/process-wide";
import { forgetReports, openReports, type ReportOptions } from "@/lib/platform/reports";
import type { Queries } from "@/lib/platform/sql";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** The maximum duration of a transaction in milliseconds, besides waiting for its connection. */
const TRANSACTION_MS = 15_000;

const state = processWide<{ open?: PrismaClient }>("database", () => ({}));

interface Options extends ReportOptions {
  /** The same database with a read-only role; reports use `url` by default. */
  reportsUrl?: string;
  connections?: PoolSizes;
  /** Milliseconds to wait for a connection; tests that keep all CPUs busy need more. */
  connectWithinMs?: number;
}

/** Opens the Postgres pools of this thread. Reports have a read-only pool with a statement deadline. */
export function openDatabase(url: string, options: Options = {}): void {
  const { connections = SINGLE_THREAD, connectWithinMs = CONNECT_WITHIN_MS, reportsUrl = url } = options;
  const limits = { connectionTimeoutMillis: connectWithinMs };
  const control = openPools(url, connections, limits);
  const transactionOptions = { maxWait: connectWithinMs, timeout: connectWithinMs + TRANSACTION_MS };
  state.open = new PrismaClient({ adapter: new PrismaPg(control), transactionOptions });
  openReports(reportsUrl, { ...limits, max: connections.reports }, options, (pid) =>
    control.query("SELECT pg_cancel_backend($1)", [pid]),
  );
}

export async function closeDatabase(): Promise<void> {
  const { open } = state;
  if (!open) return;
  delete state.open;
  forgetReports();
  await open.$disconnect();
  await closePools();
}

/** Prisma client for control data: people, sites, permissions. */
export function db(): PrismaClient {
  if (!state.open) throw new Fault("openDatabase() has not run in this process");
  return state.open;
}

/**
 * Runs statements on facts in a transaction of control data, for a change of a site that deletes facts, and for what it
 * answers about them: it is done with its audit row, or not at all. All other statements on facts go through the pools. The statements cast 64-bit integers,
 * which Prisma and pg return as different types.
 */
export const queriesIn = (tx: Db): Queries => ({
  query: async ({ strings, values }) => ({ rows: await tx.$queryRaw(new Prisma.Sql(strings, values)) }),
});
