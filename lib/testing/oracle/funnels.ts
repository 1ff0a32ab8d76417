import { dateAt, MINUTE, midnight, plusDays } from "@/lib/testing/oracle/clock";
import { type Fact, isView, type RawEvent } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import {
  daysOf,
  type Known,
  type Query,
  type Range,
  type Selection,
  select,
  selectIn,
} from "@/lib/testing/oracle/query";
import { reshaped, type World } from "@/lib/testing/oracle/world";

/** Expected answer of funnels: tries every path. */

export type Step = { kind: "page" | "event"; pattern: string; name?: string };
export interface Funnel {
  name: string;
  windowMinutes: number;
  steps: Step[];
}

/** The saved funnels of every site of the oracle. */
export const FUNNELS: readonly Funnel[] = [
  {
    name: "Deep",
    windowMinutes: 2 * 24 * 60,
    steps: [
      { kind: "page", pattern: "/**", name: "Any page" },
      { kind: "page", pattern: "/**" },
      { kind: "page", pattern: "/blog/**" },
      { kind: "event", pattern: "Play" },
    ],
  },
  {
    name: "Quick",
    windowMinutes: 30,
    steps: [
      { kind: "page", pattern: "/*" },
      { kind: "event", pattern: "Signup" },
    ],
  },
];

/** Pauses before a signup: at the end of the window of "Quick", or just after it. */
const PAUSES = [30 * MINUTE, 30 * MINUTE + 1] as const;
/** Worlds in which signups follow page views. */
export const withSignups = (world: World): World => {
  const signup = { type: "event" as const, name: "Signup", engagementMs: null, scroll: null };
  const events = world.events.flatMap((event, index): RawEvent[] => {
    if (!isView(event)) return [event];
    return [event, { ...event, ...signup, at: event.at + (PAUSES[index % 2] as number) }];
  });
  events.sort((a, b) => a.at - b.at);
  return reshaped({ ...world, events }, (event) => event);
};

/** Ad-hoc funnels of queries, with a window of one day. */
export const AD_HOC: Record<string, Step[]> = {
  "/ > event:Signup": [
    { kind: "page", pattern: "/" },
    { kind: "event", pattern: "Signup" },
  ],
  "event:Play > /blog/** > event:purchase": [
    { kind: "event", pattern: "Play" },
    { kind: "page", pattern: "/blog/**" },
    { kind: "event", pattern: "purchase" },
  ],
};

/** Returns the funnel of a query, or all saved funnels. */
export const requestedFunnels = (funnel: string | undefined): readonly Funnel[] => {
  const steps = funnel === undefined ? undefined : AD_HOC[funnel];
  if (funnel !== undefined && steps) return [{ name: funnel, windowMinutes: 24 * 60, steps }];
  return FUNNELS.filter(({ name }) => funnel === undefined || name === funnel);
};

export function funnels(query: Query & { funnel?: string }, known: Known): object {
  const { scope, before } = select(query, known);
  return {
    funnels: requestedFunnels(query.funnel).map((funnel) => ({
      name: funnel.name,
      window_minutes: funnel.windowMinutes,
      ...progress(funnel, funnelPathsIn(scope, funnel, false)),
      comparison: before && progress(funnel, funnelPathsIn(before, funnel, true)),
    })),
  };
}

/** Extends a range by the funnel window, except for a comparison "up to now". */
function widened({ range }: Selection, { windowMinutes }: Funnel, isComparison: boolean): Range {
  const { zone, end, to } = range;
  const soFar = isComparison && end < midnight(plusDays(to, 1), zone);
  const last = dateAt(end + windowMinutes * MINUTE - 1, zone);
  return soFar ? range : { ...range, to: last, end: midnight(plusDays(last, 1), zone) };
}

/** Returns the events that can be steps of a funnel path. */
export const factsWithinWindow = (scope: Selection, funnel: Funnel, isComparison: boolean): Fact[] =>
  selectIn(widened(scope, funnel, isComparison), scope.query, scope.known).activity;

/** The events by which a visitor reached the steps of a funnel, starting on one local day. */
export type FunnelPath = Fact[];

