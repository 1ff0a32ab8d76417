import type { LRUCache } from "lru-cache";
import { storedThisMonth } from "@/lib/ingest/store/stats/ingest-stats";
import { boundedMap } from "@/lib/platform/bounded-map";
import { countedAddress } from "@/lib/platform/counted-address";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { nextMonth } from "@/lib/platform/time";

/** One address may send one site this many events at once, and so many a second for as long as it likes. */
export const ADDRESS_RATE = { burst: 1_000, perSecond: 50 };
/** One ingest key: 600 requests a minute. */
export const KEY_RATE = { burst: 600, perSecond: 10 };
/** One site may be read anew before its time so often, for what its senders know earlier than this process. */
const RENEWAL_RATE = { burst: 5, perSecond: 1 };
const NO_SITE = 0;
const QUOTA_READ_MS = 5_000;

interface Bucket {
  left: number;
  at: number;
}

/** A bucket that nobody has used for so long is full again, whichever rate it has: to forget it changes nothing. */
const BUCKET_IDLE_MS = 60_000;

/**
 * An address gains nothing from a flood that has its bucket forgotten: that takes 100,000 other addresses (or networks
 * of IPv6), each of which may send as much already. Bounded by a size of one each: with `max` the map would take the
 * memory of all entries at once.
 */
const addressBuckets = boundedMap<string, Bucket>("ingest-rate-addresses", {
  maxSize: 100_000,
  sizeCalculation: () => 1,
  ttl: BUCKET_IDLE_MS,
  updateAgeOnGet: true,
});
/** Apart from those of addresses, so that no flood of addresses has them forgotten. */
const keyBuckets = boundedMap<number, Bucket>("ingest-rate-keys", {
  max: 20_000,
  ttl: BUCKET_IDLE_MS,
  updateAgeOnGet: true,
});
const renewalBuckets = boundedMap<number, Bucket>("ingest-site-renewals", {
  max: 20_000,
  ttl: BUCKET_IDLE_MS,
  updateAgeOnGet: true,
});
const usage = boundedMap<number, Promise<number>>("ingest-quota", { max: 20_000, ttl: QUOTA_READ_MS });

/**
 * Keeps one address from flooding one site (a token bucket in this process: exactness is not worth a database
 * round trip on the hot path).
 *
 * @throws Refusal `rate_limited`.
 */
export function limitRate(siteId: number, address: string | null, now: Date): void {
  if (take(addressBuckets, `${siteId}|${countedAddress(address ?? "")}`, ADDRESS_RATE, now)) return;
  throw new Refusal(
    "rate_limited",
    "Too many events from this address; send the next after the time in Retry-After.",
    undefined,
    1,
  );
}

/** The same for who names domains or keys that this process does not know. @throws Refusal `rate_limited`. */
export const limitGuesses = (address: string | null, now: Date): void => limitRate(NO_SITE, address, now);

/** Whether a site may be read anew now: a flood that asks for it must not become a flood of queries. */
export const mayRenew = (siteId: number, now: Date): boolean => take(renewalBuckets, siteId, RENEWAL_RATE, now);

/** Holds one ingest key to its requests a minute. @throws Refusal `rate_limited`. */
export function limitKey(keyId: number, now: Date): void {
  if (take(keyBuckets, keyId, KEY_RATE, now)) return;
  throw new Refusal(
    "rate_limited",
    `A key may make ${KEY_RATE.burst} requests a minute; send up to 100 events with each, after the time in Retry-After.`,
    undefined,
    1,
  );
}

function take<Key extends {}>(
  buckets: LRUCache<Key, Bucket>,
  key: Key,
  { burst, perSecond }: typeof ADDRESS_RATE,
  now: Date,
): boolean {
  const at = now.getTime();
  const bucket = buckets.get(key);
  if (!bucket) {
    buckets.set(key, { left: burst - 1, at });
    return true;
  }
  const refilled = Math.min(burst, bucket.left + (Math.max(0, at - bucket.at) / 1000) * perSecond);
  if (refilled < 1) return false;
  bucket.left = refilled - 1;
  bucket.at = at;
  return true;
}

/**
 * Holds a site to `EVENTS_PER_MONTH`, to within five seconds' worth of events.
 *
 * @throws Refusal `quota_exceeded`; it may come again on the first of next month (UTC).
 */
export function limitQuota(siteId: number, now: Date): Promise<void> | undefined {
  const quota = env().EVENTS_PER_MONTH;
  return quota === undefined ? undefined : holdTo(quota, siteId, now);
}

async function holdTo(quota: number, siteId: number, now: Date): Promise<void> {
  const key = siteId * 16 + now.getUTCMonth();
  const reading = usage.get(key) ?? storedThisMonth(siteId, now);
  usage.set(key, reading, { noUpdateTTL: true });
  reading.catch(() => usage.delete(key));
  if ((await reading) < quota) return;
  const renewsAt = nextMonth(now);
  throw new Refusal(
    "quota_exceeded",
    `This site has used its ${quota} events of the month; events are taken again from ${renewsAt.toISOString().slice(0, 10)} (UTC), or once EVENTS_PER_MONTH is raised.`,
    { renews_at: renewsAt.toISOString() },
    (renewsAt.getTime() - now.getTime()) / 1000,
  );
}
