import type { Days } from "@/lib/analytics/engine/copy-options";
import { valuesOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, dimensionOf, EVERYTHING, ROLLED } from "@/lib/analytics/query/dimensions";
import { storePaths } from "@/lib/analytics/query/paths";
import { ALONE, type Part, PRESENT, partialSumsIn, rolledParts, type Source } from "@/lib/analytics/query/sums-sql";
import { countedByValues, presentVisits } from "@/lib/analytics/query/visit-values";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { VISIT_SPAN_MS } from "@/lib/ingest/event/catalogue";
import { DAY_MS } from "@/lib/platform/durations";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";

/** The rollup: sums of each closed local day, so that queries without filters do not read its facts. */

/** The dimensions whose sums are those of visits, and the visitors of their events. */
const OF_VISITS = (Object.keys(ROLLED) as DimensionKey[]).filter((key) => dimensionOf(key).level === "visit");

const TOGETHER: ReadonlySet<Part> = new Set(["visitors", "visits"]);

/** What is added up by one dimension, or none, at a time. */
const ONE_BY_ONE: readonly [by: DimensionKey[], dimension: number, parts: readonly Part[]][] = [
  [[], EVERYTHING, rolledParts(undefined)],
  ...Object.entries(ROLLED).flatMap(([name, dimension]): [DimensionKey[], number, readonly Part[]][] => {
    const key = name as DimensionKey;
    const parts = rolledParts(key).filter((part) => !(OF_VISITS.includes(key) && TOGETHER.has(part)));
    return parts.length > 0 ? [[[key], dimension, parts]] : [];
  }),
];

/** The longest visit touches this many days. */
const LONGEST_VISIT_DAYS = Math.ceil(VISIT_SPAN_MS / DAY_MS);

/** The statements that rebuild the rollup and the visit paths of closed local days. */
export function rollUp(parts: readonly Days[]): Sql[] {
  return [...updateValues(), ...parts.flatMap(([first, last]) => rollUpDays(first, last))];
}

function rollUpDays(first: number, last: number): Sql[] {
  return [
    sql`DELETE FROM rollup WHERE day BETWEEN ${first} AND ${last}`,
    ...[true, false].flatMap((everything) => {
      const days = { first, last, everything };
      return [
        byVisits(days),
        ...ONE_BY_ONE.flatMap(([by, dimension, parts]) => insertions(days, by, dimension, parts)),
      ];
    }),
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

interface RolledDays {
  first: number;
  last: number;
  /** Whether of all traffic, not only of human visitors. */
  everything: boolean;
}

/** SQL for whether a fact, called `fact`, lies on these days. */
const inRolledDays = ({ first, last, everything }: RolledDays): Sql =>
  everything
    ? sql`fact.day BETWEEN ${first} AND ${last}`
    : sql`fact.day BETWEEN ${first} AND ${last} AND fact.traffic = ${TRAFFIC_CLASSES.human}`;

/** The insertions of sums by a dimension or none, one per part; readers add up the rows. */
function insertions(days: RolledDays, by: DimensionKey[], dimension: number, parts: readonly Part[]): Sql[] {
  const { first, last, everything } = days;
  const where = inRolledDays(days);
  const source: Source = {
    visits: { table: sql`visit`, where },
    events: { table: sql`event`, where },
    present: { table: sql`event`, where: sql`${where} AND ${PRESENT}` },
    ofVisits: { table: sql`event`, where: sql`fact.day BETWEEN ${first - 1} AND ${last + LONGEST_VISIT_DAYS}` },
    byDay: true,
  };
  const key = by.length > 0 ? sql`k0` : sql`NULL`;
  return partialSumsIn(source, by, parts, sql`visit`).map(
    (part) => sql`
      INSERT INTO rollup SELECT on_day, ${everything}, ${dimension}, rollup_value.id, visitors, visits, bounces, "durationMs",
        pageviews, events, "engagementMs", engaged, scroll, scrolled
      FROM (${part}) AS part JOIN rollup_value ON rollup_value.value IS NOT DISTINCT FROM ${key}`,
  );
}

/** The insertion of the sums of visits, and of the visitors present, by each dimension of visits. */
function byVisits(days: RolledDays): Sql {
  const { first, last, everything } = days;
  const where = inRolledDays(days);
  const chosen = sql`SELECT fact.* FROM visit AS fact WHERE ${where}`;
  const present = presentVisits(sql`event AS fact WHERE ${where} AND ${PRESENT}`);
  const whole = sql`(SELECT fact.* FROM visit AS fact WHERE fact.day BETWEEN ${first - LONGEST_VISIT_DAYS} AND ${last + 1})`;
  return sql`
    INSERT INTO rollup
    WITH chosen AS (${chosen}), present AS MATERIALIZED (SELECT fact.*, ${ALONE} FROM (${present}) AS fact),
    ${countedByValues(OF_VISITS, { whole, values: rolledValues, byDay: true })}
    SELECT day, ${everything}, dimension, value, visitors, visits, bounces, duration_ms, 0, 0, 0, 0, 0, 0 FROM counted`;
}

/** SQL for a dictionary with the numbers of its values in the rollup. */
function rolledValues(dictionary: string, keys: readonly DimensionKey[]): Sql {
  const numbers = join(keys.map((key) => raw(`of_${key}.id AS ${key}`)));
  const joins = keys.map((key) => {
    const alias = raw(`of_${key}`);
    const { word } = dimensionOf(key);
    return sql`JOIN rollup_value AS ${alias} ON ${alias}.value IS NOT DISTINCT FROM nullif(words.${raw(word)}, '') `;
  });
  return sql`(SELECT words.id, ${numbers} FROM ${raw(dictionary)} AS words ${join(joins, "")})`;
}
