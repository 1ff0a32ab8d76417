import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/query/event-types";
import { reaching } from "@/lib/analytics/query/filters";
import { funnelPathTables, reachesStep, stepEvents } from "@/lib/analytics/query/funnel-paths";
import { NAME_STEPS, PAGE_STEPS, shownPath } from "@/lib/analytics/query/paths";
import { around, isFiltered, queryCopy, type Scope, visitsIn } from "@/lib/analytics/query/scope";
import { funnelQuery } from "@/lib/analytics/reports/funnels";
import { parseStep } from "@/lib/contract/funnel-notation";
import { type Funnel, type FunnelStep, stepShape } from "@/lib/contract/funnel-steps";
import { invalidInput } from "@/lib/platform/errors";
import { empty, join, type Sql, sql } from "@/lib/platform/sql";

/** The paths of visits: their pages in order, with consecutive repeats collapsed. */

export const MOST_PATHS = 50;
export const MOST_TRANSITIONS = 100;
/** The steps that flows are followed for, and the places of each step that are told apart. */
export const FLOW_STEPS = 5;
export const MOST_PLACES = 6;

type JourneyPlace = { kind: "page" | "event" | "exit" | "other"; value: string | null };

interface JourneyQuestion {
  scope: Scope;
  /** Paths begin where the visit first reaches it. */
  start: FunnelStep | null;
  /** Only visits in which a funnel path begins; their paths begin there. */
  funnel: Funnel | null;
}

export interface Journeys {
  /** All visits, or those whose funnel path reached the last step, or those whose path did not. */
  who: "all" | "finished" | "left";
  visits: number;
  paths: { steps: JourneyPlace[]; visits: number; ended: boolean }[];
  transitions: { from: JourneyPlace; to: JourneyPlace; visits: number }[];
  flows: { step: number; from: JourneyPlace; to: JourneyPlace; visits: number }[];
  other_paths: number;
  other_transitions: number;
}

/** Whether events are steps, as pages are: when the question names an event. */
export const withEvents = ({ start, funnel }: Omit<JourneyQuestion, "scope">): boolean =>
  start?.kind === "event" || (funnel?.steps.some(({ kind }) => kind === "event") ?? false);

/** @throws Refusal `invalid_input` for a start that is neither a path nor the name of an event. */
export function readStart(start: string): FunnelStep {
  const read = stepShape.safeParse(parseStep(start));
  if (read.success) return read.data;
  const fault = read.error.issues[0]?.message ?? "is none";
  throw invalidInput([{ path: "start", message: `${fault}; write the path of a page, or event:<name>` }]);
}

/** The values of the column `who`. */
const GROUPS = { all: 0, finished: 1, left: 2 } as const;

interface Found {
  who: number;
  part: "visits" | "moves" | "path" | "transition" | "flow";
  /** The step that a flow starts at, from 1. */
  place: number | null;
  /** Null within a flow is all other places. */
  steps: (number | null)[] | null;
  ended: boolean | null;
  visits: number;
}

/** The most frequent paths and transitions of a scope; with a funnel, of visits that finished it and of those that left. */
export async function journeysOf(question: JourneyQuestion): Promise<Journeys[]> {
  const groups = question.funnel ? (["finished", "left"] as const) : (["all"] as const);
  const tables = [
    ...chosenTables(question),
    pathTable(question),
    TRANSITIONS,
    FIRST_MOVES,
    PLACES,
    foundTable(groups.map((who) => GROUPS[who])),
  ];
  const answers = await queryCopy(question.scope, ...tables, sql`SELECT * FROM found`, WORDS);
  const [found = [], words = []] = answers.slice(tables.length) as unknown as [Found[], Word[]];
  const placeOf = placesBy(words);
  return groups.map((who) =>
    journeysIn(
      who,
      found.filter((row) => row.who === GROUPS[who]),
      placeOf,
    ),
  );
}

/**
 * Statements that make the table `chosen` (visit_id, since, who): the visits, and when their paths begin. Where all visits
 * count, those of closed days are not in it, because `visit_path` alone has their paths.
 */
