import { bucketStarts, dayNumbers, dayStarts, isFirstDay } from "@/lib/analytics/calendar/buckets";
import { days } from "@/lib/analytics/calendar/period";
import { dimensionOf } from "@/lib/analytics/query/dimensions";
import { LATEST_MS, queryCopy, type Scope, shifted, visitsIn, withRange } from "@/lib/analytics/query/scope";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { countReturning } from "@/lib/ingest/store/returning-visitors";
import { invalidInput } from "@/lib/platform/errors";
import { empty, join, type Sql as PgSql, sql as pgSql, raw, type Sql, sql } from "@/lib/platform/sql";
import { localDay, startOfDay, type Temporal } from "@/lib/platform/time";
import { msg } from "@/lib/texts/translate";

/** Retention: people by the period of their first visit, and how many of them returned in each period after it. */

/** How people are recognised on another day, and what that means for the numbers. */
export const IDENTITIES = {
  user_id: msg(
    "People are recognised by the user ids that the site itself sends. Visits without one are not counted here.",
  ),
  monthly: msg(
    "People are recognised within one calendar month, by a salt that is deleted at its end. Everybody is new on the first of a month, and months after that of a cohort are unknown.",
  ),
  none: msg(
    "Nobody is recognised on another day, so there is no retention to report. Send a user_id with events, or let the site's privacy settings recognise visitors within a month.",
  ),
} as const;
export type Identity = keyof typeof IDENTITIES;

export type Unit = "day" | "week" | "month";
/** People with a visit within so many days before the range are not new in it. */
export const LOOKBACK_DAYS = 90;
/** Periods that a cohort is followed for. */
export const MOST_PERIODS = 53;
const MOST_PERIODS_OF_MONTH = { day: 31, week: 6, month: 1 };
/** Longer ranges have wider cohorts, unless a width is chosen: a day's cohort of most sites is a few people. */
const DAYS_BY_DAY = 14;
const DAYS_BY_WEEK = 190;
/** The longest range that a chosen width fits. */
export const MOST_DAYS = { day: 93, week: 740, month: Number.POSITIVE_INFINITY } as const satisfies Record<
  Unit,
  number
>;

interface Cell {
  visitors: number | null;
  rate: number | null;
  partial: boolean;
}

export interface Cohort {
  start: string;
  /** Null when it has not begun. */
  visitors: number | null;
  partial: boolean;
  cells: Cell[];
}

/**
 * The width of cohorts: the chosen one, or one that fits the range.
 *
 * @throws Refusal `invalid_input` for a range that is too long for the chosen width.
 */
export function unitOf({ range }: Scope, identity: Identity, chosen: Unit | null): Unit {
  if (chosen && range.days > MOST_DAYS[chosen]) {
    const wider = chosen === "day" && range.days <= MOST_DAYS.week ? "week or month" : "month";
    const message = `must be ${wider} for a range of more than ${MOST_DAYS[chosen]} days, or choose a shorter range`;
    throw invalidInput([{ path: "cohort", message }]);
  }
  if (chosen) return chosen;
  if (range.days <= DAYS_BY_DAY) return "day";
  return range.days <= DAYS_BY_WEEK || identity === "monthly" ? "week" : "month";
}

export async function cohortIdentity(scope: Scope, monthly: boolean): Promise<Identity> {
  const { start, end } = scope.range;
  const [[found]] = await queryCopy<[{ users: boolean }[]]>(
    scope,
    sql`SELECT EXISTS (FROM event WHERE user_hash IS NOT NULL AND ts >= ${start} AND ts < ${end}) AS users`,
  );
  if (found?.users) return "user_id";
  return monthly ? "monthly" : "none";
}

/** The whole local days of a scope; a comparison that ends at the current time of day still does. */
export function inWholeDays(scope: Scope, now: Date): Scope {
  const { from, to, timezone, back, end } = scope.range;
  const range = { ...days(from, to, timezone, now), ...(back && { end }) };
  return { ...scope, range, days: dayStarts(range) };
}

