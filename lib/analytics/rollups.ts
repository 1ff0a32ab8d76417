import { dayNumber } from "@/lib/analytics/buckets";
import { LENGTHS, type Length } from "@/lib/analytics/cover";
import { type DimensionKey, ROLLED, wordsOf } from "@/lib/analytics/dimensions";
import { NO_FILTERS } from "@/lib/analytics/filters";
import { KEYS, type Part, partials, type Values } from "@/lib/analytics/partials";
import { days } from "@/lib/analytics/period";
import { eventsIn, type Scope, visitsIn } from "@/lib/analytics/question";
import { ROLLUP_COLUMNS, rollupRows } from "@/lib/analytics/sources";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { type Db, db, Prisma, reports } from "@/lib/db";
import { localDay, startOfDay, Temporal } from "@/lib/time";

/**
 * Seals finished days: adds up what they came to, once, so that reports need not. A day is sealed for a class of traffic
 * when no visit that began on it can change any more.
 */

/** A visit ends after half an hour of silence; what was sent before that is committed by now. */
const SETTLED_MS = 35 * 60_000;
/** How long one run of the job may go on beginning new days. */
const RUN_MS = 30_000;
const SEAL_WITHIN_MS = 120_000;
const CLASSES: readonly number[] = Object.values(TRAFFIC_CLASSES);
/** The lens that counts every class. */
const ALL = 0;

/** Seals what can be sealed on every site. Several processes may run it at once: one is at a site, the others pass on. */
export async function sealSites(now: Date): Promise<void> {
  const until = Date.now() + RUN_MS;
  const sites = await db().site.findMany({ select: { id: true, timezone: true }, orderBy: { id: "asc" } });
  for (const { id, timezone } of sites)
    if (Date.now() < until) await sealSite(id, timezone, now, () => Date.now() < until);
}

/**
 * Seals the finished days of one site, newest first, and the blocks that they complete.
 *
 * @param mayGoOn asked before each day.
 */
export async function sealSite(siteId: number, timezone: string, now: Date, mayGoOn = () => true): Promise<void> {
  await forgetOtherZones(siteId, timezone);
  const missing = await unsealedDays(siteId, timezone, now);
  for (const [date, lenses] of missing) {
    if (!mayGoOn()) return;
    await sealDay(siteId, timezone, date, lenses, now);
  }
  for (const length of [8, 64] as const) await sealBlocks(siteId, timezone, length);
}

/** Makes reports of a site read the facts until its days have been sealed anew. */
export async function reopenDays(siteId: number): Promise<void> {
  await db().$transaction(async (tx) => {
    // Whoever is sealing is waited for: what they mark would not be seen by a statement that has begun.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int)`;
    await tx.$executeRaw`DELETE FROM facts.sealed WHERE site_id = ${siteId}`;
  });
}

const forgetOtherZones = (siteId: number, timezone: string) =>
  db().$executeRaw`DELETE FROM facts.sealed WHERE site_id = ${siteId} AND timezone <> ${timezone}`;

/** The finished days that lack a seal, newest first, each with the lenses that it lacks. */
async function unsealedDays(siteId: number, timezone: string, now: Date): Promise<[Temporal.PlainDate, number[]][]> {
  const [edge] = await reports().$queryRaw<{ first: Date | null }[]>`
    SELECT min(started) AS first FROM facts.visit WHERE site_id = ${siteId}`;
  if (!edge?.first) return [];
  const sealed = await reports().$queryRaw<{ block: number; lenses: number[] }[]>`
    SELECT block, array_agg(traffic::int) AS lenses FROM facts.sealed WHERE site_id = ${siteId} AND length = 1 GROUP BY block`;
  const known = new Map(sealed.map(({ block, lenses }) => [block, new Set(lenses)]));
  const found: [Temporal.PlainDate, number[]][] = [];
  const first = localDay(edge.first, timezone);
  // A visit of the first day may have events that a server's clock put before its beginning.
  let date = localDay(new Date(now.getTime() - SETTLED_MS), timezone).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, first) >= 0; date = date.subtract({ days: 1 })) {
    const missing = [ALL, ...CLASSES].filter((lens) => !known.get(dayNumber(date))?.has(lens));
    if (missing.length > 0) found.push([date, missing]);
  }
  return found;
}

