import { chainTables, reachOf } from "@/lib/analytics/chains";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/dimensions";
import { ofTypes, reaching } from "@/lib/analytics/filters";
import { type FunnelStep, stepShape } from "@/lib/analytics/funnel-steps";
import { conditionsOf, type Funnel } from "@/lib/analytics/funnels";
import { LATEST_MS, type Scope, visitsIn } from "@/lib/analytics/question";
import { writtenStep } from "@/lib/analytics/written-funnel";
import { invalidInput } from "@/lib/contract/errors";
import { Prisma, reports } from "@/lib/db";

/** The ways of visits: what was seen one after another, repeats at once told once. */

export const MOST_STEPS = 10;
export const MOST_PATHS = 50;
export const MOST_TRANSITIONS = 100;

export interface Way {
  scope: Scope;
  /** Only from where the visit first reaches it. */
  start: FunnelStep | null;
  /** Only visits in which a chain of it begins, from there on. */
  funnel: Funnel | null;
}

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

/** Whether events are steps beside pages: where the question names one. */
export const withEvents = ({ start, funnel }: Omit<Way, "scope">): boolean =>
  start?.kind === "event" || (funnel?.steps.some(({ kind }) => kind === "event") ?? false);

interface Found {
  who: number;
  part: "visits" | "moves" | "path" | "transition";
  steps: number[] | null;
  ended: boolean | null;
  visits: number;
}

/** The most frequent paths and transitions of a scope; with a funnel, of those who finished it and of those who left. */
export async function waysOf(way: Way): Promise<Ways[]> {
  const asked = await waysTable(way);
  const groups = way.funnel ? FUNNEL_GROUPS : WHOLE_GROUP;
  const found = await reports().$queryRaw<Found[]>`
    WITH ${asked},
    paths AS MATERIALIZED (
      SELECT who, steps[:${MOST_STEPS}::int] AS steps, cardinality(steps) <= ${MOST_STEPS}::int AS ended, count(*) AS visits
      FROM ways GROUP BY 1, 2, 3),
    transitions AS MATERIALIZED (
      SELECT who, one.step, one.next, sum(visits) AS visits FROM paths CROSS JOIN LATERAL (
        SELECT DISTINCT step, coalesce(paths.steps[place + 1], 0) AS next
        FROM unnest(paths.steps) WITH ORDINALITY AS one(step, place) WHERE place < cardinality(paths.steps) OR ended) AS one
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

/** SQL for the table `ways` (who, steps) and what it needs, to stand after WITH: one row for each visit. */
async function waysTable(way: Way): Promise<Prisma.Sql> {
  const { scope, start, funnel } = way;
  const started = start ? await reaching(scope.siteId, start, "start") : Prisma.sql`true`;
  const chosen = funnel ? await beginnings(scope, funnel) : null;
  const end = new Date(scope.range.end.getTime() + LATEST_MS);
  const whole = { ...scope, range: { ...scope.range, end } };
  const types = [...VIEWS, ...(withEvents(way) ? NAMED_EVENTS : [])];
  // Hosts share their paths: a path is known by the first page that has it.
  const pages = Prisma.sql`(SELECT id, min(id) OVER (PARTITION BY path) AS first FROM facts.page WHERE site_id = ${scope.siteId})`;
  const isPage = ofTypes(VIEWS);
  return Prisma.sql`
    ${chosen ? Prisma.sql`${chosen},` : Prisma.empty}
    seen AS (
      SELECT visit_id, who, ts, step, lag(step) OVER one AS before, began,
             count(*) FILTER (WHERE began) OVER (one ROWS UNBOUNDED PRECEDING) AS begun
      FROM (
        SELECT fact.visit_id, ${chosen ? Prisma.sql`chosen.who` : Prisma.sql`0`} AS who, fact.ts,
               CASE WHEN ${isPage} THEN coalesce(pages.first, 0) ELSE -fact.name END AS step, ${started} AS began
        FROM facts.event AS fact LEFT JOIN ${pages} AS pages ON pages.id = fact.page
        ${chosen ? Prisma.sql`JOIN chosen ON chosen.visit_id = fact.visit_id AND fact.ts >= chosen.since` : Prisma.empty}
        WHERE fact.site_id = ${scope.siteId} AND fact.ts >= ${scope.range.start} AND fact.ts < ${whole.range.end} AND ${ofTypes(types)}
          ${chosen ? Prisma.empty : Prisma.sql`AND fact.visit_id IN (SELECT fact.visit_id FROM facts.visit AS fact WHERE ${visitsIn(scope)})`}
        ) AS stepped
      WHERE step <> 0
      WINDOW one AS (PARTITION BY visit_id ORDER BY ts, step)),
    ways AS (
      SELECT min(who) AS who, array_agg(step ORDER BY ts, step) AS steps FROM seen
      WHERE begun > 0 AND (before IS DISTINCT FROM step OR (began AND begun = 1)) GROUP BY visit_id)`;
}

/** SQL for the table `chosen` (visit_id, since, who): the visits in which chains begin, 1 for those that finish, else 2. */
async function beginnings(scope: Scope, funnel: Funnel): Promise<Prisma.Sql> {
  const conditions = await conditionsOf(scope.siteId, funnel);
  const reach = reachOf(scope, funnel.windowMinutes);
  const asked = { scope, reach, conditions, windowMinutes: funnel.windowMinutes };
  return Prisma.sql`${chainTables(asked, Prisma.sql`, fact.visit_id`)},
    went AS MATERIALIZED (
      SELECT visitor_id, day, coalesce(chain[1], starts.first) AS since,
             CASE WHEN cardinality(chain) = ${funnel.steps.length}::int THEN 1 ELSE 2 END AS who
      FROM starts LEFT JOIN chains USING (visitor_id, day)),
    chosen AS MATERIALIZED (
      SELECT visit_id, min(since) AS since, min(who) AS who FROM (
        SELECT min(visit_id) FILTER (WHERE ts = since AND mask & 1 = 1) AS visit_id, since, who
        FROM went JOIN hits USING (visitor_id) GROUP BY visitor_id, day, since, who) AS began GROUP BY 1)`;
}
