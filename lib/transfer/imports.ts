import { EVERYTHING } from "@/lib/analytics/query/dimensions";
import { deleteSums } from "@/lib/ingest/store/imported-facts";
import { type Queries, type Sql, sql } from "@/lib/platform/sql";
import { dimensionKeysOf, SUM_DIMENSIONS } from "@/lib/transfer/daily-sums";

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
  /** Null if the service does not tell it of each day, as for pageviews and events. */
  visits: number | null;
  pageviews: number | null;
  events: number | null;
}

interface Row extends Omit<Import, "dimensions"> {
  numbers: number[];
}

/** Lists the imports of a site by source. The metrics are those of the daily totals. */
export async function listImports(on: Queries, siteId: number): Promise<Import[]> {
  const isTotal = sql`FILTER (WHERE dimension = ${EVERYTHING})`;
  const total = (column: Sql) => sql`CASE WHEN count(*) ${isTotal} = count(${column}) ${isTotal}
    THEN coalesce(sum(${column}) ${isTotal}, 0)::float8 END`;
  const { rows } = await on.query<Row>(sql`
    SELECT source, min(day)::text AS "from", max(day)::text AS "to", count(DISTINCT day)::int AS days,
           array_agg(DISTINCT dimension::int) AS numbers, ${total(sql`visitors`)} AS visitors,
           ${total(sql`visits`)} AS visits, ${total(sql`pageviews`)} AS pageviews, ${total(sql`events`)} AS events
    FROM facts.imported WHERE site_id = ${siteId} GROUP BY source ORDER BY source`);
  return rows.map(({ numbers, ...row }) => ({
    ...row,
    dimensions: dimensionKeysOf(numbers),
  }));
}

/** Deletes the imports of one source, or of all. Parameters as in `deleteSums`. */
export const deleteImports = (on: Queries, siteId: number, source: string | null): Promise<number> =>
  deleteSums(on, siteId, source, SUM_DIMENSIONS);

/** Counts the days that a site has imported from a service. */
export async function daysImportedFrom(on: Queries, siteId: number, source: string): Promise<number> {
  const { rows } = await on.query<{ days: number }>(sql`
    SELECT count(DISTINCT day)::int AS days FROM facts.imported WHERE site_id = ${siteId} AND source = ${source}`);
  return rows[0]?.days ?? 0;
}

/** Counts the days on which deleting `source` would also delete data of other sources. */
export async function daysDeletedWith(on: Queries, siteId: number, source: string): Promise<number> {
  const { rows } = await on.query<{ days: number }>(sql`
    SELECT count(DISTINCT part.day)::int AS days FROM facts.imported AS part
    WHERE part.site_id = ${siteId} AND part.source <> ${source} AND NOT EXISTS (
      SELECT FROM facts.imported AS whole
      WHERE whole.site_id = ${siteId} AND whole.dimension = ${EVERYTHING} AND whole.day = part.day
        AND whole.source <> ${source})`);
  return rows[0]?.days ?? 0;
}
