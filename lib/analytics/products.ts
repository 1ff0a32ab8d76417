import { decimal } from "@/lib/analytics/commerce";
import { NAMED_EVENTS } from "@/lib/analytics/dimensions";
import { ofTypes } from "@/lib/analytics/filters";
import { convertedOn, dateOf, told } from "@/lib/analytics/money";
import { dayOf, eventsIn, type Scope } from "@/lib/analytics/question";
import { namesOf, type Sales } from "@/lib/analytics/sales";
import { Prisma, reports } from "@/lib/db";

/** What happened to the things that are sold. */

export const SHOP_STEPS = ["product_viewed", "cart_added", "checkout_started", "purchase"] as const;
const WINDOW = "24 hours";
const NONE = -1;

/**
 * How many visitors got to each step: each strictly later than the one before and all within 24 hours of the first one.
 * A visitor counts once on each local day on which they began. One pass over the shop's events.
 */
export async function shopFunnel(scope: Scope): Promise<number[]> {
  const names = await namesOf(scope.siteId, SHOP_STEPS);
  const ids = SHOP_STEPS.map((step) => names[step] ?? NONE);
  const times = (index: number) => Prisma.sql`array_agg(fact.ts) FILTER (WHERE fact.name = ${ids[index]}::int)`;
  const next = (index: number) => Prisma.sql`
    LATERAL (SELECT min(later) FROM unnest(path.${TIMES[index]}) AS later
             WHERE later > ${AT[index - 1]} AND later <= t0 + ${WINDOW}::interval) AS ${STEP[index]}(${AT[index]})`;
  const rows = await reports().$queryRaw<Record<string, number>[]>`
    SELECT count(*)::int AS s0, count(*) FILTER (WHERE s1)::int AS s1, count(*) FILTER (WHERE s2)::int AS s2,
           count(*) FILTER (WHERE s3)::int AS s3 FROM (
      SELECT path.visitor_id, ${dayOf(Prisma.sql`t0`, scope)} AS day, bool_or(t1 IS NOT NULL) AS s1,
             bool_or(t2 IS NOT NULL) AS s2, bool_or(t3 IS NOT NULL) AS s3
      FROM (
        SELECT fact.visitor_id, ${times(0)} AS a0, ${times(1)} AS a1, ${times(2)} AS a2, ${times(3)} AS a3
        FROM facts.event AS fact
        WHERE ${eventsIn(scope)} AND ${ofTypes(NAMED_EVENTS)} AND fact.name = ANY(${ids}::int[])
        GROUP BY fact.visitor_id) AS path
      CROSS JOIN LATERAL unnest(path.a0) AS first(t0)
      CROSS JOIN ${next(1)} CROSS JOIN ${next(2)} CROSS JOIN ${next(3)}
      GROUP BY 1, 2) AS walked`;
  return ["s0", "s1", "s2", "s3"].map((step) => rows[0]?.[step] ?? 0);
}

const TIMES = [Prisma.sql`a0`, Prisma.sql`a1`, Prisma.sql`a2`, Prisma.sql`a3`];
const AT = [Prisma.sql`t0`, Prisma.sql`t1`, Prisma.sql`t2`, Prisma.sql`t3`];
const STEP = [Prisma.sql`then0`, Prisma.sql`then1`, Prisma.sql`then2`, Prisma.sql`then3`];

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
  const { product_viewed = NONE, cart_added = NONE } = await namesOf(scope.siteId, ["product_viewed", "cart_added"]);
  const worth = convertedOn(scope, Prisma.sql`price`, Prisma.sql`currency`, Prisma.sql`day`);
  return reports().$queryRaw`
    WITH seen AS (
      SELECT CASE fact.name WHEN ${product_viewed}::int THEN 'view' ELSE 'cart' END AS kind,
             ${dateOf(scope, Prisma.sql`fact.ts`)} AS day, fact.props
      FROM facts.event AS fact
      WHERE ${eventsIn(scope)} AND ${ofTypes(NAMED_EVENTS)} AND fact.name IN (${product_viewed}, ${cart_added})
      UNION ALL SELECT kind, day, props FROM ${counted} AS sale WHERE kind = 'purchase'),
    item AS (
      SELECT kind, day, upper(props ->> 'currency') AS currency,
             left(coalesce(nullif(one ->> 'product_id', ''), nullif(one ->> 'name', '')), 255) AS product,
             left(nullif(one ->> 'name', ''), 255) AS name, coalesce(${decimal(Prisma.sql`one ->> 'quantity'`)}, 1) AS quantity,
             ${decimal(Prisma.sql`one ->> 'price'`)} AS price
      FROM seen CROSS JOIN LATERAL jsonb_array_elements(
        CASE jsonb_typeof(props -> 'items') WHEN 'array' THEN props -> 'items' ELSE '[]'::jsonb END) AS one),
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
