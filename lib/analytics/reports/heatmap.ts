import { eventsIn, queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { PRESENT } from "@/lib/analytics/query/sums-sql";
import { HOUR_MS } from "@/lib/platform/durations";
import { join, type Sql, sql } from "@/lib/platform/sql";
import { zoned } from "@/lib/platform/time";

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
/** So many whole weeks lie between the hours of two segments that an hour which a clock change repeats is two, at the same place of the week. */
const APART_MS = 10_000 * WEEK_HOURS * HOUR_MS;
/** 1 January 1970 was a Thursday: three days after a Monday. */
const FIRST_WEEKDAY = 3;

export interface HeatmapCell {
  /** 1 is Monday, 7 Sunday. */
  weekday: number;
  /** 0 to 23. */
  hour: number;
  /** How often the hour began in the range until now. */
  hours: number;
  visitors: number;
  visits: number;
}

type Placed = Pick<HeatmapCell, "visitors" | "visits"> & { place: number };

/** A span of time in which local time is UTC plus `offset`, in milliseconds. */
interface Segment {
  start: number;
  end: number;
  offset: number;
}

/**
 * Visitors and visits by local weekday and hour, every cell of the week. Visits count in the hour in which they began; a
 * visitor counts once in each hour of each day in which they have an event. An hour that a clock change repeats is two hours, one that it skips is none.
 */
export async function heatmapOf(scope: Scope, now: Date): Promise<HeatmapCell[]> {
  const segments = segmentsOf(scope);
  const places = segments.map(({ start, offset }, index) => ({ start, shift: offset + index * APART_MS }));
  // Joining the segments by time would sort all facts.
  const hourOf = (moment: Sql) => {
    const later = places.map(({ start, shift }) => sql`WHEN ${moment} >= ${new Date(start)} THEN ${shift}::BIGINT`);
    return sql`CAST((epoch_ms(${moment}) + CASE ${join(later.reverse(), " ")} END) // ${HOUR_MS} AS INTEGER) AS hour`;
  };
  const place = sql`hour % ${WEEK_HOURS} AS place`;
  const [visits, visitors] = await queryCopy<
    [Pick<Placed, "place" | "visits">[], Pick<Placed, "place" | "visitors">[]]
  >(
    scope,
    sql`
      SELECT ${place}, count(*) AS visits FROM (
        SELECT ${hourOf(sql`fact.started`)} FROM visit AS fact WHERE ${visitsIn(scope)}) AS begun GROUP BY 1`,
    sql`
      SELECT ${place}, count(*) AS visitors FROM (
        SELECT DISTINCT ${hourOf(sql`fact.ts`)}, fact.visitor_id
        FROM event AS fact WHERE ${eventsIn(scope)} AND ${PRESENT}) AS hourly GROUP BY 1`,
  );
  const cells = emptyWeek();
  for (const { place, ...counts } of [...visits, ...visitors])
    Object.assign(cells[placeOf(place)] as HeatmapCell, counts);
  for (const { start, end, offset } of segments) {
    const until = Math.min(end, now.getTime() + 1);
    for (let hour = Math.floor((start + offset) / HOUR_MS); hour * HOUR_MS < until + offset; hour++) {
      (cells[placeOf(hour)] as HeatmapCell).hours++;
    }
  }
  return cells;
}

/** The position of an hour, counted from 1970, in a week from Monday. A comparison may begin before 1970. */
function placeOf(hour: number): number {
  const place = (hour + FIRST_WEEKDAY * DAY_HOURS) % WEEK_HOURS;
  return place < 0 ? place + WEEK_HOURS : place;
}

const emptyWeek = (): HeatmapCell[] =>
  Array.from({ length: WEEK_HOURS }, (_, place) => ({
    weekday: Math.floor(place / DAY_HOURS) + 1,
    hour: place % DAY_HOURS,
    hours: 0,
    visitors: 0,
    visits: 0,
  }));

/** The range, cut where the clocks of its zone change; an empty range is one segment. */
function segmentsOf({ range: { start, end, timezone } }: Scope): Segment[] {
  const segments: Segment[] = [];
  let at = zoned(start, timezone);
  do {
    const next = at.getTimeZoneTransition("next");
    const until = Math.min(next?.epochMilliseconds ?? end.getTime(), end.getTime());
    segments.push({ start: at.epochMilliseconds, end: until, offset: at.offsetNanoseconds / 1e6 });
    if (!next) break;
    at = next;
  } while (at.epochMilliseconds < end.getTime());
  return segments;
}
