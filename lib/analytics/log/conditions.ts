import type { Condition, Operator } from "@/lib/analytics/conditions";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { type Goal, goalNamed } from "@/lib/analytics/goals";
import {
  idsMatching,
  MOST_WORDS,
  propertyValuesMatching,
  tooManyWords,
  wordsOf,
} from "@/lib/analytics/log/pattern-search";
import { pathRegex } from "@/lib/analytics/path-regex";
import { compilePattern } from "@/lib/analytics/patterns";
import type { Range } from "@/lib/analytics/period";
import { EARLIEST_MS, LATEST_MS, moved } from "@/lib/analytics/query/scope";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import { Prisma, reports } from "@/lib/db";
import { inVisits, withEventOnItsDay, within } from "@/lib/ingest/store/event-log";

/**
 * What a question is narrowed to, as conditions on an event `fact` in Postgres. The log of events reads Postgres itself,
 * because each event has to come exactly once; the meaning is that of lib/analytics/query/filters.ts.
 */

export interface LogScope {
  siteId: number;
  traffic: Traffic;
  range: Range;
  /** When each of the range's local days begins. */
  days: Date[];
  filters: LogFilters;
}

export interface LogFilters {
  /** About the event, or its visit as far as the event knows it. */
  event: Prisma.Sql[];
  /** About what only the visit knows. */
  visit: Prisma.Sql[];
  goals: { reached: boolean; event: Prisma.Sql }[];
}

type Span = Pick<Range, "start" | "end">;

/** @param span the time in which events may have properties that a regular expression is compared with. */
export async function logFilters(siteId: number, conditions: readonly Condition[], span: Span): Promise<LogFilters> {
  const filters: LogFilters = { event: [], visit: [], goals: [] };
  for (const condition of conditions) {
    const { on, values } = condition;
    if ("goal" in on) {
      const event = await reaching(siteId, await goalNamed(siteId, on.goal));
      filters.goals.push({ reached: /^(yes|true)$/.test(values[0] ?? ""), event });
    } else if ("prop" in on) {
      filters.event.push(await ofProperty(siteId, on.prop, condition, span));
    } else {
      const about = ONLY_ON_VISITS.has(on.dimension) ? "visit" : "event";
      filters[about].push(await ofDimension(siteId, on.dimension, condition));
    }
  }
  return filters;
}

/** The events of a scope. */
export function eventsIn(scope: LogScope): Prisma.Sql {
  const { siteId, range, traffic, filters } = scope;
  const begun = { start: moved(range.start, -LATEST_MS), end: moved(range.end, EARLIEST_MS) };
  const conditions = [
    Prisma.sql`fact.site_id = ${siteId} AND ${within(Prisma.sql`fact.ts`, range)}`,
    ...(traffic === "all" ? [] : [Prisma.sql`fact.traffic = ${TRAFFIC_CLASSES[traffic]}::smallint`]),
    ...filters.event,
    ...filters.visit.map((condition) => inVisits(siteId, begun, condition)),
    ...filters.goals.map((goal) => ofGoal(scope, goal)),
  ];
  return Prisma.join(conditions, " AND ");
}

/** Whether the visitor reached a goal on the local day of the event. */
function ofGoal({ siteId, range, days }: LogScope, { reached, event }: LogFilters["goals"][number]): Prisma.Sql {
  const those = withEventOnItsDay(siteId, range, days, event);
  // Events of servers have no visitor, who could have reached a goal or not.
  return reached ? those : Prisma.sql`(fact.visitor_id IS NOT NULL AND (${those}) IS NOT TRUE)`;
}

/** A negated operator leaves out the words that the other one chooses. */
const POSITIVE: Partial<Record<Operator, Operator>> = { is_not: "is", not_contains: "contains" };

