import { rounded } from "@/lib/analytics/money/amounts";
import { type Product, productsSql } from "@/lib/analytics/money/products";
import { converted, type Rates, ratesFor, ratesTable } from "@/lib/analytics/money/rates";
import { salesTable } from "@/lib/analytics/money/sales";
import { AMOUNT, ofKinds } from "@/lib/analytics/query/commerce-events";
import { NAMED_EVENTS } from "@/lib/analytics/query/event-types";
import { reached } from "@/lib/analytics/query/funnel-paths";
import { queryCopy, type Scope } from "@/lib/analytics/query/scope";
import type { CampaignWords } from "@/lib/analytics/reports/campaigns";
import { bucketed, inBuckets, type Trend } from "@/lib/analytics/reports/trend";
import { type Sql, sql } from "@/lib/platform/sql";

/** Totals of sales, and by source, campaign, coupon, currency and day. */

/** Amounts are decimal text in the reporting currency. */
export interface SalesTotals {
  orders: number;
  order_revenue: string;
  other_revenue: string;
  revenue: string;
  refunds: string;
  refund_count: number;
  net: string;
  /** Average of the orders with an amount in the reporting currency; null without any. */
  average: string | null;
  tax: string;
  shipping: string;
}

/** Of one currency, or of one day in it: decimal text in the currency itself. */
interface Foreign {
  currency: string;
  earned: string;
  returned: string;
  /** The part without an exchange rate. */
  unconverted: string;
  unconverted_returned: string;
}

/** Refunds compared with the orders of the same range. */
interface Refunds {
  orders: number;
  of_other_orders: number;
  without_order: number;
  exceeding: number;
  repeated_orders: number;
}

export interface CommerceTotals extends SalesTotals {
  buyers: number;
}

export interface Commerce {
  totals: CommerceTotals;
  sources: (SalesTotals & { source: string | null })[];
  campaigns: (SalesTotals & CampaignWords)[];
  coupons: (SalesTotals & { coupon: string })[];
  currencies: (SalesTotals & Foreign)[];
  /** By currency and local day, the newest first. */
  days: { currency: string; day: number }[];
  refunds: Refunds;
  products: (Product & { revenue: string })[];
  /** The buckets that have sales. */
  buckets: CommerceBucket[];
  /** The visitors with an order in each bucket. */
  buyers: number[];
}

/** @param limit of each list. */
export async function commerceOf(scope: Scope, limit: number, trend: Trend): Promise<Commerce> {
  const rates = await ratesFor(scope, true);
  const [, sums, [buyers], [refunds], products, buckets, buyersBy] = (await queryCopy(
    scope,
    salesTable(scope, DETAILS),
    sumsSql(scope, rates, limit),
    BUYERS,
    REFUNDS,
    productsSql(scope, rates, limit),
    bucketsSql(scope, rates, trend),
    buyersSql(scope, trend),
  )) as unknown as [
    unknown[],
    SumsRow[],
    [{ buyers: number }],
    [Refunds],
    Product[],
    CommerceBucket[],
    { bucket: number; buyers: number }[],
  ];
  const of = (list: (typeof LIST_BY_GROUPING)[keyof typeof LIST_BY_GROUPING]) =>
    sums.filter((row) => LIST_BY_GROUPING[row.list] === list).map((row) => ({ ...row, ...salesTotalsOf(row, scope) }));
  return {
    totals: { ...(of("totals")[0] as SumsRow & SalesTotals), ...buyers },
    sources: of("sources"),
    campaigns: of("campaigns").map(({ words, ...row }) => ({ ...row, ...(words as CampaignWords) })),
    coupons: of("coupons"),
    currencies: of("currencies"),
    days: of("days"),
    refunds,
    products: products.map((row) => ({ ...row, revenue: rounded(row.revenue, scope.currency) })),
    buckets,
    buyers: inBuckets(trend, buyersBy, (row) => row.buyers),
  };
}

export async function commerceTotals(scope: Scope): Promise<CommerceTotals> {
  const rates = await ratesFor(scope);
  const [, sums, [buyers]] = (await queryCopy(
    scope,
    salesTable(scope, DETAILS),
    sumsSql(scope, rates, 1),
    BUYERS,
  )) as unknown as [unknown[], SumsRow[], [{ buyers: number }]];
  const row = sums.find(({ list }) => LIST_BY_GROUPING[list] === "totals") as SumsRow;
  return { ...salesTotalsOf(row, scope), ...buyers };
}

/** The bits that GROUPING sets for source, campaign, coupon, currency and day where a row is of all of them. */
const LIST_BY_GROUPING = {
  31: "totals",
  15: "sources",
  23: "campaigns",
  27: "coupons",
  29: "currencies",
  28: "days",
} as const;

/** Exact sums; null is none. */
interface SumsRow extends Foreign {
  list: keyof typeof LIST_BY_GROUPING;
  source: string | null;
  words: CampaignWords | null;
  coupon: string;
  day: number;
  orders: number;
  /** Orders whose amount is known in the reporting currency. */
  priced: number;
  refund_count: number;
  of_orders: string | null;
  of_others: string | null;
  revenue_sum: string | null;
  net_sum: string | null;
  returned_worth: string | null;
  taxed: string | null;
  shipped: string | null;
}

