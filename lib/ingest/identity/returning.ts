import { randomBytes } from "node:crypto";
import { pseudonymOf } from "@/lib/ingest/identity/pseudonym";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";
import { db } from "@/lib/platform/db";
import { localDay, startOfDay } from "@/lib/platform/time";

/**
 * Who comes back within a month, on sites that chose to know it. A random salt of the site's own local month tells
 * people again for the report on retention alone: what it makes is written nowhere else, and nothing leads from there to
 * visits or events. With the month's end the salt is destroyed.
 */
export interface Returner {
  /** Decimal text of a 64-bit integer. */
  who: string;
  /** Local dates: the first day of the month, and the day. */
  month: string;
  day: string;
}

interface Month {
  from: number;
  until: number;
  /** Of the site when it was read: whoever ends it and chooses it again gets another salt. */
  revision: number;
  salt: Promise<Buffer | null>;
}

const HOUR_MS = 3600_000;
const cache = boundedMap<number, Month>("month-salts", { max: 20_000, ttl: HOUR_MS });

/** Who sent a hit, as the month knows them by its salt; null when nothing tells. */
export function returnerOf(
  site: IngestSite,
  salt: Buffer,
  { address, userAgent, userId }: { address: string | null; userAgent: string; userId: string | null },
  now: Date,
): Returner | null {
  if (address === null && userId === null) return null;
  const day = localDay(now, site.timezone);
  const name = userId === null ? `${site.id}|${address}|${userAgent}` : `${site.id}|user|${userId}`;
  return { who: pseudonymOf(salt, name), month: day.with({ day: 1 }).toString(), day: day.toString() };
}

/** The salt of the site's local month; null when the site has ended it meanwhile. */
export function monthSaltOf(site: IngestSite, now: Date): Promise<Buffer | null> {
  const at = now.getTime();
  const known = cache.get(site.id);
  if (known && known.revision >= site.revision && known.from <= at && at < known.until) return known.salt;
  const month = localDay(now, site.timezone).with({ day: 1 });
  const [from, until] = [month, month.add({ months: 1 })].map((day) => startOfDay(day, site.timezone)) as [Date, Date];
  const salt = readSalt(site.id, new Date(`${month}T00:00:00Z`), until);
  cache.set(site.id, { from: from.getTime(), until: until.getTime(), revision: site.revision, salt });
  salt.then(
    (found) => found ?? cache.delete(site.id),
    () => cache.delete(site.id),
  );
  return salt;
}

/** Holds the site meanwhile: a choice that ends in this moment is waited for, and no salt is made after it. */
async function readSalt(siteId: number, month: Date, expiresAt: Date): Promise<Buffer | null> {
  await db().$executeRaw`
    INSERT INTO site_month_salt (site_id, month, salt, expires_at)
    SELECT id, ${month}::date, ${new Uint8Array(randomBytes(32))}, ${expiresAt}
    FROM site WHERE id = ${siteId} AND retention_salt FOR SHARE
    ON CONFLICT DO NOTHING`;
  const row = await db().siteMonthSalt.findUnique({ where: { siteId_month: { siteId, month } } });
  return row && Buffer.from(row.salt);
}

/** Destroys the salts of months that are over. @returns how many. */
export async function sweepMonthSalts(now: Date): Promise<number> {
  const { count } = await db().siteMonthSalt.deleteMany({ where: { expiresAt: { lte: now } } });
  return count;
}
