import type { Condition, Operator } from "@/lib/analytics/conditions";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { type Goal, goalNamed } from "@/lib/analytics/goals";
import { ints } from "@/lib/analytics/number-lists";
import type { IdFilters, IdTest } from "@/lib/analytics/packed/narrowing";
import { pathRegex } from "@/lib/analytics/path-regex";
import { idsMatching, MOST_WORDS, propertyValuesMatching, tooManyWords } from "@/lib/analytics/pattern-search";
import { compilePattern } from "@/lib/analytics/patterns";
import type { Range } from "@/lib/analytics/period";
import { Prisma, reports } from "@/lib/db";

/** What a report is narrowed to, ready to be asked. */

/** Conditions ready to be asked: SQL about the fact called `fact`. */
export interface Filters {
  /** About a visit, and about an event as what its visit is. */
  visit: Prisma.Sql[];
  /** About what only a visit knows. */
  visitOnly: Prisma.Sql[];
  /** About one event. */
  event: Prisma.Sql[];
  goals: { reached: boolean; event: Prisma.Sql }[];
  /** The same, as far as it is about ids alone; null where it is about properties too. */
  ofIds: IdFilters | null;
}

export const NO_ID_FILTERS: IdFilters = { visit: [], visitOnly: [], event: [], goals: [] };
export const NO_FILTERS: Filters = { visit: [], visitOnly: [], event: [], goals: [], ofIds: NO_ID_FILTERS };

/**
 * Looks the words of conditions up in the dictionaries, so that the facts are asked for numbers only.
 *
 * @param span the time of the events that the report may read.
 * @throws Refusal `invalid_input` for a regular expression that is none, that is too large or takes too long, and for a
 *   condition that more than 50,000 words meet.
 */
export async function resolveFilters(
  siteId: number,
  conditions: readonly Condition[],
  span: Pick<Range, "start" | "end">,
): Promise<Filters> {
  const ofIds: IdFilters = { visit: [], visitOnly: [], event: [], goals: [] };
  const filters: Filters = { visit: [], visitOnly: [], event: [], goals: [], ofIds };
  await Promise.all(
    conditions.map(async (condition) => {
      const { on, operator, values } = condition;
      if ("goal" in on) {
        const { sql, test } = await reachedBy(siteId, await goalNamed(siteId, on.goal));
        const reached = /^(yes|true)$/.test(values[0] ?? "");
        filters.goals.push({ reached, event: sql });
        ofIds.goals.push({ reached, event: test });
      } else if ("prop" in on) {
        filters.event.push(await ofProperty(siteId, on.prop, condition, span));
        filters.ofIds = null;
      } else {
        const ids = await idsOf(siteId, on.dimension, condition);
        const { sql, test } = ofDimension(on.dimension, ids, NEGATED.has(operator));
        const about = ONLY_ON_VISITS.has(on.dimension) ? "visitOnly" : dimensionOf(on.dimension).level;
        filters[about].push(sql);
        ofIds[about].push(test);
      }
    }),
  );
  return filters;
}

/** A condition on a fact, as SQL about `fact` and as a test of ids. */
export interface Chosen {
  sql: Prisma.Sql;
  test: IdTest;
}

/** The ids of the words that a condition names; those that it leaves out where it is negated. */
async function idsOf(siteId: number, key: DimensionKey, { key: sent, operator, values }: Condition): Promise<number[]> {
  const path = `filters.${sent}`;
  if (operator === "matches") {
    const at = `${path}.matches`;
    return idsMatching(siteId, key, compilePattern(values[0] ?? "", at), at);
  }
  return foundIds(siteId, key, path, (word) => compared(word, POSITIVE[operator], values));
}

