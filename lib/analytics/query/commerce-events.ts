import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import { COMMERCE_EVENTS, COMMERCE_PROPERTIES, type CommerceKind } from "@/lib/contract/commerce";

/** Commerce events in SQL: which they are, what their properties say, and the table `money`. */

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

/** SQL for the order of an event; null for an id with replaced personal data, because many orders would share it. */
const ORDER_ID = sql`
  CASE WHEN NOT regexp_matches(${ORDER_TEXT}, '\\((card|token|email|secret)\\)') THEN ${ORDER_TEXT} END`;

/**
 * The statements that fill `money` for these local days again: events that carry revenue and purchases without any, a
 * small part of all events. `kind` is refund, purchase or other. The `amount` of a refund is below zero, whichever sign
 * was sent.
 */
export const moneyOf = (first: number, last: number): Sql[] => [
  sql`DELETE FROM money WHERE day BETWEEN ${first} AND ${last}`,
  sql`INSERT INTO money BY NAME
    SELECT fact.*,
      CASE WHEN fact.revenue < 0 OR ${ofKinds("refund")} THEN 'refund' WHEN ${ofKinds("purchase")} THEN 'purchase' ELSE 'other' END AS kind,
      CASE WHEN ${ofKinds("refund")} THEN -abs(fact.revenue) ELSE fact.revenue END AS amount, ${ORDER_ID} AS order_id
    FROM event AS fact
    WHERE fact.day BETWEEN ${first} AND ${last} AND (fact.revenue IS NOT NULL OR ${ofKinds("purchase")})`,
];
