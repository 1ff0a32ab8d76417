import { asSent } from "@/lib/analytics/money/amounts";
import { converted, type Rates, ratesTable } from "@/lib/analytics/money/rates";
import { credited } from "@/lib/analytics/query/attribution";
import { eventsIn, type Scope } from "@/lib/analytics/query/scope";
import type { Money } from "@/lib/contract/fields";
import { empty, type Sql, sql } from "@/lib/platform/sql";

/**
 * Revenue and refunds. Every event with revenue is a sale, however it was sent; a purchase (`COMMERCE_EVENTS` has its
 * names) is one even without an amount. An order counts once, with its earliest purchase in the scope; later purchases
 * of the same order are repeated and have no revenue. Refunds and negative amounts are subtracted.
 */

/**
 * SQL for all sales of a scope. A sale has columns of its event and `kind` (purchase, refund or other), `order_id`, `amount`
 * with a sign, in `currency`, and `repeated`.
 *
 * @param more further columns of `fact`, a row of `money`, each after a comma.
 */
export const salesIn = (scope: Scope, more = empty): Sql => sql`
  SELECT *, kind = 'purchase' AND order_id IS NOT NULL
    AND row_number() OVER (PARTITION BY order_id, kind ORDER BY ts, visit_id, amount DESC NULLS FIRST) > 1 AS repeated
  FROM (
    SELECT fact.ts, fact.day, fact.visit_id, fact.visitor_id, fact.name, fact.page, fact.referrer, fact.campaign, fact.place,
      fact.agent, fact.traffic, fact.type, fact.kind, fact.order_id, fact.amount, fact.currency ${more}
    FROM ${credited(scope, { table: sql`money`, where: sql`true` })} AS fact WHERE ${eventsIn(scope)}) AS found`;

/** A statement that makes a table `sale` of `salesIn` for later statements. */
export const salesTable = (scope: Scope, more = empty): Sql => sql`CREATE TEMP TABLE sale AS ${salesIn(scope, more)}`;

/**
 * SQL for a table `(key, revenue)` after `salesTable`: the converted revenue of the sales that count.
 *
 * @param more what follows `FROM sale AS fact`: joins of the key, or a condition.
 */
export const revenueBy = (scope: Scope, rates: Rates, key: Sql, more: Sql = empty): Sql => sql`
  (SELECT key, sum(${converted(sql`amount`, sql`earned.currency`, scope)}) AS revenue FROM (
    SELECT ${key} AS key, fact.currency, fact.day, sum(fact.amount) AS amount
    FROM (SELECT * FROM sale WHERE NOT repeated) AS fact ${more} GROUP BY ALL) AS earned
  LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = earned.currency AND rate.day = earned.day GROUP BY key)`;

const MOST_CURRENCIES = 100;

/** SQL after `salesTable` for revenue without a rate for its day, by currency. */
export const unconvertedSql = ({ currency }: Scope, rates: Rates): Sql => sql`
  SELECT sale.currency, sum(amount)::VARCHAR AS amount FROM sale
  ANTI JOIN ${ratesTable(rates)} AS rate ON rate.currency = sale.currency AND rate.day = sale.day
  WHERE NOT repeated AND amount IS NOT NULL AND sale.currency <> ${currency}
  GROUP BY sale.currency ORDER BY sale.currency LIMIT ${MOST_CURRENCIES}`;

export const unconvertedOf = (rows: readonly { currency: string; amount: string }[]): Money[] =>
  rows.map(({ amount, currency }) => asSent(amount, currency));