async function ofDimension(siteId: number, dimension: DimensionKey, condition: Condition): Promise<Prisma.Sql> {
  const { key, operator, values } = condition;
  const path = `filters.${key}`;
  const positive = POSITIVE[operator] ?? operator;
  const ids =
    operator === "matches"
      ? await idsMatching(siteId, dimension, compilePattern(values[0] ?? "", `${path}.matches`), `${path}.matches`)
      : await idsOf(siteId, dimension, path, (word) => compared(word, positive, values));
  return havingIds(dimension, ids, positive !== operator);
}

/** The ids of the words that pass a test in SQL; 0 is the unknown word. */
async function idsOf(
  siteId: number,
  key: DimensionKey,
  path: string,
  test: (word: Prisma.Sql) => Prisma.Sql,
): Promise<number[]> {
  const found = await reports().$queryRaw<{ id: number }[]>`
    SELECT 0 AS id WHERE ${test(Prisma.sql`''::text`)}
    UNION ALL SELECT id FROM ${wordsOf(key, siteId)} AS words(id, word) WHERE ${test(Prisma.sql`word`)}
    LIMIT ${MOST_WORDS + 1}`;
  if (found.length > MOST_WORDS) throw tooManyWords(path);
  return found.map(({ id }) => id);
}

function havingIds(key: DimensionKey, ids: readonly number[], negated: boolean): Prisma.Sql {
  // Where there is none, events have null in some columns.
  const id = Prisma.sql`coalesce(${Prisma.raw(dimensionOf(key).fact)}, 0)`;
  const list = `{${ids.join(",")}}`;
  const chosen = negated
    ? Prisma.sql`${id} <> ALL(${list}::text::int[])`
    : Prisma.sql`${id} = ANY(${list}::text::int[])`;
  return key === "event" ? Prisma.sql`(${chosen} AND ${ofTypes(NAMED_EVENTS)})` : chosen;
}

const ofTypes = (types: readonly number[]): Prisma.Sql => Prisma.sql`fact.type = ANY(${types}::smallint[])`;

async function ofProperty(siteId: number, name: string, condition: Condition, span: Span): Promise<Prisma.Sql> {
  const { key, operator, values } = condition;
  const value = Prisma.sql`coalesce(fact.props ->> ${name}, '')`;
  if (operator !== "matches") return compared(value, operator, values);
  const path = `filters.${key}.matches`;
  const pattern = compilePattern(values[0] ?? "", path);
  return compared(value, "is", await propertyValuesMatching(siteId, name, { pattern, path, span }));
}

/** SQL that compares a text; regular expressions are not matched by Postgres. */
function compared(word: Prisma.Sql, operator: Operator, values: readonly string[]): Prisma.Sql {
  const any = Prisma.sql`SELECT FROM unnest(${values}::text[]) AS value WHERE`;
  switch (operator) {
    case "is":
    case "matches":
      return Prisma.sql`${word} = ANY(${values}::text[])`;
    case "is_not":
      return Prisma.sql`${word} <> ALL(${values}::text[])`;
    case "contains":
      return Prisma.sql`EXISTS (${any} strpos(${word}, value) > 0)`;
    case "not_contains":
      return Prisma.sql`NOT EXISTS (${any} strpos(${word}, value) > 0)`;
    case "starts_with":
      return Prisma.sql`EXISTS (${any} starts_with(${word}, value))`;
  }
}

/** The events by which a goal is reached. */
async function reaching(siteId: number, { kind, pattern }: Pick<Goal, "kind" | "pattern">): Promise<Prisma.Sql> {
  const test = (word: Prisma.Sql) =>
    kind === "page" && pattern.includes("*")
      ? Prisma.sql`${word} ~ ${pathRegex(pattern)}`
      : Prisma.sql`${word} = ${pattern}`;
  const chosen = havingIds(kind, await idsOf(siteId, kind, `filters.${kind}`, test), false);
  return kind === "page" ? Prisma.sql`(${chosen} AND ${ofTypes(VIEWS)})` : chosen;
}