function chosenTables({ scope, start, funnel }: JourneyQuestion): Sql[] {
  if (!funnel) {
    const isStored = start === null && !isFiltered(scope);
    return [
      sql`CREATE TEMP TABLE chosen AS
        SELECT fact.visit_id, fact.day, TIMESTAMP '-infinity' AS since, ${GROUPS.all} AS who FROM visit AS fact
        WHERE ${visitsIn(scope)} ${isStored ? sql`AND fact.day > (SELECT rolled_until FROM state)` : empty}`,
    ];
  }
  const funnelPaths = funnelQuery(scope, funnel);
  return [
    sql`CREATE TEMP TABLE step_events AS ${stepEvents(funnelPaths)}`,
    sql`CREATE TEMP TABLE chosen AS
      WITH ${funnelPathTables(funnelPaths)},
      begun AS (
        SELECT visitor_id, day, coalesce(times[1], first) AS since,
               CASE WHEN len(times) = ${funnel.steps.length} THEN ${GROUPS.finished} ELSE ${GROUPS.left} END AS who
        FROM starts LEFT JOIN funnel_paths USING (visitor_id, day))
      SELECT visit_id, min(since) AS since, min(who) AS who FROM (
        SELECT min(visit_id) AS visit_id, any_value(since) AS since, any_value(who) AS who
        FROM begun JOIN step_events ON step_events.visitor_id = begun.visitor_id AND ts = since
        WHERE ${reachesStep(0)} GROUP BY begun.visitor_id, begun.day)
      GROUP BY visit_id`,
  ];
}

/** A statement that makes the table `path` (who, steps, ended, visits). */
function pathTable({ scope, start, funnel }: JourneyQuestion): Sql {
  const isWhole = start === null && funnel === null;
  const stored = isFiltered(scope)
    ? sql`SELECT who, steps, ended, 1 AS visits FROM visit_path JOIN chosen USING (visit_id, day)`
    : sql`SELECT ${GROUPS.all} AS who, steps, ended, 1 AS visits FROM visit_path AS fact WHERE ${visitsIn(scope)}`;
  // Hosts share their paths, and many raw paths become one.
  return sql`CREATE TEMP TABLE path AS
    SELECT who, steps, ended, sum(visits) AS visits FROM (
      SELECT who, ${shownPath(sql`steps`)}, visits FROM (${stepsOfVisits({ scope, start, funnel }, isWhole)})
      ${isWhole ? sql`UNION ALL ${stored}` : empty})
    GROUP BY ALL`;
}

/**
 * SQL for rows `who, steps, visits` of the steps of visits, repeats included.
 *
 * @param isWhole whether the paths of closed days are stored.
 */
function stepsOfVisits({ scope, start, funnel }: JourneyQuestion, isWhole: boolean): Sql {
  const named = withEvents({ start, funnel });
  const types = [...VIEWS, ...(named ? NAMED_EVENTS : [])];
  const began = start && reaching(start);
  const only = began
    ? sql`AND fact.visit_id IN (SELECT fact.visit_id FROM event AS fact WHERE ${around(scope)} AND ${began})`
    : empty;
  // Each field takes memory of every visit, so there are only those that are needed.
  const fields = sql`ts: ts, page: page, ${named ? sql`name: name, ` : empty}step: step ${began ? sql`, began: began` : empty}`;
  // Lists are sorted once they are complete: that takes a fraction of the time of list(… ORDER BY …).
  const visits = sql`
    SELECT who, list_sort(list({${fields}})) AS seen FROM (
      SELECT fact.visit_id, fact.ts, fact.page, fact.name, who, ${began ?? sql`true`} AS began,
             CASE WHEN ${ofTypes(VIEWS)} THEN pages.step ELSE names.step END AS step
      FROM event AS fact JOIN chosen ON chosen.visit_id = fact.visit_id AND fact.ts >= chosen.since
      JOIN ${PAGE_STEPS} AS pages ON pages.id = fact.page JOIN ${NAME_STEPS} AS names ON names.id = fact.name
      WHERE ${around(scope)} AND ${ofTypes(types)} ${only}
        ${isWhole ? sql`AND chosen.day > (SELECT rolled_until FROM state) AND fact.day >= (SELECT rolled_until FROM state)` : empty})
    WHERE step <> 0 GROUP BY who, visit_id`;
  const first = began ? sql`list_position([one.began FOR one IN seen], true)` : sql`1`;
  return sql`
    SELECT who, [one.step FOR one IN seen[${first}:]] AS steps, count(*) AS visits FROM (${visits})
    WHERE ${began ? sql`list_contains([one.began FOR one IN seen], true)` : sql`true`} GROUP BY ALL`;
}

