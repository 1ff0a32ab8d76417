import { EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { changedFacts } from "@/lib/ingest/store/changed-facts";
import { type Db, Prisma } from "@/lib/platform/db";
import { dimensionNumber } from "@/lib/transfer/daily-sums";

/** Lists and deletes the imported data of a site. */

export interface Import {
  /** The service, such as plausible. */
  source: string;
  from: string;
  to: string;
  days: number;
  /** Dimensions of the data; empty if there are only totals. */
  dimensions: string[];
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
}

interface Row extends Omit<Import, "dimensions"> {
  numbers: number[];
}

const DIMENSIONS = new Map(Object.entries(ROLLED).map(([key, number]) => [number as number, key]));

/** Lists the imports of a site by source. The metrics are those of the daily totals. */
export async function listImports(on: Db, siteId: number): Promise<Import[]> {
  const total = (column: Prisma.Sql) =>
    Prisma.sql`coalesce(sum(${column}) FILTER (WHERE dimension = ${EVERYTHING}), 0)::float8`;
  const rows = await on.$queryRaw<Row[]>`
    SELECT source, min(day)::text AS "from", max(day)::text AS "to", count(DISTINCT day)::int AS days,
           array_agg(DISTINCT dimension::int) AS numbers, ${total(Prisma.sql`visitors`)} AS visitors,
           ${total(Prisma.sql`visits`)} AS visits, ${total(Prisma.sql`pageviews`)} AS pageviews,
           ${total(Prisma.sql`events`)} AS events
    FROM facts.imported WHERE site_id = ${siteId} GROUP BY source ORDER BY source`;
  return rows.map(({ numbers, ...row }) => ({
    ...row,
    dimensions: numbers.flatMap((number) => DIMENSIONS.get(number) ?? []),
  }));
}

/**
 * Deletes the imports of one source, or of all. Days that lose their totals are deleted completely, including data of
 * other sources, because reports need totals.
 *
 * @param source null for all sources
 * @returns the number of days that no longer have imported data
 */
export async function deleteImports(on: Db, siteId: number, source: string | null): Promise<number> {
  // The same lock as imports.
  await on.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtext('facts.days'), ${siteId}::int)`;
  const days = await daysOf(on, siteId);
  const ofSource = source === null ? Prisma.empty : Prisma.sql`AND source = ${source}`;
  // The event total of a day is the sum over its event names, which all come from one source.
  await on.$executeRaw`
    UPDATE facts.imported AS total SET events = 0
    WHERE site_id = ${siteId} AND dimension = ${EVERYTHING} AND day IN (
      SELECT day FROM facts.imported WHERE site_id = ${siteId} AND dimension = ${dimensionNumber("event")} ${ofSource})`;
  await on.$executeRaw`DELETE FROM facts.imported WHERE site_id = ${siteId} ${ofSource}`;
  await on.$executeRaw`
    DELETE FROM facts.imported AS part WHERE site_id = ${siteId} AND NOT EXISTS (
      SELECT FROM facts.imported AS whole
      WHERE whole.site_id = ${siteId} AND whole.dimension = ${EVERYTHING} AND whole.day = part.day)`;
  // Any change makes the analytics copies read all imported data again.
  await on.$executeRaw(changedFacts({ siteId, start: new Date(0), end: new Date(0) }));
  return days - (await daysOf(on, siteId));
}

/** Counts the days on which deleting `source` would also delete data of other sources. */
export async function daysDeletedWith(on: Db, siteId: number, source: string): Promise<number> {
  const [row] = await on.$queryRaw<{ days: number }[]>`
    SELECT count(DISTINCT part.day)::int AS days FROM facts.imported AS part
    WHERE part.site_id = ${siteId} AND part.source <> ${source} AND NOT EXISTS (
      SELECT FROM facts.imported AS whole
      WHERE whole.site_id = ${siteId} AND whole.dimension = ${EVERYTHING} AND whole.day = part.day
        AND whole.source <> ${source})`;
  return row?.days ?? 0;
}

async function daysOf(on: Db, siteId: number): Promise<number> {
  const [row] = await on.$queryRaw<{ days: number }[]>`
    SELECT count(DISTINCT day)::int AS days FROM facts.imported WHERE site_id = ${siteId}`;
  return row?.days ?? 0;
}
