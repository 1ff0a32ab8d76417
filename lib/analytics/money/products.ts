import { join, raw, type Sql, sql } from "@/lib/analytics/engine/sql";
import { AMOUNT, converted, type Rates, ratesTable } from "@/lib/analytics/money/rates";
import { firstProperty, ofKinds } from "@/lib/analytics/query/commerce-events";
import { eventsIn, type Scope } from "@/lib/analytics/query/scope";
import { COMMERCE_PROPERTIES, ITEM_FIELDS } from "@/lib/contract/commerce";

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

/** SQL for a text as a number; null for any other text, because a custom event may carry anything. */
export const decimal = (text: Sql, type: Sql = AMOUNT): Sql => sql`
  CASE WHEN regexp_full_match(${text}, '\\d{1,12}(\\.\\d{1,20})?') THEN TRY_CAST(${text} AS ${type}) END`;

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
    SELECT CASE WHEN ${ofKinds("product_viewed")} THEN 'view' ELSE 'cart' END AS kind, fact.day, fact.props
    FROM event AS fact WHERE ${ofKinds("product_viewed", "cart_added")} AND ${eventsIn(scope)}
    UNION ALL SELECT kind, day, props FROM sale WHERE NOT repeated AND kind = 'purchase'),
  event_with_items AS MATERIALIZED (
    SELECT kind, day, upper(props['currency']) AS currency, ${LISTED} AS items, ${SINGLE} AS single, count(*) AS times
    FROM sent AS fact GROUP BY ALL),
  field AS (
    SELECT kind, day, currency, times, unnest(from_json(items, ${JSON.stringify([ITEM])})) AS one
    FROM event_with_items WHERE items IS NOT NULL
    UNION ALL SELECT kind, day, currency, times, single FROM event_with_items WHERE single IS NOT NULL),
  named AS (
    SELECT kind, day, currency, times, ${first(ITEM_FIELDS.id)} AS id, ${first(ITEM_FIELDS.name)} AS name, one.quantity, one.price
    FROM field),
  item AS (
    SELECT kind, day, currency, times, left(coalesce(id, name), 255) AS product, left(name, 255) AS name,
      coalesce(${decimal(sql`quantity`, QUANTITY)}, 1)::${QUANTITY} AS quantity, ${decimal(sql`price`, QUANTITY)} AS price
    FROM named)`;

/** The fields of an item, each as text. */
const FIELDS = [...ITEM_FIELDS.id, ...ITEM_FIELDS.name, "quantity", "price"];
const ITEM = Object.fromEntries(FIELDS.map((field) => [field, "VARCHAR"]));

/** SQL for the first of some fields of an item that is not empty; null without any. */
const first = (fields: readonly string[]): Sql =>
  sql`coalesce(${join(fields.map((field) => sql`nullif(one.${raw(field)}, '')`))})`;

/** SQL for the items of an event as the text of a JSON array; null without one. */
const LISTED = sql`coalesce(${join(
  COMMERCE_PROPERTIES.items.map((key) => {
    const value = sql`fact.props[${key}]`;
    return sql`CASE WHEN starts_with(${value}, '[') AND json_valid(${value}) THEN ${value} END`;
  }),
)})`;

/** SQL for an event about one product that carries the fields of an item itself, as an item; else null. */
const SINGLE = sql`
  CASE WHEN ${LISTED} IS NULL AND ${firstProperty(ITEM_FIELDS.id)} IS NOT NULL THEN {${join(
    FIELDS.map((field) => sql`${raw(`'${field}'`)}: fact.props[${field}]`),
  )}} END`;
