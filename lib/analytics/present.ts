import { type DimensionKey, dimensionOf, VIEWS } from "@/lib/analytics/dimensions";
import { dayStarts, days, type Range } from "@/lib/analytics/period";
import { bucketOf, eventsIn, type Scope } from "@/lib/analytics/question";
import { Prisma, reports } from "@/lib/db";
import { localDay } from "@/lib/time";

/** What goes on at this moment. */

const MINUTE_MS = 60_000;
/** Whoever did something within so many minutes is there now. */
const PRESENT_MINUTES = 5;
const SERIES_MINUTES = 30;
export const PRESENT_ROWS = 10;

/** The same question about the last half hour, in whole minutes up to and with the present one. */
export function lastMinutes(scope: Scope, now: Date): Scope {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const [start, end] = [minute - (SERIES_MINUTES - 1) * MINUTE_MS, minute + MINUTE_MS].map((ms) => new Date(ms));
  return within(scope, { start: start as Date, end: end as Date }, now);
}

function within(scope: Scope, span: { start: Date; end: Date }, now: Date): Scope {
  const { timezone } = scope.range;
  const from = localDay(span.start, timezone);
  // Also right after midnight, when they lie on two dates, the same minutes of the day before are a day back.
  const range: Range = { ...days(from, localDay(now, timezone), timezone, now), ...span, days: 1, partial: true };
  return { ...scope, range, sealed: null, days: dayStarts(range) };
}

/** Minutes of a scope of `lastMinutes`, gap-free, and who is there at the end of it. */
export async function pulse(scope: Scope, now: Date) {
  const { start } = scope.range;
  const starts = Array.from({ length: SERIES_MINUTES }, (_, index) => new Date(start.getTime() + index * MINUTE_MS));
  const rows = await reports().$queryRaw<
    { minute: number | null; visitors: number; pageviews: number; present: number }[]
  >`
    SELECT ${bucketOf(Prisma.sql`fact.ts`, starts)}::int AS minute, count(DISTINCT fact.visitor_id)::int AS visitors,
           (count(*) FILTER (WHERE fact.type = ANY(${VIEWS}::smallint[])))::int AS pageviews,
           (count(DISTINCT fact.visitor_id) FILTER (WHERE fact.ts > ${presentSince(now)}))::int AS present
    FROM facts.event AS fact WHERE ${eventsIn(scope)} GROUP BY GROUPING SETS ((1), ())`;
  const found = new Map(rows.map((row) => [row.minute, row]));
  return {
    visitors: found.get(null)?.present ?? 0,
    minutes: starts.map((at, index) => {
      const { visitors = 0, pageviews = 0 } = found.get(index) ?? {};
      return { start: at.toISOString(), visitors, pageviews };
    }),
  };
}

const presentSince = (now: Date) => new Date(now.getTime() - PRESENT_MINUTES * MINUTE_MS);

/** The values with the most of those who are there now. */
export async function presentBy(
  scope: Scope,
  key: DimensionKey,
  now: Date,
): Promise<{ value: string | null; visitors: number }[]> {
  const { fact, dictionary, word, types } = dimensionOf(key);
  const seen = types ? Prisma.sql`AND fact.type = ANY(${types}::smallint[])` : Prisma.empty;
  return reports().$queryRaw`
    SELECT nullif(${word}, '') AS value, count(DISTINCT visitor)::int AS visitors
    FROM (SELECT DISTINCT ${fact} AS word_id, fact.visitor_id AS visitor FROM facts.event AS fact
          WHERE ${eventsIn(scope)} AND fact.ts > ${presentSince(now)} ${seen}) AS present
    LEFT JOIN ${dictionary} AS words ON words.site_id = ${scope.siteId} AND words.id = present.word_id
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${PRESENT_ROWS}`;
}
