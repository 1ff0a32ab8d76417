import type { Days } from "@/lib/analytics/engine/copy-options";
import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { valuesOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, ROLLED } from "@/lib/analytics/query/dimensions";
import { storePaths } from "@/lib/analytics/query/paths";
import { PRESENT, partialSumsIn, rolledParts, type Source } from "@/lib/analytics/query/sums-sql";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";

/** The rollup: sums of each closed local day, so that queries without filters do not read its facts. */

const DIMENSIONS: readonly [DimensionKey[], number][] = [
  [[], 0],
  ...Object.entries(ROLLED).map(([key, number]): [DimensionKey[], number] => [[key as DimensionKey], number]),
];

/** The longest visit touches this many days. */
const LONGEST_VISIT_DAYS = Math.ceil(VISIT_SPAN_MS / (24 * 3600_000));

/** The statements that rebuild the rollup and the visit paths of closed local days. */
export function rollUp(parts: readonly Days[]): Sql[] {
  return [...updateValues(), ...parts.flatMap(([first, last]) => rollUpDays(first, last))];
}

function rollUpDays(first: number, last: number): Sql[] {
  return [
    sql`DELETE FROM rollup WHERE day BETWEEN ${first} AND ${last}`,
    ...[true, false].flatMap((everything) =>
      DIMENSIONS.flatMap(([by, dimension]) => insertions({ first, last, everything, by, dimension })),
    ),
    // Visits of earlier days may continue into these days.
    ...storePaths(first - LONGEST_VISIT_DAYS, last),
  ];
}

/** Updates `rollup_value` to the values of the dictionaries. New values get new ids; null has the id 0. */
function updateValues(): Sql[] {
  const keys = Object.keys(ROLLED) as DimensionKey[];
  const words = join(
    keys.map((key) => sql`SELECT value FROM ${valuesOf(key)} AS words`),
    " UNION ",
  );
  return [
    sql`DELETE FROM rollup_value WHERE value NOT IN (SELECT value FROM (${words}) AS words WHERE value IS NOT NULL)`,
    sql`
      INSERT INTO rollup_value
      SELECT CASE WHEN value IS NULL THEN 0 ELSE newest + row_number() OVER (ORDER BY value NULLS LAST) END, value
      FROM (${words}) AS words, (SELECT coalesce(max(id), 0) AS newest FROM rollup_value) AS known
      WHERE NOT EXISTS (FROM rollup_value AS known WHERE known.value IS NOT DISTINCT FROM words.value)`,
  ];
}

interface Rows {
  first: number;
  last: number;
  everything: boolean;
  by: DimensionKey[];
  dimension: number;
}

/** One insertion per part; readers add up the rows. */
function insertions({ first, last, everything, by, dimension }: Rows): Sql[] {
  const where = everything
    ? sql`fact.day BETWEEN ${first} AND ${last}`
    : sql`fact.day BETWEEN ${first} AND ${last} AND fact.traffic = ${TRAFFIC_CLASSES.human}`;
  const source: Source = {
    visits: { table: sql`visit`, where },
    events: { table: sql`event`, where },
    present: { table: sql`event`, where: sql`${where} AND ${PRESENT}` },
    ofVisits: { table: sql`event`, where: sql`fact.day BETWEEN ${first - 1} AND ${last + LONGEST_VISIT_DAYS}` },
    byDay: true,
  };
  const key = by.length > 0 ? sql`k0` : sql`NULL`;
  return partialSumsIn(source, by, rolledParts(by[0]), sql`visit`).map(
    (part) => sql`
      INSERT INTO rollup SELECT on_day, ${everything}, ${dimension}, rollup_value.id, visitors, visits, bounces, "durationMs",
        pageviews, events, "engagementMs", engaged, scroll, scrolled
      FROM (${part}) AS part JOIN rollup_value ON rollup_value.value IS NOT DISTINCT FROM ${key}`,
  );
}
