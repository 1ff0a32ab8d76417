import { bucketStarts, dayStarts } from "@/lib/analytics/buckets";
import { days } from "@/lib/analytics/period";
import { bucketOf, type Scope, visitsIn, wholeVisits } from "@/lib/analytics/question";
import { invalidInput } from "@/lib/contract/errors";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";
import { visitorKey } from "@/lib/fact-index";
import { localDay, startOfDay, type Temporal } from "@/lib/time";

/** Who comes back: people by when they were first there, and how many of them were there again in each period after. */

/** By what people are known again on another day, and what that means for the numbers. */
export const IDENTITIES = {
  user_id: "People are known by the user ids that the site itself sends. Who came without one is not counted here.",
  monthly:
    "People are known again within one calendar month, by a salt that is destroyed when it is over. Everybody is new on the first of a month, and what lies in a later month than a cohort is unknown.",
  none: "Nobody is known again on another day, so nothing can be told. Send a user_id with events, or let the site's privacy settings know visitors again within a month.",
} as const;
export type Identity = keyof typeof IDENTITIES;

export type Unit = "day" | "week" | "month";
/** Whoever was there within so many days before the range is not new in it. */
export const LOOKBACK_DAYS = 90;
/** Periods that a cohort is followed for. */
export const MOST_PERIODS = 53;
const MOST_PERIODS_OF_MONTH = { day: 31, week: 6, month: 1 };
const DAYS_BY_DAY = 31;
const DAYS_BY_WEEK = 190;
const HOUR_MS = 3600_000;
const LONGEST_VISIT_MS = 49 * HOUR_MS;

export interface Cell {
  visitors: number | null;
  rate: number | null;
  partial: boolean;
}

export interface Cohort {
  start: string;
  /** Of its people; null when it has not begun. */
  visitors: number | null;
  partial: boolean;
  cells: Cell[];
}

/** The width of cohorts that fits a range. */
export function unitOf({ range }: Scope, identity: Identity): Unit {
  if (range.days <= DAYS_BY_DAY) return "day";
  return range.days <= DAYS_BY_WEEK || identity === "monthly" ? "week" : "month";
}

export async function identityOf(scope: Scope, monthly: boolean): Promise<Identity> {
  const [found] = await reports().$queryRaw<{ users: boolean }[]>`
    SELECT EXISTS (SELECT FROM facts.event WHERE site_id = ${scope.siteId} AND user_hash IS NOT NULL
                   AND traffic = ANY(${Object.values(TRAFFIC_CLASSES)}::smallint[])
                   AND ts >= ${scope.range.start} AND ts < ${scope.range.end}) AS users`;
  if (found?.users) return "user_id";
  return monthly ? "monthly" : "none";
}

/** The whole local days of a scope; one that was cut at the present time of day, to be compared with, stays so. */
export function inWholeDays(scope: Scope, now: Date): Scope {
  const { from, to, timezone, back, end } = scope.range;
  const range = { ...days(from, to, timezone, now), ...(back && { end }) };
  return { ...scope, range, sealed: null, days: dayStarts(range) };
}

/** People by cohort and period, and how many were there who are not new. */
export async function cohortsOf(scope: Scope, identity: Exclude<Identity, "none">, unit: Unit, now: Date) {
  const buckets = bucketsOf(scope, unit, identity, now);
  const starts = buckets.map(({ start }) => start);
  const people = identity === "user_id" ? users(scope, starts) : returners(scope, starts);
  const there = starts.map((_, bucket) => isThere(bucket + 1));
  const counts = there.map((then) => Prisma.sql`count(*) FILTER (WHERE chosen AND ${then})`);
  const rows = await reports().$queryRaw<{ cohort: number; people: number[]; known: number }[]>`
    SELECT position(B'1' IN presence) - 2 AS cohort, ARRAY[${Prisma.join(counts)}]::int[] AS people,
           (count(*) FILTER (WHERE ${isThere(0)} AND (${Prisma.join(there, " OR ")})))::int AS known
    FROM (${people}) AS person GROUP BY 1`;
  const byCohort = new Map(rows.map((row) => [row.cohort, row.people]));
  return {
    cohorts: buckets.map((_, cohort) => tell(buckets, cohort, identity, unit, byCohort.get(cohort))),
    known: rows.find(({ cohort }) => cohort < 0)?.known ?? 0,
  };
}

