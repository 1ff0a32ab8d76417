import { dateAt, MINUTE, midnight, plusDays } from "@/lib/testing/oracle/clock";
import type { Fact } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import {
  type Asked,
  daysOf,
  type Known,
  type Range,
  type Selection,
  select,
  selectIn,
} from "@/lib/testing/oracle/query";

/** What funnels should say: every chain is tried. */

export type Step = { kind: "page" | "event"; pattern: string; name?: string };
export interface Funnel {
  name: string;
  windowMinutes: number;
  steps: Step[];
}

/** What every site of the oracle has saved, by name. */
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

/** Funnels that a question writes down, with a window of a day. */
export const WRITTEN: Record<string, Step[]> = {
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

/** The funnels that a question asks of, or all that are saved. */
export const askedFor = (funnel: string | undefined): readonly Funnel[] => {
  const steps = funnel === undefined ? undefined : WRITTEN[funnel];
  if (funnel !== undefined && steps) return [{ name: funnel, windowMinutes: 24 * 60, steps }];
  return FUNNELS.filter(({ name }) => funnel === undefined || name === funnel);
};

export function funnels(asked: Asked & { funnel?: string }, known: Known): object {
  const { scope, before } = select(asked, known);
  return {
    funnels: askedFor(asked.funnel).map((funnel) => ({
      name: funnel.name,
      window_minutes: funnel.windowMinutes,
      ...progress(funnel, chainsIn(scope, funnel, false)),
      comparison: before && progress(funnel, chainsIn(before, funnel, true)),
    })),
  };
}

/** A range with what follows it within the window, but not beyond "now so far". */
function widened({ range }: Selection, { windowMinutes }: Funnel, isComparison: boolean): Range {
  const { zone, end, to } = range;
  const soFar = isComparison && end < midnight(plusDays(to, 1), zone);
  const last = dateAt(end + windowMinutes * MINUTE - 1, zone);
  return soFar ? range : { ...range, to: last, end: midnight(plusDays(last, 1), zone) };
}

/** What may belong to a chain. */
export const beyond = (scope: Selection, funnel: Funnel, isComparison: boolean): Fact[] =>
  selectIn(widened(scope, funnel, isComparison), scope.asked, scope.known).activity;

/** What a visitor did of a funnel on one local day: the events that the steps were taken by. */
export type Chain = Fact[];

export function chainsIn(scope: Selection, funnel: Funnel, isComparison: boolean): Chain[] {
  const facts = beyond(scope, funnel, isComparison);
  const chains: Chain[] = [];
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
      if (length !== undefined) chains.push(chosenOf(theirs, firsts, funnel, length));
    }
  }
  return chains;
}

/** When the first chain of so many steps is complete that begins with one of these events; null when none is. */
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

/** Of all chains of so many steps the first to get there, each of its steps by the last event that could serve it. */
function chosenOf(facts: readonly Fact[], firsts: readonly Fact[], funnel: Funnel, length: number): Chain {
  const { steps, windowMinutes } = funnel;
  const window = windowMinutes * MINUTE;
  const end = endOf(facts, firsts, funnel, length) as number;
  const upTo = (index: number, before: number): Chain | null => {
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
  return upTo(length - 1, end + MICROSECOND / 2) as Chain;
}

/** In milliseconds. */
const MICROSECOND = 0.001;

export function progress(funnel: Funnel, chains: readonly Chain[]) {
  const furthest = chains.map(({ length }) => length);
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

/** How many steps the longest chain has that goes on after a moment, and when it gets there. */
function longest(
  facts: readonly Fact[],
  steps: readonly Step[],
  taken: number,
  after: number,
  until: number,
): { length: number; at: number } {
  const step = steps[taken];
  if (!step) return { length: taken, at: after };
  // The earliest moment leaves the most to what follows.
  const next = facts.filter((fact) => fact.at > after && fact.at <= until && reaches(fact, step)).map(({ at }) => at);
  if (next.length === 0) return { length: taken, at: after };
  return longest(facts, steps, taken + 1, Math.min(...next), until);
}
