import { PrismaPg } from "@prisma/adapter-pg";
import { CONNECT_WITHIN_MS, closePools, openIngestPool, openPool } from "@/lib/pool";
import { processWide } from "@/lib/process-wide";
import { boundQueries, type ReportWork } from "@/lib/report-queries";
import { ReportTurns } from "@/lib/report-turns";
import { Prisma, PrismaClient } from "@/prisma/client/client";

export { Prisma };
export type Db = PrismaClient | Prisma.TransactionClient;

/** How long a report may take, and Postgres work on one statement of it, in milliseconds. */
const REPORT_DEADLINE_MS = 20_000;
const REPORT_CONNECTIONS = 6;
/** Of one caller, so that none ever keeps all others waiting (`report-shares.ts`). */
export const REPORTS_OF_ONE_CALLER = 4;

interface Databases {
  control: PrismaClient;
  reports: PrismaClient;
  reportWork: ReportWork;
  reportDeadlineMs: number;
}

const shelf = processWide<{ open?: Databases }>("databases", () => ({}));

/**
 * Opens this process's three pools on one Postgres. Ingest has its own, so that no dashboard can make an
 * event wait for a connection; reports have their own with a deadline, so that none runs for ever.
 *
 * @param options.reportingProcess told the id of each process that Postgres, wherever it runs, has for reports.
 * @param options.reportsOfOneCaller how many report statements of one caller run at the same time.
 */
export function openDatabase(
  url: string,
  {
    reportDeadlineMs = REPORT_DEADLINE_MS,
    reportingProcess = (_: number): unknown => null,
    reportsOfOneCaller = REPORTS_OF_ONE_CALLER,
  } = {},
): void {
  const control = openPool("control", url, { max: 10 });
  const reports = openPool("reports", url, {
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
  const turns = new ReportTurns(REPORT_CONNECTIONS, reportsOfOneCaller);
  const reportWork = boundQueries(reports, turns, (pid) => control.query("SELECT pg_cancel_backend($1)", [pid]));
  openIngestPool(url);
  shelf.open = {
    control: new PrismaClient({ adapter: new PrismaPg(control) }),
    reports: new PrismaClient({ adapter: new PrismaPg(reports) }),
    reportWork,
    reportDeadlineMs,
  };
}

export async function closeDatabase(): Promise<void> {
  const { open } = shelf;
  if (!open) return;
  delete shelf.open;
  await Promise.all([open.control.$disconnect(), open.reports.$disconnect()]);
  await closePools();
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
