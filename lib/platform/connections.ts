/** How many connections each pool of a thread may open; 0 for a pool that the thread does without. */
export interface PoolSizes {
  control: number;
  reports: number;
  ingest: number;
}

/**
 * The connections to Postgres that one process opens at most, by thread and pool. Boot prints them and refuses a Postgres
 * that has no room for them all.
 */
export const CONNECTIONS = {
  /** Holds `DATA_DIR` for this process; with `DATABASE_URL` there is none. */
  lock: 1,
  /** Next: pages, the management API, jobs, and reports: more of these than one site may use (`REPORTS_OF_ONE_SITE`). */
  main: { control: 4, reports: 5, ingest: 2 },
  /** The ingest worker: it looks up sites and keys, writes two batches at a time, and looks up values for the next one. */
  ingest: { control: 2, reports: 0, ingest: 4 },
  /** The analytics process, which copies facts: it refreshes two sites at a time. */
  analytics: 2,
} as const;

/** A process that does everything in one thread: `next start`, commands, tests and the server while developing. */
export const SINGLE_THREAD: PoolSizes = { control: 6, reports: 5, ingest: 6 };

/** The most connections of each pool of a process, and their sum as `total`. */
export type ConnectionBudget = Record<string, number> & { total: number };

/** The budget of a server with its threads. */
export function connectionBudget(hasLock: boolean): ConnectionBudget {
  const { lock, analytics, ...threads } = CONNECTIONS;
  return budgetOf({ ...(hasLock && { lock: { lock } }), ...threads, analytics: { analytics } });
}

/** The budget of a process that does everything in one thread. */
export function singleThreadBudget(): ConnectionBudget {
  const { analytics } = CONNECTIONS;
  return budgetOf({ main: { ...SINGLE_THREAD }, analytics: { analytics } });
}

function budgetOf(threads: Record<string, Partial<Record<string, number>>>): ConnectionBudget {
  const pools = Object.entries(threads).flatMap(([thread, sizes]) =>
    Object.entries(sizes).map(([pool, size = 0]): [string, number] => [
      thread === pool ? pool : `${thread}_${pool}`,
      size,
    ]),
  );
  const sizes = Object.fromEntries(pools.filter(([, size]) => size > 0));
  return { ...sizes, total: Object.values(sizes).reduce((sum, size) => sum + size, 0) };
}

/** How many of them only read, for reports: those of `REPORTS_DATABASE_URL`. */
export function reportConnections(budget: ConnectionBudget): number {
  const reading = Object.entries(budget).filter(([pool]) => /^analytics$|_reports$/.test(pool));
  return reading.reduce((sum, [, size]) => sum + size, 0);
}
