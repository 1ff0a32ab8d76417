import { ranked } from "@/lib/testing/oracle/acquisition";
import { DAY, dateAt, daysBetween, MINUTE, momentOf, plusDays, plusMonths, wall } from "@/lib/testing/oracle/clock";
import { pageKey, wordOfVisit } from "@/lib/testing/oracle/dimensions";
import { type Fact, isView } from "@/lib/testing/oracle/facts";
import { type Asked, type Known, type Selection, selectIn } from "@/lib/testing/oracle/query";
import { type World, withTable } from "@/lib/testing/oracle/world";

/** The same world, of which everything that happened within a day happened within the last forty minutes. */
export const lately = (world: World): World => {
  const { now, events } = world;
  const moved = events.map((event) =>
    now - event.at > DAY ? event : { ...event, at: now - ((now - event.at) % MOST_AGO) },
  );
  return withTable({ ...world, events: moved.sort((a, b) => a.at - b.at) });
};
const MOST_AGO = 40 * MINUTE;

/** What realtime should say, whatever the range of the question. */
export function realtime(asked: Asked, known: Known): object {
  const { zone, now } = known;
  const start = Math.floor(now / MINUTE) * MINUTE - 29 * MINUTE;
  const scope = between(start, start + 30 * MINUTE, asked, known);
  const present = scope.facts.filter(({ at }) => at > now - 5 * MINUTE);
  const { compare = "none", compare_to: day } = asked;
  const today = dateAt(now, zone);
  const earlier = (at: number) => {
    const shown = wall(at, zone);
    const date = shown.slice(0, 10);
    const isYear = !day && compare === "year_over_year";
    const before = isYear ? plusMonths(date, -12) : plusDays(date, day ? -daysBetween(day, today) : -1);
    return momentOf(`${before}${shown.slice(10)}`, zone) + (at % 1000);
  };
  const told = scope.facts.filter(({ type }) => type !== "engagement" && type !== "vitals");
  return {
    ...pulse(scope, start, now),
    pages: presentBy(present.filter(isView), ({ page }) => page?.path || null),
    sources: presentBy(present, ({ visit }) => wordOfVisit(visit, "source") || null),
    countries: presentBy(present, ({ visit }) => wordOfVisit(visit, "country") || null),
    events: told.slice(-50).map((fact) => ({
      time: new Date(fact.at).toISOString(),
      type: fact.type,
      name: fact.name,
      page: fact.page?.path ?? null,
      title: fact.page ? (scope.titles.get(pageKey(fact.page)) ?? null) : null,
      country: wordOfVisit(fact.visit, "country") || null,
      source: wordOfVisit(fact.visit, "source") || null,
      device: wordOfVisit(fact.visit, "device") || null,
    })),
    comparison:
      compare === "none" && !day
        ? null
        : pulse(between(earlier(start), earlier(now), asked, known), earlier(start), earlier(now)),
  };
}

function between(start: number, end: number, asked: Asked, known: Known): Selection {
  const { zone, now } = known;
  const dates = { from: dateAt(start, zone), to: dateAt(end - 1, zone) };
  return selectIn({ zone, now, start, end, ...dates, partial: true, earlier: (date) => date }, asked, known);
}

function pulse({ facts }: Selection, start: number, now: number): object {
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

function presentBy(facts: Fact[], wordOf: (fact: Fact) => string | null): object[] {
  const rows = [...new Set(facts.map(wordOf))].map((value) => ({
    value,
    visitors: new Set(facts.filter((fact) => wordOf(fact) === value).map(({ visitor }) => visitor)).size,
  }));
  const sorted = ranked(
    rows,
    ({ visitors }) => [visitors],
    ({ value }) => [value],
  );
  return sorted.slice(0, 10);
}

/** In an order that does not depend on which of two events of one moment is told first, and without the names of visits. */
export const sorted = (events: readonly object[]): string[] =>
  events.map(({ visit: _, ...event }: { visit?: string }) => JSON.stringify(Object.entries(event).sort())).sort();
