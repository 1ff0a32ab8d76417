import { randomBytes } from "node:crypto";
import type { ReturningVisitor } from "@/lib/ingest/event/decided-event";
import { pseudonymOf } from "@/lib/ingest/identity/pseudonym";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";
import { HOUR_MS } from "@/lib/platform/durations";
import { controlPool } from "@/lib/platform/pool";
import { localDay, startOfDay } from "@/lib/platform/time";

interface Month {
  from: number;
  until: number;
  /** Revision of the site when the salt was read: a site that switches this off and on again gets a new salt. */
  revision: number;
  salt: Promise<Buffer | null>;
}

const cache = boundedMap<number, Month>("month-salts", { max: 20_000, ttl: HOUR_MS });

/** Returns the sender's pseudonym under the month's salt, or null for a sender without address and user id. */
export function returningVisitorOf(
  site: IngestSite,
  salt: Buffer,
  { address, userAgent, userId }: { address: string | null; userAgent: string; userId: string | null },
  at: Date,
): ReturningVisitor | null {
  if (address === null && userId === null) return null;
  const day = localDay(at, site.timezone);
  const name = userId === null ? `${site.id}|${address}|${userAgent}` : `${site.id}|user|${userId}`;
  return { pseudonym: pseudonymOf(salt, name), month: day.with({ day: 1 }).toString(), day: day.toString() };
}

/** Returns the salt of the site's local month, or null when the site has switched this off meanwhile. */
export function monthSaltOf(site: IngestSite, now: Date): Promise<Buffer | null> {
  const at = now.getTime();
  const known = cache.get(site.id);
  if (known && known.revision >= site.revision && known.from <= at && at < known.until) return known.salt;
  const month = localDay(now, site.timezone).with({ day: 1 });
  const [from, until] = [month, month.add({ months: 1 })].map((day) => startOfDay(day, site.timezone)) as [Date, Date];
  const salt = readSalt(site.id, `${month}`, until);
  cache.set(site.id, { from: from.getTime(), until: until.getTime(), revision: site.revision, salt });
  salt.then(
    (found) => found ?? cache.delete(site.id),
    () => cache.delete(site.id),
  );
  return salt;
}

/** Locks the site row, so that it waits for a concurrent change of the setting and creates no salt after it. */
async function readSalt(siteId: number, month: string, expiresAt: Date): Promise<Buffer | null> {
  await controlPool().query({
    name: "add-salt-of-month",
    text: `INSERT INTO site_month_salt (site_id, month, salt, expires_at)
           SELECT id, $2::date, $3::bytea, $4::timestamptz FROM site WHERE id = $1 AND retention_salt FOR SHARE
           ON CONFLICT DO NOTHING`,
    values: [siteId, month, randomBytes(32), expiresAt],
  });
  const { rows } = await controlPool().query<{ salt: Buffer }>({
    name: "salt-of-month",
    text: "SELECT salt FROM site_month_salt WHERE site_id = $1 AND month = $2::date",
    values: [siteId, month],
  });
  return rows[0]?.salt ?? null;
}

/** Deletes the salts of past months. @returns how many. */
export async function deleteExpiredMonthSalts(now: Date): Promise<number> {
  const { rowCount } = await controlPool().query("DELETE FROM site_month_salt WHERE expires_at <= $1", [now]);
  return rowCount ?? 0;
}
