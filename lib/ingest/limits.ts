import { LRUCache } from "lru-cache";
import { Refusal } from "@/lib/contract/errors";
import { countedAddress } from "@/lib/counted-address";
import { env } from "@/lib/env";
import { storedThisMonth } from "@/lib/ingest/intake";
import { processWide } from "@/lib/process-wide";

/** One address may send one site this many events at once, and so many a second for as long as it likes. */
const BURST = 1_000;
const PER_SECOND = 50;
const QUOTA_READ_MS = 5_000;

interface Bucket {
  left: number;
  at: number;
}

const buckets = processWide("ingest-rate", () => new LRUCache<string, Bucket>({ max: 100_000 }));
const usage = processWide(
  "ingest-quota",
  () => new LRUCache<number, Promise<number>>({ max: 20_000, ttl: QUOTA_READ_MS }),
);

/**
 * Keeps one address from flooding one site (a token bucket in this process: exactness is not worth a database
 * round trip on the hot path).
 *
 * @throws Refusal `rate_limited`.
 */
export function limitRate(siteId: number, address: string | null, now: Date): void {
  const key = `${siteId}|${countedAddress(address ?? "")}`;
  const at = now.getTime();
  const bucket = buckets.get(key) ?? { left: BURST, at };
  const refilled = Math.min(BURST, bucket.left + (Math.max(0, at - bucket.at) / 1000) * PER_SECOND);
  if (refilled < 1) {
    throw new Refusal(
      "rate_limited",
      "Too many events from this address; send the next after the time in Retry-After.",
      undefined,
      1,
    );
  }
  buckets.set(key, { left: refilled - 1, at });
}

/**
 * Holds a site to `EVENTS_PER_MONTH`, to within five seconds' worth of events.
 *
 * @throws Refusal `quota_exceeded`; it may come again on the first of next month (UTC).
 */
export async function limitQuota(siteId: number, now: Date): Promise<void> {
  const quota = env().EVENTS_PER_MONTH;
  if (quota === undefined) return;
  const key = siteId * 16 + now.getUTCMonth();
  const reading = usage.get(key) ?? storedThisMonth(siteId, now);
  usage.set(key, reading, { noUpdateTTL: true });
  reading.catch(() => usage.delete(key));
  if ((await reading) < quota) return;
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  throw new Refusal(
    "quota_exceeded",
    `This site has used its ${quota} events of the month; raise EVENTS_PER_MONTH or wait for the first of the next.`,
    undefined,
    (nextMonth - now.getTime()) / 1000,
  );
}
