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
const list = (parts: readonly Prisma.Sql[], separator = ", ") => Prisma.join([...parts], separator);
const VALUES = list(vitalKeys.map(column));

/** The columns of the facts that breakdowns are by. */
const IDS = [Prisma.sql`page`, Prisma.sql`agent`, Prisma.sql`place`] as const;
const [PAGE, AGENT, PLACE] = IDS;
const FACTS: Record<Breakdown, Prisma.Sql> = { pages: PAGE, devices: AGENT, countries: PLACE, browsers: AGENT };

/**
 * The vitals of a scope: one row for all page views, and rows for the values of each breakdown with the most views.
 * Percentiles need their values in order, so they are made of what is told only, once it is known what that is.
 *
 * @param among only the rows of these values; without it, `limit` rows of each breakdown.
 */
export function vitalsIn(scope: Scope, limit: number, among: Values | null): Promise<VitalsRow[]> {
  const measured = list(vitalKeys.map((key) => Prisma.sql`${measuredOf(key)} AS ${column(key)}`));
  const parts = breakdownKeys.map(
    (key) => Prisma.sql`UNION ALL (
      SELECT ${key}::text, member.place, count(*)::int, ${measured}
      FROM view JOIN member ON member.part = ${key}::text AND member.id = view.${FACTS[key]} GROUP BY member.place)`,
  );
  return reports().$queryRaw`
    WITH report AS MATERIALIZED (${reportsIn(scope)}), view AS MATERIALIZED (${VIEWS_REPORTED}),
    counted AS MATERIALIZED (${countedIn(scope)}), told AS MATERIALIZED (
      SELECT part, value, place FROM (
        SELECT part, value, row_number() OVER (PARTITION BY part ORDER BY sum(views) DESC, value NULLS LAST) AS place
        FROM counted GROUP BY part, value) AS ranked
      WHERE ${among ? ofValues(among) : Prisma.sql`place <= ${limit}`}
    ), member AS MATERIALIZED (
      SELECT part, counted.id, told.place
      FROM counted JOIN told USING (part) WHERE coalesce(counted.value, '') = coalesce(told.value, '')
    ), measured(part, place, views, ${VALUES}) AS (
      SELECT NULL::text, NULL::bigint, count(*)::int, ${measured} FROM view ${list(parts, " ")}
    )
    SELECT part, told.value, views, ${VALUES} FROM measured LEFT JOIN told USING (part, place)
    ORDER BY part NULLS FIRST, place`;
}

function ofValues(among: Values): Prisma.Sql {
  const rows = breakdownKeys.flatMap((key) => among[key].map((value) => [key, value]));
  return isAmong([Prisma.sql`part`, Prisma.sql`value`], rows);
}

/** SQL for how many views there are of each id of each breakdown, with the word that it stands for. */
function countedIn({ siteId }: Scope): Prisma.Sql {
  const parts = breakdownKeys.map(
    (key) => Prisma.sql`
      SELECT ${key}::text AS part, ids.${FACTS[key]} AS id, nullif(words.word, '') AS value, ids.views
      FROM ids LEFT JOIN ${wordsOf(BREAKDOWNS[key], siteId)} AS words(id, word) ON words.id = ids.${FACTS[key]}
      WHERE ids.of_${FACTS[key]}`,
  );
  return Prisma.sql`
    WITH ids AS MATERIALIZED (
      SELECT ${list(IDS)}, ${list(IDS.map((id) => Prisma.sql`grouping(${id}) = 0 AS of_${id}`))}, count(*) AS views
      FROM view GROUP BY GROUPING SETS (${list(IDS.map((id) => Prisma.sql`(${id})`))}))
    ${list(parts, " UNION ALL ")}`;
}

/** SQL for the reports of a scope, with what they say of each vital; `view` is null where none is named. */
function reportsIn(scope: Scope): Prisma.Sql {
  const values = vitalKeys.map(
    (key) => Prisma.sql`
      CASE jsonb_typeof(fact.props -> ${key}::text) WHEN 'number' THEN (fact.props ->> ${key}::text)::float8 END AS ${column(key)}`,
  );
  return Prisma.sql`
    SELECT fact.visit_id, fact.props ->> 'view' AS view, extract(epoch FROM fact.ts)::float8 AS moment,
      ${list(IDS.map((id) => Prisma.sql`fact.${id}`))}, ${list(values)}
    FROM facts.event AS fact WHERE ${eventsIn(scope)} AND fact.type = ${EVENT_TYPES.vitals}`;
}

/** The largest pair of time and value is the last value, found without sorting. */
const last = (value: Prisma.Sql) =>
  Prisma.sql`(max(ARRAY[moment, ${value}]) FILTER (WHERE ${value} IS NOT NULL))[2] AS ${value}`;

/**
 * SQL for one row per page view. A view may report several times, and what it said last of each vital is true; a report
 * that names no view is a view of its own. Most views report once, and their report is taken as it is.
 */
const VIEWS_REPORTED = Prisma.sql`
  WITH named AS MATERIALIZED (
    SELECT visit_id, view, count(*) AS reports, ${list([...IDS, ...vitalKeys.map(column)].map((one) => Prisma.sql`max(${one}) AS ${one}`))}
    FROM report WHERE view IS NOT NULL GROUP BY visit_id, view)
  SELECT ${list(IDS)}, ${VALUES} FROM report WHERE view IS NULL
  UNION ALL SELECT ${list(IDS)}, ${VALUES} FROM named WHERE reports = 1
  UNION ALL SELECT page::int, agent, place, ${VALUES} FROM (
    SELECT ${last(Prisma.sql`page`)}, max(agent) AS agent, max(place) AS place, ${list(vitalKeys.map((key) => last(column(key))))}
    FROM report WHERE (visit_id, view) IN (SELECT visit_id, view FROM named WHERE reports > 1)
    GROUP BY visit_id, view) AS repeated`;

/** SQL for what one vital comes to over the views of a group, as JSON. Between two values, a percentile lies in proportion. */
function measuredOf(key: VitalKey): Prisma.Sql {
  const value = column(key);
  const { good, poor } = VITALS[key];
  return Prisma.sql`jsonb_build_object('samples', count(${value}),
    'percentiles', percentile_cont(ARRAY[0.5, 0.75, 0.9, 0.99]) WITHIN GROUP (ORDER BY ${value}),
    'good', count(*) FILTER (WHERE ${value} <= ${good}::float8),
    'poor', count(*) FILTER (WHERE ${value} > ${poor}::float8))`;
}
