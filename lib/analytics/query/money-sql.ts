import { join, type Sql, sql } from "@/lib/analytics/engine/sql";
import { NAMED_EVENTS } from "@/lib/analytics/event-types";
import { ORDER_ID } from "@/lib/analytics/query/commerce-events";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { COMMERCE_EVENTS, type CommerceKind } from "@/lib/contract/commerce";

/** The table `money`: events that carry revenue and purchases without any, a small part of all events. */

/** SQL for whether an event is of a kind, beside its row `words` of the names. */
const isOf = (kind: CommerceKind): Sql =>
  sql`(${ofTypes(NAMED_EVENTS)} AND words.name IN (${join([...COMMERCE_EVENTS[kind]])}))`;

/**
 * The statements that pick these events of local days anew. `kind` is refund, purchase or other. The `amount` of a
 * refund is below zero, whichever sign was sent.
 */
export const moneyOf = (first: number, last: number): Sql[] => [
  sql`DELETE FROM money WHERE day BETWEEN ${first} AND ${last}`,
  sql`INSERT INTO money BY NAME
    SELECT fact.*,
      CASE WHEN fact.revenue < 0 OR ${isOf("refund")} THEN 'refund' WHEN ${isOf("purchase")} THEN 'purchase' ELSE 'other' END AS kind,
      CASE WHEN ${isOf("refund")} THEN -abs(fact.revenue) ELSE fact.revenue END AS amount, ${ORDER_ID} AS order_id
    FROM event AS fact JOIN name AS words ON words.id = fact.name
    WHERE fact.day BETWEEN ${first} AND ${last} AND (fact.revenue IS NOT NULL OR ${isOf("purchase")})`,
];
