import { legible, searched, withMergedSlashes, withTrailingSlash } from "@/lib/analytics/query/canonical-values";
import { MAY_HAVE_ITEMS, PRODUCTS } from "@/lib/analytics/query/commerce-events";
import type { Condition, Operator } from "@/lib/analytics/query/conditions";
import { dimensionId, ofTypes, propertyText, wordsOf } from "@/lib/analytics/query/dimension-sql";
import { type DimensionKey, dimensionOf, ONLY_ON_VISITS, PAGE_DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { NAMED_EVENTS, TYPES_OF_KIND } from "@/lib/analytics/query/event-types";
import { type Goal, goalNamed, type Way, waysOf } from "@/lib/analytics/query/goals";
import { checkPatterns } from "@/lib/analytics/query/patterns";
import { pathRegex } from "@/lib/platform/path-patterns";
import { join, type Sql, sql } from "@/lib/platform/sql";

/** The filters of a report, as conditions on a fact called `fact`. */
export interface Filters {
  /** On visit dimensions, which visits and their events carry. */
  visit: Sql[];
  /** Those of them that hold for a visit and all of its events alike: of its source, place and agent. */
  shared: Sql[];
  /** The conditions of `visit` as ids of values, for tables that are not in the copy. */
  visitIds: ChosenIds[];
  /** On dimensions that only visits carry. */
  visitOnly: Sql[];
  /** On one event. */
  event: Sql[];
  goals: { reached: boolean; event: Sql }[];
}

/** A condition on the id of a dimension. */
interface ChosenIds {
  key: DimensionKey;
  /** A statement that selects ids. */
  ids: Sql;
  /** Whether all other ids match instead. */
  negated: boolean;
}

export const NO_FILTERS: Filters = { visit: [], shared: [], visitIds: [], visitOnly: [], event: [], goals: [] };

/** @throws Refusal `invalid_input` for a regular expression that DuckDB does not take. */
export async function filtersOf(siteId: number, conditions: readonly Condition[]): Promise<Filters> {
  const filters: Filters = { visit: [], shared: [], visitIds: [], visitOnly: [], event: [], goals: [] };
  await checkPatterns(conditions);
  for (const { on, operator, values } of conditions) {
    const positive = POSITIVE[operator] ?? operator;
    const negated = positive !== operator;
    if ("goal" in on) {
      const reached = /^(yes|true)$/.test(values[0] ?? "");
      filters.goals.push({ reached, event: reaching(await goalNamed(siteId, on.goal)) });
    } else if ("prop" in on) {
      filters.event.push(propertyMeets(on.prop, operator, values));
    } else if ("product" in on) {
      filters.event.push(productsMeet(operator, values));
    } else {
      const chosen = {
        key: on.dimension,
        ids: idsOfValues(on.dimension, (word) => valueMatches(on.dimension, word, positive, values)),
        negated,
      };
      const about = ONLY_ON_VISITS.has(on.dimension) ? "visitOnly" : dimensionOf(on.dimension).level;
      const condition = havingIds(chosen);
      filters[about].push(condition);
      if (about !== "visit") continue;
      filters.visitIds.push(chosen);
      // A visit may become suspicious after its first events.
      if (on.dimension !== "traffic") filters.shared.push(condition);
    }
  }
  return filters;
}

/** SQL for whether a value of a dimension meets a condition that is not negated. */
function valueMatches(key: DimensionKey, word: Sql, operator: Operator, values: readonly string[]): Sql {
  const isPage = PAGE_DIMENSIONS.includes(key);
  if (operator === "matches") {
    // A regular expression may describe a path as it is stored, as people read it, or with a slash at its end.
    const spellings = [word, legible(key, word) ?? [], isPage ? withTrailingSlash(word) : []].flat();
    return sql`(${join(
      spellings.map((one) => compared(one, operator, values)),
      " OR ",
    )})`;
  }
  const tests = values.map((value) =>
    operator === "is" && isPage
      ? withMergedSlashes(value, (typed) => compared(word, operator, [typed]))
      : compared(operator === "is" ? word : searched(key, word, [value]), operator, [value]),
  );
  return sql`(${join(tests, " OR ")})`;
}

/** A negated operator leaves out the values that the other one chooses. */
const POSITIVE: Partial<Record<Operator, Operator>> = { is_not: "is", not_contains: "contains" };

/** SQL for the ids of the values of a dimension that meet a condition. */
export const idsOfValues = (key: DimensionKey, matches: (value: Sql) => Sql): Sql =>
  sql`SELECT id FROM ${wordsOf(key)} AS words WHERE ${matches(sql`word`)}`;

function havingIds({ key, ids, negated }: ChosenIds): Sql {
  const chosen = negated ? sql`${dimensionId(key)} NOT IN (${ids})` : sql`${dimensionId(key)} IN (${ids})`;
  // All types of events have a page; only some have a name of their own.
  return key === "event" ? sql`(${chosen} AND ${ofTypes(NAMED_EVENTS)})` : chosen;
}

/** SQL for whether a value meets a condition that is not negated. */
function compared(value: Sql, operator: Operator, values: readonly string[]): Sql {
  if (operator === "matches") return sql`regexp_matches(${value}, ${values[0] ?? ""})`;
  const test = (given: string): Sql => {
    if (operator === "contains") return sql`contains(${value}, ${given})`;
    return operator === "starts_with" ? sql`starts_with(${value}, ${given})` : sql`${value} = ${given}`;
  };
  return sql`(${join(values.map(test), " OR ")})`;
}

/** SQL for whether a property of a fact meets a condition. */
function propertyMeets(property: string, operator: Operator, values: readonly string[]): Sql {
  const positive = POSITIVE[operator] ?? operator;
  const chosen = compared(propertyText(property), positive, values);
  return positive === operator ? chosen : sql`NOT ${chosen}`;
}

/** SQL for whether one of the products of a fact meets a condition, or none of them a negated one; `''` is no product. */
function productsMeet(operator: Operator, values: readonly string[]): Sql {
  const positive = POSITIVE[operator] ?? operator;
  const fits = compared(sql`product`, positive, values);
  const chosen = sql`CASE WHEN ${MAY_HAVE_ITEMS}
    THEN len(list_filter(coalesce(nullif(${PRODUCTS}, []), ['']), lambda product: ${fits})) > 0
    ELSE ${compared(sql`''`, positive, values)} END`;
  return positive === operator ? chosen : sql`NOT ${chosen}`;
}

/** SQL for whether a fact meets all conditions of a goal on properties. */
export const propertiesMet = ({ properties }: Pick<Goal, "properties">): Sql =>
  properties.length === 0
    ? sql`true`
    : sql`(${join(
        properties.map(({ property, operator, values }) => propertyMeets(property, operator, values)),
        " AND ",
      )})`;

/** SQL for the events that reach a goal or a step of a funnel. */
export function reaching({ properties = [], ...goal }: Way & Partial<Goal>): Sql {
  const ways = waysOf(goal).map((way) => {
    const ids = idsOfValues(way.kind, (value) => matching(way, value));
    return sql`(${dimensionId(way.kind)} IN (${ids}) AND ${ofTypes(TYPES_OF_KIND[way.kind])})`;
  });
  return sql`((${join(ways, " OR ")}) AND ${propertiesMet({ properties })})`;
}

/** SQL for whether a path, or the name of an event, reaches a goal. */
export const matching = ({ kind, pattern }: Way, value: Sql): Sql =>
  kind === "page"
    ? withMergedSlashes(pattern, (path) =>
        path.includes("*") ? sql`regexp_matches(${value}, ${pathRegex(path)})` : sql`${value} = ${path}`,
      )
    : sql`${value} = ${pattern}`;