/** How many people of a cohort were present in a bucket, both from 0; -1 is before the first one. */
interface Count {
  cohort: number;
  bucket: number;
  people: number;
}

/** People by cohort and period, and how many people of the range are not new. */
export async function cohortsOf(scope: Scope, identity: Exclude<Identity, "none">, unit: Unit, now: Date) {
  const buckets = cohortBuckets(scope, unit, identity, now);
  const starts = buckets.map(({ start }) => start);
  const counts = await (identity === "user_id" ? users(scope, starts) : returningVisitors(scope, starts));
  const byCohort = buckets.map((): number[] => []);
  let known = 0;
  for (const { cohort, bucket, people } of counts) {
    const row = byCohort[cohort];
    if (row) row[bucket] = people;
    else if (bucket < 0) known = people;
  }
  return {
    cohorts: buckets.map((_, cohort) => cohortOf(buckets, cohort, identity, unit, byCohort[cohort])),
    known,
  };
}

interface Bucket {
  start: Date;
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  begun: boolean;
  partial: boolean;
}

/** Cohorts and periods share buckets. Partial: cut by the range, not over, or, by the month, part of two months. */
function cohortBuckets({ range }: Scope, unit: Unit, identity: Identity, now: Date): Bucket[] {
  const starts = bucketStarts(range, unit);
  const firsts = starts.map((start) => localDay(start, range.timezone));
  return starts.map((start, index) => {
    const first = firsts[index] as Temporal.PlainDate;
    const next = firsts[index + 1] ?? range.to.add({ days: 1 });
    const last = next.subtract({ days: 1 });
    const end = startOfDay(next, range.timezone);
    // A comparison with a day that is not over ends within its last day.
    const whole = isFirstDay(first, unit) && isFirstDay(next, unit) && (starts[index + 1] ?? range.end) >= end;
    const over = end <= now;
    const ofOneMonth = identity !== "monthly" || first.month === last.month;
    return { start, first, last, begun: start <= now, partial: !(whole && over && ofOneMonth) };
  });
}

/** @param people of the cohort, by the bucket in which they were present. */
function cohortOf(buckets: Bucket[], cohort: number, identity: Identity, unit: Unit, people: number[] = []): Cohort {
  const own = buckets[cohort] as Bucket;
  const size = own.begun ? (people[cohort] ?? 0) : null;
  const most = identity === "monthly" ? MOST_PERIODS_OF_MONTH[unit] : MOST_PERIODS;
  const cells = Array.from({ length: Math.min(buckets.length, most) }, (_, period): Cell => {
    const then = buckets[cohort + period];
    if (size === null || !then?.begun || (identity === "monthly" && isLaterMonth(then.first, own.last))) {
      return { visitors: null, rate: null, partial: false };
    }
    const visitors = people[cohort + period] ?? 0;
    return { visitors, rate: size > 0 ? visitors / size : null, partial: own.partial || then.partial };
  });
  return { start: own.first.toString(), visitors: size, partial: own.partial, cells };
}

const isLaterMonth = (date: Temporal.PlainDate, than: Temporal.PlainDate): boolean =>
  date.toPlainYearMonth().toString() > than.toPlainYearMonth().toString();

/** SQL for a table `buckets(day, place)` of the buckets' first days; the place 0 is all time before them. */
function firstDays(starts: readonly Date[], { range }: Scope): Sql {
  const first = [-1_000_000, ...dayNumbers(starts, range.timezone)];
  return sql`(SELECT unnest(${first}::INTEGER[]) AS day, unnest(range(${first.length})) AS place)`;
}

