import { z } from "zod";
import { asSent, rounded } from "@/lib/analytics/money/amounts";
import { usedRates } from "@/lib/analytics/money/rates";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import {
  type Commerce,
  type CommerceTotals,
  commerceOf,
  commerceTotals,
  type SalesTotals,
  SHOP_STEPS,
  shopFunnel,
} from "@/lib/analytics/reports/commerce";
import { seriesTotals } from "@/lib/analytics/reports/series";
import { seriesOf, seriesShape, tagFields, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import {
  about,
  attribution,
  currencyCode,
  euros,
  metaShape,
  moneyShape,
  reportFields,
  untrusted,
} from "@/lib/contract/fields";

const MAX_ROWS = 100;

const revenue = about(
  moneyShape,
  "Amounts of purchases (each order once) and of all other events with a positive amount, converted to the reporting currency at the rate of their local day",
  euros("441.00"),
);
const orders = about(
  z.int(),
  "Number of orders. Each order_id counts once, by its earliest purchase in the range; each purchase without an order_id counts as one order",
  9,
);
const refunds = about(
  moneyShape,
  "Refunded amount, as a positive number: refund events and negative amounts. They count when they happened, no matter when the order was",
  euros("49.00"),
);
const net = about(moneyShape, "Revenue minus refunds; negative when refunds exceed revenue", euros("392.00"));
const average = about(
  moneyShape.nullable(),
  "Revenue of orders divided by the number of orders whose amount is known in the reporting currency; null without such orders",
  euros("49.00"),
);
const part = { orders, revenue, refunds, net, average_order_value: average };

const totalsShape = z.object({
  ...part,
  order_revenue: about(moneyShape, "Revenue from purchases", euros("441.00")),
  other_revenue: about(moneyShape, "Revenue from other events", euros("0.00")),
  refund_count: z.int().meta({ examples: [1] }),
  tax: about(moneyShape, "Tax reported by the orders; the sender decides whether revenue includes it", euros("70.41")),
  shipping: about(moneyShape, "Shipping reported by the orders", euros("0.00")),
  visitors: about(z.int(), "All visitors in the range", 128),
  buyers: about(z.int(), "Unique visitors with an order, summed over local days", 9),
  conversion_rate: about(z.number().nullable(), "Buyers divided by visitors, at most 1", 0.07),
});

const fraction = z.number().nullable();
const nothing = moneyShape.meta({ examples: [euros("0.00")] });
const ownAmount = z.string().meta({ description: "Amount in this currency" });
const inOwnCurrency = { currency: currencyCode, revenue: ownAmount, refunds: ownAmount };

const commerceShape = z.object({
  meta: metaShape,
  totals: totalsShape,
  previous: about(totalsShape.nullable(), "The comparison range", {
    orders: 8,
    revenue: euros("392.00"),
    refunds: euros("0.00"),
    net: euros("392.00"),
    average_order_value: euros("49.00"),
    order_revenue: euros("392.00"),
    other_revenue: euros("0.00"),
    refund_count: 0,
    tax: euros("62.59"),
    shipping: euros("0.00"),
    visitors: 114,
    buyers: 8,
    conversion_rate: 0.07,
  }),
  refunds: z
    .object({
      orders: about(z.int(), "Orders with at least one refund", 1),
      of_other_orders: z.int().meta({ description: "Of these, orders that are not in the range (older or unknown)" }),
      without_order: z.int().meta({ description: "Refunds without an order_id" }),
      exceeding: z.int().meta({
        description: "Orders in the range whose refunds exceed the amount paid, if both have the same currency",
      }),
    })
    .meta({ description: "Refunds compared with the orders of the range" }),
  repeated_orders: z
    .int()
    .meta({ description: "Purchases that repeat an order_id of the range and are not counted again" }),
  funnel: z
    .array(
      z.object({
        step: z.string(),
        visitors: z.int(),
        from_first: fraction.meta({ description: "Share of the visitors of the first step" }),
        from_previous: fraction.meta({
          description: "Share of the visitors of the previous step; null for the first step",
        }),
      }),
    )
    .meta({
      description:
        "Purchase funnel, as in analytics.funnels with a window of 24 hours. Each step is strictly later than the previous one; a visitor counts once per local day of the first step",
      examples: [
        [
          { step: "product_viewed", visitors: 74, from_first: 1, from_previous: null },
          { step: "cart_added", visitors: 14, from_first: 0.19, from_previous: 0.19 },
          { step: "checkout_started", visitors: 10, from_first: 0.14, from_previous: 0.71 },
          { step: "purchase", visitors: 9, from_first: 0.12, from_previous: 0.9 },
        ],
      ],
    }),
  products: z.array(
    z.object({
      product: about(untrusted, "The product_id, or the name if it has none", "pro-1y"),
      name: untrusted.nullable().meta({ examples: ["Pro, one year"] }),
      views: z.int().meta({ examples: [96] }),
      cart_adds: about(z.int(), "Number of times it was added to a cart", 14),
      quantity: about(z.number(), "Units in counted orders; an item without a quantity counts as one", 9),
      revenue: about(moneyShape, "Price times quantity of the units in counted orders", euros("441.00")),
      unpriced: z.number().meta({
        description: "Units that are not in the revenue, because their price is missing or cannot be converted",
      }),
    }),
  ),
  sources: z.array(z.object({ source: tagFields.source, ...part })),
  campaigns: z.array(z.object({ ...tagFields, ...part })),
  coupons: z.array(
    z.object({
      coupon: untrusted.meta({ examples: ["AUTUMN10"] }),
      orders,
      revenue: moneyShape.meta({ examples: [euros("441.00")] }),
    }),
  ),
  currencies: z
    .array(
      z.object({ ...inOwnCurrency, converted_revenue: moneyShape, converted_refunds: moneyShape }).meta({
        examples: [
          {
            currency: "USD",
            revenue: "53.09",
            refunds: "0.00",
            converted_revenue: euros("49.00"),
            converted_refunds: euros("0.00"),
          },
        ],
      }),
    )
    .meta({ description: "Amounts by currency, without the reporting currency" }),
  rates: z
    .array(
      z.object({
        currency: currencyCode.meta({ examples: ["USD"] }),
        day: about(z.string(), "The local day of the amounts", "2026-11-20"),
        rate: about(z.string(), "Units of the reporting currency for one unit of `currency`", "0.923"),
        rate_date: about(z.string(), "Day of the rate; for a cross rate, the older one of the two", "2026-11-20"),
        source: about(
          z.enum(["own", "reference"]),
          "own: set for the site; reference: reference rate of the European Central Bank",
          "reference",
        ),
      }),
    )
    .meta({ description: "Exchange rates used, newest day first" }),
  unconverted: z.array(z.object(inOwnCurrency)).meta({
    description:
      "Amounts that are in no other number, because no exchange rate of their currency is known for their day",
    examples: [[{ currency: "UAH", revenue: "1200.00", refunds: "0.00" }]],
  }),
  series: seriesShape(
    {
      visitors: about(z.int(), "All visitors in the bucket", 21),
      buyers: about(z.int(), "Visitors with an order in the bucket", 1),
      orders: orders.meta({ examples: [1] }),
      revenue: moneyShape,
      refunds: nothing,
      net: moneyShape,
      average_order_value: average,
    },
    "The range in buckets. An order that is sent twice counts in the bucket of the first purchase",
  ),
});

export default defineOperation({
  id: "analytics.commerce",
  title: "Commerce",
  about:
    "Revenue, orders, refunds, purchase funnel and products, in the reporting currency. Every event with revenue counts, including custom events; amounts that cannot be converted are listed separately.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({ ...reportFields, attribution }),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: commerceShape,

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const trend = trendOf(scope, now);
    const [commerce, { totals: all, sums: whole }, previous, steps] = await Promise.all([
      commerceOf(scope, MAX_ROWS + 1, trend),
      seriesTotals(scope, trend.interval, trend.starts),
      before && Promise.all([commerceTotals(before), visitorsOf(before)]),
      shopFunnel(scope),
    ]);
    const { sources, campaigns, coupons, currencies, days, products } = commerce;
    const { repeated_orders, ...refunds } = commerce.refunds;
    const lists = [sources, campaigns, coupons, currencies, days, products];
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        interval: trend.interval,
        row_limit: MAX_ROWS,
        truncated: lists.some(({ length }) => length > MAX_ROWS),
      },
      totals: inTotal(commerce.totals, whole.visitors, scope),
      previous: previous && inTotal(...previous, scope),
      refunds,
      repeated_orders,
      funnel: funnelOf(steps),
      products: products.slice(0, MAX_ROWS).map((row) => ({ ...row, revenue: money(row.revenue, scope) })),
      ...partsOf(commerce, scope),
      rates: await usedRates(scope, days.slice(0, MAX_ROWS)),
      series: seriesOf(trend, (index) => {
        const found = commerce.buckets.find(({ bucket }) => bucket === index);
        const amount = (sum: string | null | undefined) => money(rounded(sum ?? null, scope.currency), scope);
        return {
          visitors: all[index]?.visitors ?? 0,
          buyers: commerce.buyers[index] ?? 0,
          orders: found?.orders ?? 0,
          revenue: amount(found?.revenue),
          refunds: amount(found?.refunds),
          net: amount(found?.net),
          average_order_value:
            found && found.priced > 0 ? money(rounded(found.of_orders, scope.currency, found.priced), scope) : null,
        };
      }),
    };
  },
});

