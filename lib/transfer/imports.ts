import { EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { type Db, Prisma } from "@/lib/platform/db";
import { numberIn } from "@/lib/transfer/daily-sums";

/** What a site has imported of other services: lists it, and deletes it. */

export interface Import {
  /** The service, such as plausible. */
  source: string;
  from: string;
  to: string;
  days: number;
  /** What its days are added up by; none where there are only sums of whole days. */
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

/** The imports of a site, by the name of their source. Only sums of whole days make up its totals. */
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
 * Deletes what was imported of one source, or of all. Days that have no sums of the whole day any more are deleted with what
 * other sources know of them: reports show no parts of an unknown whole.
 *
 * @param source null for all of them.
 * @returns on how many days the site has no imported sums any more.
 */
export async function deleteImports(on: Db, siteId: number, source: string | null): Promise<number> {
  // The same lock as an import's: what one of them reads stays as it is.
  await on.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtext('facts.days'), ${siteId}::int)`;
  const days = await daysOf(on, siteId);
  const ofSource = source === null ? Prisma.empty : Prisma.sql`AND source = ${source}`;
  // A day has as many events as its events by name together, and one source knows all of these.
  await on.$executeRaw`
    UPDATE facts.imported AS total SET events = 0
    WHERE site_id = ${siteId} AND dimension = ${EVERYTHING} AND day IN (
      SELECT day FROM facts.imported WHERE site_id = ${siteId} AND dimension = ${numberIn("event")} ${ofSource})`;
  await on.$executeRaw`DELETE FROM facts.imported WHERE site_id = ${siteId} ${ofSource}`;
  await on.$executeRaw`
    DELETE FROM facts.imported AS part WHERE site_id = ${siteId} AND NOT EXISTS (
      SELECT FROM facts.imported AS whole
      WHERE whole.site_id = ${siteId} AND whole.dimension = ${EVERYTHING} AND whole.day = part.day)`;
  // Copies of the facts read all that was imported whenever anything has changed.
  await on.$executeRaw`INSERT INTO facts.change (site_id, start, "end") VALUES (${siteId}, 'epoch', 'epoch')`;
  return days - (await daysOf(on, siteId));
}

/** On how many days the sums of other sources would be deleted together with those of `source`. */
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