/** Two steps that follow each other in a path; after the last one comes 0, its end. */
const MOVES = sql`unnest(steps) AS step, unnest(list_append(steps[2:], CASE WHEN ended THEN 0 END)) AS next`;

/** A statement that makes the table `transition` (who, step, next, visits). A visit counts once for each; only with four steps can one repeat. */
const TRANSITIONS = sql`CREATE TEMP TABLE transition AS
  SELECT who, step, next, sum(visits) AS visits FROM (
    SELECT who, visits, ${MOVES} FROM path WHERE len(steps) < 4
    UNION ALL SELECT who, any_value(visits), step, next FROM (
      SELECT rowid AS one, who, visits, ${MOVES} FROM path WHERE len(steps) >= 4) GROUP BY one, who, step, next)
  WHERE next IS NOT NULL GROUP BY ALL`;

/** A statement that makes the table `move` (who, place, step, next, visits) from each of the first steps to the next one; 0 leaves. */
const FIRST_MOVES = sql`CREATE TEMP TABLE move AS
  SELECT who, place, step, coalesce(next, 0) AS next, sum(visits) AS visits FROM (${join(
    Array.from({ length: FLOW_STEPS - 1 }, (_, before) => {
      const place = before + 1;
      return sql`SELECT who, ${place} AS place, steps[${place}] AS step, steps[${place + 1}] AS next, visits FROM path
        WHERE len(steps) >= ${place}`;
    }),
    " UNION ALL ",
  )}) GROUP BY ALL`;

/**
 * A statement that makes the table `kept` (who, place, step): the places with the most visits at each of the first
 * steps. Words decide between equals, so that the same visits always have the same flows.
 */
const PLACES = sql`CREATE TEMP TABLE kept AS
  WITH counted AS (
    SELECT who, place, step, sum(visits) AS visits FROM (
      SELECT who, place, step, visits FROM move
      UNION ALL SELECT who, place + 1, next, visits FROM move WHERE place = ${FLOW_STEPS - 1} AND next <> 0)
    GROUP BY who, place, step QUALIFY rank() OVER (PARTITION BY who, place ORDER BY sum(visits) DESC) <= ${MOST_PLACES}
  ), words AS (${wordsOfSteps(sql`SELECT DISTINCT step FROM counted`)})
  SELECT who, place, step FROM counted JOIN words USING (step)
  QUALIFY row_number() OVER (PARTITION BY who, place ORDER BY visits DESC, value, kind) <= ${MOST_PLACES}`;

/** SQL for the flows (who, place, steps, visits) from each of the first steps to the next one, or out; null is all other places. */
const FLOWS = sql`
  SELECT who, move.place, [before.step, CASE WHEN next = 0 THEN 0::UBIGINT ELSE after.step END] AS steps, sum(visits) AS visits FROM move
  LEFT JOIN kept AS before USING (who, place, step)
  LEFT JOIN kept AS after ON after.who = move.who AND after.place = move.place + 1 AND after.step = move.next
  GROUP BY ALL`;

