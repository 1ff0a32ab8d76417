import { isAmong } from "@/lib/analytics/among";
import { type DimensionKey, wordsOf } from "@/lib/analytics/dimensions";
import { eventsIn, type Scope } from "@/lib/analytics/question";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";

/** How pages felt: percentiles over page views, each by its last report. */

interface Vital {
  label: string;
  about: string;
  /** At most this is good, and above `poor` it is poor, by https://web.dev/articles/vitals and its pages on FCP and TTFB. */
  good: number;
  poor: number;
}

export const VITALS = {
  lcp: { label: "LCP", about: "Largest Contentful Paint, in milliseconds", good: 2500, poor: 4000 },
  inp: { label: "INP", about: "Interaction to Next Paint, in milliseconds", good: 200, poor: 500 },
  cls: { label: "CLS", about: "Cumulative Layout Shift, without a unit", good: 0.1, poor: 0.25 },
  fcp: { label: "FCP", about: "First Contentful Paint, in milliseconds", good: 1800, poor: 3000 },
  ttfb: { label: "TTFB", about: "Time to First Byte, in milliseconds", good: 800, poor: 1800 },
} as const satisfies Record<string, Vital>;
export type VitalKey = keyof typeof VITALS;
export const vitalKeys = Object.keys(VITALS) as VitalKey[];

/** With fewer page views than these a percentile rests on a handful of them, and is not told. */
export const FLOOR = 20;

/** What vitals are told by. */
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

/** The values told of each breakdown. */
export type Values = Record<Breakdown, (string | null)[]>;

const column = (key: VitalKey) => COLUMNS[key];
const COLUMNS: Record<VitalKey, Prisma.Sql> = {
  lcp: Prisma.sql`lcp`,
  inp: Prisma.sql`inp`,
  cls: Prisma.sql`cls`,
  fcp: Prisma.sql`fcp`,
  ttfb: Prisma.sql`ttfb`,
};
const PARTS: Record<Breakdown, Prisma.Sql> = {
  pages: Prisma.sql`pages`,
  devices: Prisma.sql`devices`,
  countries: Prisma.sql`countries`,
  browsers: Prisma.sql`browsers`,
};
const list = (parts: Prisma.Sql[], separator = ", ") => Prisma.join(parts, separator);

/**
 * The vitals of a scope: one row for all page views, and rows for the values of each breakdown with the most views.
 *
 * @param among only the rows of these values; without it, `limit` rows of each breakdown.
 */
export function vitalsIn(scope: Scope, limit: number, among: Values | null): Promise<VitalsRow[]> {
  const measured = vitalKeys.map((key) => Prisma.sql`${measuredOf(key)} AS ${column(key)}`);
  const place = list(
    breakdownKeys.map((key) => Prisma.sql`WHEN grouping(${PARTS[key]}) = 0 THEN ${key}::text`),
    " ",
  );
  return reports().$queryRaw`
    WITH view AS MATERIALIZED (${viewsOf(scope)}), told AS (
      SELECT CASE ${place} END AS part, coalesce(${list(breakdownKeys.map((key) => PARTS[key]))}) AS value,
        count(*)::int AS views, ${list(measured)}
      FROM view GROUP BY GROUPING SETS ((), ${list(breakdownKeys.map((key) => Prisma.sql`(${PARTS[key]})`))})
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY part ORDER BY views DESC, value NULLS LAST) AS place FROM told
    )
    SELECT part, value, views, ${list(vitalKeys.map(column))} FROM ranked
    WHERE part IS NULL OR ${among ? ofValues(among) : Prisma.sql`place <= ${limit}`}
    ORDER BY part NULLS FIRST, place`;
}

function ofValues(among: Values): Prisma.Sql {
  const rows = breakdownKeys.flatMap((key) => among[key].map((value) => [key, value]));
  return isAmong([Prisma.sql`part`, Prisma.sql`value`], rows);
}

/** SQL for one row per page view, with the last value that it reported of each vital and the words it is told by. */
function viewsOf(scope: Scope): Prisma.Sql {
  const words = breakdownKeys.map(
    (key) => Prisma.sql`LEFT JOIN ${wordsOf(BREAKDOWNS[key], scope.siteId)} AS w_${PARTS[key]}(id, word)
      ON w_${PARTS[key]}.id = reported.${FACTS[key]}`,
  );
  return Prisma.sql`
    SELECT ${list(vitalKeys.map((key) => Prisma.sql`reported.${column(key)}`))},
      ${list(breakdownKeys.map((key) => Prisma.sql`nullif(w_${PARTS[key]}.word, '') AS ${PARTS[key]}`))}
    FROM (${reportedIn(scope)}) AS reported ${list(words, " ")}`;
}

const FACTS: Record<Breakdown, Prisma.Sql> = {
  pages: Prisma.sql`page`,
  devices: Prisma.sql`agent`,
  countries: Prisma.sql`place`,
  browsers: Prisma.sql`agent`,
};

/**
 * SQL for one row per page view. A view reports several times, and what it said last of each vital is true; a report
 * that names no view is a view of its own. The largest pair of time and value is the last value, found without sorting.
 */
function reportedIn(scope: Scope): Prisma.Sql {
  const moment = Prisma.sql`extract(epoch FROM fact.ts)::float8`;
  const last = (value: Prisma.Sql) =>
    Prisma.sql`(max(ARRAY[${moment}, ${value}]) FILTER (WHERE ${value} IS NOT NULL))[2]`;
  const values = vitalKeys.map((key) => {
    const sent = Prisma.sql`(CASE jsonb_typeof(fact.props -> ${key}::text) WHEN 'number' THEN (fact.props ->> ${key}::text)::float8 END)`;
    return Prisma.sql`${last(sent)} AS ${column(key)}`;
  });
  const view = Prisma.sql`fact.props ->> 'view'`;
  return Prisma.sql`
    SELECT ${list(values)}, ${last(Prisma.sql`fact.page::float8`)}::int AS page, max(fact.agent) AS agent, max(fact.place) AS place
    FROM facts.event AS fact WHERE ${eventsIn(scope)} AND fact.type = ${EVENT_TYPES.vitals}
    GROUP BY fact.visit_id, ${view}, CASE WHEN ${view} IS NULL THEN fact.tableoid END, CASE WHEN ${view} IS NULL THEN fact.ctid END`;
}

/** SQL for what one vital comes to over the views of a group, as JSON. Between two values, a percentile lies in proportion. */
function measuredOf(key: VitalKey): Prisma.Sql {
  const value = column(key);
  const { good, poor } = VITALS[key];
  return Prisma.sql`jsonb_build_object('samples', count(${value}),
    'percentiles', percentile_cont(ARRAY[0.5, 0.75, 0.9, 0.99]) WITHIN GROUP (ORDER BY ${value}),
    'good', count(*) FILTER (WHERE ${value} <= ${good}::float8),
    'poor', count(*) FILTER (WHERE ${value} > ${poor}::float8))`;
}
