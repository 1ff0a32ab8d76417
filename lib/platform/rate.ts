import { type Db, db } from "@/lib/platform/db";
import { Fault, Refusal } from "@/lib/platform/errors";

/**
 * Counts one call against a rate limit: at most `limit` calls of `key` in a window of `windowMs` that begins with the
 * first call. One statement, so that all processes share the count. By default it runs outside of the caller's
 * transaction, so that refused calls count too.
 *
 * @param on the caller's transaction, for calls that count only when it commits.
 * @returns whether the call is allowed, and the whole seconds (1 or more) until the window ends.
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
    INSERT INTO rate_count AS existing (key, hits, resets_at) VALUES (${key}, 1, ${resetsAt})
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN existing.resets_at <= ${now} THEN 1 ELSE existing.hits + 1 END,
      resets_at = CASE WHEN existing.resets_at <= ${now} THEN excluded.resets_at ELSE existing.resets_at END
    RETURNING hits, resets_at`;
  const row = rows[0];
  if (!row) throw new Fault("The rate count was not returned");
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

/** Deletes a count, for example of failed sign-ins after a successful one. */
export async function clearRate(key: string): Promise<void> {
  await db().rateCount.deleteMany({ where: { key } });
}

/** Returns whether a limit is used up, without counting a call, and the whole seconds until the window ends. */
export async function isUsedUp(
  key: string,
  limit: number,
  now: Date,
): Promise<{ usedUp: boolean; retryAfter: number }> {
  const row = await db().rateCount.findUnique({ where: { key, resetsAt: { gt: now } } });
  const left = row ? row.resetsAt.getTime() - now.getTime() : 0;
  return { usedUp: (row?.hits ?? 0) >= limit, retryAfter: Math.max(1, Math.ceil(left / 1000)) };
}

/** Uncounts one call per key that turned out not to be one that the limit is for. */
export async function refundRate(...keys: string[]): Promise<void> {
  await db().rateCount.updateMany({ where: { key: { in: keys }, hits: { gt: 0 } }, data: { hits: { decrement: 1 } } });
}
