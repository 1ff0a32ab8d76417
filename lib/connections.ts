/**
 * The connections to Postgres that one process opens at most, by thread and pool. Boot prints them and refuses a Postgres
 * that has no room for them all.
 */
export const CONNECTIONS = {
  /** Holds `DATA_DIR` for this process; with `DATABASE_URL` there is none. */
  lock: 1,
  /** Takes requests: looks up sites and keys, counts event outcomes. */
  main: { control: 2, reports: 0, ingest: 1 },
  /** Writes two batches at a time, and looks up dimension values for the next one. */
  writing: { ingest: 3 },
  /** Pages, the management API, reports and jobs. */
  pages: { control: 5, reports: 4, ingest: 2 },
  /** Threads that count closed days, with one connection each. */
  counting: { threads: 2 },
} as const;

/** How many connections each pool of a thread may open; 0 for a pool that the thread does without. */
export interface PoolSizes {
  control: number;
  reports: number;
  ingest: number;
}

/** Every pool with its size, and their sum as `total`. */
export function connectionBudget(hasLock: boolean): Record<string, number> & { total: number } {
  const { lock, ...threads } = CONNECTIONS;
  const pools = Object.entries(threads).flatMap(([thread, sizes]) =>
    Object.entries(sizes).map(([pool, size]): [string, number] => [`${thread}_${pool}`, size]),
  );
  const all = [...(hasLock ? [["lock", lock] as [string, number]] : []), ...pools.filter(([, size]) => size > 0)];
  return { ...Object.fromEntries(all), total: all.reduce((sum, [, size]) => sum + size, 0) };
}
