import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { type Db, db } from "@/lib/platform/db";
import { PATIENT_MS } from "@/lib/testing/patience";

/** Helpers for tests of two concurrent connections. They poll Postgres instead of sleeping. */

/** For transactions that wait for others. */
export const PATIENT = { timeout: PATIENT_MS };

const FAR_AHEAD = new Date("2100-01-01T00:00:00Z");

/** Resolves when another connection waits for a lock of this transaction. */
export async function someoneWaitsFor(tx: Db): Promise<void> {
  const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const onAnyNode = inject("citus") ? await tx.$queryRaw<{ id: bigint }[]>`SELECT citus_backend_gpid() AS id` : [];
  for (;;) {
    const waiting: unknown[] = await db().$queryRaw`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND ${own?.pid}::int = ANY(pg_blocking_pids(pid))`;
    for (const { id } of onAnyNode)
      waiting.push(...(await db().$queryRaw<unknown[]>`SELECT 1 FROM citus_lock_waits WHERE blocking_gpid = ${id}`));
    if (waiting.length > 0) return;
  }
}

/** Causes a deadlock of two transactions. @returns the error of the one that Postgres aborts. */
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
    // Postgres looks for a deadlock at once instead of later.
    await tx.$executeRaw`SET LOCAL deadlock_timeout = '1ms'`;
    await work(tx, other);
  }, PATIENT);
  return first
    .then(() => second)
    .then(
      () => null,
      (error) => error,
    );
}