const visitorsOf = async (scope: Scope): Promise<number> => (await sumsOf(scope, ["visits"])).visitors;

const money = (amount: string, { currency }: Scope) => ({ amount, currency });

const partOf = ({ orders, revenue, refunds, net, average }: SalesTotals, scope: Scope) => ({
  orders,
  revenue: money(revenue, scope),
  refunds: money(refunds, scope),
  net: money(net, scope),
  average_order_value: average === null ? null : money(average, scope),
});

const inTotal = (totals: CommerceTotals, visitors: number, scope: Scope) => ({
  ...partOf(totals, scope),
  order_revenue: money(totals.order_revenue, scope),
  other_revenue: money(totals.other_revenue, scope),
  refund_count: totals.refund_count,
  tax: money(totals.tax, scope),
  shipping: money(totals.shipping, scope),
  visitors,
  buyers: totals.buyers,
  conversion_rate: conversionRate(totals.buyers, visitors),
});

const funnelOf = (steps: readonly number[]) =>
  SHOP_STEPS.map((step, index) => {
    const [visitors = 0, first = 0, previous = 0] = [steps[index], steps[0], index > 0 ? steps[index - 1] : 0];
    return {
      step,
      visitors,
      from_first: first > 0 ? visitors / first : null,
      from_previous: previous > 0 ? visitors / previous : null,
    };
  });

