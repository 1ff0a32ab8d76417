import { Prisma } from "@/lib/db";

/**
 * How facts are found in their indexes. By time: they know of each only the slot of five minutes that it lies in: entries of
 * one slot are kept as a list, a quarter as large as entries with the moment. Days of every zone begin with a slot.
 */
const SLOT_MS = 300_000;

/** SQL for the slot of a moment, as its beginning: word for word the expression of the indexes. */
export const slotOf = (moment: Prisma.Sql): Prisma.Sql => Prisma.sql`date_bin('5 minutes', ${moment}, 'epoch')`;

/** SQL for the condition that facts lie between two moments, of which the second is not one of them. */
export const within = (moment: Prisma.Sql, { start, end }: { start: Date; end: Date }): Prisma.Sql =>
  Prisma.sql`${since(moment, start)} AND ${before(moment, end)}`;

/** That they lie at a moment or after it. */
export const since = (moment: Prisma.Sql, start: Date): Prisma.Sql =>
  Prisma.sql`${slotOf(moment)} >= ${slotAt(start)} AND ${moment} >= ${beginsSlot(start) ? monthOf(start) : start}`;

/** That they lie before it. */
export const before = (moment: Prisma.Sql, end: Date): Prisma.Sql =>
  beginsSlot(end)
    ? Prisma.sql`${slotOf(moment)} < ${end} AND ${moment} < ${monthAfter(end)}`
    : Prisma.sql`${slotOf(moment)} <= ${slotAt(end)} AND ${moment} < ${end}`;

const beginsSlot = (at: Date): boolean => at.getTime() % SLOT_MS === 0;
const slotAt = (at: Date): Date => new Date(Math.floor(at.getTime() / SLOT_MS) * SLOT_MS);

// Where the slot alone is exact, the moment chooses no more than partitions: Postgres takes two conditions of the same
// effect for independent, and would expect far too few rows.
const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
const monthAfter = (end: Date): Date => {
  const last = new Date(end.getTime() - 1);
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1));
};

/** SQL for what the index of visits knows of a visitor (`visitorText`). */
export const visitorKey = (visitor: Prisma.Sql): Prisma.Sql => Prisma.sql`hashint8(${visitor})`;

/** SQL for the order of their time, as the indexes have it. */
export const oldestFirst = (moment: Prisma.Sql): Prisma.Sql => Prisma.sql`${slotOf(moment)}, ${moment}`;
export const newestFirst = (moment: Prisma.Sql): Prisma.Sql => Prisma.sql`${slotOf(moment)} DESC, ${moment} DESC`;

/** SQL for the moment of a site's first event or visit; none where it has none. */
export const firstEvent = (siteId: number): Prisma.Sql =>
  Prisma.sql`SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ${oldestFirst(TS)} LIMIT 1`;
export const firstVisit = (siteId: number): Prisma.Sql =>
  Prisma.sql`SELECT started FROM facts.visit WHERE site_id = ${siteId} ORDER BY ${oldestFirst(STARTED)} LIMIT 1`;

export const TS = Prisma.sql`ts`;
export const STARTED = Prisma.sql`started`;