function salesTotalsOf(row: SumsRow, { currency }: Scope): SalesTotals {
  const amount = (sum: string | null) => rounded(sum, currency);
  return {
    orders: row.orders,
    refund_count: row.refund_count,
    order_revenue: amount(row.of_orders),
    other_revenue: amount(row.of_others),
    revenue: amount(row.revenue_sum),
    refunds: amount(row.returned_worth),
    net: amount(row.net_sum),
    average: row.priced > 0 ? rounded(row.of_orders, currency, row.priced) : null,
    tax: amount(row.taxed),
    shipping: amount(row.shipped),
  };
}

/** Sales are added up by all keys and the day first, so that each sum is converted once. */
const sumsSql = (scope: Scope, rates: Rates, limit: number): Sql => sql`
  WITH part AS (
    SELECT nullif(led.source, '') AS source, sale.campaign, sale.currency, sale.day, kind, ${ofPurchase(sql`sale.coupon`)} AS coupon,
      count(*) AS sales, count(amount) AS amounts, sum(amount) AS amount,
      sum(${ofPurchase(sql`sale.tax`)}) AS tax,
      sum(${ofPurchase(sql`sale.shipping`)}) AS shipping
    FROM sale JOIN referrer AS led ON led.id = sale.referrer WHERE NOT repeated GROUP BY ALL),
  worths AS (
    SELECT part.*, ${worthOf("amount", scope)} AS worth, ${worthOf("tax", scope)} AS tax_worth,
      ${worthOf("shipping", scope)} AS shipping_worth,
      part.currency = ${scope.currency} OR rate.currency IS NOT NULL AS known
    FROM part LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = part.currency AND rate.day = part.day),
  sums AS (
    SELECT GROUPING(source, campaign, coupon, currency, day) AS list, source, campaign, coupon, currency, day, ${SALES_SUMS}
    FROM worths GROUP BY GROUPING SETS ((), (source), (campaign), (coupon), (currency), (currency, day))),
  ranked AS (
    SELECT sums.*, ${WORDS} AS words, row_number() OVER (PARTITION BY list ORDER BY day DESC NULLS LAST, revenue_sum DESC,
      orders DESC, returned_worth DESC NULLS LAST, sums.source NULLS LAST, words NULLS LAST, coupon NULLS LAST,
      currency NULLS LAST) AS place
    FROM sums LEFT JOIN campaign AS tag ON tag.id = sums.campaign
    WHERE list = 31 OR list = 15 OR (list = 23 AND sums.campaign <> 0) OR (list = 27 AND coupon IS NOT NULL)
      OR (list IN (28, 29) AND currency <> ${scope.currency}))
  SELECT list, source, words, coupon, currency, day, orders, priced, refund_count, ${TEXTS}
  FROM ranked WHERE place <= ${limit} ORDER BY list, place`;

/** The columns of sales that only this report reads. */
const DETAILS = sql`, fact.coupon, fact.tax, fact.shipping, fact.items, fact.items_currency`;

const ofPurchase = (value: Sql): Sql => sql`CASE WHEN kind = 'purchase' THEN ${value} END`;
const worthOf = (sum: "amount" | "tax" | "shipping", scope: Scope): Sql =>
  converted(
    { amount: sql`part.amount`, tax: sql`part.tax`, shipping: sql`part.shipping` }[sum],
    sql`part.currency`,
    scope,
  );

const SALES_SUMS = sql`
  coalesce(sum(sales) FILTER (WHERE kind = 'purchase'), 0)::BIGINT AS orders,
  coalesce(sum(amounts) FILTER (WHERE kind = 'purchase' AND known), 0)::BIGINT AS priced,
  sum(worth) FILTER (WHERE kind = 'purchase') AS of_orders,
  sum(worth) FILTER (WHERE kind = 'other') AS of_others,
  coalesce(sum(worth) FILTER (WHERE kind <> 'refund'), 0) AS revenue_sum,
  sum(worth) AS net_sum,
  sum(-worth) FILTER (WHERE kind = 'refund') AS returned_worth,
  coalesce(sum(sales) FILTER (WHERE kind = 'refund'), 0)::BIGINT AS refund_count,
  sum(tax_worth) AS taxed, sum(shipping_worth) AS shipped,
  coalesce(sum(amount) FILTER (WHERE kind <> 'refund'), 0)::${AMOUNT} AS earned,
  coalesce(sum(-amount) FILTER (WHERE kind = 'refund'), 0)::${AMOUNT} AS returned,
  coalesce(sum(amount) FILTER (WHERE kind <> 'refund' AND NOT known), 0)::${AMOUNT} AS unconverted,
  coalesce(sum(-amount) FILTER (WHERE kind = 'refund' AND NOT known), 0)::${AMOUNT} AS unconverted_returned`;

