import { dayStarts } from "@/lib/analytics/buckets";
import { dimensionOf } from "@/lib/analytics/dimensions";
import { VIEWS } from "@/lib/analytics/event-types";
import { days, type Range } from "@/lib/analytics/period";
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

export interface Present {
  value: string | null;
  visitors: number;
}

/** What those who are there are told by, with the columns that their events are gathered in. */
const PANELS = { page: Prisma.sql`k0`, source: Prisma.sql`k1`, country: Prisma.sql`k2` } as const;
type Panel = keyof typeof PANELS;
const panels = Object.keys(PANELS) as Panel[];

interface Row {
  /** null: the minutes, and who is there in all. */
  part: Panel | null;
  minute: number | null;
  value: string | null;
  visitors: number;
  pageviews: number;
}

/** Minutes of a scope of `lastMinutes`, gap-free, who is there at the end of it, and the values with the most of these. */
export async function pulse(scope: Scope, now: Date) {
  const { start } = scope.range;
  const starts = Array.from({ length: SERIES_MINUTES }, (_, index) => new Date(start.getTime() + index * MINUTE_MS));
  const rows = await reports().$queryRaw<Row[]>`
    WITH seen AS MATERIALIZED (${seenIn(scope, starts, now)})
    SELECT NULL AS part, minute, NULL AS value, count(DISTINCT visitor)::int AS visitors,
           (count(*) FILTER (WHERE viewed))::int AS pageviews FROM seen GROUP BY minute
    UNION ALL SELECT NULL, NULL, NULL, count(DISTINCT visitor)::int, 0 FROM seen WHERE present
    ${Prisma.join(
      panels.map((panel) => Prisma.sql`UNION ALL (${presentBy(scope, panel)})`),
      " ",
    )}
    ORDER BY visitors DESC, value`;
  const ofMinutes = rows.filter(({ part }) => part === null);
  const found = new Map(ofMinutes.map((row) => [row.minute, row]));
  const told = (panel: Panel): Present[] =>
    rows.flatMap(({ part, value, visitors }) => (part === panel ? [{ value, visitors }] : []));
  return {
    visitors: found.get(null)?.visitors ?? 0,
    minutes: starts.map((at, index) => {
      const { visitors = 0, pageviews = 0 } = found.get(index) ?? {};
      return { start: at.toISOString(), visitors, pageviews };
    }),
    pages: told("page"),
    sources: told("source"),
    countries: told("country"),
  };
}

/** SQL for the events of a scope as far as `pulse` asks about them: all that it tells is of the same moment. */
function seenIn(scope: Scope, starts: Date[], now: Date): Prisma.Sql {
  const since = new Date(now.getTime() - PRESENT_MINUTES * MINUTE_MS);
  // Clocks that were put forward meanwhile make the same half hour of another day a longer one: what is after it is no minute's.
  const over = new Date(scope.range.start.getTime() + SERIES_MINUTES * MINUTE_MS);
  const ids = panels.map((panel) => Prisma.sql`${dimensionOf(panel).fact} AS ${PANELS[panel]}`);
  return Prisma.sql`
    SELECT ${bucketOf(Prisma.sql`fact.ts`, [...starts, over])}::int AS minute, fact.visitor_id AS visitor,
           fact.type = ANY(${VIEWS}::smallint[]) AS viewed, fact.ts > ${since} AS present, ${Prisma.join(ids)}
    FROM facts.event AS fact WHERE ${eventsIn(scope)}`;
}

function presentBy({ siteId }: Scope, panel: Panel): Prisma.Sql {
  const { dictionary, word, types } = dimensionOf(panel);
  // Few words of a dictionary that may be large: each is looked up.
  const value = Prisma.sql`(SELECT nullif(${word}, '') FROM ${dictionary} AS words WHERE site_id = ${siteId} AND id = word_id)`;
  return Prisma.sql`
    SELECT ${panel}::text, NULL::int, ${value} AS value, count(DISTINCT visitor)::int AS visitors, 0
    FROM (SELECT DISTINCT ${PANELS[panel]} AS word_id, visitor FROM seen
          WHERE present AND visitor IS NOT NULL ${types ? Prisma.sql`AND viewed` : Prisma.empty}) AS present
    GROUP BY 3 ORDER BY visitors DESC, value LIMIT ${PRESENT_ROWS}`;
}