export function funnelPathsIn(scope: Selection, funnel: Funnel, isComparison: boolean): FunnelPath[] {
  const facts = factsWithinWindow(scope, funnel, isComparison);
  const funnelPaths: FunnelPath[] = [];
  for (const visitor of new Set(facts.map((fact) => fact.visitor))) {
    const theirs = facts.filter((fact) => fact.visitor === visitor);
    const days = daysOf(widened(scope, funnel, isComparison)).map((day) =>
      theirs
        .filter(({ at }) => day.start <= at && at < day.end)
        .filter((fact) => reaches(fact, funnel.steps[0] as Step)),
    );
    const within = daysOf(scope.range).length;
    for (const [index, firsts] of days.slice(0, within).entries()) {
      const later = days.slice(index + 1);
      const lengths = funnel.steps.map((_, step) => step + 1).reverse();
      const length = lengths.find((one) => {
        const end = endOf(theirs, firsts, funnel, one);
        return end !== null && later.every((others) => endOf(theirs, others, funnel, one) !== end);
      });
      if (length !== undefined) funnelPaths.push(bestPath(theirs, firsts, funnel, length));
    }
  }
  return funnelPaths;
}

/** Returns when the first path of `length` steps that begins with one of these events is complete; null without one. */
function endOf(
  facts: readonly Fact[],
  firsts: readonly Fact[],
  { steps, windowMinutes }: Funnel,
  length: number,
): number | null {
  const ends = firsts.map((first) =>
    longest(facts, steps.slice(0, length), 1, first.at, first.at + windowMinutes * MINUTE),
  );
  const reached = ends.filter((one) => one.length === length).map(({ at }) => at);
  return reached.length > 0 ? Math.min(...reached) : null;
}

/** Returns the path of `length` steps that completes first, with the latest possible event for each step. */
function bestPath(facts: readonly Fact[], firsts: readonly Fact[], funnel: Funnel, length: number): FunnelPath {
  const { steps, windowMinutes } = funnel;
  const window = windowMinutes * MINUTE;
  const end = endOf(facts, firsts, funnel, length) as number;
  const upTo = (index: number, before: number): FunnelPath | null => {
    const serving =
      index === 0
        ? firsts.filter((first) => end - first.at <= window)
        : facts.filter((fact) => reaches(fact, steps[index] as Step));
    for (const fact of serving.filter(({ at }) => at < before).sort((a, b) => b.at - a.at)) {
      const earlier = index === 0 ? [] : upTo(index - 1, fact.at);
      if (earlier) return [...earlier, fact];
    }
    return null;
  };
  return upTo(length - 1, end + MICROSECOND / 2) as FunnelPath;
}

/** In milliseconds. */
const MICROSECOND = 0.001;

export function progress(funnel: Funnel, funnelPaths: readonly FunnelPath[]) {
  const furthest = funnelPaths.map(({ length }) => length);
  const visitors = funnel.steps.map((_, index) => furthest.filter((length) => length > index).length);
  const share = (part = 0, whole = 0) => (whole > 0 ? part / whole : null);
  const entered = visitors[0] ?? 0;
  return {
    entered,
    converted: visitors.at(-1) ?? 0,
    conversion_rate: share(visitors.at(-1), entered),
    steps: funnel.steps.map(({ name, kind, pattern }, index) => {
      const here = visitors[index] ?? 0;
      const previous = index === 0 ? null : (visitors[index - 1] ?? 0);
      return {
        name: name ?? pattern,
        kind,
        pattern,
        visitors: here,
        conversion_from_first: share(here, entered),
        conversion_from_previous: previous === null ? null : share(here, previous),
        drop_off: previous === null ? 0 : previous - here,
        drop_off_rate: previous === null ? null : share(previous - here, previous),
      };
    }),
  };
}

/** Returns the number of steps of the longest continuation after an instant, and when it completes. */
function longest(
  facts: readonly Fact[],
  steps: readonly Step[],
  length: number,
  after: number,
  until: number,
): { length: number; at: number } {
  const step = steps[length];
  if (!step) return { length, at: after };
  // The earliest event leaves the most time for the following steps.
  const next = facts.filter((fact) => fact.at > after && fact.at <= until && reaches(fact, step)).map(({ at }) => at);
  if (next.length === 0) return { length, at: after };
  return longest(facts, steps, length + 1, Math.min(...next), until);
}
