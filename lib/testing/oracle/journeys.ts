import { HOSTS, PATHS } from "@/lib/testing/oracle/actions";
import { type Fact, isNamed, isView, type RawEvent, type Visit } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import { type Funnel, funnelPathsIn, requestedFunnels, type Step } from "@/lib/testing/oracle/funnels";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { reshaped, type World } from "@/lib/testing/oracle/world";

/** Expected answer of journeys: follows each visit from its beginning, or from the start step, to its end. */

export type JourneysQuery = Query & { funnel?: string; start?: string };

/** The start steps of queries. */
export const STARTS: Record<string, Step> = {
  "/a": { kind: "page", pattern: "/a" },
  "/blog/**": { kind: "page", pattern: "/blog/**" },
  "/none": { kind: "page", pattern: "/none" },
  "event:Play": { kind: "event", pattern: "Play" },
};

/**
 * Worlds with some long visits, many events for funnels, and a few users who are identified often, in their own and in
 * other browsers.
 */
export const withLongVisits = (world: World): World => {
  const longVisit = (event: RawEvent, index: number): RawEvent[] =>
    Array.from({ length: 6 + (index % 6) }, (_, step) => {
      const hostname = HOSTS[index % 3 === step % 3 ? 1 : 0] as string;
      const page = { hostname, path: PATHS[(index + step * step) % PATHS.length] as string, title: "" };
      return { ...event, at: event.at + step * 1000, type: "pageview", name: null, revenue: null, props: null, page };
    });
  const visited = world.events.flatMap((event, index) =>
    index % 4 === 3 ? [event, ...longVisit(event, index)] : [event],
  );
  visited.sort((a, b) => a.at - b.at);
  return reshaped({ ...world, events: visited }, (event, index) => {
    const known = index % 3 === 1 ? { ...event, user: `u${index % 2}` } : event;
    return index % 5 === 0 ? { ...known, type: "event", name: index % 2 ? "Play" : "Signup", ...PRICE } : known;
  });
};
const PRICE = { revenue: "4.20", currency: "USD" };

interface Place {
  kind: string;
  value: string | null;
}
interface Path {
  steps: Place[];
  visits: number;
  ended: boolean;
}
interface Transition {
  from: Place;
  to: Place;
  visits: number;
}
interface Journey {
  who: string;
  visits: number;
  paths: Path[];
  transitions: Transition[];
  flows: (Transition & { step: number })[];
}

const MAX_STEPS = 10;
const MAX_PATHS = 50;
const MAX_TRANSITIONS = 100;
const FLOW_STEPS = 5;
const MAX_PLACES = 6;
const OTHER = { kind: "other", value: null };
const EXIT = { kind: "exit", value: null };

export function journeys(query: JourneysQuery, known: Known): object {
  const { scope, before } = select(query, known);
  const funnel = query.funnel === undefined ? null : (requestedFunnels(query.funnel)[0] as Funnel);
  const start = query.start === undefined ? null : (STARTS[query.start] as Step);
  const events = start?.kind === "event" || (funnel?.steps.some(({ kind }) => kind === "event") ?? false);
  const isStep = (fact: Fact) => isView(fact) || (events && isNamed(fact));
  const journeysIn = (of: Selection, isComparison: boolean) =>
    groupsOf(of, funnel, isComparison).map(({ who, parts }) => {
      const paths = parts.flatMap(({ visit, since }) => {
        const steps = visit.facts.filter((fact) => fact.at >= since && isStep(fact));
        const first = start ? steps.findIndex((fact) => reaches(fact, start)) : 0;
        return first < 0 || steps.length === 0 ? [] : [withoutRepeats(steps.slice(first))];
      });
      return normalised({ who, visits: paths.length, ...mostFrequent(paths), flows: flowsOf(paths) });
    });
  const journeys = journeysIn(scope, false);
  return { start: query.start ?? null, events, journeys, comparison: before && journeysIn(before, true) };
}

interface VisitPart {
  visit: Visit;
  since: number;
}

/** Returns the visits of each group, and the instant from which each is followed. */
function groupsOf(
  scope: Selection,
  funnel: Funnel | null,
  isComparison: boolean,
): { who: string; parts: VisitPart[] }[] {
  if (!funnel) return [{ who: "all", parts: scope.visits.map((visit) => ({ visit, since: visit.started })) }];
  const visits = new Map<string, VisitPart & { finished: boolean }>();
  for (const funnelPath of funnelPathsIn(scope, funnel, isComparison)) {
    const first = funnelPath[0] as Fact;
    const key = `${first.visitor} ${first.visit.started}`;
    const known = visits.get(key);
    visits.set(key, {
      visit: first.visit,
      since: Math.min(first.at, known?.since ?? first.at),
      finished: funnelPath.length === funnel.steps.length || (known?.finished ?? false),
    });
  }
  const of = (wanted: boolean) => [...visits.values()].filter(({ finished }) => finished === wanted);
  return [
    { who: "finished", parts: of(true) },
    { who: "left", parts: of(false) },
  ];
}

