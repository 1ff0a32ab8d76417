import type { Condition, Operator } from "@/lib/analytics/conditions";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, wordsOf } from "@/lib/analytics/dimensions";
import { NAMED_EVENTS, VIEWS } from "@/lib/analytics/event-types";
import { type Goal, goalNamed } from "@/lib/analytics/goals";
import { ints } from "@/lib/analytics/number-lists";
import type { IdFilters, IdTest } from "@/lib/analytics/packed/narrowing";
import { pathRegex } from "@/lib/analytics/path-regex";
import { invalidInput } from "@/lib/contract/errors";
import { Prisma, reports } from "@/lib/db";

/** What a report is narrowed to, ready to be asked. */

/** A condition that so many words of a dictionary meet is no narrowing, and its list of ids would have no end. */
const MOST_WORDS = 50_000;

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
 * @throws Refusal `invalid_input` for a regular expression that is none, and for a condition that more than 50,000
 *   words meet.
 */
export async function resolveFilters(siteId: number, conditions: readonly Condition[]): Promise<Filters> {
  const ofIds: IdFilters = { visit: [], visitOnly: [], event: [], goals: [] };
  const filters: Filters = { visit: [], visitOnly: [], event: [], goals: [], ofIds };
  await checkPatterns(conditions);
  await Promise.all(
    conditions.map(async (condition) => {
      const { on, operator, values } = condition;
      if ("goal" in on) {
        const { sql, test } = await reachedBy(siteId, await goalNamed(siteId, on.goal));
        const reached = /^(yes|true)$/.test(values[0] ?? "");
        filters.goals.push({ reached, event: sql });
        ofIds.goals.push({ reached, event: test });
      } else if ("prop" in on) {
        filters.event.push(compared(Prisma.sql`coalesce(fact.props ->> ${on.prop}, '')`, operator, values));
        filters.ofIds = null;
      } else {
        const { sql, test } = await ofDimension(siteId, on.dimension, {
          ...condition,
          path: `filters.${condition.key}`,
        });
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

async function ofDimension(
  siteId: number,
  key: DimensionKey,
  { path, operator, values }: Pick<Condition, "operator" | "values"> & { path: string },
): Promise<Chosen> {
  const { fact } = dimensionOf(key);
  const [positive, negated] = POSITIVE[operator];
  const test = (word: Prisma.Sql) => compared(word, positive, values);
  const found = await reports().$queryRaw<{ id: number }[]>`
    SELECT 0 AS id WHERE ${test(Prisma.sql`''::text`)}
    UNION ALL SELECT id FROM ${wordsOf(key, siteId)} AS words(id, word) WHERE ${test(Prisma.sql`word`)}
    LIMIT ${MOST_WORDS + 1}`;
  if (found.length > MOST_WORDS) {
    throw invalidInput([{ path, message: `is met by more than ${MOST_WORDS} values; narrow it` }]);
  }
  const ids = found.map(({ id }) => id);
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

/** The column of a dimension's ids, as packed days and facts call it alike. */
export const columnOf = (key: DimensionKey): IdTest["column"] =>
  dimensionOf(key).fact.sql.replace("fact.", "") as IdTest["column"];

/** The operator that finds words, and whether those found are the ones left out. */
const POSITIVE: Record<Operator, [Operator, boolean]> = {
  is: ["is", false],
  is_not: ["is", true],
  contains: ["contains", false],
  not_contains: ["contains", true],
  starts_with: ["starts_with", false],
  matches: ["matches", false],
};

/** SQL that compares a text. */
export function compared(word: Prisma.Sql, operator: Operator, values: readonly string[]): Prisma.Sql {
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
    case "matches":
      return Prisma.sql`EXISTS (${any} ${word} ~ value)`;
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
  const asked =
    kind === "page"
      ? { operator: "matches" as const, values: [pathRegex(pattern)] }
      : { operator: "is" as const, values: [pattern] };
  const { sql, test } = await ofDimension(siteId, kind, { path, ...asked });
  if (kind !== "page") return { sql, test };
  return { sql: Prisma.sql`(${sql} AND ${ofTypes(VIEWS)})`, test: { ...test, types: VIEWS } };
}

/** Postgres' own judgement on regular expressions. @throws Refusal `invalid_input` for one that is none. */
export async function checkPatterns(conditions: readonly Condition[]): Promise<void> {
  for (const { key, operator, values } of conditions) {
    if (operator !== "matches") continue;
    await reports().$queryRaw`SELECT bool_or('' ~ pattern) FROM unnest(${values}::text[]) AS pattern`.catch((error) => {
      if (!/2201B|regular expression/i.test(String(error?.message) + JSON.stringify(error?.meta ?? {}))) throw error;
      throw invalidInput([
        { path: `filters.${key}.matches`, message: "is not a regular expression that Postgres understands" },
      ]);
    });
  }
}
