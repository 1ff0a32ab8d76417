import type { CampaignWords } from "@/lib/analytics/campaigns";
import { convertedOn, told } from "@/lib/analytics/money";
import type { Scope } from "@/lib/analytics/question";
import type { Sales } from "@/lib/analytics/sales";
import { Prisma, reports } from "@/lib/db";

/** What sales come to: as a whole, and by source, campaign, coupon, currency and day, in one pass over them. */

/** Amounts are decimal text in the reporting currency. */
export interface Takings {
  orders: number;
  /** Orders whose amount is known in the reporting currency. */
  priced: number;
  order_revenue: string;
  other_revenue: string;
  revenue: string;
  refunds: string;
  refund_count: number;
  net: string;
  /** Of the orders; null without any with a known amount. */
  average: string | null;
  tax: string;
  shipping: string;
}

/** Of one currency, or of one day in it: decimal text in the currency itself. */
interface Foreign {
  currency: string;
  earned: string;
  returned: string;
  /** The part of these whose rate is not known. */
  unconverted: string;
  unconverted_returned: string;
}

export interface Commerce {
  totals: Takings & { buyers: number };
  sources: (Takings & { source: string | null })[];
  campaigns: (Takings & CampaignWords)[];
  coupons: (Takings & { coupon: string })[];
  currencies: (Takings & Foreign)[];
  /** By currency and local day, the newest first. */
  days: { currency: string; day: string }[];
}

type Row = Takings &
  Foreign & { buyers: number } & {
    list: keyof typeof LISTS;
    source: string | null;
    words: CampaignWords;
    coupon: string;
    day: string;
  };

/** The bits that Postgres' `GROUPING` sets for source, campaign, coupon, currency and day where a row is of all of them. */
const LISTS = { 31: "totals", 15: "sources", 23: "campaigns", 27: "coupons", 29: "currencies", 28: "days" } as const;

/** @param limit of each list. */
export async function commerceOf({ scope, counted }: Sales, limit: number): Promise<Commerce> {
  const rows = await reports().$queryRaw<Row[]>`
    WITH sale AS MATERIALIZED (
      SELECT fact.visitor_id, fact.kind, fact.currency::text AS currency, fact.day, fact.amount, fact.campaign,
        nullif(led.source, '') AS source,
        CASE WHEN kind = 'purchase' THEN left(nullif(fact.props ->> 'coupon', ''), 255) END AS coupon,
        CASE WHEN kind = 'purchase' THEN ${decimal(Prisma.sql`fact.props ->> 'tax'`)} END AS tax,
        CASE WHEN kind = 'purchase' THEN ${decimal(Prisma.sql`fact.props ->> 'shipping'`)} END AS shipping
      FROM ${counted} AS fact
      LEFT JOIN facts.referrer AS led ON led.site_id = ${scope.siteId} AND led.id = fact.referrer),
    -- What one unit is worth, to many more places than money has.
    rate AS MATERIALIZED (
      SELECT currency, day, ${convertedOn(scope, Prisma.sql`1e20::numeric`, Prisma.sql`currency`, Prisma.sql`day`)} * 1e-20::numeric AS worth
      FROM (SELECT DISTINCT currency, day FROM sale) AS asked),
    sums AS (
      SELECT GROUPING(source, campaign, coupon, currency, day) AS list, source, campaign, coupon, currency, day,
        ${SUMS} FROM sale LEFT JOIN rate USING (currency, day)
      GROUP BY GROUPING SETS ((), (source), (campaign), (coupon), (currency), (currency, day))),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY list ORDER BY day DESC NULLS LAST, coalesce(of_orders, 0) + coalesce(of_others, 0) DESC,
        orders DESC, returned_worth DESC NULLS LAST, source, campaign, coupon, currency) AS place
      FROM sums WHERE list = 31 OR list = 15 OR (list = 23 AND campaign <> 0) OR (list = 27 AND coupon IS NOT NULL)
        OR (list IN (28, 29) AND currency <> ${scope.currency}))
    SELECT list, ranked.source, words, coupon, currency, day::text AS day, ${tellings(scope)},
      -- Asked of each row, it would have the sales sorted once for each list.
      CASE WHEN list = 31 THEN (SELECT count(*)::int FROM (
        SELECT DISTINCT day, visitor_id FROM sale WHERE kind = 'purchase' AND visitor_id IS NOT NULL) AS buyer) END AS buyers
    FROM ranked LEFT JOIN LATERAL (
      SELECT jsonb_build_object('source', nullif(tag.source, ''), 'medium', nullif(medium, ''), 'campaign',
        nullif(tag.campaign, ''), 'term', nullif(term, ''), 'content', nullif(content, '')) AS words
      FROM facts.campaign AS tag WHERE tag.site_id = ${scope.siteId} AND tag.id = ranked.campaign) AS tags ON true
    WHERE place <= ${limit} ORDER BY list, place`;
  const of = (name: (typeof LISTS)[keyof typeof LISTS]) => rows.filter(({ list }) => LISTS[list] === name);
  return {
    totals: of("totals")[0] as Row,
    sources: of("sources"),
    campaigns: of("campaigns").map(({ words, ...row }) => ({ ...row, ...words })),
    coupons: of("coupons"),
    currencies: of("currencies"),
    days: of("days"),
  };
}

