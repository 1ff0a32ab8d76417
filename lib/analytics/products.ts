import { reached, stretches } from "@/lib/analytics/chains";
import { decimal } from "@/lib/analytics/commerce";
import { commerceNames, namedAnyOf } from "@/lib/analytics/commerce-names";
import { convertedOn, dateOf, told } from "@/lib/analytics/money";
import { eventsIn, type Scope } from "@/lib/analytics/question";
import type { Sales } from "@/lib/analytics/sales";
import { COMMERCE_PROPERTIES, ITEM_FIELDS } from "@/lib/contract/commerce";
import { Prisma, reports } from "@/lib/db";

/** What happened to the things that are sold. */

export const SHOP_STEPS = ["product_viewed", "cart_added", "checkout_started", "purchase"] as const;
const WINDOW_MINUTES = 24 * 60;

/**
 * How many visitors got to each step at least: each step strictly later than the one before and all within 24 hours of the
 * first, as in every funnel.
 */
export async function shopFunnel(scope: Scope): Promise<number[]> {
  const names = await commerceNames(reports(), scope.siteId);
  const conditions = SHOP_STEPS.map((kind) => namedAnyOf(names[kind]));
  const parts = await Promise.all(
    stretches(scope, WINDOW_MINUTES).map((stretch) =>
      reached({ ...stretch, conditions, windowMinutes: WINDOW_MINUTES }),
    ),
  );
  const furthest = SHOP_STEPS.map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
  return furthest.map((_, index) => furthest.slice(index).reduce((sum, visitors) => sum + visitors, 0));
}

export interface Product {
  product: string;
  name: string | null;
  views: number;
  cart_adds: number;
  quantity: number;
  /** Decimal text in the reporting currency. */
  revenue: string;
  unpriced: number;
}

/** Products by their id, else by their name, those that earned most first. */
export async function productRows({ scope, counted }: Sales, limit: number): Promise<Product[]> {
  const { product_viewed: viewed, cart_added: added } = await commerceNames(reports(), scope.siteId);
  const worth = convertedOn(scope, Prisma.sql`price`, Prisma.sql`currency`, Prisma.sql`day`);
  return reports().$queryRaw`
    WITH seen AS (
      SELECT CASE WHEN ${namedAnyOf(viewed)} THEN 'view' ELSE 'cart' END AS kind,
             ${dateOf(scope, Prisma.sql`fact.ts`)} AS day, fact.props
      FROM facts.event AS fact
      WHERE ${eventsIn(scope)} AND ${namedAnyOf([...viewed, ...added])}
      UNION ALL SELECT kind, day, props FROM ${counted} AS sale WHERE kind = 'purchase'),
    item AS (
      SELECT kind, day, upper(props ->> 'currency') AS currency,
             left(coalesce(${ITEM_ID}, ${ITEM_NAME}), 255) AS product, left(${ITEM_NAME}, 255) AS name, coalesce(${decimal(Prisma.sql`one ->> 'quantity'`)}, 1) AS quantity,
             ${decimal(Prisma.sql`one ->> 'price'`)} AS price
      FROM seen CROSS JOIN LATERAL jsonb_array_elements(${ITEMS}) AS one),
    daily AS (
      SELECT product, currency, day, max(name) AS name, count(*) FILTER (WHERE kind = 'view') AS views,
             count(*) FILTER (WHERE kind = 'cart') AS cart_adds, sum(quantity) FILTER (WHERE kind = 'purchase') AS quantity,
             sum(quantity * price) FILTER (WHERE kind = 'purchase') AS price,
             sum(quantity) FILTER (WHERE kind = 'purchase' AND price IS NULL) AS priceless
      FROM item WHERE product IS NOT NULL GROUP BY product, currency, day),
    worths AS (SELECT *, ${worth} AS worth FROM daily)
    SELECT product, max(name) AS name, sum(views)::int AS views, sum(cart_adds)::int AS cart_adds,
           coalesce(sum(quantity), 0)::float8 AS quantity, ${told(Prisma.sql`sum(worth)`, scope.currency)} AS revenue,
           coalesce(sum(CASE WHEN worth IS NULL THEN quantity ELSE priceless END), 0)::float8 AS unpriced
    FROM worths GROUP BY product
    ORDER BY coalesce(sum(worth), 0) DESC, 5 DESC, views DESC, product LIMIT ${limit}`;
}

/** SQL for the first of some fields of a JSON object that is not empty, as text; null without any. */
const firstOf = (object: Prisma.Sql, fields: readonly string[]): Prisma.Sql =>
  Prisma.sql`coalesce(${Prisma.join(fields.map((field) => Prisma.sql`nullif(${object} ->> ${field}, '')`))})`;

const ITEM_ID = firstOf(Prisma.sql`one`, ITEM_FIELDS.id);
const ITEM_NAME = firstOf(Prisma.sql`one`, ITEM_FIELDS.name);

/** SQL for the items of an event as a JSON array. An event about one product may carry its fields itself. */
const ITEMS = Prisma.sql`CASE
  ${Prisma.join(
    COMMERCE_PROPERTIES.items.map(
      (key) => Prisma.sql`WHEN jsonb_typeof(props -> ${key}) = 'array' THEN props -> ${key}`,
    ),
    " ",
  )}
  WHEN ${firstOf(Prisma.sql`props`, ITEM_FIELDS.id)} IS NOT NULL THEN jsonb_build_array(props) ELSE '[]'::jsonb END`;
