import { type BreakdownKey, type DimensionKey, dimensionOf, propertyIn } from "@/lib/analytics/query/dimensions";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { empty, join, raw, type Sql, sql } from "@/lib/platform/sql";

/** Dimensions in the tables of a site's file. */

/** The column of a fact called `fact` that holds the id of the word, such as `fact.page`. */
export const dimensionId = (key: DimensionKey): Sql => raw(dimensionOf(key).fact);

/** SQL for a custom property of `fact` as text; '' where it has none. */
export const propertyText = (name: string): Sql => sql`coalesce(fact.props[${name}], '')`;

/** SQL for the properties by which rows are made, as a condition: an event without one of them is in no row. */
export const carrying = (by: readonly BreakdownKey[]): Sql => {
  const names = by.flatMap((key) => propertyIn(key) ?? []);
  return names.length > 0
    ? join(
        names.map((name) => sql`AND ${propertyText(name)} <> ''`),
        " ",
      )
    : empty;
};

/** A table `(id, word)` of all words of a dimension, as a subquery; `''` is unknown and has the id 0. */
export function wordsOf(key: DimensionKey): Sql {
  const { dictionary, word } = dimensionOf(key);
  if (dictionary === null) return TRAFFIC_WORDS;
  return sql`(SELECT id, ${raw(word)} AS word FROM ${raw(dictionary)})`;
}

/** A table `(id, value)` of all words of a dimension, as a subquery; null is unknown. */
export const valuesOf = (key: DimensionKey): Sql =>
  sql`(SELECT id, nullif(word, '') AS value FROM ${wordsOf(key)} AS words)`;

/** A table `(id, number)`, as a subquery: the smallest id of each word stands for it, because several ids may share one. */
export const numbersOf = (key: DimensionKey): Sql =>
  sql`(SELECT id, min(id) OVER (PARTITION BY word) AS number FROM ${wordsOf(key)} AS words)`;

const TRAFFIC_WORDS = raw(
  `(SELECT * FROM (VALUES ${Object.entries(TRAFFIC_CLASSES)
    .map(([name, id]) => `(${id}, '${name}')`)
    .join(", ")}) AS classes(id, word))`,
);

/**
 * SQL for the events of these types. DuckDB compares a column with constants while it reads, so that it reads the other
 * columns of few rows only; it compares with a list after reading all rows.
 */
export function ofTypes(types: readonly number[]): Sql {
  const [first, last] = [Math.min(...types), Math.max(...types)];
  const others = Array.from({ length: last - first }, (_, index) => first + index).filter(
    (one) => !types.includes(one),
  );
  return raw(`(fact.type BETWEEN ${first} AND ${last}${others.map((one) => ` AND fact.type <> ${one}`).join("")})`);
}
