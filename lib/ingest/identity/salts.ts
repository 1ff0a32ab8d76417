import { randomBytes } from "node:crypto";
import { monthSaltOf } from "@/lib/ingest/identity/returning";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { boundedMap } from "@/lib/platform/bounded-map";
import { db, Prisma } from "@/lib/platform/db";
import { Fault, invalidInput } from "@/lib/platform/errors";
import { localDay, startOfDay, type Temporal } from "@/lib/platform/time";

const HOUR_MS = 3600_000;
/** Salts are deleted after this time at the latest, whatever the length of the local days. */
const MAX_SALT_AGE_MS = 48 * HOUR_MS;

export interface DaySalts {
  today: Buffer;
  /** Used only to continue a visit that began before midnight. */
  yesterday: Buffer | null;
}

/** The salts of one local day, from `from` until `until`. A promise, so that concurrent callers share one query. */
interface Day {
  from: number;
  until: number;
  salts: Promise<DaySalts>;
}

const cache = boundedMap<number, Day>("salts", { max: 20_000, ttl: HOUR_MS });

/**
 * The salts that pseudonyms are made with: of the site's day and, if the site counts returning visitors, of its month.
 */
export interface SiteSalts {
  day: DaySalts;
  month: Buffer | null;
}

/** Returns the salts that events of a site are processed with. Call it once per request. */
export async function saltsFor(site: IngestSite, now: Date): Promise<SiteSalts> {
  const day = await daySaltsOf(site, now);
  return { day, month: site.retentionSalt ? await monthSaltOf(site, now) : null };
}

/** Returns the salts of the site's local day. Read once and cached until the day ends. */
function daySaltsOf(site: IngestSite, now: Date): Promise<DaySalts> {
  const at = now.getTime();
  const known = cache.get(site.id);
  if (known && known.from <= at && at < known.until) return known.salts;
  const today = localDay(now, site.timezone);
  const [from, until, nextEnd] = [0, 1, 2].map((days) => startOfDay(today.add({ days }), site.timezone).getTime()) as [
    number,
    number,
    number,
  ];
  const salts = readSalts(site.id, today, now, new Date(Math.min(nextEnd, at + MAX_SALT_AGE_MS)));
  cache.set(site.id, { from, until, salts });
  salts.catch(() => cache.delete(site.id));
  return salts;
}

async function readSalts(siteId: number, today: Temporal.PlainDate, now: Date, expiresAt: Date): Promise<DaySalts> {
  const days = [asDate(today), asDate(today.subtract({ days: 1 }))] as const;
  await addSalt({ siteId, day: days[0], salt: new Uint8Array(randomBytes(32)), expiresAt });
  const rows = await db().siteSalt.findMany({ where: { siteId, day: { in: [...days] }, expiresAt: { gt: now } } });
  const [current, yesterday] = days.map((day) => {
    const row = rows.find((candidate) => candidate.day.getTime() === day.getTime());
    return row ? Buffer.from(row.salt) : null;
  });
  if (!current) throw new Fault("The salt of the day was deleted");
  return { today: current, yesterday: yesterday ?? null };
}

/** @throws Refusal `invalid_input` when the site was just deleted and is still in the cache. */
async function addSalt(row: {
  siteId: number;
  day: Date;
  salt: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}): Promise<void> {
  try {
    await db().siteSalt.createMany({ data: [row], skipDuplicates: true });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2003")) throw error;
    throw invalidInput([{ path: "domain", message: "is not a domain of any site here; add the site first" }]);
  }
}

const asDate = (day: Temporal.PlainDate): Date => new Date(`${day.toString()}T00:00:00Z`);

/** Deletes expired salts. @returns how many. */
export async function deleteExpiredSalts(now: Date): Promise<number> {
  const { count } = await db().siteSalt.deleteMany({ where: { expiresAt: { lte: now } } });
  return count;
}