interface Bucket {
  start: Date;
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  begun: boolean;
  partial: boolean;
}

/** Cohorts and periods are the same stretches of the calendar. Partial: cut by the range, still going on, or of two months. */
function bucketsOf({ range }: Scope, unit: Unit, identity: Identity, now: Date): Bucket[] {
  const starts = bucketStarts(range, unit);
  const firsts = starts.map((start) => localDay(start, range.timezone));
  return starts.map((start, index) => {
    const first = firsts[index] as Temporal.PlainDate;
    const next = firsts[index + 1] ?? range.to.add({ days: 1 });
    const last = next.subtract({ days: 1 });
    const end = startOfDay(next, range.timezone);
    // What is compared with a day that is still going on ends within its last day.
    const whole = isBoundary(first, unit) && isBoundary(next, unit) && (starts[index + 1] ?? range.end) >= end;
    const over = end <= now;
    const ofOneMonth = identity !== "monthly" || first.month === last.month;
    return { start, first, last, begun: start <= now, partial: !(whole && over && ofOneMonth) };
  });
}

function isBoundary(date: Temporal.PlainDate, unit: Unit): boolean {
  if (unit === "day") return true;
  return unit === "week" ? date.dayOfWeek === 1 : date.day === 1;
}

/** @param people of the cohort, by the bucket in which they were there; not given when there are none. */
function tell(buckets: Bucket[], cohort: number, identity: Identity, unit: Unit, people: number[] = []): Cohort {
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

/** Places of a string of presence that are added up at once. */
const WORD_BITS = 64;

/**
 * SQL that adds up when one person was there: a string of bits, the first of which stands for the time before the buckets,
 * and one for each. One row a person, however often they came.
 *
 * @param place SQL for the number of a bit, from 0.
 * @param buckets how many there are.
 */
function presenceAt(place: Prisma.Sql, buckets: number): Prisma.Sql {
  const words = Math.ceil((buckets + 1) / WORD_BITS);
  const parts = Array.from({ length: words }, (_, word) => {
    const bits = Prisma.sql`bit_or(1::int8 << (${WORD_BITS * (word + 1) - 1}::int - ${place}))`;
    if (words === 1) return Prisma.sql`${bits}::bit(64)`;
    return Prisma.sql`coalesce(${bits} FILTER (WHERE ${place} / ${WORD_BITS}::int = ${word}::int), 0)::bit(64)`;
  });
  return Prisma.join(parts, " || ");
}

/** SQL for whether the bit of this number is set. */
const isThere = (place: number): Prisma.Sql => Prisma.sql`get_bit(presence, ${place}::int) = 1`;

/** SQL for rows `presence, chosen`, one for each user. */
function users(scope: Scope, starts: Date[]): Prisma.Sql {
  const narrowed = Object.values(scope.filters).some((conditions) => conditions.length > 0);
  const since = narrowed ? Prisma.sql`, min(fact.ts) AS since` : Prisma.empty;
  const place = Prisma.sql`CASE WHEN fact.ts < ${starts[0]} THEN 0 ELSE ${bucketOf(Prisma.sql`fact.ts`, starts)} + 1 END`;
  const people = Prisma.sql`
    SELECT fact.user_hash AS who, ${presenceAt(place, starts.length)} AS presence ${since}
    FROM facts.event AS fact WHERE ${namedIn(scope)} GROUP BY 1`;
  if (!narrowed) return Prisma.sql`SELECT presence, true AS chosen FROM (${people}) AS person`;
  return Prisma.sql`
    WITH person AS MATERIALIZED (${people})
    SELECT presence, who IN (${firstVisitors(scope)}) AS chosen FROM person`;
}

/** The events of users in the range and before it, as a condition on `facts.event AS fact`. */
function namedIn({ siteId, range, traffic }: Scope): Prisma.Sql {
  const since = startOfDay(range.from.subtract({ days: LOOKBACK_DAYS }), range.timezone);
  const classes = traffic === "all" ? Object.values(TRAFFIC_CLASSES) : [TRAFFIC_CLASSES[traffic]];
  return Prisma.sql`fact.site_id = ${siteId} AND fact.traffic = ANY(${classes}::smallint[]) AND fact.ts >= ${since}
    AND fact.ts < ${range.end} AND fact.user_hash IS NOT NULL AND fact.visitor_id IS NOT NULL`;
}

/**
 * SQL for the users of cohorts whose first visit is one of those that the scope is narrowed to. One event and one visit of
 * each is looked up: there are far fewer users than visits.
 */
function firstVisitors(scope: Scope): Prisma.Sql {
  const wider = withEarlierVisits(scope);
  return Prisma.sql`
    SELECT person.who FROM person, LATERAL (
      SELECT fact.visitor_id, fact.visit_id FROM facts.event AS fact
      WHERE ${namedIn(scope)} AND fact.ts = person.since AND fact.user_hash = person.who
      ORDER BY fact.visit_id LIMIT 1) AS seen, LATERAL (
      SELECT whole.* FROM ${wholeVisits(wider)} AS whole
      WHERE ${visitorKey(Prisma.sql`whole.visitor_id`)} = ${visitorKey(Prisma.sql`seen.visitor_id`)}
        AND whole.visitor_id = seen.visitor_id AND whole.visit_id = seen.visit_id LIMIT 1) AS fact
    WHERE NOT (${isThere(0)}) AND ${visitsIn(wider)}`;
}

/**
 * A visit in which somebody named themselves in the range may have begun before it. Who is looked at was chosen by the
 * class of what they did: that of their visit, which what they do later may change, is not asked once more.
 */
function withEarlierVisits(scope: Scope): Scope {
  const range = { ...scope.range, start: new Date(scope.range.start.getTime() - LONGEST_VISIT_MS) };
  return { ...scope, range, days: dayStarts(range), traffic: "all" };
}

const ofTraffic = (traffic: Traffic): Prisma.Sql =>
  traffic === "all" ? Prisma.empty : Prisma.sql`AND fact.traffic = ${TRAFFIC_CLASSES[traffic]}::smallint`;

/** The same of those whom a month's salt knows: somebody is one person per month. */
function returners({ siteId, range, filters, traffic }: Scope, starts: Date[]): Prisma.Sql {
  if (filters.event.length + filters.visitOnly.length + filters.goals.length > 0) throw tooFine();
  const dates = starts.map((start) => localDay(start, range.timezone).toString());
  const [month, last] = [range.from.with({ day: 1 }).toString(), range.to.with({ day: 1 }).toString()];
  const chosen = filters.visit.length > 0 ? Prisma.join(filters.visit, " AND ") : Prisma.sql`true`;
  return Prisma.sql`
    SELECT ${presenceAt(Prisma.sql`width_bucket(fact.day, ${dates}::date[])`, starts.length)} AS presence,
           (array_agg((${chosen}) ORDER BY fact.day))[1] AS chosen
    FROM facts.returning_visitor AS fact
    WHERE fact.site_id = ${siteId} AND fact.month BETWEEN ${month}::date AND ${last}::date
      AND fact.day <= ${range.to.toString()}::date ${ofTraffic(traffic)} GROUP BY fact.month, fact.who`;
}

const tooFine = () =>
  invalidInput([
    {
      path: "filters",
      message:
        "choose people by their first visit's source, campaign, place, device or class of traffic here; pages, events, properties and goals are not kept with the monthly identity",
    },
  ]);
