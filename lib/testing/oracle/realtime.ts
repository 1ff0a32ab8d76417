import { ranked } from "@/lib/testing/oracle/acquisition";
import { DAY, dateAt, daysBetween, MINUTE, momentOf, plusDays, plusMonths, wall } from "@/lib/testing/oracle/clock";
import { pageKey, valueOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isView } from "@/lib/testing/oracle/facts";
import { type Known, type Query, type Selection, selectIn } from "@/lib/testing/oracle/query";
import { type World, withTable } from "@/lib/testing/oracle/world";

/** Moves all events of the last day into the last forty minutes. */
export const withRecentEvents = (world: World): World => {
  const { now, events } = world;
  const moved = events.map((event) =>
    now - event.at > DAY ? event : { ...event, at: now - ((now - event.at) % MAX_AGE) },
  );
  return withTable({ ...world, events: moved.sort((a, b) => a.at - b.at) });
};
const MAX_AGE = 40 * MINUTE;

/** Expected answer of realtime, whatever the range of the query. */
export function realtime(query: Query, known: Known): object {
  const { zone, now } = known;
  const start = Math.floor(now / MINUTE) * MINUTE - 29 * MINUTE;
  const scope = between(start, start + 30 * MINUTE, query, known);
  const present = scope.facts.filter(({ at }) => at > now - 5 * MINUTE);
  const { compare = "none", compare_to: day } = query;
  const today = dateAt(now, zone);
  const earlier = (at: number) => {
    const shown = wall(at, zone);
    const date = shown.slice(0, 10);
    const isYear = !day && compare === "year_over_year";
    const before = isYear ? plusMonths(date, -12) : plusDays(date, day ? -daysBetween(day, today) : -1);
    return momentOf(`${before}${shown.slice(10)}`, zone) + (at % 1000);
  };
  const shown = scope.facts.filter(({ type }) => type !== "engagement" && type !== "vitals");
  return {
    ...liveCounts(scope, start, now),
    pages: presentBy(present.filter(isView), ({ page }) => page?.path || null),
    sources: presentBy(present, ({ visit }) => valueOfVisit(visit, "source") || null),
    countries: presentBy(present, ({ visit }) => valueOfVisit(visit, "country") || null),
    events: shown.slice(-50).map((fact) => ({
      time: new Date(fact.at).toISOString(),
      type: fact.type,
      name: fact.name,
      page: fact.page?.path ?? null,
      title: fact.page ? (scope.titles.get(pageKey(fact.page)) ?? null) : null,
      country: valueOfVisit(fact.visit, "country") || null,
      source: valueOfVisit(fact.visit, "source") || null,
      device: valueOfVisit(fact.visit, "device") || null,
    })),
    comparison:
      compare === "none" && !day
        ? null
        : liveCounts(between(earlier(start), earlier(now), query, known), earlier(start), earlier(now)),
  };
}

function between(start: number, end: number, query: Query, known: Known): Selection {
  const { zone, now } = known;
  const dates = { from: dateAt(start, zone), to: dateAt(end - 1, zone) };
  return selectIn({ zone, now, start, end, ...dates, partial: true, earlier: (date) => date }, query, known);
}

function liveCounts({ facts }: Selection, start: number, now: number): object {
  const visitors = (those: Fact[]) => new Set(those.map(({ visitor }) => visitor)).size;
  return {
    visitors: visitors(facts.filter(({ at }) => at > now - 5 * MINUTE)),
    minutes: Array.from({ length: 30 }, (_, index) => {
      const begins = start + index * MINUTE;
      const those = facts.filter(({ at }) => begins <= at && at < begins + MINUTE);
      return {
        start: new Date(begins).toISOString(),
        visitors: visitors(those),
        pageviews: those.filter(isView).length,
      };
    }),
  };
}

function presentBy(facts: Fact[], valueFor: (fact: Fact) => string | null): object[] {
  const rows = [...new Set(facts.map(valueFor))].map((value) => ({
    value,
    visitors: new Set(facts.filter((fact) => valueFor(fact) === value).map(({ visitor }) => visitor)).size,
  }));
  const sorted = ranked(
    rows,
    ({ visitors }) => [visitors],
    ({ value }) => [value],
  );
  return sorted.slice(0, 10);
}

/** Returns events without visit ids in an order that does not depend on the order of simultaneous events. */
export const sorted = (events: readonly object[]): string[] =>
  events.map(({ visit: _, ...event }: { visit?: string }) => JSON.stringify(Object.entries(event).sort())).sort();