function withoutRepeats(facts: readonly Fact[]): Place[] {
  const places = facts.map(
    (fact): Place =>
      isView(fact) ? { kind: "page", value: fact.page?.path ?? null } : { kind: "event", value: fact.name },
  );
  return places.filter((place, index) => index === 0 || !isSame(place, places[index - 1] as Place));
}

const isSame = (one: Place, other: Place): boolean => one.kind === other.kind && one.value === other.value;

/** Returns the most frequent paths and transitions, with the rest summed up as one each. */
function mostFrequent(visited: readonly Place[][]): Pick<Journey, "paths" | "transitions"> {
  const paths = visited.map((steps) => ({ steps: steps.slice(0, MAX_STEPS), ended: steps.length <= MAX_STEPS }));
  const transitions = paths.flatMap(({ steps, ended }) => {
    const made = steps.flatMap((from, index) => {
      const to = steps[index + 1] ?? (ended ? EXIT : null);
      return to ? [JSON.stringify({ from, to })] : [];
    });
    return [...new Set(made)].map((one) => JSON.parse(one) as Pick<Transition, "from" | "to">);
  });
  return {
    paths: topRows(paths, MAX_PATHS, { steps: [OTHER], ended: false }),
    transitions: topRows(transitions, MAX_TRANSITIONS, { from: OTHER, to: OTHER }),
  };
}

/** Returns how many visits went from each of the first steps to the next one; all but the most visited places are one. */
function flowsOf(visited: readonly Place[][]): Journey["flows"] {
  const columns = Array.from({ length: FLOW_STEPS }, (_, column) => {
    const counts = new Map<string, number>();
    for (const steps of visited) {
      const step = steps[column];
      if (step) counts.set(keyOf(step), (counts.get(keyOf(step)) ?? 0) + 1);
    }
    const ordered = [...counts].sort(([a, visitsA], [b, visitsB]) => visitsB - visitsA || (a < b ? -1 : 1));
    return new Set(ordered.slice(0, MAX_PLACES).map(([key]) => key));
  });
  const folded = (place: Place, column: number) => (columns[column]?.has(keyOf(place)) ? place : OTHER);
  const flows = new Map<string, number>();
  for (const steps of visited)
    for (const [column, from] of steps.slice(0, FLOW_STEPS - 1).entries()) {
      const next = steps[column + 1];
      const key = JSON.stringify({
        step: column + 1,
        from: folded(from, column),
        to: next ? folded(next, column + 1) : EXIT,
      });
      flows.set(key, (flows.get(key) ?? 0) + 1);
    }
  return [...flows].map(([key, visits]) => ({ ...JSON.parse(key), visits }));
}

/** Sorts by the value, then the kind. */
const keyOf = ({ kind, value }: Place): string => `${value} ${kind}`;

function topRows<Row extends object>(all: readonly Row[], limit: number, other: Row): (Row & { visits: number })[] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(JSON.stringify(one), (counts.get(JSON.stringify(one)) ?? 0) + 1);
  const rows = [...counts].map(([row, visits]) => ({ ...(JSON.parse(row) as Row), visits }));
  rows.sort((a, b) => b.visits - a.visits);
  const rest = rows.slice(limit).reduce((sum, { visits }) => sum + visits, 0);
  return [...rows.slice(0, limit), ...(rest > 0 ? [{ ...other, visits: rest }] : [])];
}

/**
 * Returns a journey in a normalised order. Among equally frequent rows at the limit the choice is arbitrary, so these
 * rows are compared without their contents.
 */
export function normalised<One extends Journey>({ paths, transitions, flows, ...ways }: One): object {
  const order = (rows: (Path | Transition)[], isOther: (row: never) => boolean) => {
    const other = rows.filter((row) => isOther(row as never));
    const own = rows.filter((row) => !other.includes(row));
    const least = other.length > 0 ? Math.min(...own.map(({ visits }) => visits)) : 0;
    const texts = own.map((row) => (row.visits > least ? JSON.stringify(sortedKeys(row)) : "tied"));
    return { visits: own.map(({ visits }) => visits), rows: texts.sort(), other: other.map(({ visits }) => visits) };
  };
  return {
    ...ways,
    flows: flows.map((flow) => JSON.stringify(sortedKeys(flow))).sort(),
    paths: order(paths, ({ steps }: Path) => steps[0]?.kind === "other"),
    transitions: order(transitions, ({ from }: Transition) => from.kind === "other"),
  };
}

const sortedKeys = (row: object): [string, unknown][] => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
