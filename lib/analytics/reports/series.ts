import { dayNumbers } from "@/lib/analytics/calendar/buckets";
import { add, NOTHING, type Sums } from "@/lib/analytics/query/metrics";
import { bucketsTable, eventsIn, queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { partialSums, sumsOf } from "@/lib/analytics/query/scope-sums";
import { ADDED_UP, eventsSummed, PRESENT, VISITS_SUMMED } from "@/lib/analytics/query/sums-sql";
import type { Interval } from "@/lib/contract/fields";
import { type Sql, sql } from "@/lib/platform/sql";

/**
 * The sums of each bucket of a scope, gap-free, without the scroll depth. Visits count in the bucket in which they
 * began, events in the bucket in which they happened; visitors in each bucket in which they have an event, so a bucket is
 * at most a local day.
 *
 * @param starts when each bucket begins; the last one ends with the scope.
 */
export async function sumsBy(scope: Scope, starts: Date[]): Promise<Sums[]> {
  const daily = starts === scope.days;
  const buckets = starts.map(() => ({ ...NOTHING }));
  const numbers = new Map(dayNumbers(scope.days, scope.range.timezone).map((day, index) => [day, index]));
  const statements = daily ? [dailySums(scope)] : bucketedNumbers(scope, starts);
  const all = await queryCopy<(Sums & { bucket: number })[][]>(scope, ...statements);
  for (const { bucket, ...sums } of all.flat()) {
    const found = buckets[daily ? (numbers.get(bucket) ?? -1) : bucket];
    if (found) Object.assign(found, add(found, sums));
  }
  return buckets;
}

const dailySums = (scope: Scope): Sql =>
  sql`SELECT on_day AS bucket, ${ADDED_UP} FROM (${partialSums(scope, [], ["visits", "events"], true)}) AS partial GROUP BY on_day`;

function bucketedNumbers(scope: Scope, starts: Date[]): Sql[] {
  const table = bucketsTable(scope, starts);
  const joined = (moment: Sql) => sql`ASOF JOIN ${table} AS buckets ON ${moment} >= buckets.start`;
  return [
    sql`
      SELECT buckets.number AS bucket, ${VISITS_SUMMED}
      FROM visit AS fact ${joined(sql`fact.started`)} WHERE ${visitsIn(scope)} GROUP BY 1`,
    sql`
      SELECT buckets.number AS bucket, ${eventsSummed(sql`count(DISTINCT fact.visitor_id) FILTER (WHERE ${PRESENT})`)}
      FROM event AS fact ${joined(sql`fact.ts`)} WHERE ${eventsIn(scope)} GROUP BY 1`,
  ];
}

interface SeriesTotals {
  /** One per bucket. */
  totals: Sums[];
  /** Over the whole range. */
  sums: Sums;
}

/** The sums of each bucket of a scope, and of the whole. @param starts when each bucket of this width begins */
export const seriesTotals = (scope: Scope, width: Interval, starts: Date[]): Promise<SeriesTotals> =>
  isWithinDay(width) ? sumsWithinDays(scope, starts) : sumsOfDays(scope, width, starts);

const isWithinDay = (width: Interval) => width === "hour" || width === "minute";

/** Hours do not add up to the total: visitors are counted once per day, and imported days have no hours. */
async function sumsWithinDays(scope: Scope, starts: Date[]): Promise<SeriesTotals> {
  const [totals, sums] = await Promise.all([sumsBy(scope, starts), sumsOf(scope, ["visits", "events"])]);
  return { totals, sums };
}

/** Weeks and months are sums of days, because visitors are counted once per day. Closed days come from rollups. */
async function sumsOfDays(scope: Scope, width: Interval, starts: Date[]): Promise<SeriesTotals> {
  const daily = await sumsBy(scope, scope.days);
  const sums = daily.reduce(add, NOTHING);
  if (width === "day") return { totals: daily, sums };
  const totals = starts.map(() => NOTHING);
  let bucket = 0;
  for (const [index, day] of scope.days.entries()) {
    while (bucket + 1 < starts.length && day >= (starts[bucket + 1] as Date)) bucket++;
    totals[bucket] = add(totals[bucket] ?? NOTHING, daily[index] ?? NOTHING);
  }
  return { totals, sums };
}
