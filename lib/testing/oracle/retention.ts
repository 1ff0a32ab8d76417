import { SOURCES } from "@/lib/testing/oracle/actions";
import { dateAt, daysBetween, HOUR, midnight, plusDays, weekday } from "@/lib/testing/oracle/clock";
import { isOfEvents, isOfWholeVisits } from "@/lib/testing/oracle/dimensions";
import type { Fact } from "@/lib/testing/oracle/facts";
import { ratio, sum } from "@/lib/testing/oracle/metrics";
import {
  bucketsOf,
  filtersOf,
  type Known,
  type Query,
  type Range,
  rangeBefore,
  rangeOf,
  selectIn,
} from "@/lib/testing/oracle/query";
import { reshaped, type World, withTable } from "@/lib/testing/oracle/world";

/** Expected answer of retention: follows every person from their first day. */

type Identity = "user_id" | "monthly" | "none";
type Unit = "day" | "week" | "month";

const LOOKBACK_DAYS = 90;
const MAX_PERIODS = 53;
const MAX_PERIODS_OF_A_MONTH = { day: 31, week: 6, month: 1 };

/** Worlds with user ids and search traffic; a third of them use monthly identification instead. */
export const withIdentifiedPeople = (world: World): World => {
  const monthly = world.events.length % 3 === 0;
  const turned = reshaped(world, (event, index) => ({
    ...event,
    user: monthly || index % 4 === 0 ? null : `u${event.who}`,
    referrer:
      index % 5 === 0 ? event.referrer : { ...(SOURCES[1 + (index % 3)] as (typeof SOURCES)[number]), rule: "one" },
    traffic: monthly && event.traffic === "suspicious" ? "human" : event.traffic,
  }));
  return withTable({ ...turned, monthly });
};

export type RetentionQuery = Query & { cohort?: Unit };

export function retention(query: RetentionQuery, known: Known): object {
  const range = wholeDays(rangeOf(query, known));
  const before = rangeBefore(rangeOf(query, known), query);
  const identity = identityIn(range, known);
  const unit = query.cohort ?? unitOf(range, identity);
  const answerFor = (of: Range) => cohortsOf(peopleOf({ range: of, query, known, identity, unit }), of, identity, unit);
  const { known_before, ...cohorts } = answerFor(range);
  return {
    identity,
    cohort: unit,
    lookback_days: identity === "user_id" ? LOOKBACK_DAYS : null,
    known_before,
    ...cohorts,
    comparison: before && withoutKnown(answerFor(wholeDays(before, before.end))),
  };
}

const withoutKnown = ({ known_before: _, ...rest }: ReturnType<typeof cohortsOf>) => rest;

/** Returns whether retention supports the filters: monthly identification has no pages, events, products and goals. */
export function supportsQuery(query: RetentionQuery, range: Range, known: Known): boolean {
  const mostDays = { day: 93, week: 740, month: 10_000 }[query.cohort ?? "month"];
  if (daysBetween(range.from, range.to) + 1 > mostDays) return false;
  const keys = filtersOf(query).flatMap((filters) => Object.keys(filters));
  const isFine = (key: string) =>
    /^(product$|(prop|goal):)/.test(key) || isOfEvents(key as never) || isOfWholeVisits(key as never);
  return identityIn(wholeDays(range), known) !== "monthly" || !keys.some(isFine);
}

/** Extends a range to whole calendar days, except for a given end. */
const wholeDays = (range: Range, end = midnight(plusDays(range.to, 1), range.zone)): Range => ({
  ...range,
  start: midnight(range.from, range.zone),
  end,
});

export function identityIn(range: Range, known: Known): Identity {
  const { everything } = selectIn(range, { traffic: "all" }, known);
  const inRange = everything.flatMap(({ facts }) => facts).filter(({ at }) => range.start <= at && at < range.end);
  if (inRange.some(({ user }) => user !== null)) return "user_id";
  return known.monthly ? "monthly" : "none";
}

function unitOf({ from, to }: Range, identity: Identity): Unit {
  const days = daysBetween(from, to) + 1;
  if (days <= 14) return "day";
  return days <= 190 || identity === "monthly" ? "week" : "month";
}

interface Person {
  /** The periods in which they were active; -1 is the time before the first. */
  periods: Set<number>;
  /** Whether the visit in which they were first seen matches the query. */
  chosen: boolean;
}

interface PeopleQuery {
  range: Range;
  query: Query;
  known: Known;
  identity: Identity;
  unit: Unit;
}