async function sealDay(siteId: number, timezone: string, date: Temporal.PlainDate, lacking: number[], now: Date) {
  const scope = wholeDay(siteId, timezone, date, now);
  await db().$transaction(
    async (tx) => {
      if (!(await takeTurn(tx, siteId))) return;
      const open = await openClasses(tx, scope, now);
      const lenses = lacking.filter((lens) => (lens === ALL ? open.size === 0 : !open.has(lens)));
      if (lenses.length === 0) return;
      const block = dayNumber(date);
      await tx.$executeRaw`
        DELETE FROM facts.rollup WHERE site_id = ${siteId} AND traffic = ANY(${lenses}::smallint[]) AND length = 1 AND block = ${block}`;
      const dimensions = (await isEmpty(tx, scope)) ? [] : [[null, 0] as const, ...rolledDimensions];
      for (const [key, dimension] of dimensions) await addUp(tx, scope, key, dimension, block, lenses);
      await markSealed(tx, siteId, timezone, 1, [block], lenses);
    },
    { timeout: SEAL_WITHIN_MS },
  );
}

const rolledDimensions = Object.entries(ROLLED) as [DimensionKey, number][];

function wholeDay(siteId: number, timezone: string, date: Temporal.PlainDate, now: Date): Scope {
  const range = days(date, date, timezone, now);
  return {
    siteId,
    currency: "EUR",
    range,
    traffic: "all",
    filters: NO_FILTERS,
    sealed: null,
    days: [startOfDay(date, timezone)],
  };
}