/** SQL for a text as a number, null when it is none: what a custom event carries may be anything. */
export const decimal = (text: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${text} ~ '^\\d{1,12}(\\.\\d{1,20})?$' THEN (${text})::numeric END`;

const SUMS = Prisma.sql`
  (count(*) FILTER (WHERE kind = 'purchase'))::int AS orders,
  (count(amount * worth) FILTER (WHERE kind = 'purchase'))::int AS priced,
  sum(amount * worth) FILTER (WHERE kind = 'purchase') AS of_orders,
  sum(amount * worth) FILTER (WHERE kind = 'other') AS of_others,
  sum(-amount * worth) FILTER (WHERE kind = 'refund') AS returned_worth,
  (count(*) FILTER (WHERE kind = 'refund'))::int AS refund_count,
  sum(tax * worth) AS taxed, sum(shipping * worth) AS shipped,
  sum(amount) FILTER (WHERE kind <> 'refund') AS earned,
  sum(-amount) FILTER (WHERE kind = 'refund') AS returned,
  sum(amount) FILTER (WHERE kind <> 'refund' AND worth IS NULL) AS unconverted,
  sum(-amount) FILTER (WHERE kind = 'refund' AND worth IS NULL) AS unconverted_returned`;

function tellings({ currency }: Scope): Prisma.Sql {
  const tell = (sum: Prisma.Sql) => told(sum, currency);
  const [orders, others] = [Prisma.sql`coalesce(of_orders, 0)`, Prisma.sql`coalesce(of_others, 0)`];
  return Prisma.sql`
    orders, priced, refund_count, ${tell(orders)} AS order_revenue, ${tell(others)} AS other_revenue,
    ${tell(Prisma.sql`${orders} + ${others}`)} AS revenue, ${tell(Prisma.sql`returned_worth`)} AS refunds,
    ${tell(Prisma.sql`${orders} + ${others} - coalesce(returned_worth, 0)`)} AS net,
    CASE WHEN priced > 0 THEN ${tell(Prisma.sql`${orders} / priced`)} END AS average,
    ${tell(Prisma.sql`taxed`)} AS tax, ${tell(Prisma.sql`shipped`)} AS shipping,
    coalesce(earned, 0)::text AS earned, coalesce(returned, 0)::text AS returned,
    coalesce(unconverted, 0)::text AS unconverted, coalesce(unconverted_returned, 0)::text AS unconverted_returned`;
}

/** How refunds stand against the orders of the same range. */
export interface Refunds {
  orders: number;
  of_other_orders: number;
  without_order: number;
  exceeding: number;
  repeated_orders: number;
}

/**
 * Looks at each order with its refunds. A refund exceeds its order when all of them together are more than was paid; that
 * is told only where both are in one currency, because rates change.
 */
export async function refundsOf({ all }: Sales): Promise<Refunds> {
  const rows = await reports().$queryRaw<Refunds[]>`
    SELECT (count(*) FILTER (WHERE refunds > 0 AND order_id IS NOT NULL))::int AS orders,
      (count(*) FILTER (WHERE refunds > 0 AND order_id IS NOT NULL AND NOT placed))::int AS of_other_orders,
      coalesce(sum(refunds) FILTER (WHERE order_id IS NULL), 0)::int AS without_order,
      (count(*) FILTER (WHERE order_id IS NOT NULL AND placed AND currencies = 1 AND returned > paid))::int AS exceeding,
      coalesce(sum(repeats), 0)::int AS repeated_orders
    FROM (
      SELECT order_id, bool_or(kind = 'purchase') AS placed, count(*) FILTER (WHERE kind = 'refund') AS refunds,
        count(DISTINCT currency) FILTER (WHERE NOT repeated) AS currencies,
        sum(amount) FILTER (WHERE kind = 'purchase' AND NOT repeated) AS paid,
        sum(-amount) FILTER (WHERE kind = 'refund') AS returned, count(*) FILTER (WHERE repeated) AS repeats
      FROM ${all} AS sale GROUP BY order_id) AS by_order`;
  return rows[0] as Refunds;
}
