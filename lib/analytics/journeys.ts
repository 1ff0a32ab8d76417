import type { Cover } from "@/lib/analytics/cover";
import { reachedBy } from "@/lib/analytics/filters";
import { writtenStep } from "@/lib/analytics/funnel-notation";
import { type FunnelStep, stepShape } from "@/lib/analytics/funnel-steps";
import type { IdFilters } from "@/lib/analytics/packed/narrowing";
import { walk } from "@/lib/analytics/packed/walk";
import { TooManyWays, WayTree } from "@/lib/analytics/packed/way-tree";
import { during } from "@/lib/analytics/question";
import { packedFor } from "@/lib/analytics/sources";
import { MOST_STEPS, type Way, waysTable, withEvents } from "@/lib/analytics/ways";
import { invalidInput } from "@/lib/contract/errors";
import { Prisma, reports } from "@/lib/db";

/** The ways of visits: what was seen one after another, repeats at once told once. */

export const MOST_PATHS = 50;
export const MOST_TRANSITIONS = 100;

export type Place = { kind: "page" | "event" | "exit" | "other"; value: string | null };
export interface Ways {
  /** Of all visits, or of those whose chain reached the end of the funnel, or did not. */
  who: "all" | "finished" | "left";
  visits: number;
  paths: { steps: Place[]; visits: number; ended: boolean }[];
  transitions: { from: Place; to: Place; visits: number }[];
  other_paths: number;
  other_transitions: number;
}

/** @throws Refusal `invalid_input` for a start that is neither a path nor the name of an event. */
export function readStart(start: string): FunnelStep {
  const read = stepShape.safeParse(writtenStep(start));
  if (read.success) return read.data;
  const fault = read.error.issues[0]?.message ?? "is none";
  throw invalidInput([{ path: "start", message: `${fault}; write the path of a page, or event:<name>` }]);
}

interface Found {
  who: number;
  part: "visits" | "moves" | "path" | "transition";
  steps: number[] | null;
  ended: boolean | null;
  visits: number;
}

/** The most frequent paths and transitions of a scope; with a funnel, of those who finished it and of those who left. */
export async function waysOf(way: Way): Promise<Ways[]> {
  const packed = way.funnel ? null : await packedFor(way.scope);
  if (!packed || daysIn(packed.gaps) > MOST_GAP_DAYS) return waysOfFacts(way);
  try {
    return [await waysOfPacked(way, packed)];
  } catch (error) {
    if (error instanceof TooManyWays) return waysOfFacts(way);
    throw error;
  }
}

/** So many days that are not packed may have their ways handed over one by one. */
const MOST_GAP_DAYS = 3;
const DAY_MS = 24 * 3600_000;
const daysIn = (gaps: Cover["gaps"]) =>
  gaps.reduce((ms, { start, end }) => ms + end.getTime() - start.getTime(), 0) / DAY_MS;

async function waysOfPacked(way: Way, cover: Cover & { packed: IdFilters }): Promise<Ways> {
  const { scope, start } = way;
  const tree = new WayTree();
  const began = start && (await reachedBy(scope.siteId, start, "start")).test;
  await walk({ scope, cover, began, withEvents: withEvents(way), mostSteps: MOST_STEPS }, tree);
  if (cover.gaps.length > 0) {
    const table = await waysTable(
      way,
      cover.gaps.map((gap) => during(scope, gap)),
    );
    const rows = await reports().$queryRaw<{ steps: number[]; visits: number }[]>`
      WITH ${table} SELECT steps, sum(visits)::int AS visits FROM ways GROUP BY steps`;
    for (const { steps, visits } of rows) {
      const told = steps.slice(0, MOST_STEPS).map((step) => tree.numberOf(step));
      const node = told.reduce((node, step) => tree.after(node, step), 0);
      tree.count(node, steps.length <= MOST_STEPS, visits);
    }
  }
  const [paths, transitions] = [await tree.mostGone(MOST_PATHS), await tree.mostMoved(MOST_TRANSITIONS)];
  const steps = [...paths.ways.flatMap((one) => one.steps), ...transitions.moves.flatMap(({ from, to }) => [from, to])];
  const placeOf = await wordsFor(scope.siteId, [...new Set(steps)]);
  return {
    who: "all",
    visits: paths.visits,
    paths: paths.ways.map(({ steps, ...one }) => ({ ...one, steps: steps.map(placeOf) })),
    transitions: transitions.moves.map(({ from, to, visits }) => ({ from: placeOf(from), to: placeOf(to), visits })),
    other_paths: paths.visits - sumOf(paths.ways),
    other_transitions: transitions.visits - sumOf(transitions.moves),
  };
}

const sumOf = (rows: readonly { visits: number }[]): number => rows.reduce((sum, { visits }) => sum + visits, 0);

