import { createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { db } from "@/lib/db";
import type { IngestSite } from "@/lib/ingest/sites";
import { processWide } from "@/lib/process-wide";
import { localDay, startOfDay, type Temporal } from "@/lib/time";

/** Salts live at most this long, whatever the length of the local days. */
const LONGEST_LIFE_MS = 48 * 3600_000;

interface Salts {
  today: Buffer;
  /** Only to continue a visit that began before midnight. */
  yesterday: Buffer | null;
  until: number;
  from: number;
}

const cache = processWide("salts", () => new LRUCache<number, Promise<Salts>>({ max: 20_000 }));

/**
 * Who the sender of a hit may be. A visitor is an HMAC of address and user agent under a random salt of the site's
 * own local day; once the salt is destroyed nobody can tell who it was. With `userId` the visitor is the sender's own
 * pseudonym first. Ids are the decimal text of 64-bit integers.
 *
 * @param address null when the sender is no browser: then the user agent alone tells them apart.
 */
export async function visitorsOf(
  site: IngestSite,
  sender: { address: string | null; userAgent: string; userId: string | null },
  now: Date,
): Promise<{ visitors: string[]; userHash: string | null }> {
  const salts = await saltsOf(site, now);
  const who = `${site.id}|${sender.address ?? ""}|${sender.userAgent}`;
  const userHash = sender.userId === null ? null : keyed(site.userKey(), sender.userId);
  const visitors = userHash === null ? [] : [userHash];
  visitors.push(keyed(salts.today, who));
  if (salts.yesterday) visitors.push(keyed(salts.yesterday, who));
  return { visitors, userHash };
}

const keyed = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest().readBigInt64BE(0).toString();

async function saltsOf(site: IngestSite, now: Date): Promise<Salts> {
  const at = now.getTime();
  const known = await cache.get(site.id)?.catch(() => null);
  if (known && known.from <= at && at < known.until) return known;
  const fresh = readSalts(site, now);
  cache.set(site.id, fresh);
  return fresh;
}

async function readSalts(site: IngestSite, now: Date): Promise<Salts> {
  const today = localDay(now, site.timezone);
  const yesterday = today.subtract({ days: 1 });
  const starts = [today, today.add({ days: 1 }), today.add({ days: 2 })].map((day) => startOfDay(day, site.timezone));
  const [begin, end, afterNext] = starts.map((start) => start.getTime()) as [number, number, number];
  const expires = new Date(Math.min(afterNext, now.getTime() + LONGEST_LIFE_MS));
  await db().siteSalt.createMany({
    data: [{ siteId: site.id, day: asDate(today), salt: new Uint8Array(randomBytes(32)), expiresAt: expires }],
    skipDuplicates: true,
  });
  const rows = await db().siteSalt.findMany({
    where: { siteId: site.id, day: { in: [asDate(today), asDate(yesterday)] }, expiresAt: { gt: now } },
  });
  const saltOf = (day: Temporal.PlainDate) => {
    const row = rows.find((candidate) => candidate.day.getTime() === asDate(day).getTime());
    return row ? Buffer.from(row.salt) : null;
  };
  const current = saltOf(today);
  if (!current) throw new Error("The salt of the day is gone");
  return { today: current, yesterday: saltOf(yesterday), from: begin, until: end };
}

const asDate = (day: Temporal.PlainDate): Date => new Date(`${day.toString()}T00:00:00Z`);

/** Destroys the salts whose time is over. @returns how many. */
export async function sweepSalts(now: Date): Promise<number> {
  const { count } = await db().siteSalt.deleteMany({ where: { expiresAt: { lte: now } } });
  return count;
}