const TEXTS = sql`
  of_orders::VARCHAR AS of_orders, of_others::VARCHAR AS of_others, revenue_sum::VARCHAR AS revenue_sum,
  net_sum::VARCHAR AS net_sum, returned_worth::VARCHAR AS returned_worth, taxed::VARCHAR AS taxed,
  shipped::VARCHAR AS shipped, earned::VARCHAR AS earned, returned::VARCHAR AS returned,
  unconverted::VARCHAR AS unconverted, unconverted_returned::VARCHAR AS unconverted_returned`;

const WORDS = sql`
  CASE WHEN tag.id IS NOT NULL THEN {'source': nullif(tag.source, ''), 'medium': nullif(tag.medium, ''),
    'campaign': nullif(tag.campaign, ''), 'term': nullif(tag.term, ''), 'content': nullif(tag.content, '')} END`;

/** Visitors with an order, on each local day. */
const BUYERS = sql`
  SELECT count(DISTINCT (day, visitor_id)) AS buyers FROM sale
  WHERE kind = 'purchase' AND NOT repeated AND visitor_id IS NOT NULL`;

/** SQL for the same of each bucket. */
const buyersSql = (scope: Scope, trend: Trend): Sql => sql`
  SELECT buckets.number AS bucket, count(DISTINCT (fact.day, fact.visitor_id)) AS buyers
  FROM (SELECT * FROM sale WHERE kind = 'purchase' AND NOT repeated AND visitor_id IS NOT NULL) AS fact
  ${bucketed(scope, trend)} GROUP BY bucket`;

/**
 * Looks at each order with its refunds. A refund exceeds its order when all of them together are more than was paid; that
 * is known only where both are in one currency, because rates change.
 */
const REFUNDS = sql`
  SELECT count(*) FILTER (WHERE refunds > 0 AND order_id IS NOT NULL) AS orders,
    count(*) FILTER (WHERE refunds > 0 AND order_id IS NOT NULL AND NOT placed) AS of_other_orders,
    coalesce(sum(refunds) FILTER (WHERE order_id IS NULL), 0)::BIGINT AS without_order,
    count(*) FILTER (WHERE order_id IS NOT NULL AND placed AND currencies = 1 AND returned > paid) AS exceeding,
    coalesce(sum(repeats), 0)::BIGINT AS repeated_orders
  FROM (
    SELECT order_id, bool_or(kind = 'purchase') AS placed, count(*) FILTER (WHERE kind = 'refund') AS refunds,
      count(DISTINCT currency) FILTER (WHERE NOT repeated) AS currencies,
      sum(amount) FILTER (WHERE kind = 'purchase' AND NOT repeated) AS paid,
      sum(-amount) FILTER (WHERE kind = 'refund') AS returned, count(*) FILTER (WHERE repeated) AS repeats
    FROM sale GROUP BY order_id) AS by_order`;

export const SHOP_STEPS = ["product_viewed", "cart_added", "checkout_started", "purchase"] as const;
const WINDOW_MINUTES = 24 * 60;

/** Counts the visitors who got to each step at least, as in every funnel. */
export async function shopFunnel(scope: Scope): Promise<number[]> {
  const furthest = await reached({
    scope,
    conditions: SHOP_STEPS.map((kind) => ofKinds(kind)),
    types: NAMED_EVENTS,
    windowMinutes: WINDOW_MINUTES,
  });
  return furthest.map((_, index) => furthest.slice(index).reduce((sum, visitors) => sum + visitors, 0));
}

interface CommerceBucket {
  bucket: number;
  orders: number;
  /** Orders whose amount is known in the reporting currency, and the sum of these. */
  priced: number;
  of_orders: string | null;
  revenue: string | null;
  refunds: string | null;
  net: string | null;
}

/** SQL for the sales of each bucket, in the reporting currency. An order counts once in the whole range. */
const bucketsSql = (scope: Scope, rates: Rates, trend: Trend): Sql => sql`
    SELECT bucket, coalesce(sum(sales) FILTER (WHERE kind = 'purchase'), 0)::BIGINT AS orders,
      coalesce(sum(amounts) FILTER (WHERE kind = 'purchase' AND worth IS NOT NULL), 0)::BIGINT AS priced,
      (sum(worth) FILTER (WHERE kind = 'purchase'))::VARCHAR AS of_orders,
      (sum(worth) FILTER (WHERE kind <> 'refund'))::VARCHAR AS revenue,
      (sum(-worth) FILTER (WHERE kind = 'refund'))::VARCHAR AS refunds, sum(worth)::VARCHAR AS net
    FROM (
      SELECT part.*, ${converted(sql`part.amount`, sql`part.currency`, scope)} AS worth
      FROM (
        SELECT buckets.number AS bucket, fact.kind, fact.currency, fact.day, count(*) AS sales, count(fact.amount) AS amounts,
          sum(fact.amount) AS amount
        FROM (SELECT * FROM sale WHERE NOT repeated) AS fact ${bucketed(scope, trend)} GROUP BY ALL) AS part
      LEFT JOIN ${ratesTable(rates)} AS rate ON rate.currency = part.currency AND rate.day = part.day) AS converted
    GROUP BY bucket`;
