import { HOSTS, PATHS } from "@/lib/testing/oracle/actions";
import { type Fact, isNamed, isView, type RawEvent, type Visit } from "@/lib/testing/oracle/facts";
import { reaches } from "@/lib/testing/oracle/filters";
import { askedFor, chainsIn, type Funnel, type Step } from "@/lib/testing/oracle/funnels";
import { type Asked, type Known, type Selection, select } from "@/lib/testing/oracle/query";
import { reshaped, type World } from "@/lib/testing/oracle/world";

/** What journeys should say: each visit is walked from its beginning, or from where it is asked to begin, to its end. */

export type AskedWays = Asked & { funnel?: string; start?: string };

/** Where paths may be asked to begin. */
export const STARTS: Record<string, Step> = {
  "/a": { kind: "page", pattern: "/a" },
  "/blog/**": { kind: "page", pattern: "/blog/**" },
  "/none": { kind: "page", pattern: "/none" },
  "event:Play": { kind: "event", pattern: "Play" },
};

/**
 * Worlds in which now and then somebody walks through many pages, much is played and signed up for, and the same few users
 * are identified again and again, in their own browsers and in others'.
 */
export const playing = (world: World): World => {
  const walk = (event: RawEvent, index: number): RawEvent[] =>
    Array.from({ length: 6 + (index % 6) }, (_, step) => {
      const hostname = HOSTS[index % 3 === step % 3 ? 1 : 0] as string;
      const page = { hostname, path: PATHS[(index + step * step) % PATHS.length] as string, title: "" };
      return { ...event, at: event.at + step * 1000, type: "pageview", name: null, revenue: null, props: null, page };
    });
  const walked = world.events.flatMap((event, index) => (index % 4 === 3 ? [event, ...walk(event, index)] : [event]));
  walked.sort((a, b) => a.at - b.at);
  return reshaped({ ...world, events: walked }, (event, index) => {
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
interface Ways {
  who: string;
  visits: number;
  paths: Path[];
  transitions: Transition[];
}

const MAX_STEPS = 10;
const MAX_PATHS = 50;
const MAX_TRANSITIONS = 100;
const OTHER = { kind: "other", value: null };
const EXIT = { kind: "exit", value: null };

export function journeys(asked: AskedWays, known: Known): object {
  const { scope, before } = select(asked, known);
  const funnel = asked.funnel === undefined ? null : (askedFor(asked.funnel)[0] as Funnel);
  const start = asked.start === undefined ? null : (STARTS[asked.start] as Step);
  const events = start?.kind === "event" || (funnel?.steps.some(({ kind }) => kind === "event") ?? false);
  const isStep = (fact: Fact) => isView(fact) || (events && isNamed(fact));
  const told = (of: Selection, isComparison: boolean) =>
    groupsOf(of, funnel, isComparison).map(({ who, walks }) => {
      const paths = walks.flatMap(({ visit, since }) => {
        const steps = visit.facts.filter((fact) => fact.at >= since && isStep(fact));
        const first = start ? steps.findIndex((fact) => reaches(fact, start)) : 0;
        return first < 0 || steps.length === 0 ? [] : [withoutRepeats(steps.slice(first))];
      });
      return settled({ who, visits: paths.length, ...mostFrequent(paths) });
    });
  const journeys = told(scope, false);
  return { start: asked.start ?? null, events, journeys, comparison: before && told(before, true) };
}

interface Walk {
  visit: Visit;
  since: number;
}

/** The visits of each group, and from when on they are told. */
function groupsOf(scope: Selection, funnel: Funnel | null, isComparison: boolean): { who: string; walks: Walk[] }[] {
  if (!funnel) return [{ who: "all", walks: scope.visits.map((visit) => ({ visit, since: visit.started })) }];
  const begun = new Map<string, Walk & { finished: boolean }>();
  for (const chain of chainsIn(scope, funnel, isComparison)) {
    const first = chain[0] as Fact;
    const key = `${first.visitor} ${first.visit.started}`;
    const known = begun.get(key);
    begun.set(key, {
      visit: first.visit,
      since: Math.min(first.at, known?.since ?? first.at),
      finished: chain.length === funnel.steps.length || (known?.finished ?? false),
    });
  }
  const of = (wanted: boolean) => [...begun.values()].filter(({ finished }) => finished === wanted);
  return [
    { who: "finished", walks: of(true) },
    { who: "left", walks: of(false) },
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

/** The most frequent paths and transitions, and the rest as one of each. */
function mostFrequent(walked: readonly Place[][]): Pick<Ways, "paths" | "transitions"> {
  const paths = walked.map((steps) => ({ steps: steps.slice(0, MAX_STEPS), ended: steps.length <= MAX_STEPS }));
  const transitions = paths.flatMap(({ steps, ended }) => {
    const made = steps.flatMap((from, index) => {
      const to = steps[index + 1] ?? (ended ? EXIT : null);
      return to ? [JSON.stringify({ from, to })] : [];
    });
    return [...new Set(made)].map((one) => JSON.parse(one) as Pick<Transition, "from" | "to">);
  });
  return {
    paths: most(paths, MAX_PATHS, { steps: [OTHER], ended: false }),
    transitions: most(transitions, MAX_TRANSITIONS, { from: OTHER, to: OTHER }),
  };
}

function most<Row extends object>(all: readonly Row[], limit: number, other: Row): (Row & { visits: number })[] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(JSON.stringify(one), (counts.get(JSON.stringify(one)) ?? 0) + 1);
  const rows = [...counts].map(([row, visits]) => ({ ...(JSON.parse(row) as Row), visits }));
  rows.sort((a, b) => b.visits - a.visits);
  const rest = rows.slice(limit).reduce((sum, { visits }) => sum + visits, 0);
  return [...rows.slice(0, limit), ...(rest > 0 ? [{ ...other, visits: rest }] : [])];
}

/**
 * Ways in an order of their own, and without the words of rows where it is not said which of equals is told: those as
 * frequent as the last one before the rest.
 */
export function settled<One extends Ways>({ paths, transitions, ...ways }: One): object {
  const order = (rows: (Path | Transition)[], isOther: (row: never) => boolean) => {
    const other = rows.filter((row) => isOther(row as never));
    const own = rows.filter((row) => !other.includes(row));
    const least = other.length > 0 ? Math.min(...own.map(({ visits }) => visits)) : 0;
    const texts = own.map((row) => (row.visits > least ? JSON.stringify(sortedKeys(row)) : "one of equals"));
    return { visits: own.map(({ visits }) => visits), rows: texts.sort(), other: other.map(({ visits }) => visits) };
  };
  return {
    ...ways,
    paths: order(paths, ({ steps }: Path) => steps[0]?.kind === "other"),
    transitions: order(transitions, ({ from }: Transition) => from.kind === "other"),
  };
}

const sortedKeys = (row: object): [string, unknown][] => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
