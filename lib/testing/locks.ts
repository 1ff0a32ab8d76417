import { randomUUID } from "node:crypto";
import { type Db, db } from "@/lib/platform/db";

/** For tests of two connections that meet: nothing sleeps, one waits until Postgres says that the other does. */

/** For transactions that wait for each other: Postgres looks for such circles after eight seconds. */
export const PATIENT = { timeout: 30_000 };

const FAR_AHEAD = new Date("2100-01-01T00:00:00Z");

/** Resolves once another connection waits for a lock that this transaction holds. */
export async function someoneWaitsFor(tx: Db): Promise<void> {
  const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  let waiting: unknown[] = [];
  while (waiting.length === 0) {
    waiting = await db().$queryRaw`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND ${own?.pid}::int = ANY(pg_blocking_pids(pid))`;
  }
}

/** Lets two transactions wait for each other. @returns what the one that Postgres ends is told. */
export async function deadlock(work: (tx: Db, key: string) => Promise<unknown>): Promise<unknown> {
  const [one, other] = [randomUUID(), randomUUID()];
  await db().rateCount.createMany({ data: [one, other].map((key) => ({ key, hits: 0, resetsAt: FAR_AHEAD })) });
  let second: Promise<unknown> = Promise.resolve();
  const first = db().$transaction(async (tx) => {
    await work(tx, one);
    second = db().$transaction(async (rival) => {
      await work(rival, other);
      await work(rival, one);
    }, PATIENT);
    second.catch(() => {});
    await someoneWaitsFor(tx);
    await work(tx, other);
  }, PATIENT);
  return first
    .then(() => second)
    .then(
      () => null,
      (error) => error,
    );
}
