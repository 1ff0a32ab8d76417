import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS } from "@/lib/analytics/event-types";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { COMMERCE_EVENTS, COMMERCE_PROPERTIES, type CommerceKind } from "@/lib/contract/commerce";

/** Commerce events in SQL: which they are, and what their properties say. */

/** SQL for the events of these kinds, as a condition on `fact`. */
export const ofKinds = (...kinds: readonly CommerceKind[]): Sql =>
  sql`(${ofTypes(NAMED_EVENTS)} AND ${isKind(...kinds)})`;

/** SQL for whether the name of `fact` is one of these kinds, whatever type of event it is. */
export function isKind(...kinds: readonly CommerceKind[]): Sql {
  const names = kinds.flatMap((kind) => [...COMMERCE_EVENTS[kind]]);
  return sql`fact.name IN (SELECT id FROM name WHERE name IN (${join(names)}))`;
}

/** SQL for the first of some properties of an event that is not empty; null without any. */
export const firstProperty = (keys: readonly string[]): Sql =>
  sql`coalesce(${join(keys.map((key) => sql`nullif(fact.props[${key}], '')`))})`;

const ORDER_TEXT = firstProperty(COMMERCE_PROPERTIES.order);

/** SQL for the order of an event. An id in which personal data was replaced is none: many orders would share it. */
export const ORDER_ID = sql`
  CASE WHEN NOT regexp_matches(${ORDER_TEXT}, '\\((card|token|email|secret)\\)') THEN ${ORDER_TEXT} END`;