function partsOf({ sources, campaigns, coupons, currencies }: Commerce, scope: Scope) {
  const listed = currencies.slice(0, MAX_ROWS);
  const own = (amount: string, currency: string) => asSent(amount, currency).amount;
  return {
    sources: sources.slice(0, MAX_ROWS).map(({ source, ...row }) => ({ source, ...partOf(row, scope) })),
    campaigns: campaigns.slice(0, MAX_ROWS).map(({ source, medium, campaign, term, content, ...row }) => ({
      source,
      medium,
      campaign,
      term,
      content,
      ...partOf(row, scope),
    })),
    coupons: coupons.slice(0, MAX_ROWS).map(({ coupon, orders, order_revenue }) => ({
      coupon,
      orders,
      revenue: money(order_revenue, scope),
    })),
    currencies: listed.map(({ currency, earned, returned, revenue, refunds }) => ({
      currency,
      revenue: own(earned, currency),
      refunds: own(returned, currency),
      converted_revenue: money(revenue, scope),
      converted_refunds: money(refunds, scope),
    })),
    unconverted: listed
      .filter(
        ({ unconverted, unconverted_returned }) => Number(unconverted) !== 0 || Number(unconverted_returned) !== 0,
      )
      .map(({ currency, unconverted, unconverted_returned }) => ({
        currency,
        revenue: own(unconverted, currency),
        refunds: own(unconverted_returned, currency),
      })),
  };
}