/** The ids of the words that pass a test in SQL; 0 is the unknown word. */
async function foundIds(
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

function ofDimension(key: DimensionKey, ids: readonly number[], negated: boolean): Chosen {
  const { fact } = dimensionOf(key);
  const listed = negated ? Prisma.sql`${fact} <> ALL(${ints(ids)})` : Prisma.sql`${fact} = ANY(${ints(ids)})`;
  // Where a visit has 0 for none, its events may have null.
  const chosen = ids.includes(0) === negated ? listed : Prisma.sql`(${listed} OR ${fact} IS NULL)`;
  // Engagement and other reports of a page belong to it; a name belongs to the events that carry one.
  const types = key === "event" ? NAMED_EVENTS : undefined;
  return {
    sql: types ? Prisma.sql`(${chosen} AND ${ofTypes(types)})` : chosen,
    test: { column: columnOf(key), ids: new Set(ids), negated, types },
  };
}

async function ofProperty(
  siteId: number,
  name: string,
  { key, operator, values }: Condition,
  span: Pick<Range, "start" | "end">,
): Promise<Prisma.Sql> {
  const value = Prisma.sql`coalesce(fact.props ->> ${name}, '')`;
  if (operator !== "matches") return compared(value, operator, values);
  const path = `filters.${key}.matches`;
  const pattern = compilePattern(values[0] ?? "", path);
  return compared(value, "is", await propertyValuesMatching(siteId, name, { pattern, path, span }));
}

/** The column of a dimension's ids, as packed days and facts call it alike. */
export const columnOf = (key: DimensionKey): IdTest["column"] =>
  dimensionOf(key).fact.sql.replace("fact.", "") as IdTest["column"];

const NEGATED: ReadonlySet<Operator> = new Set(["is_not", "not_contains"]);

/** An operator that SQL knows. */
type Compared = Exclude<Operator, "matches">;

/** The operator that finds the words which a condition names. */
const POSITIVE: Record<Compared, Compared> = {
  is: "is",
  is_not: "is",
  contains: "contains",
  not_contains: "contains",
  starts_with: "starts_with",
};

/** SQL that compares a text. */
function compared(word: Prisma.Sql, operator: Compared, values: readonly string[]): Prisma.Sql {
  const any = Prisma.sql`SELECT FROM unnest(${values}::text[]) AS value WHERE`;
  switch (operator) {
    case "is":
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

/** SQL for the events of these types. That all of them are named is said too: such events have an index of their own. */
export const ofTypes = (types: readonly number[]): Prisma.Sql => {
  const those = Prisma.sql`fact.type = ANY(${types}::smallint[])`;
  return types.every((type) => NAMED_EVENTS.includes(type)) ? Prisma.sql`(fact.name <> 0 AND ${those})` : those;
};

/** SQL for the events by which a goal, or a step of a funnel, is reached; `path` is the parameter that told it. */
export const reaching = async (
  siteId: number,
  goal: Pick<Goal, "kind" | "pattern">,
  path = `filters.${goal.kind}`,
): Promise<Prisma.Sql> => (await reachedBy(siteId, goal, path)).sql;

/** The same with a test of ids beside it. */
export async function reachedBy(
  siteId: number,
  { kind, pattern }: Pick<Goal, "kind" | "pattern">,
  path = `filters.${kind}`,
): Promise<Chosen> {
  const test = (word: Prisma.Sql) =>
    kind === "page" && pattern.includes("*")
      ? Prisma.sql`${word} ~ ${pathRegex(pattern)}`
      : Prisma.sql`${word} = ${pattern}`;
  const chosen = ofDimension(kind, await foundIds(siteId, kind, path, test), false);
  if (kind !== "page") return chosen;
  return { sql: Prisma.sql`(${chosen.sql} AND ${ofTypes(VIEWS)})`, test: { ...chosen.test, types: VIEWS } };
}

/** @throws Refusal `invalid_input` for a pattern that RE2 does not understand, or that repeats too much. */
export function checkPatterns(conditions: readonly Condition[]): void {
  for (const { key, operator, values } of conditions) {
    if (operator === "matches") compilePattern(values[0] ?? "", `filters.${key}.matches`);
  }
}
