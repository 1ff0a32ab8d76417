import { type Sql, sql } from "@/lib/analytics/engine/sql";
import { ORDER_ID, ofKinds } from "@/lib/analytics/query/commerce-events";

/** The table `money`: events that carry revenue and purchases without any, a small part of all events. */

/**
 * The statements that pick these events of local days anew. `kind` is refund, purchase or other. The `amount` of a
 * refund is below zero, whichever sign was sent.
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
