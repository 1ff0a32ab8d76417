import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { invalidInput } from "@/lib/contract/errors";
import { db, Prisma } from "@/lib/db";
import type { IngestSite } from "@/lib/ingest/sites";
import { keyedNumber } from "@/lib/keyed-hash";
import { processWide } from "@/lib/process-wide";
import { localDay, startOfDay, type Temporal } from "@/lib/time";

/** Salts live at most this long, whatever the length of the local days. */
const HOUR_MS = 3600_000;
const LONGEST_LIFE_MS = 48 * HOUR_MS;

export interface Salts {
  today: Buffer;
  /** Only to continue a visit that began before midnight. */
  yesterday: Buffer | null;
}

/** The salts of one local day, which lasts `from` … `until`. A promise, so that all who ask meanwhile wait in line. */
interface Day {
  from: number;
  until: number;
  salts: Promise<Salts>;
}

/**
 * A page tells of several things within a minute: whom they are from is worked out once. Kept in memory alone, and all of it
 * forgotten when the minute is over.
 */
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 20_000;
const lately = processWide("visitors-lately", () => ({
  known: new Map<string, { who: Who; salts: Salts }>(),
  forgetting: null as NodeJS.Timeout | null,
}));

function forget(): void {
  lately.known.clear();
  lately.forgetting = null;
}

const cache = processWide("salts", () => new LRUCache<number, Day>({ max: 20_000, ttl: HOUR_MS, ttlAutopurge: true }));

/** Who a hit may be from. */
interface Who {
  visitors: string[];
  userHash: string | null;
}
/** By the words that tell them apart. Never kept longer than a request. */
export type KnownVisitors = Map<string, Who>;

/**
 * Who the sender of a hit may be. A visitor is an HMAC of address and user agent under a random salt of the site's
 * own local day; once the salt is destroyed nobody can tell who it was. With `userId` the visitor is the sender's own
 * pseudonym first, and a `sessionId` of the sender's comes before the address, for that day. Ids are the decimal text of
 * 64-bit integers.
 *
 * @param salts of that day: see `saltsOf`.
 * @param address null when the sender is no browser. Without the other two the user agent alone tells them apart then,
 *   and who has one of the two is never taken for those who have none.
 */
export function visitorsOf(site: IngestSite, salts: Salts, sender: Sender, known?: KnownVisitors): Who {
  if (!known) return recall(site, sender, salts);
  const words = JSON.stringify([sender.address, sender.userAgent, sender.userId, sender.sessionId]);
  const who = known.get(words) ?? workOut(site, sender, salts);
  known.set(words, who);
  return who;
}

/** Whoever says who they are is worked out each time. */
function recall(site: IngestSite, sender: Sender, salts: Salts): Who {
  if (sender.userId !== null || sender.sessionId) return workOut(site, sender, salts);
  const name = `${site.id}|${sender.address ?? ""}|${sender.userAgent}`;
  const before = lately.known.get(name);
  if (before?.salts === salts) return before.who;
  const who = workOut(site, sender, salts);
  if (lately.known.size >= MOST_REMEMBERED) lately.known.clear();
  lately.known.set(name, { who, salts });
  lately.forgetting ??= setTimeout(forget, REMEMBERED_MS).unref();
  return who;
}

interface Sender {
  address: string | null;
  userAgent: string;
  userId: string | null;
  sessionId?: string | null;
}

function workOut(site: IngestSite, sender: Sender, salts: Salts): Who {
  const userHash = sender.userId === null ? null : keyedNumber(site.userKey(), sender.userId);
  const visitors = userHash === null ? [] : [userHash];
  const { address, userAgent, sessionId = null } = sender;
  const names = sessionId === null ? [] : [`${site.id}|session|${sessionId}`];
  if (address !== null || (userHash === null && sessionId === null)) {
    names.push(`${site.id}|${address ?? ""}|${userAgent}`);
  }
  for (const name of names) {
    visitors.push(keyedNumber(salts.today, name));
    if (salts.yesterday) visitors.push(keyedNumber(salts.yesterday, name));
  }
  return { visitors, userHash };
}

/** The salts of the site's local day. Read once, and remembered until it ends. */
export function saltsOf(site: IngestSite, now: Date): Promise<Salts> {
  const at = now.getTime();
  const known = cache.get(site.id);
  if (known && known.from <= at && at < known.until) return known.salts;
  const today = localDay(now, site.timezone);
  const [from, until, nextEnd] = [0, 1, 2].map((days) => startOfDay(today.add({ days }), site.timezone).getTime()) as [
    number,
    number,
    number,
  ];
  const salts = readSalts(site.id, today, now, new Date(Math.min(nextEnd, at + LONGEST_LIFE_MS)));
  cache.set(site.id, { from, until, salts });
  salts.catch(() => cache.delete(site.id));
  return salts;
}

async function readSalts(siteId: number, today: Temporal.PlainDate, now: Date, expiresAt: Date): Promise<Salts> {
  const days = [asDate(today), asDate(today.subtract({ days: 1 }))] as const;
  await addSalt({ siteId, day: days[0], salt: new Uint8Array(randomBytes(32)), expiresAt });
  const rows = await db().siteSalt.findMany({ where: { siteId, day: { in: [...days] }, expiresAt: { gt: now } } });
  const [current, yesterday] = days.map((day) => {
    const row = rows.find((candidate) => candidate.day.getTime() === day.getTime());
    return row ? Buffer.from(row.salt) : null;
  });
  if (!current) throw new Error("The salt of the day is gone");
  return { today: current, yesterday: yesterday ?? null };
}

/** @throws Refusal `invalid_input` when the site was deleted a moment ago and is still remembered here. */
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

/** Destroys the salts whose time is over. @returns how many. */
export async function sweepSalts(now: Date): Promise<number> {
  const { count } = await db().siteSalt.deleteMany({ where: { expiresAt: { lte: now } } });
  return count;
}