/** @returns false when another process is sealing this site. */
async function takeTurn(tx: Db, siteId: number): Promise<boolean> {
  const [turn] = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtext('facts.rollup'), ${siteId}::int) AS mine`;
  return turn?.mine === true;
}

/** The classes of which a visit that began in the scope may still go on. */
async function openClasses(tx: Db, { siteId, range }: Scope, now: Date): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ traffic: number }[]>`
    SELECT DISTINCT traffic FROM facts.visit WHERE site_id = ${siteId} AND started >= ${range.start} AND started < ${range.end}
      AND started + duration_ms * interval '1 millisecond' > ${new Date(now.getTime() - SETTLED_MS)}`;
  return new Set(rows.map(({ traffic }) => traffic));
}

async function isEmpty(tx: Db, scope: Scope): Promise<boolean> {
  const [day] = await tx.$queryRaw<{ empty: boolean }[]>`
    SELECT NOT EXISTS (SELECT FROM facts.visit AS fact WHERE ${visitsIn(scope)})
       AND NOT EXISTS (SELECT FROM facts.event AS fact WHERE ${eventsIn(scope)}) AS empty`;
  return day?.empty === true;
}

const PARTS: readonly Part[] = ["visits", "events", "scrolls"];

/** Values as the first id of their word, which stays the same while words are added. */
const inIds: Values = (key, siteId) =>
  key === "traffic"
    ? Prisma.sql`(SELECT id::int, id::int FROM ${wordsOf(key, siteId)} AS words(id, word))`
    : Prisma.sql`(SELECT id, CASE WHEN word <> '' THEN min(id) OVER (PARTITION BY word) END FROM ${wordsOf(key, siteId)} AS words(id, word))`;

/** Adds up one dimension of a day: each class by itself, and all of them together. */
async function addUp(
  tx: Db,
  scope: Scope,
  key: DimensionKey | null,
  dimension: number,
  block: number,
  lenses: number[],
) {
  const by = key ? [key] : [];
  const value = key ? Prisma.sql`coalesce(k0, 0)` : Prisma.sql`0`;
  const insert = (lens: Prisma.Sql, rows: Prisma.Sql) => {
    const place = Prisma.sql`${scope.siteId}::int AS site_id, ${lens} AS traffic, 1::smallint AS length, ${dimension}::smallint AS dimension, ${block}::int AS block`;
    return insertRollups(
      tx,
      Prisma.sql`SELECT ${place}, ${value} AS value, ${ADDED} FROM (${rows}) AS partial GROUP BY 2, 6`,
    );
  };
  if (lenses.includes(ALL)) await insert(Prisma.sql`${ALL}::smallint`, partials(scope, by, PARTS, inIds));
  const classes = lenses.filter((lens) => lens !== ALL);
  const traffic = KEYS[by.length] as Prisma.Sql;
  const rows = partials(scope, [...by, "traffic"], PARTS, inIds);
  await insert(
    Prisma.sql`${traffic}::smallint`,
    Prisma.sql`SELECT * FROM (${rows}) AS classes WHERE ${traffic} = ANY(${classes}::int[])`,
  );
}

const ADDED = Prisma.join(ROLLUP_COLUMNS.map(({ name, column }) => Prisma.sql`coalesce(sum(${name}), 0) AS ${column}`));
const COLUMNS = Prisma.join(ROLLUP_COLUMNS.map(({ column }) => column));

/** Writes rows `site_id, traffic, length, dimension, block, value, …` as lists. */
async function insertRollups(tx: Db, rows: Prisma.Sql): Promise<void> {
  const lists = ROLLUP_COLUMNS.map(({ column }) => Prisma.sql`array_agg(${column} ORDER BY value)`);
  await tx.$executeRaw`
    INSERT INTO facts.rollup (site_id, traffic, length, dimension, block, value, ${COLUMNS})
    SELECT site_id, traffic, length, dimension, block, array_agg(value ORDER BY value), ${Prisma.join(lists)}
    FROM (${rows}) AS rows GROUP BY site_id, traffic, length, dimension, block`;
}

async function markSealed(
  tx: Db,
  siteId: number,
  timezone: string,
  length: Length,
  blocks: number[],
  lenses: number[],
) {
  await tx.$executeRaw`
    INSERT INTO facts.sealed (site_id, block, length, traffic, timezone)
    SELECT ${siteId}, block, ${length}, traffic, ${timezone}
    FROM unnest(${blocks}::int[]) AS block, unnest(${lenses}::smallint[]) AS traffic ON CONFLICT DO NOTHING`;
}

/** Adds up the blocks of a length of which every shorter block is sealed. */
async function sealBlocks(siteId: number, timezone: string, length: 8 | 64): Promise<void> {
  const shorter = LENGTHS[LENGTHS.indexOf(length) + 1] as Length;
  const each = length / shorter;
  const complete = await db().$queryRaw<{ traffic: number; block: number }[]>`
    SELECT traffic, block / ${each}::int AS block FROM facts.sealed WHERE site_id = ${siteId} AND length = ${shorter}
    GROUP BY 1, 2 HAVING count(*) = ${each}::int
    EXCEPT SELECT traffic, block FROM facts.sealed WHERE site_id = ${siteId} AND length = ${length}`;
  for (const { traffic, block } of complete) {
    await db().$transaction(
      async (tx) => {
        if (!(await takeTurn(tx, siteId))) return;
        const [{ parts } = { parts: 0 }] = await tx.$queryRaw<{ parts: number }[]>`
          SELECT count(*)::int AS parts FROM facts.sealed WHERE site_id = ${siteId} AND traffic = ${traffic}
            AND length = ${shorter} AND block / ${each}::int = ${block} AND timezone = ${timezone}`;
        if (parts < each) return;
        await sealBlock(tx, { siteId, traffic, length, block }, shorter);
        await markSealed(tx, siteId, timezone, length, [block], [traffic]);
      },
      { timeout: SEAL_WITHIN_MS },
    );
  }
}

interface Block {
  siteId: number;
  traffic: number;
  length: Length;
  block: number;
}

async function sealBlock(tx: Db, { siteId, traffic, length, block }: Block, shorter: Length): Promise<void> {
  const each = length / shorter;
  await tx.$executeRaw`
    DELETE FROM facts.rollup WHERE site_id = ${siteId} AND traffic = ${traffic} AND length = ${length} AND block = ${block}`;
  const added = ROLLUP_COLUMNS.map(({ column }) => Prisma.sql`sum(one.${column}) AS ${column}`);
  await insertRollups(
    tx,
    Prisma.sql`
      SELECT site_id, traffic, ${length}::smallint AS length, dimension, ${block}::int AS block, one.value, ${Prisma.join(added)}
      FROM ${rollupRows(ROLLUP_COLUMNS)} WHERE rollup.site_id = ${siteId} AND rollup.traffic = ${traffic} AND rollup.length = ${shorter}
        AND rollup.block BETWEEN ${block * each} AND ${block * each + each - 1}
      GROUP BY site_id, traffic, dimension, one.value`,
  );
}