/** The people of cohorts by user id. People with visits only before the range are in none. */
async function users(scope: Scope, starts: Date[]): Promise<Count[]> {
  const isNarrowed = Object.values(scope.filters).some((conditions) => conditions.length > 0);
  const [rows] = await queryCopy<[Count[]]>(
    scope,
    sql`
    WITH daily AS (
      SELECT fact.user_hash AS who, fact.day, min(fact.ts) AS since FROM event AS fact WHERE ${namedIn(scope)} GROUP BY 1, 2
    ), present AS MATERIALIZED (
      SELECT who, place, min(since) AS since
      FROM daily ASOF JOIN ${firstDays(starts, scope)} AS buckets ON daily.day >= buckets.day GROUP BY who, place
    ), person AS MATERIALIZED (
      SELECT who, min(place) AS earliest, max(place) AS latest, min(since) AS since FROM present GROUP BY who
    )
    SELECT earliest - 1 AS cohort, place - 1 AS bucket, count(*) AS people FROM present JOIN person USING (who)
    WHERE latest > 0 ${isNarrowed ? sql`AND (earliest = 0 OR who IN (${firstVisitors(scope)}))` : empty} GROUP BY 1, 2`,
  );
  return rows;
}

/** The events of users in the range and before it, as a condition on `event AS fact`. */
function namedIn({ range, traffic }: Scope): Sql {
  const since = startOfDay(range.from.subtract({ days: LOOKBACK_DAYS }), range.timezone);
  const classes = traffic === "all" ? empty : sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}`;
  return sql`fact.ts >= ${since} AND fact.ts < ${range.end} AND fact.user_hash IS NOT NULL
    AND fact.visitor_id IS NOT NULL ${classes}`;
}

/**
 * SQL for the people of `person` whose first visit matches the filters of the scope. A visit with a user id in the
 * range may have begun before it. People were chosen by the traffic class of their events; that of their visit, which
 * later events may change, is not compared again.
 */
function firstVisitors(scope: Scope): Sql {
  const wider = withRange({ ...scope, traffic: "all" }, { start: shifted(scope.range.start, -LATEST_MS) });
  return sql`
    SELECT seen.who FROM (
      SELECT DISTINCT ON (person.who) person.who, fact.visit_id, fact.visitor_id
      FROM person JOIN event AS fact ON fact.user_hash = person.who AND fact.ts = person.since
      WHERE person.earliest > 0 AND ${namedIn(scope)} ORDER BY person.who, fact.visit_id) AS seen
    JOIN visit AS fact ON fact.visit_id = seen.visit_id AND fact.visitor_id = seen.visitor_id
    WHERE ${visitsIn(wider)}`;
}

/**
 * The people of cohorts by a month's salt: somebody is one person per month. Only Postgres has them; the ids of filter
 * values are looked up in the copy.
 */
async function returningVisitors(scope: Scope, starts: Date[]): Promise<Count[]> {
  const { siteId, range, filters, traffic } = scope;
  if (filters.event.length + filters.visitOnly.length + filters.goals.length > 0) throw tooFine();
  const dates = starts.map((start) => localDay(start, range.timezone).toString());
  const months = [range.from.with({ day: 1 }).toString(), range.to.with({ day: 1 }).toString()] as const;
  const cohorts = { starts: dates, months, last: range.to.toString() };
  return countReturning(siteId, cohorts, traffic, await chosenOnDay(scope));
}

/** SQL of Postgres for the filters of a scope, as a condition on `fact`, a returning visitor on one day. */
async function chosenOnDay(scope: Scope): Promise<PgSql> {
  const { visitIds } = scope.filters;
  if (visitIds.length === 0) return pgSql`true`;
  const found = await queryCopy<{ id: number }[][]>(scope, ...visitIds.map(({ ids }) => ids));
  const conditions = visitIds.map(({ key, negated }, index) => {
    const isChosen = pgSql`${raw(dimensionOf(key).fact)} = ANY(${found[index]?.map(({ id }) => id) ?? []}::int[])`;
    return negated ? pgSql`NOT ${isChosen}` : isChosen;
  });
  return join(conditions, " AND ");
}

const tooFine = () =>
  invalidInput([
    {
      path: "filters",
      message:
        "choose people by their first visit's source, campaign, place, device or class of traffic here; pages, events, products, properties and goals are not stored with the monthly identity",
    },
  ]);
