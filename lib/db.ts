import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { processWide } from "@/lib/process-wide";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** How long one report statement may run before Postgres cancels it, in milliseconds. */
export const REPORT_DEADLINE_MS = 20_000;

interface Databases {
  control: PrismaClient;
  reports: PrismaClient;
  ingest: pg.Pool;
}

const shelf = processWide<{ open?: Databases }>("databases", () => ({}));

/**
 * Opens this process's three pools on one Postgres. Ingest has its own, so that no dashboard can make an
 * event wait for a connection; reports have their own with a deadline, so that none runs for ever.
 */
export function openDatabase(url: string): void {
  shelf.open = {
    control: new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: 10 }) }),
    reports: new PrismaClient({
      adapter: new PrismaPg({ connectionString: url, max: 6, statement_timeout: REPORT_DEADLINE_MS }),
    }),
    ingest: new pg.Pool({
      connectionString: url,
      max: 6,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 5_000,
    }),
  };
  // An idle connection that breaks (a restarting Postgres) is replaced on next use; without a listener Node would exit.
  shelf.open?.ingest.on("error", () => {});
}

export async function closeDatabase(): Promise<void> {
  const open = shelf.open;
  shelf.open = undefined;
  if (open) await Promise.all([open.control.$disconnect(), open.reports.$disconnect(), open.ingest.end()]);
}

function opened(): Databases {
  const open = shelf.open;
  if (!open) throw new Error("openDatabase() has not run in this process");
  return open;
}

/** People, sites and rights. */
export const db = (): PrismaClient => opened().control;
/** Facts, for reading: every statement has a deadline. */
export const reports = (): PrismaClient => opened().reports;
/** Facts, for the writer. */
export const ingestPool = (): pg.Pool => opened().ingest;

// Prisma's and Node's codes for a database that cannot be reached, is full of callers, or went away in the middle;
// and Postgres's classes 08 (connection), 53 (resources), 58 (system) and 57P (shutting down or starting up).
const AWAY_CODES = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037|ECONN(REFUSED|RESET)|EPIPE|ENOENT|08...|53...|58...|57P..)$/;
const AWAY_WORDS = /connection terminated|connection error|timeout exceeded when trying to connect|not queryable/i;

/** Whether an error means that the database is away, rather than that it refused a statement. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code, meta } = cause as { code?: unknown; meta?: { code?: unknown } };
    if (AWAY_CODES.test(String(code)) || AWAY_CODES.test(String(meta?.code)) || AWAY_WORDS.test(cause.message))
      return true;
  }
  return false;
}
