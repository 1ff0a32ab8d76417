import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/**
 * Counts one act against a limit: at most `limit` of `key` in a window of `windowMs` that begins with its first act.
 * One statement, so that any number of processes count together. It stands outside the caller's transaction:
 * a refusal is counted too.
 *
 * @param on the caller's transaction, for an act that counts only when that is committed.
 * @returns whether the act may go on, and in how many whole seconds (1 or more) a refused one may come again.
 */
export async function takeRate(
  key: string,
  limit: number,
  windowMs: number,
  now: Date,
  on: Db = db(),
): Promise<{ allowed: boolean; retryAfter: number }> {
  const resetsAt = new Date(now.getTime() + windowMs);
  const rows = await on.$queryRaw<{ hits: number; resets_at: Date }[]>`
    INSERT INTO rate_count AS kept (key, hits, resets_at) VALUES (${key}, 1, ${resetsAt})
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN kept.resets_at <= ${now} THEN 1 ELSE kept.hits + 1 END,
      resets_at = CASE WHEN kept.resets_at <= ${now} THEN excluded.resets_at ELSE kept.resets_at END
    RETURNING hits, resets_at`;
  const row = rows[0];
  if (!row) throw new Error("The rate count was not returned");
  const retryAfter = Math.max(1, Math.ceil((row.resets_at.getTime() - now.getTime()) / 1000));
  return { allowed: row.hits <= limit, retryAfter };
}

/** Counts one call like `takeRate`. @throws Refusal `rate_limited` with `message` beyond the limit */
export async function requireRate(
  key: string,
  limit: number,
  windowMs: number,
  now: Date,
  message: string,
  on?: Db,
): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, limit, windowMs, now, on);
  if (!allowed) throw new Refusal("rate_limited", message, undefined, retryAfter);
}

/** Forgets a count, for instance of failed sign-ins after one that succeeded. */
export async function clearRate(key: string): Promise<void> {
  await db().rateCount.deleteMany({ where: { key } });
}

/** Whether a limit is used up, without counting anything; and in how many whole seconds it is not any more. */
export async function isUsedUp(
  key: string,
  limit: number,
  now: Date,
): Promise<{ usedUp: boolean; retryAfter: number }> {
  const row = await db().rateCount.findUnique({ where: { key, resetsAt: { gt: now } } });
  const left = row ? row.resetsAt.getTime() - now.getTime() : 0;
  return { usedUp: (row?.hits ?? 0) >= limit, retryAfter: Math.max(1, Math.ceil(left / 1000)) };
}

/** Takes one act back that turned out not to be what the limit is for. */
export async function giveBack(key: string): Promise<void> {
  await db().rateCount.updateMany({ where: { key, hits: { gt: 0 } }, data: { hits: { decrement: 1 } } });
}