/** A statement that makes the table `found` (who, part, place, steps, ended, visits) of what is shown. */
const foundTable = (groups: readonly number[]): Sql => sql`CREATE TEMP TABLE found AS
  SELECT who, 'visits' AS part, NULL::INTEGER AS place, NULL::UBIGINT[] AS steps, NULL::BOOLEAN AS ended, sum(visits) AS visits
  FROM path GROUP BY 1
  UNION ALL SELECT who, 'moves', NULL, NULL, NULL, sum(visits) FROM transition GROUP BY 1
  UNION ALL SELECT who, 'flow', place, steps, NULL, visits FROM (${FLOWS})
  UNION ALL ${join(
    groups.flatMap((who) => [
      sql`(SELECT who, 'path', NULL, steps, ended, visits FROM path WHERE who = ${who}
           ORDER BY visits DESC, steps, ended LIMIT ${MOST_PATHS})`,
      sql`(SELECT who, 'transition', NULL, [step, next], NULL, visits FROM transition WHERE who = ${who}
           ORDER BY visits DESC, step, next LIMIT ${MOST_TRANSITIONS})`,
    ]),
    " UNION ALL ",
  )}`;

interface Word extends JourneyPlace {
  step: number;
}

/** SQL for the words (step, kind, value) of a query of steps. */
function wordsOfSteps(steps: Sql): Sql {
  return sql`
    SELECT DISTINCT step, 'page' AS kind, path AS value FROM (${steps}) JOIN ${PAGE_STEPS} AS pages USING (step) JOIN page USING (id)
    WHERE step <> 0
    UNION ALL SELECT DISTINCT step, 'event', name FROM (${steps}) JOIN ${NAME_STEPS} AS names USING (step) JOIN name USING (id)
    WHERE step <> 0`;
}

const WORDS = wordsOfSteps(sql`SELECT DISTINCT unnest(steps) AS step FROM found`);

const OTHER_PLACE = { kind: "other", value: null } as const;

function placesBy(words: readonly Word[]): (step: number | null) => JourneyPlace {
  const known = new Map(words.map(({ step, kind, value }) => [step, { kind, value }]));
  return (step) => (step === null ? OTHER_PLACE : (known.get(step) ?? { kind: "exit", value: null }));
}

function journeysIn(who: Journeys["who"], found: Found[], placeOf: (step: number | null) => JourneyPlace): Journeys {
  const of = (part: Found["part"]) => found.filter((row) => row.part === part);
  const sum = (part: Found["part"]) => of(part).reduce((visits, row) => visits + row.visits, 0);
  const paths = of("path").map(({ steps, ended, visits }) => ({
    steps: (steps ?? []).map(placeOf),
    visits,
    ended: ended ?? false,
  }));
  const transitions = of("transition").map(({ steps, visits }) => {
    const [from = 0, to = 0] = steps ?? [];
    return { from: placeOf(from), to: placeOf(to), visits };
  });
  const flows = of("flow").map(({ place, steps, visits }) => {
    const [from = 0, to = 0] = steps ?? [];
    return { step: place ?? 1, from: placeOf(from), to: placeOf(to), visits };
  });
  return {
    who,
    visits: sum("visits"),
    paths: inOrder(paths, ({ steps }) => steps),
    transitions: inOrder(transitions, ({ from, to }) => [from, to]),
    flows: inOrder(flows, ({ from, to }) => [from, to]).sort((a, b) => a.step - b.step),
    other_paths: sum("visits") - sum("path"),
    other_transitions: sum("moves") - sum("transition"),
  };
}

/** The most visits first; equal ones in the order of their words. */
function inOrder<Row extends { visits: number }>(rows: readonly Row[], placesOf: (row: Row) => JourneyPlace[]): Row[] {
  const text = (row: Row) =>
    placesOf(row)
      .map(({ kind, value }) => value ?? kind)
      .join(" ");
  const sorted = rows.map((row) => ({ row, text: text(row) }));
  sorted.sort((a, b) => b.row.visits - a.row.visits || (a.text < b.text ? -1 : Number(a.text > b.text)));
  return sorted.map(({ row }) => row);
}
