import { wordsOf } from "@/lib/analytics/query/dimension-sql";
import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { isAmong } from "@/lib/analytics/query/groups";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { bucketed, type Trend } from "@/lib/analytics/reports/trend";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";
import { msg } from "@/lib/texts/translate";

/** Web vitals: percentiles over page views, each by the last values it reported. */

interface Vital {
  label: string;
  about: string;
  /** At most this is good, and above `poor` it is poor, by https://web.dev/articles/vitals and its pages on FCP and TTFB. */
  good: number;
  poor: number;
}

export const VITALS = {
  lcp: { label: "LCP", about: msg("Largest Contentful Paint, in milliseconds"), good: 2500, poor: 4000 },
  inp: { label: "INP", about: msg("Interaction to Next Paint, in milliseconds"), good: 200, poor: 500 },
  cls: { label: "CLS", about: msg("Cumulative Layout Shift, without a unit"), good: 0.1, poor: 0.25 },
  fcp: { label: "FCP", about: msg("First Contentful Paint, in milliseconds"), good: 1800, poor: 3000 },
  ttfb: { label: "TTFB", about: msg("Time to First Byte, in milliseconds"), good: 800, poor: 1800 },
} as const satisfies Record<string, Vital>;
export type VitalKey = keyof typeof VITALS;
export const vitalKeys = Object.keys(VITALS) as VitalKey[];

/** Percentiles and shares of fewer page views than these are null. */
export const FLOOR = 20;

export const BREAKDOWNS = {
  pages: "page",
  devices: "device",
  countries: "country",
  browsers: "browser",
} as const satisfies Record<string, DimensionKey>;
export type Breakdown = keyof typeof BREAKDOWNS;
export const breakdownKeys = Object.keys(BREAKDOWNS) as Breakdown[];

interface Measured {
  samples: number;
  /** The 50th, 75th, 90th and 99th; null without samples. */
  percentiles: [number, number, number, number] | null;
  good: number;
  poor: number;
}

export type VitalsRow = { [key in VitalKey]: Measured } & {
  /** Which breakdown the row is of; null: of all page views. */
  part: Breakdown | null;
  value: string | null;
  views: number;
};

/** The values of each breakdown. */
export type Values = Record<Breakdown, (string | null)[]>;

const column = (key: VitalKey): Sql => raw(key);
const VITAL_COLUMNS = join(vitalKeys.map(column));

/** The ids that breakdowns are by. */
const IDS = ["page", "agent", "place"] as const;
const ID_OF: Record<Breakdown, Sql> = {
  pages: raw("page"),
  devices: raw("agent"),
  countries: raw("place"),
  browsers: raw("agent"),
};
const ID_LIST = join(IDS.map((id) => raw(id)));

/**
 * The vitals of a range: a row for all page views, the `limit` values of each breakdown with the most views, and the
 * buckets of the trend that have views.
 */
export async function vitalsOf(
  scope: Scope,
  limit: number,
  trend: Trend,
): Promise<{ rows: VitalsRow[]; buckets: VitalsBucket[] }> {
  const [found] = await queryCopy<[(VitalsRow & VitalsBucket)[]]>(
    scope,
    sql`
    WITH ${seenIn(scope)}, ${members(sql`rank <= ${limit}`)}
    FROM (${ROWS}) AS parts UNION ALL BY NAME FROM (${bucketsSql(scope, trend)}) AS buckets`,
  );
  return {
    rows: found.filter(({ bucket }) => bucket === null),
    buckets: found.filter(({ bucket }) => bucket !== null),
  };
}

/** The vitals of all page views of a range, and of these values of each breakdown. */
export async function vitalsAmong(scope: Scope, values: Values): Promise<VitalsRow[]> {
  const [rows] = await queryCopy<[VitalsRow[]]>(
    scope,
    sql`WITH ${seenIn(scope)}, ${members(ofValues(values))} ${ROWS}`,
  );
  return rows;
}

function ofValues(among: Values): Sql {
  const rows = breakdownKeys.flatMap((key) => among[key].map((value) => [key, value]));
  return isAmong([sql`part`, sql`value`], rows);
}

/** SQL for how many views there are of each id of each breakdown, with its word. */
const COUNTED = sql`
  WITH ids AS MATERIALIZED (
    SELECT ${ID_LIST}, count(*) AS views FROM seen GROUP BY GROUPING SETS (${join(IDS.map((id) => sql`(${raw(id)})`))}))
  ${join(
    breakdownKeys.map(
      (key) => sql`
      SELECT ${key} AS part, ids.${ID_OF[key]} AS id, nullif(words.word, '') AS value, ids.views
      FROM ids JOIN ${wordsOf(BREAKDOWNS[key])} AS words ON words.id = ids.${ID_OF[key]}`,
    ),
    " UNION ALL ",
  )}`;