async function waysOfFacts(way: Way): Promise<Ways[]> {
  const asked = await waysTable(way);
  const groups = way.funnel ? FUNNEL_GROUPS : WHOLE_GROUP;
  const found = await reports().$queryRaw<Found[]>`
    WITH ${asked},
    paths AS MATERIALIZED (
      SELECT who, steps[:${MOST_STEPS}::int] AS steps, cardinality(steps) <= ${MOST_STEPS}::int AS ended,
             sum(visits)::int AS visits
      FROM ways GROUP BY 1, 2, 3),
    transitions AS MATERIALIZED (
      SELECT who, step, next, sum(visits)::int AS visits FROM (
        SELECT who, visits, steps,
               unnest(CASE WHEN ended THEN steps ELSE steps[:${MOST_STEPS - 1}::int] END) AS step,
               unnest(CASE WHEN ended THEN steps[2:] || 0 ELSE steps[2:] END) AS next,
               unnest((${PLACES}::int[])[:cardinality(steps) - CASE WHEN ended THEN 0 ELSE 1 END]) AS place
        FROM paths) AS one
      WHERE cardinality(steps) < 4 OR array_position(steps, step) = place OR NOT (${madeBefore})
      GROUP BY 1, 2, 3)
    SELECT who, 'visits' AS part, NULL::int[] AS steps, NULL::boolean AS ended, sum(visits)::int AS visits FROM paths GROUP BY 1
    UNION ALL SELECT who, 'moves', NULL, NULL, sum(visits)::int FROM transitions GROUP BY 1
    UNION ALL ${Prisma.join(
      groups.flatMap(([, who]) => [topPaths(who), topTransitions(who)]),
      " UNION ALL ",
    )}
    ORDER BY part, visits DESC, steps, ended`;
  const placeOf = await wordsFor(way.scope.siteId, [...new Set(found.flatMap(({ steps }) => steps ?? []))]);
  return groups.map(([who, number]) =>
    tell(
      who,
      found.filter((row) => row.who === number),
      placeOf,
    ),
  );
}

const PLACES = Array.from({ length: MOST_STEPS }, (_, index) => index + 1);
/** Whether a path made the transition at `place` before. */
const madeBefore = Prisma.join(
  PLACES.slice(0, -1).map(
    (earlier) =>
      Prisma.sql`(place > ${earlier}::int AND steps[${earlier}::int] = step AND steps[${earlier + 1}::int] = next)`,
  ),
  " OR ",
);

const WHOLE_GROUP = [["all", 0]] as const;
const FUNNEL_GROUPS = [
  ["finished", 1],
  ["left", 2],
] as const;

const topPaths = (who: number): Prisma.Sql => Prisma.sql`
  (SELECT who, 'path', steps, ended, visits::int FROM paths WHERE who = ${who}::int
   ORDER BY visits DESC, steps, ended LIMIT ${MOST_PATHS})`;
const topTransitions = (who: number): Prisma.Sql => Prisma.sql`
  (SELECT who, 'transition', ARRAY[step, next], NULL, visits::int FROM transitions WHERE who = ${who}::int
   ORDER BY visits DESC, step, next LIMIT ${MOST_TRANSITIONS})`;

function tell(who: Ways["who"], found: Found[], placeOf: (step: number) => Place): Ways {
  const of = (part: Found["part"]) => found.filter((row) => row.part === part);
  const sum = (part: Found["part"]) => of(part).reduce((visits, row) => visits + row.visits, 0);
  return {
    who,
    visits: sum("visits"),
    paths: of("path").map(({ steps, ended, visits }) => ({
      steps: (steps ?? []).map(placeOf),
      visits,
      ended: ended ?? false,
    })),
    transitions: of("transition").map(({ steps, visits }) => {
      const [from = 0, to = 0] = steps ?? [];
      return { from: placeOf(from), to: placeOf(to), visits };
    }),
    other_paths: sum("visits") - sum("path"),
    other_transitions: sum("moves") - sum("transition"),
  };
}

/** What the numbers of steps stand for: pages by their id, events by its negative, and 0 for the end of the visit. */
async function wordsFor(siteId: number, steps: number[]): Promise<(step: number) => Place> {
  const rows = await reports().$queryRaw<{ step: number; value: string }[]>`
    SELECT id AS step, path AS value FROM facts.page WHERE site_id = ${siteId} AND id = ANY(${steps}::int[])
    UNION ALL SELECT -id, name FROM facts.name WHERE site_id = ${siteId} AND -id = ANY(${steps}::int[])`;
  const words = new Map(rows.map(({ step, value }) => [step, value]));
  return (step) => {
    if (step === 0) return { kind: "exit", value: null };
    return { kind: step > 0 ? "page" : "event", value: words.get(step) ?? null };
  };
}
