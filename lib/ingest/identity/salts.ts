import { randomBytes } from "node:crypto";
import pg from "pg";
import { DAY_SALT_HOURS } from "@/lib/contract/storage-times";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";
import { HOUR_MS } from "@/lib/platform/durations";
import { Fault, invalidInput } from "@/lib/platform/errors";
import { controlPool } from "@/lib/platform/pool";
import { localDay, startOfDay, type Temporal } from "@/lib/platform/time";

/** Salts are deleted after this time at the latest, whatever the length of the local days. */
const MAX_SALT_AGE_MS = DAY_SALT_HOURS * HOUR_MS;

export interface DaySalts {
  today: Buffer;
  /** Used only to continue a visit that began before midnight. */
  yesterday: Buffer | null;
}

type DaysAgo = 0 | 1;

/** The salts of a day, read on the local day from `from` until `until`. A promise, so that concurrent callers share one query. */
interface Day {
  from: number;
  until: number;
  salts: Promise<DaySalts>;
}

const daySalts = boundedMap<`${number}/${DaysAgo}`, Day>("salts", { max: 40_000, ttl: HOUR_MS });

/**
 * The salts that pseudonyms are made with: of the site's day and, if the site counts returning visitors, of its month.
 */
export interface SiteSalts {
  /** Null for an event of a day whose salt is deleted: only its user id can tell whose it is. */
  day: DaySalts | null;
  month: Buffer | null;
}

/** Returns the salts that events of a site are processed with. Call it once per request. */
export async function saltsFor(site: IngestSite, now: Date): Promise<SiteSalts> {
  const day = await daySaltsOf(site, now, 0);
  return { day, month: site.retentionSalt ? await monthSaltOf(site, now) : null };
}

/**
 * Returns the salts of an event that happened before now: those of its own local day, as if it had arrived then. The salt of
 * yesterday still exists; older ones are deleted, and none is kept longer for late events.
 */
export async function saltsAt(site: IngestSite, at: Date, now: Date): Promise<SiteSalts> {
  const [day, today] = [localDay(at, site.timezone), localDay(now, site.timezone)];
  if (day.equals(today)) return saltsFor(site, now);
  const isSameMonth = day.with({ day: 1 }).equals(today.with({ day: 1 }));
  return {
    day: day.equals(today.subtract({ days: 1 })) ? await daySaltsOf(site, now, 1) : null,
    month: site.retentionSalt && isSameMonth ? await monthSaltOf(site, now) : null,
  };
}

/**
 * Returns the salts of the site's local day or of the day before. Read once and cached until today ends. Where yesterday had
 * none, its salt is made now and deleted at the end of today.
 */
function daySaltsOf(site: IngestSite, now: Date, daysAgo: DaysAgo): Promise<DaySalts> {
  const at = now.getTime();
  const key = `${site.id}/${daysAgo}` as const;
  const known = daySalts.get(key);
  if (known && known.from <= at && at < known.until) return known.salts;
  const today = localDay(now, site.timezone);
  const startIn = (days: number) => startOfDay(today.add({ days }), site.timezone).getTime();
  const expiresAt = daysAgo === 1 ? startIn(1) : Math.min(startIn(2), at + MAX_SALT_AGE_MS);
  const salts = readSalts(site.id, today.subtract({ days: daysAgo }), now, new Date(expiresAt));
  daySalts.set(key, { from: startIn(0), until: startIn(1), salts });
  salts.catch(() => daySalts.delete(key));
  return salts;
}

async function readSalts(siteId: number, today: Temporal.PlainDate, now: Date, expiresAt: Date): Promise<DaySalts> {
  const [day, before] = [`${today}`, `${today.subtract({ days: 1 })}`];
  await addSalt(siteId, day, expiresAt);
  const { rows } = await controlPool().query<{ day: string; salt: Buffer }>({
    name: "salts-of-days",
    text: "SELECT day::text, salt FROM site_salt WHERE site_id = $1 AND day = ANY($2::date[]) AND expires_at > $3",
    values: [siteId, [day, before], now],
  });
  const saltOf = (wanted: string) => rows.find((row) => row.day === wanted)?.salt ?? null;
  const current = saltOf(day);
  if (!current) throw new Fault("The salt of the day was deleted");
  return { today: current, yesterday: saltOf(before) };
}

/** Postgres refuses a row whose site does not exist. */
const FOREIGN_KEY_VIOLATION = "23503";

/** @throws Refusal `invalid_input` when the site was just deleted and is still in the cache. */
async function addSalt(siteId: number, day: string, expiresAt: Date): Promise<void> {
  try {
    await controlPool().query({
      name: "add-salt-of-day",
      text: `INSERT INTO site_salt (site_id, day, salt, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      values: [siteId, day, randomBytes(32), expiresAt],
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION)) throw error;
    throw invalidInput([{ path: "domain", message: "is not a domain of any site here; add the site first" }]);
  }
}

/** Deletes expired salts. @returns how many. */
export async function deleteExpiredSalts(now: Date): Promise<number> {
  const { rowCount } = await controlPool().query("DELETE FROM site_salt WHERE expires_at <= $1", [now]);
  return rowCount ?? 0;
}

interface Month {
  from: number;
  until: number;
  /** Revision of the site when the salt was read: a site that switches this off and on again gets a new salt. */
  revision: number;
  salt: Promise<Buffer | null>;
}

const monthSalts = boundedMap<number, Month>("month-salts", { max: 20_000, ttl: HOUR_MS });

/** Returns the salt of the site's local month, or null when the site has switched this off meanwhile. */
function monthSaltOf(site: IngestSite, now: Date): Promise<Buffer | null> {
  const at = now.getTime();
  const known = monthSalts.get(site.id);
  if (known && known.revision >= site.revision && known.from <= at && at < known.until) return known.salt;
  const month = localDay(now, site.timezone).with({ day: 1 });
  const [from, until] = [month, month.add({ months: 1 })].map((day) => startOfDay(day, site.timezone)) as [Date, Date];
  const salt = readMonthSalt(site.id, `${month}`, until);
  monthSalts.set(site.id, { from: from.getTime(), until: until.getTime(), revision: site.revision, salt });
  salt.then(
    (found) => found ?? monthSalts.delete(site.id),
    () => monthSalts.delete(site.id),
  );
  return salt;
}

/** Locks the site row, so that it waits for a concurrent change of the setting and creates no salt after it. */
async function readMonthSalt(siteId: number, month: string, expiresAt: Date): Promise<Buffer | null> {
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
