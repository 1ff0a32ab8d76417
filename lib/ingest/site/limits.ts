import type { LRUCache } from "lru-cache";
import { IN_MEMORY_SECONDS } from "@/lib/contract/storage-times";
import { usedThisMonth } from "@/lib/ingest/store/ingest-stats";
import { boundedMap } from "@/lib/platform/bounded-map";
import { countedAddress } from "@/lib/platform/counted-address";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { controlPool } from "@/lib/platform/pool";
import { nextMonth } from "@/lib/platform/time";

/** Events from one address to one site: the largest burst, and the sustained rate. */
export const ADDRESS_RATE = { burst: 1_000, perSecond: 50 };
/** Requests with one ingest key: 600 a minute. */
export const KEY_RATE = { burst: 600, perSecond: 10 };
/** Early reloads of one cached site, for settings that a sender knows before this process does. */
const RENEWAL_RATE = { burst: 5, perSecond: 1 };
const NO_SITE = 0;
const QUOTA_CACHE_MS = 5_000;

interface Bucket {
  left: number;
  at: number;
}

/** A bucket unused for this long is full again at every rate, so it can be dropped. */
const BUCKET_IDLE_MS = IN_MEMORY_SECONDS * 1000;

/**
 * Evicting a bucket by flooding takes 100,000 other addresses (or IPv6 networks), each of which may send as much
 * anyway. Bounded by `maxSize` with a size of one per entry: `max` would allocate the memory of all entries up front.
 */
const addressBuckets = boundedMap<string, Bucket>("ingest-rate-addresses", {
  maxSize: 100_000,
  sizeCalculation: () => 1,
  ttl: BUCKET_IDLE_MS,
  updateAgeOnGet: true,
});
/** A map of its own, so that a flood of addresses does not evict it. */
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
const quotas = boundedMap<number, Promise<Quota | null>>("ingest-quota", { max: 20_000, ttl: QUOTA_CACHE_MS });

/**
 * Limits the events of one address to one site (a token bucket in this process; exact counts are not worth a database
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

/**
 * Applies the same limit to requests with a domain or key that this process does not know. @throws Refusal
 * `rate_limited`.
 */
export const limitGuesses = (address: string | null, now: Date): void => limitRate(NO_SITE, address, now);

/** Whether a cached site may be reloaded now. Keeps a flood of requests from becoming a flood of queries. */
export const mayReload = (siteId: number, now: Date): boolean => take(renewalBuckets, siteId, RENEWAL_RATE, now);

/** Limits the requests of one ingest key per minute. @throws Refusal `rate_limited`. */
export function limitKey(keyId: number, now: Date): void {
  if (take(keyBuckets, keyId, KEY_RATE, now)) return;
  throw new Refusal(
    "rate_limited",
    `A key may make ${KEY_RATE.burst} requests a minute; send the next after the time in Retry-After, with up to 100 events each.`,
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
 * Whether a site takes events now: an administrator has not disabled it, and its monthly quota is not used up, accurate to
 * five seconds of events.
 *
 * @throws Refusal `site_not_granted` while it is disabled; `quota_exceeded`, with the first of next month (UTC) as the time
 *   to retry.
 */
export async function requireOpenSite(
  { id: siteId, disabled }: { id: number; disabled: boolean },
  now: Date,
): Promise<void> {
  if (disabled) throw disabledSite();
  const key = siteId * 16 + now.getUTCMonth();
  const reading = quotas.get(key) ?? readQuota(siteId, now);
  quotas.set(key, reading, { noUpdateTTL: true });
  reading.catch(() => quotas.delete(key));
  const quota = await reading;
  if (!quota || quota.used < quota.events) return;
  const { events, unproven, renews_at } = quota;
  const again = `send events again from ${renews_at.slice(0, 10)} (UTC)`;
  throw new Refusal(
    "quota_exceeded",
    unproven
      ? `This site has used its quota of ${events} events this month, which it has while none of its domains is proven; prove one with sites.verify or in the settings of the site, or ${again}.`
      : `This site has used its quota of ${events} events this month; ${again}, or raise EVENTS_PER_MONTH.`,
    { renews_at },
    (Date.parse(renews_at) - now.getTime()) / 1000,
  );
}

const disabledSite = () =>
  new Refusal(
    "site_not_granted",
    "The administrator of this service has disabled this site, so it takes no events; ask them to enable it.",
  );

/** The monthly quota of a site, in events of up to 1 KB: a larger event counts once for each started KB. */
export interface Quota {
  events: number;
  used: number;
  /** It is the quota of sites without a proven domain, and ends with a proof. */
  unproven: boolean;
  /** Start of the next UTC month, when the quota renews: ISO 8601. */
  renews_at: string;
}

/** Returns the quota of a site and its usage; null if it has none. */
export async function readQuota(siteId: number, now: Date): Promise<Quota | null> {
  const limit = await limitOf(siteId);
  return limit && { ...limit, used: await usedThisMonth(siteId, now), renews_at: nextMonth(now).toISOString() };
}

async function limitOf(siteId: number): Promise<Pick<Quota, "events" | "unproven"> | null> {
  const { EVENTS_PER_MONTH: all = Infinity, UNPROVEN_EVENTS_PER_MONTH: unproven, SIGNUP } = env();
  // Where nobody can sign up, the operator knows who has an account.
  if (SIGNUP === "open" && unproven < all && !(await isTrusted(siteId))) return { events: unproven, unproven: true };
  return all === Infinity ? null : { events: all, unproven: false };
}

/**
 * Whether a domain of the site is proven, or an administrator of this service owns the site. A site
 * that was just deleted is not asked for a proof.
 */
async function isTrusted(siteId: number): Promise<boolean> {
  const { rows } = await controlPool().query<{ trusted: boolean }>({
    name: "site-is-trusted",
    text: `SELECT EXISTS (SELECT FROM site_domain WHERE site_id = $1 AND verified_at IS NOT NULL)
             OR EXISTS (SELECT FROM membership WHERE site_id = $1 AND role = 'owner'
               AND person_id IN (SELECT id FROM person WHERE administrator))
             OR NOT EXISTS (SELECT FROM site WHERE id = $1) AS trusted`,
    values: [siteId],
  });
  return rows[0]?.trusted ?? false;
}
