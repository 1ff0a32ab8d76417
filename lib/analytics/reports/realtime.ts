import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { days, type Range } from "@/lib/analytics/calendar/period";
import { dimensionId, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { dimensionOf } from "@/lib/analytics/query/dimensions";
import { VIEWS } from "@/lib/analytics/query/event-types";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { MINUTE_MS } from "@/lib/platform/durations";
import { join, raw, type Sql, sql } from "@/lib/platform/sql";
import { localDay } from "@/lib/platform/time";

/** Who is there at this moment, and the last half hour. */

/** Minutes after their last event in which a visitor counts as online. */
const PRESENT_MINUTES = 5;
const SERIES_MINUTES = 30;
export const PRESENT_ROWS = 10;

/** The same question about the last half hour, in whole minutes up to and with the present one. */
export function lastMinutes(scope: Scope, now: Date): Scope {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const start = new Date(minute - (SERIES_MINUTES - 1) * MINUTE_MS);
  const end = new Date(minute + MINUTE_MS);
  const { timezone } = scope.range;
  const whole = days(localDay(start, timezone), localDay(now, timezone), timezone, now);
  // Also right after midnight, when they lie on two dates, the same minutes of the day before are a day back.
  const range: Range = { ...whole, start, end, days: 1, partial: true };
  return { ...scope, range, days: dayStarts(range) };
}

interface PresentRow {
  value: string | null;
  visitors: number;
}

const PRESENT_PANELS = ["page", "source", "country"] as const;
type Panel = (typeof PRESENT_PANELS)[number];

interface PartRow {
  /** null: the minutes, and who is there in all. */
  part: Panel | null;
  minute: number | null;
  value: string | null;
  visitors: number;
  pageviews: number;
}

/** Minutes of a scope of `lastMinutes`, gap-free, who is there at the end of it, and the values with the most of these. */
export async function pulse(scope: Scope, now: Date) {
  const start = scope.range.start.getTime();
  const [rows] = await queryCopy<[PartRow[]]>(
    scope,
    sql`
    WITH seen AS MATERIALIZED (${seenIn(scope, now)})
    SELECT NULL AS part, minute, NULL AS value, count(DISTINCT visitor_id) AS visitors,
           count(*) FILTER (WHERE is_view) AS pageviews FROM seen GROUP BY minute
    UNION ALL SELECT NULL, NULL, NULL, count(DISTINCT visitor_id), 0 FROM seen WHERE is_present
    UNION ALL ${join(PRESENT_PANELS.map(presentBy), " UNION ALL ")}
    ORDER BY visitors DESC, value NULLS LAST`,
  );
  const ofMinutes = new Map(rows.filter(({ part }) => part === null).map((row) => [row.minute, row]));
  const present = (panel: Panel): PresentRow[] =>
    rows.flatMap(({ part, value, visitors }) => (part === panel ? [{ value, visitors }] : []));
  return {
    visitors: ofMinutes.get(null)?.visitors ?? 0,
    minutes: Array.from({ length: SERIES_MINUTES }, (_, index) => {
      const { visitors = 0, pageviews = 0 } = ofMinutes.get(index) ?? {};
      return { start: new Date(start + index * MINUTE_MS).toISOString(), visitors, pageviews };
    }),
    pages: present("page"),
    sources: present("source"),
    countries: present("country"),
  };
}

/**
 * SQL for the events of a scope with their minutes. Where clocks were put forward, the same half hour of another day is
 * longer: its later minutes are in no answer.
 */
function seenIn(scope: Scope, now: Date): Sql {
  const since = new Date(now.getTime() - PRESENT_MINUTES * MINUTE_MS);
  return sql`
    SELECT (epoch_ms(fact.ts) - epoch_ms(${scope.range.start})) // ${MINUTE_MS} AS minute, fact.visitor_id,
           ${ofTypes(VIEWS)} AS is_view, fact.ts > ${since} AS is_present,
           ${join(PRESENT_PANELS.map((panel) => sql`${dimensionId(panel)} AS ${raw(panel)}`))}
    FROM event AS fact WHERE ${eventsIn(scope)}`;
}

function presentBy(panel: Panel): Sql {
  return sql`(
    SELECT ${panel} AS part, NULL AS minute, nullif(words.word, '') AS value, count(DISTINCT visitor_id) AS visitors,
           0 AS pageviews
    FROM seen JOIN ${wordsOf(panel)} AS words ON words.id = seen.${raw(panel)}
    WHERE is_present AND visitor_id IS NOT NULL ${dimensionOf(panel).types ? sql`AND is_view` : sql``}
    GROUP BY ALL ORDER BY visitors DESC, value NULLS LAST LIMIT ${PRESENT_ROWS})`;
}
