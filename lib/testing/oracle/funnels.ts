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

type Step = { kind: "page" | "event"; pattern: string; name?: string };
interface Funnel {
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

export function funnels(asked: Asked & { funnel?: string }, known: Known): object {
  const { scope, before } = select(asked, known);
  const written = asked.funnel === undefined ? null : (WRITTEN[asked.funnel] ?? null);
  const all = written ? [{ name: asked.funnel as string, windowMinutes: 24 * 60, steps: written }] : FUNNELS;
  return {
    funnels: all.map((funnel) => ({
      name: funnel.name,
      window_minutes: funnel.windowMinutes,
      ...progress(scope, funnel, false),
      comparison: before && progress(before, funnel, true),
    })),
  };
}

/** What may belong to a chain: also what follows the range within the window, but not beyond "now so far". */
function beyond({ range, asked, known }: Selection, { windowMinutes }: Funnel, isComparison: boolean): Fact[] {
  const { zone, end, to } = range;
  const soFar = isComparison && end < midnight(plusDays(to, 1), zone);
  const last = dateAt(end + windowMinutes * MINUTE - 1, zone);
  const wider: Range = soFar ? range : { ...range, to: last, end: midnight(plusDays(last, 1), zone) };
  return selectIn(wider, asked, known).activity;
}

function progress(scope: Selection, funnel: Funnel, isComparison: boolean): object {
  const { range } = scope;
  const facts = beyond(scope, funnel, isComparison);
  const furthest: number[] = [];
  for (const visitor of new Set(facts.map((fact) => fact.visitor))) {
    const theirs = facts.filter((fact) => fact.visitor === visitor);
    for (const day of daysOf(range)) {
      const lengths = theirs
        .filter(({ at }) => day.start <= at && at < day.end)
        .filter((fact) => reaches(fact, funnel.steps[0] as Step))
        .map((first) => longest(theirs, funnel.steps, 1, first.at, first.at + funnel.windowMinutes * MINUTE));
      if (lengths.length > 0) furthest.push(Math.max(...lengths));
    }
  }
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

/** How many steps the longest chain has that goes on after a moment. */
function longest(facts: readonly Fact[], steps: readonly Step[], taken: number, after: number, until: number): number {
  const step = steps[taken];
  if (!step) return taken;
  // The earliest moment leaves the most to what follows.
  const next = facts.filter((fact) => fact.at > after && fact.at <= until && reaches(fact, step)).map(({ at }) => at);
  return next.length === 0 ? taken : longest(facts, steps, taken + 1, Math.min(...next), until);
}
