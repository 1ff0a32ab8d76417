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
} from "@/lib/testing/oracle/question";

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

/** What may belong to a chain: also what follows the range within the window, but not beyond "now so far". */
export function beyond({ range, asked, known }: Selection, { windowMinutes }: Funnel, isComparison: boolean): Fact[] {
  const { zone, end, to } = range;
  const soFar = isComparison && end < midnight(plusDays(to, 1), zone);
  const last = dateAt(end + windowMinutes * MINUTE - 1, zone);
  const wider: Range = soFar ? range : { ...range, to: last, end: midnight(plusDays(last, 1), zone) };
  return selectIn(wider, asked, known).activity;
}

/** What a visitor did of a funnel on one local day: the events that the steps were taken by. */
export type Chain = Fact[];

export function chainsIn(scope: Selection, funnel: Funnel, isComparison: boolean): Chain[] {
  const facts = beyond(scope, funnel, isComparison);
  const chains: Chain[] = [];
  for (const visitor of new Set(facts.map((fact) => fact.visitor))) {
    const theirs = facts.filter((fact) => fact.visitor === visitor);
    for (const day of daysOf(scope.range)) {
      const firsts = theirs
        .filter(({ at }) => day.start <= at && at < day.end)
        .filter((fact) => reaches(fact, funnel.steps[0] as Step));
      if (firsts.length > 0) chains.push(chosenOf(theirs, firsts, funnel));
    }
  }
  return chains;
}

/**
 * Of all chains that begin with one of these events the longest; of several the first to get there, each of its steps by
 * the last event that could serve it.
 */
function chosenOf(facts: readonly Fact[], firsts: readonly Fact[], { steps, windowMinutes }: Funnel): Chain {
  const window = windowMinutes * MINUTE;
  const ends = firsts.map((first) => longest(facts, steps, 1, first.at, first.at + window));
  const length = Math.max(...ends.map((end) => end.length));
  const end = Math.min(...ends.filter((one) => one.length === length).map(({ at }) => at));
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
