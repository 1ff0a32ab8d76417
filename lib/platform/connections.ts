/** The maximum number of connections of each pool of a thread; 0 means that the thread has no such pool. */
export interface PoolSizes {
  control: number;
  reports: number;
  ingest: number;
}

/**
 * The maximum number of Postgres connections of one process, by thread and pool. Boot logs them and fails when Postgres
 * does not allow that many.
 */
export const CONNECTIONS = {
  /** Locks `DATA_DIR` for this process; not used with `DATABASE_URL`. */
  lock: 1,
  /** Hears of new work for jobs. */
  listen: 1,
  /**
   * Next: pages, the management API, jobs and reports. More for reports than one caller may use
   * (`REPORTS_OF_ONE_CALLER`).
   */
  main: { control: 4, reports: 4, ingest: 2 },
  /**
   * The ingest worker: looks up sites and keys, writes two batches at a time, and looks up values for the next batch.
   */
  ingest: { control: 2, reports: 0, ingest: 4 },
  /** The analytics process, which copies events into DuckDB for two sites at a time. */
  analytics: 2,
} as const;

/** Pools of a process with a single thread: `next start`, commands, tests and the development server. */
export const SINGLE_THREAD: PoolSizes = { control: 6, reports: 5, ingest: 5 };

/** The maximum number of connections of each pool of a process, and their sum as `total`. */
export type ConnectionBudget = Record<string, number> & { total: number };

/** Returns the connection budget of a server with all of its threads. */
export function connectionBudget(hasLock: boolean): ConnectionBudget {
  const { lock, listen, analytics, ...threads } = CONNECTIONS;
  return budgetOf({ ...(hasLock && { lock: { lock } }), listen: { listen }, ...threads, analytics: { analytics } });
}

/** Returns the connection budget of a process with a single thread. */
export function singleThreadBudget(): ConnectionBudget {
  const { listen, analytics } = CONNECTIONS;
  return budgetOf({ listen: { listen }, main: { ...SINGLE_THREAD }, analytics: { analytics } });
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

/** Returns how many connections of a budget only read: the ones that use `REPORTS_DATABASE_URL`. */
export function reportConnections(budget: ConnectionBudget): number {
  const reading = Object.entries(budget).filter(([pool]) => /^analytics$|_reports$/.test(pool));
  return reading.reduce((sum, [, size]) => sum + size, 0);
}
