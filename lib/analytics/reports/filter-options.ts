import { legible, searched, storedParts } from "@/lib/analytics/query/canonical-values";
import { MAY_HAVE_ITEMS, NAMED_PRODUCTS, PRODUCTS } from "@/lib/analytics/query/commerce-events";
import { dimensionId, wordsOf } from "@/lib/analytics/query/dimension-sql";
import {
  DIMENSIONS,
  type DimensionKey,
  dimensionOf,
  isDimension,
  ONLY_ON_VISITS,
  ROLLED,
} from "@/lib/analytics/query/dimensions";
import { eventsIn, queryCopy, type Scope } from "@/lib/analytics/query/scope";
import { partialSums } from "@/lib/analytics/query/scope-sums";
import { db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { canonicalName, canonicalNamePart } from "@/lib/platform/names";
import { join, type Sql, sql } from "@/lib/platform/sql";

/** Values that a filter may be given, as they are typed. */

export interface Option {
  value: string;
  /** The name of a product whose value is its id. */
  name?: string | null;
  /** Null for the names of goals. */
  visitors: number | null;
}

export interface Search {
  /** Texts that a value contains, in small or capital letters. */
  parts: readonly string[];
  limit: number;
}

export type Field = { dimension: DimensionKey } | { prop: string } | "prop" | "goal" | "product";

/** @throws Refusal `invalid_input` that lists the known fields. */
export function readField(text: string): Field {
  if (isDimension(text)) return { dimension: text };
  if (text === "prop" || text === "goal" || text === "product") return text;
  const [, prop] = /^prop:(.+)$/s.exec(text) ?? [];
  if (prop) return { prop: canonicalName(prop) };
  const known = [...Object.keys(DIMENSIONS), "product", "prop (their names)", "prop:<name>", "goal (their names)"].join(
    ", ",
  );
  throw invalidInput([{ path: "field", message: `is not a filter; there are ${known}` }]);
}

/** The number of newest events that are searched for properties and products. */
const NEWEST_EVENTS = 5_000;

/** The values of a field that contain what was typed: those with the most visitors first, then the newest. */
export async function optionsOf(scope: Scope, field: Field, typed: Search): Promise<Option[]> {
  const search = isOfNames(field) ? { ...typed, parts: typed.parts.map(canonicalNamePart) } : typed;
  if (field === "goal") return goals(scope.siteId, search);
  const [rows] = await queryCopy<[Option[]]>(scope, optionsSql(scope, field, search));
  return rows;
}

function optionsSql(scope: Scope, field: Exclude<Field, "goal">, search: Search): Sql {
  if (field === "product") {
    const having = sql`(${MAY_HAVE_ITEMS} AND len(${PRODUCTS}) > 0)`;
    return textsSql(scope, sql`unnest(${NAMED_PRODUCTS}, recursive := true)`, having, search);
  }
  if (field === "prop")
    return textsSql(scope, valued(sql`unnest(map_keys(fact.props))`), sql`fact.props IS NOT NULL`, search);
  if ("dimension" in field) return wordsSql(scope, field.dimension, search);
  const value = sql`fact.props[${field.prop}]`;
  return textsSql(scope, valued(value), sql`${value} <> ''`, search);
}

const isOfNames = (field: Field): boolean =>
  field === "prop" ||
  field === "goal" ||
  (typeof field === "object" && "dimension" in field && field.dimension === "event");

/** @param spellings in which a part may be stored. */
const containing = (word: Sql, parts: readonly string[], spellings = (part: string) => [part]): Sql =>
  parts.length > 0
    ? join(
        parts.map((part) => {
          const tests = spellings(part).map((one) => sql`contains(lower(${word}), lower(${one}))`);
          return sql`(${join(tests, " OR ")})`;
        }),
        " AND ",
      )
    : sql`true`;

/** A value of a dimension may be searched as it is stored, and as people read it. */
function wordContaining(key: DimensionKey, stored: Sql, parts: readonly string[]): Sql {
  const found = containing(searched(key, stored, parts), parts, (part) => [part, ...storedParts(key, part)]);
  const read = legible(key, stored);
  return read && parts.length > 0 ? sql`(${found} OR ${containing(searched(key, read, parts), parts)})` : found;
}

/** SQL for the matching values and their visitors. A query with filters returns only values that occur in it. */
function wordsSql(scope: Scope, key: DimensionKey, { parts, limit }: Search): Sql {
  // The rollup knows all values of a day; of facts only those with a word that was found are read.
  const isRolled = ROLLED[key] !== undefined && !isNarrowed(scope);
  const counted = parts.length > 0 && !isRolled ? ofFoundWords(scope, key) : scope;
  return sql`
    WITH found AS MATERIALIZED (
      SELECT id, word FROM ${wordsOf(key)} AS words WHERE word <> '' AND ${wordContaining(key, sql`word`, parts)})
    SELECT value, sum(visitors)::BIGINT AS visitors FROM (
      SELECT word AS value, id, 0 AS visitors FROM found
      UNION ALL SELECT k0, NULL, visitors FROM (${partialSums(counted, [key], ["visitors"])}) AS partial
      WHERE k0 IS NOT NULL AND ${wordContaining(key, sql`k0`, parts)}) AS counts
    GROUP BY value ${isNarrowed(scope) ? sql`HAVING sum(visitors) > 0` : sql``}
    ORDER BY visitors DESC, max(id) DESC NULLS FIRST, value LIMIT ${limit}`;
}

/** Only facts with words of `found` are counted. */
function ofFoundWords(scope: Scope, key: DimensionKey): Scope {
  const about = ONLY_ON_VISITS.has(key) ? "visitOnly" : dimensionOf(key).level;
  const isFound = sql`${dimensionId(key)} IN (SELECT id FROM found)`;
  return { ...scope, filters: { ...scope.filters, [about]: [...scope.filters[about], isFound] } };
}

const isNarrowed = ({ filters: { visit, visitOnly, event, goals } }: Scope): boolean =>
  [visit, visitOnly, event, goals].some((conditions) => conditions.length > 0);

/** SQL for the columns of texts that have no other name. */
const valued = (texts: Sql): Sql => sql`${texts} AS value, NULL::VARCHAR AS label`;

/**
 * SQL for the texts that the newest events of the range have, which are searched by value and name.
 *
 * @param texts the columns `value` and `label`
 * @param having the condition on an event that has any
 */
function textsSql(scope: Scope, texts: Sql, having: Sql, { parts, limit }: Search): Sql {
  return sql`
    SELECT value, max(label) AS name,
      count(DISTINCT (day, visitor_id)) FILTER (WHERE visitor_id IS NOT NULL) AS visitors
    FROM (
      SELECT fact.ts, fact.day, fact.visitor_id, ${texts} FROM (
        SELECT fact.ts, fact.day, fact.visitor_id, fact.props FROM event AS fact WHERE ${eventsIn(scope)} AND ${having}
        ORDER BY fact.ts DESC LIMIT ${NEWEST_EVENTS}) AS fact) AS newest
    GROUP BY value HAVING ${containing(sql`concat_ws(chr(10), value, max(label))`, parts)}
    ORDER BY visitors DESC, max(ts) DESC, value LIMIT ${limit}`;
}

async function goals(siteId: number, { parts, limit }: Search): Promise<Option[]> {
  const found = await db().goal.findMany({
    where: { siteId, AND: parts.map((part) => ({ name: { contains: part, mode: "insensitive" as const } })) },
    orderBy: [{ createdAt: "desc" }, { name: "asc" }],
    take: limit,
  });
  return found.map(({ name }) => ({ value: name, visitors: null }));
}