function peopleOf({ range, query, known, identity, unit }: PeopleQuery): Person[] {
  if (identity === "none") return [];
  const { zone } = range;
  const month = (date: string) => date.slice(0, 7);
  // Monthly identification knows whole days only.
  const until = identity === "monthly" ? midnight(plusDays(range.to, 1), zone) : range.end;
  // The first visit of a new person began at most two days before the range.
  const wide = { ...range, start: range.start - 49 * HOUR, end: until };
  const { everything, visits } = selectIn(wide, { ...query, traffic: "all" }, known);
  const hasTraffic = (traffic: string) => query.traffic === "all" || traffic === (query.traffic ?? "human");
  const nameOf = ({ user, who, at }: Fact) =>
    identity === "user_id" ? user : `${user ?? who} ${month(dateAt(at, zone))}`;
  const since =
    identity === "monthly"
      ? midnight(`${month(range.from)}-01`, zone)
      : midnight(plusDays(range.from, -LOOKBACK_DAYS), zone);
  const facts = everything
    .flatMap((visit) => visit.facts)
    .filter((fact) => nameOf(fact) !== null && since <= fact.at && fact.at < until)
    .sort((a, b) => a.at - b.at);
  const days = new Set<string>();
  const counted = facts.filter((fact) => {
    if (identity === "user_id") return hasTraffic(fact.traffic);
    const day = `${nameOf(fact)} @ ${dateAt(fact.at, zone)}`;
    const isFirst = !days.has(day);
    days.add(day);
    return isFirst && hasTraffic(fact.visit.traffic);
  });
  const buckets = bucketsOf(range, unit);
  const periodOf = (at: number) => buckets.findLastIndex(({ start }) => start <= at);
  return [...new Set(counted.map(nameOf))].map((name) => {
    const theirs = counted.filter((fact) => nameOf(fact) === name);
    const first = (theirs[0] as Fact).visit;
    return { periods: new Set(theirs.map(({ at }) => periodOf(at))), chosen: visits.includes(first) };
  });
}

function cohortsOf(people: readonly Person[], range: Range, identity: Identity, unit: Unit) {
  if (identity === "none") return { cohorts: [], average: [], average_of: [], known_before: 0 };
  const periods = periodsOf(range, unit, identity);
  const maxPeriods = identity === "monthly" ? MAX_PERIODS_OF_A_MONTH[unit] : MAX_PERIODS;
  const cohorts = periods.map((own, index) => {
    const theirs = people.filter((one) => one.chosen && Math.min(...one.periods) === index);
    const cells = Array.from({ length: Math.min(periods.length, maxPeriods) }, (_, later) => {
      const then = periods[index + later];
      const unknown = identity === "monthly" && then && then.from.slice(0, 7) > own.to.slice(0, 7);
      if (!own.started || !then?.started || unknown) return { visitors: null, rate: null, partial: false };
      const visitors = theirs.filter((one) => one.periods.has(index + later)).length;
      return { visitors, rate: ratio(visitors, theirs.length), partial: own.partial || then.partial };
    });
    return { start: own.from, visitors: own.started ? theirs.length : null, partial: own.partial, cells };
  });
  const completeIn = (later: number) =>
    cohorts.filter(({ cells }) => cells[later]?.visitors !== null && !cells[later]?.partial);
  return {
    cohorts,
    average: (cohorts[0]?.cells ?? []).map((_, later) => {
      const complete = completeIn(later);
      return ratio(
        sum(complete.map(({ cells }) => cells[later]?.visitors ?? 0)),
        sum(complete.map(({ visitors }) => visitors ?? 0)),
      );
    }),
    average_of: (cohorts[0]?.cells ?? []).map((_, later) =>
      sum(completeIn(later).map(({ visitors }) => visitors ?? 0)),
    ),
    known_before: people.filter(({ periods }) => periods.has(-1) && Math.max(...periods) >= 0).length,
  };
}

interface Period {
  from: string;
  to: string;
  started: boolean;
  partial: boolean;
}

function periodsOf(range: Range, unit: Unit, identity: Identity): Period[] {
  const { zone, now } = range;
  const begins = (date: string) => unit === "day" || (unit === "week" ? weekday(date) === 0 : date.endsWith("-01"));
  return bucketsOf(range, unit).map(({ start }, index, all) => {
    const label = dateAt(start, zone);
    const following = all[index + 1];
    const next = following ? dateAt(following.start, zone) : plusDays(range.to, 1);
    const to = plusDays(next, -1);
    const cut = !begins(label) || !begins(next) || (range.end < midnight(next, zone) && index === all.length - 1);
    const isOpen = midnight(next, zone) > now;
    const inTwoMonths = identity === "monthly" && label.slice(0, 7) !== to.slice(0, 7);
    return { from: label, to, started: start <= now, partial: cut || isOpen || inTwoMonths };
  });
}