/** SQL of `member` (part, value, rank, id), to follow WITH: the ids of the values of each breakdown that are chosen. */
const members = (chosen: Sql): Sql => sql`
  counted AS (${COUNTED}), chosen AS (
    SELECT part, value, list(id) AS ids, row_number() OVER (PARTITION BY part ORDER BY sum(views) DESC, value NULLS LAST) AS rank
    FROM counted GROUP BY part, value QUALIFY ${chosen}
  ), member AS MATERIALIZED (SELECT part, value, rank, unnest(ids) AS id FROM chosen)`;

/** The last value; of several at one moment the largest. */
const last = (value: Sql): Sql =>
  sql`arg_max(${value}, (ts, ${value})) FILTER (WHERE ${value} IS NOT NULL) AS ${value}`;

/**
 * Values are compared in millionths: percentiles of whole numbers take a third of the time that those of fractions take. A
 * value beyond 64 bits, which only an import can have, is none.
 */
const MILLION = 1e6;

/**
 * SQL of `seen`, to follow WITH: a row per page view. A view may report several times, and its last value of each vital
 * counts; a report that names no view (`view` is null) is a view of its own. Most views report once, so only the others
 * are grouped.
 */
const seenIn = (scope: Scope): Sql => sql`
  report AS (
    SELECT fact.visit_id, fact.view, fact.ts, fact.day, ${join(IDS.map((id) => sql`fact.${raw(id)}`))},
      ${join(vitalKeys.map((key) => sql`TRY_CAST(fact.${column(key)} * ${MILLION} AS BIGINT) AS ${column(key)}`))}
    FROM event AS fact WHERE ${eventsIn(scope)} AND fact.type = ${EVENT_TYPES.vitals}),
  repeated AS MATERIALIZED (
    SELECT visit_id, view FROM report WHERE view IS NOT NULL GROUP BY visit_id, view HAVING count(*) > 1),
  seen AS MATERIALIZED (
    SELECT ${ID_LIST}, ts, day, ${VITAL_COLUMNS}
    FROM report ANTI JOIN repeated ON repeated.visit_id = report.visit_id AND repeated.view = report.view
    UNION ALL SELECT ${last(raw("page"))}, max(agent) AS agent, max(place) AS place, max(ts) AS ts, max(day) AS day, ${join(vitalKeys.map((key) => last(column(key))))}
      FROM report SEMI JOIN repeated ON repeated.visit_id = report.visit_id AND repeated.view = report.view
      GROUP BY visit_id, view)`;

/** SQL for the numbers of one vital over the views of a group. Between two values, a percentile lies in proportion. */
function measuredOf(key: VitalKey): Sql {
  const value = column(key);
  const { good, poor } = VITALS[key];
  return sql`{'samples': count(${value}),
    'percentiles': list_transform(quantile_cont(${value}, [0.5, 0.75, 0.9, 0.99]), lambda one: one / ${MILLION}),
    'good': count(*) FILTER (WHERE ${value} <= ${good * MILLION}), 'poor': count(*) FILTER (WHERE ${value} > ${poor * MILLION})}`;
}

/** SQL for the rows of all page views and of the chosen values. */
const ROWS = rowsSql();
function rowsSql(): Sql {
  const measured = join(vitalKeys.map((key) => sql`${measuredOf(key)} AS ${column(key)}`));
  const parts = breakdownKeys.map(
    (key) => sql`
      SELECT member.part, member.rank, member.value, count(*) AS views, ${measured}
      FROM seen JOIN member ON member.part = ${key} AND member.id = seen.${ID_OF[key]}
      GROUP BY member.part, member.rank, member.value`,
  );
  return sql`
    SELECT NULL AS part, 0 AS rank, NULL AS value, count(*) AS views, ${measured} FROM seen
    UNION ALL ${join(parts, " UNION ALL ")} ORDER BY part NULLS FIRST, rank`;
}

/** What the views of a bucket measured. */
export interface VitalsBucket {
  bucket: number;
  views: number;
  samples: Record<VitalKey, number>;
  /** The 75th percentiles; null without samples. */
  p75: Record<VitalKey, number | null>;
}

/** SQL for the vitals of each bucket that has views. A view counts in the bucket of its last report. */
function bucketsSql(scope: Scope, trend: Trend): Sql {
  const each = (value: (key: VitalKey) => Sql) => join(vitalKeys.map((key) => sql`${column(key)}: ${value(key)}`));
  return sql`
    SELECT buckets.number AS bucket, count(*) AS views, {${each((key) => sql`count(${column(key)})`)}} AS samples,
      {${each((key) => sql`quantile_cont(${column(key)}, 0.75) / ${MILLION}`)}} AS p75
    FROM seen AS fact ${bucketed(scope, trend)} GROUP BY ALL`;
}
