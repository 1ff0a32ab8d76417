import { converted, type Rates, ratesTable } from "@/lib/analytics/money/rates";
import {
  decimal,
  ITEM_NAME,
  ITEM_PRODUCT,
  ITEMS,
  ITEMS_CURRENCY,
  ITEMS_TYPE,
  ofKinds,
} from "@/lib/analytics/query/commerce-events";
import { eventsIn, type Scope } from "@/lib/analytics/query/scope";
import { type Sql, sql } from "@/lib/platform/sql";

/** Views, cart additions and sales of products. */

export interface Product {
  product: string;
  name: string | null;
  views: number;
  cart_adds: number;
  quantity: number;
  /** Exact decimal text in the reporting currency; null without any money. */
  revenue: string | null;
  /** Pieces whose price is not known in the reporting currency. */
  unpriced: number;
}

/** Two of these multiplied fit into a DECIMAL. */
const QUANTITY = sql`DECIMAL(19, 6)`;

/** SQL after `salesTable` for products by their id, else by their name, those with the most revenue first. */
export const productsSql = (scope: Scope, rates: Rates, limit: number): Sql => sql`
  WITH ${itemTables(scope)},
  daily AS (
    SELECT product, currency, day, max(name) AS name, sum(times) FILTER (WHERE kind = 'view') AS views,
      sum(times) FILTER (WHERE kind = 'cart') AS cart_adds, sum(quantity * times) FILTER (WHERE kind = 'purchase') AS quantity,
      sum(amount * times) FILTER (WHERE kind = 'purchase') AS amount,
      sum(quantity * times) FILTER (WHERE kind = 'purchase' AND amount IS NULL) AS priceless
    -- An amount of 10^15 or more is not a price.
    FROM (SELECT *, TRY_CAST(quantity * price AS DECIMAL(24, 9)) AS amount FROM item) AS item
    WHERE product IS NOT NULL GROUP BY product, currency, day),
  worths AS (
    SELECT daily.*, ${converted(sql`amount`, sql`daily.currency`, scope)} AS worth FROM daily
    LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = daily.currency AND rate.day = daily.day),
  sums AS (
    SELECT product, max(name) AS name, coalesce(sum(views), 0)::BIGINT AS views, coalesce(sum(cart_adds), 0)::BIGINT AS cart_adds,
      coalesce(sum(quantity), 0)::DOUBLE AS quantity, sum(worth) AS worth,
      coalesce(sum(CASE WHEN worth IS NULL THEN quantity ELSE priceless END), 0)::DOUBLE AS unpriced
    FROM worths GROUP BY product)
  SELECT * EXCLUDE (worth), worth::VARCHAR AS revenue FROM sums
  ORDER BY coalesce(worth, 0) DESC, quantity DESC, views DESC, product LIMIT ${limit}`;

/** SQL for a table `item`, after WITH: the items of events that show, add or sell any, and how many times each is there. */
const itemTables = (scope: Scope): Sql => sql`
  sent AS (
    SELECT CASE WHEN ${ofKinds("product_viewed")} THEN 'view' ELSE 'cart' END AS kind, fact.day, ${ITEMS_CURRENCY} AS currency, ${ITEMS} AS items
    FROM event AS fact WHERE ${ofKinds("product_viewed", "cart_added")} AND ${eventsIn(scope)}
    UNION ALL SELECT kind, day, items_currency, items FROM sale WHERE NOT repeated AND kind = 'purchase'),
  event_with_items AS MATERIALIZED (
    SELECT kind, day, currency, items, count(*) AS times FROM sent WHERE items IS NOT NULL GROUP BY ALL),
  named AS (
    SELECT kind, day, currency, times, ${ITEM_PRODUCT} AS product, ${ITEM_NAME} AS name, one.quantity, one.price
    FROM (SELECT kind, day, currency, times, unnest(from_json(items, ${ITEMS_TYPE})) AS one FROM event_with_items) AS field),
  item AS (
    SELECT kind, day, currency, times, product, name,
      coalesce(${decimal(sql`quantity`, QUANTITY)}, 1)::${QUANTITY} AS quantity, ${decimal(sql`price`, QUANTITY)} AS price
    FROM named)`;
