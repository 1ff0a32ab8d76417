import type { Condition, Operator } from "@/lib/analytics/conditions";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS } from "@/lib/analytics/dimensions";
import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { type Goal, goalNamed } from "@/lib/analytics/goals";
import { compilePattern } from "@/lib/analytics/patterns";
import { idOf, ofTypes, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { pathRegex } from "@/lib/platform/path-patterns";

/** What a report is narrowed to, as conditions on a fact called `fact`. */
export interface Filters {
  /** About a visit, and about an event as what its visit is. */
  visit: Sql[];
  /** The same as ids of words, for what is not in the copy. */
  visitIds: ChosenIds[];
  /** About what only a visit knows. */
  visitOnly: Sql[];
  /** About one event. */
  event: Sql[];
  goals: { reached: boolean; event: Sql }[];
}

/** A condition on the id of a dimension. */
export interface ChosenIds {
  key: DimensionKey;
  /** A statement that selects ids. */
  ids: Sql;
  /** Whether all other ids meet the condition. */
  negated: boolean;
}

export const NO_FILTERS: Filters = { visit: [], visitIds: [], visitOnly: [], event: [], goals: [] };

/** @throws Refusal `invalid_input` for a regular expression that is none or too large. */
export async function filtersOf(siteId: number, conditions: readonly Condition[]): Promise<Filters> {
  const filters: Filters = { visit: [], visitIds: [], visitOnly: [], event: [], goals: [] };
  for (const { key, on, operator, values } of conditions) {
    const meets = (word: Sql, how = operator) => compared(word, how, values, `filters.${key}.matches`);
    if ("goal" in on) {
      const reached = /^(yes|true)$/.test(values[0] ?? "");
      filters.goals.push({ reached, event: reaching(await goalNamed(siteId, on.goal)) });
    } else if ("prop" in on) {
      filters.event.push(meets(propertyOf(on.prop)));
    } else {
      const positive = POSITIVE[operator] ?? operator;
      const chosen = idsOfWords(on.dimension, (word) => meets(word, positive), positive !== operator);
      const about = ONLY_ON_VISITS.has(on.dimension) ? "visitOnly" : dimensionOf(on.dimension).level;
      filters[about].push(havingIds(chosen));
      if (about === "visit") filters.visitIds.push(chosen);
    }
  }
  return filters;
}

/** SQL for a property of a fact as text; '' where it has none. */
export const propertyOf = (name: string): Sql => sql`coalesce(fact.props[${name}], '')`;

/** A negated operator leaves out the words that the other one chooses. */
const POSITIVE: Partial<Record<Operator, Operator>> = { is_not: "is", not_contains: "contains" };

const idsOfWords = (key: DimensionKey, test: (word: Sql) => Sql, negated: boolean): ChosenIds => ({
  key,
  ids: sql`SELECT id FROM ${wordsOf(key)} AS words WHERE ${test(sql`word`)}`,
  negated,
});

function havingIds({ key, ids, negated }: ChosenIds): Sql {
  const chosen = negated ? sql`${idOf(key)} NOT IN (${ids})` : sql`${idOf(key)} IN (${ids})`;
  // Engagement and other reports of a page belong to it; a name belongs to the events that carry one.
  return key === "event" ? sql`(${chosen} AND ${ofTypes(NAMED_EVENTS)})` : chosen;
}

function compared(word: Sql, operator: Operator, values: readonly string[], path: string): Sql {
  const any = (test: (value: string) => Sql) => sql`(${join(values.map(test), " OR ")})`;
  switch (operator) {
    case "is":
      return any((value) => sql`${word} = ${value}`);
    case "is_not":
      return sql`NOT ${any((value) => sql`${word} = ${value}`)}`;
    case "contains":
      return any((value) => sql`contains(${word}, ${value})`);
    case "not_contains":
      return sql`NOT ${any((value) => sql`contains(${word}, ${value})`)}`;
    case "starts_with":
      return any((value) => sql`starts_with(${word}, ${value})`);
    case "matches":
      return sql`regexp_matches(${word}, ${compilePattern(values[0] ?? "", path).pattern()})`;
  }
}

/** SQL for the events by which a goal, or a step of a funnel, is reached. */
export function reaching(goal: Pick<Goal, "kind" | "pattern">): Sql {
  const chosen = havingIds(idsOfWords(goal.kind, (word) => matching(goal, word), false));
  return goal.kind === "page" ? sql`(${chosen} AND ${ofTypes(VIEWS)})` : chosen;
}

/** SQL for whether a path, or the name of an event, is one that reaches a goal. */
export const matching = ({ kind, pattern }: Pick<Goal, "kind" | "pattern">, word: Sql): Sql =>
  kind === "page" && pattern.includes("*")
    ? sql`regexp_matches(${word}, ${pathRegex(pattern)})`
    : sql`${word} = ${pattern}`;

/** @throws Refusal `invalid_input` for a pattern that RE2 does not understand, or that repeats too much. */
export function checkPatterns(conditions: readonly Condition[]): void {
  for (const { key, operator, values } of conditions) {
    if (operator === "matches") compilePattern(values[0] ?? "", `filters.${key}.matches`);
  }
}
