import { z } from "zod";
import { asSent, rounded } from "@/lib/analytics/money/amounts";
import { usedRates } from "@/lib/analytics/money/rates";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import {
  type Commerce,
  commerceOf,
  SHOP_STEPS,
  shopFunnel,
  type Takings,
  type Totals,
  totalsOf,
} from "@/lib/analytics/reports/commerce";
import { seriesOf, seriesShape, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import { metaShape, moneyShape, questionFields, untrusted } from "@/lib/contract/fields";

const MOST_ROWS = 100;

const revenue = moneyShape.meta({
  description:
    "Purchases, each order once, and every other event that carries a positive amount, however it was sent, in the reporting currency by the rate of its local day",
});
const orders = z.int().meta({
  description:
    "Purchases. An order_id counts once, with its earliest purchase in the range; a purchase without one is an order of its own",
});
const refunds = moneyShape.meta({
  description:
    "What was given back, as a positive amount: events named refund and negative amounts, counted where they happened, whenever their order was",
});
const net = moneyShape.meta({ description: "Revenue less refunds; below 0 when more was given back than came in" });
const average = moneyShape.nullable().meta({
  description:
    "Revenue of orders divided by the orders whose amount is known in the reporting currency; null without any",
});
const part = { orders, revenue, refunds, net, average_order_value: average };

const totalsShape = z.object({
  ...part,
  order_revenue: moneyShape.meta({ description: "Of the revenue, what purchases brought in" }),
  other_revenue: moneyShape.meta({ description: "Of the revenue, what other events brought in" }),
  refund_count: z.int(),
  tax: moneyShape.meta({ description: "Tax that the orders name; whether revenue holds it is up to the sender" }),
  shipping: moneyShape.meta({ description: "Shipping that the orders name" }),
  visitors: z.int().meta({ description: "All visitors of the question" }),
  buyers: z.int().meta({ description: "Distinct visitors with an order, added up over the local days" }),
  conversion_rate: z.number().nullable().meta({ description: "Buyers divided by visitors, at most 1" }),
});

const fraction = z.number().nullable();
const ownAmount = z.string().meta({ description: "In this currency", examples: ["12.34"] });
const inOwnCurrency = { currency: z.string().length(3), revenue: ownAmount, refunds: ownAmount };

const commerceShape = z.object({
  meta: metaShape,
  totals: totalsShape,
  previous: totalsShape.nullable().meta({ description: "The comparison range" }),
  refunds: z
    .object({
      orders: z.int().meta({ description: "Orders with at least one refund" }),
      of_other_orders: z.int().meta({ description: "Of these, orders that are not in the range: older, or unknown" }),
      without_order: z.int().meta({ description: "Refunds that name no order" }),
      exceeding: z.int().meta({
        description: "Orders of the range of which more was given back than was paid, in the one currency of both",
      }),
    })
    .meta({ description: "How refunds stand against the orders of the same range" }),
  repeated_orders: z
    .int()
    .meta({ description: "Purchases that repeated an order_id of the range and were not counted again" }),
  funnel: z
    .array(
      z.object({
        step: z.string(),
        visitors: z.int(),
        from_first: fraction.meta({ description: "Share of the first step's visitors" }),
        from_previous: fraction.meta({ description: "Share of the step before's visitors; null for the first step" }),
      }),
    )
    .meta({
      description:
        "As in analytics.funnels with a window of 24 hours: each step strictly later than the one before; a visitor counts on each local day on which they began",
    }),
  products: z.array(
    z.object({
      product: untrusted.meta({ description: "Its product_id, else its name" }),
      name: untrusted.nullable(),
      views: z.int(),
      cart_adds: z.int().meta({ description: "How often it was put into a cart" }),
      quantity: z.number().meta({ description: "Pieces in counted orders; an item without a quantity is one" }),
      revenue: moneyShape.meta({ description: "Price times quantity of the pieces in counted orders" }),
      unpriced: z.number().meta({
        description: "Pieces whose price was not sent or could not be converted: they are not in its revenue",
      }),
    }),
  ),
  sources: z.array(z.object({ source: untrusted.nullable(), ...part })),
  campaigns: z.array(
    z.object({
      source: untrusted.nullable(),
      medium: untrusted.nullable(),
      campaign: untrusted.nullable(),
      term: untrusted.nullable(),
      content: untrusted.nullable(),
      ...part,
    }),
  ),
  coupons: z.array(z.object({ coupon: untrusted, orders, revenue: moneyShape })),
  currencies: z
    .array(
      z.object({
        ...inOwnCurrency,
        converted_revenue: moneyShape,
        converted_refunds: moneyShape,
      }),
    )
    .meta({ description: "Every currency but the reporting one in which money was sent" }),
  rates: z
    .array(
      z.object({
        currency: z.string().length(3),
        day: z.string().meta({ description: "The local day of the money" }),
        rate: z.string().meta({ description: "Units of the reporting currency for one unit of `currency`" }),
        rate_date: z.string().meta({ description: "The day that the rate is of; of a cross rate, the older one" }),
        source: z
          .enum(["own", "reference"])
          .meta({ description: "Entered for the site, or the European Central Bank's reference rate" }),
      }),
    )
    .meta({ description: "The rates used, the newest days first" }),
  unconverted: z
    .array(z.object(inOwnCurrency))
    .meta({ description: "Money that is in no other amount, because no rate of its currency is known for its day" }),
  series: seriesShape(
    { orders, revenue: moneyShape, refunds: moneyShape, net: moneyShape },
    "The range bucket by bucket; an order that was sent twice counts where it was sent first",
  ),
});

export default defineOperation({
  id: "analytics.commerce",
  title: "Commerce",
  about:
    "Revenue, orders, refunds, the way to a purchase and what was sold, in the reporting currency. All events that carry revenue count, custom ones too; what cannot be converted is listed apart.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject(questionFields),
  example: { site_id: 1, period: "28d", compare: "previous_period" },
  output: commerceShape,

  async run({ input, site, now }) {
    const { scope, before, meta } = await scopeOf(input, site, now);
    const trend = trendOf(scope, now);
    const [commerce, visitors, previous, steps] = await Promise.all([
      commerceOf(scope, MOST_ROWS + 1, trend),
      visitorsOf(scope),
      before && Promise.all([totalsOf(before), visitorsOf(before)]),
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
        row_limit: MOST_ROWS,
        truncated: lists.some(({ length }) => length > MOST_ROWS),
      },
      totals: inTotal(commerce.totals, visitors, scope),
      previous: previous && inTotal(...previous, scope),
      refunds,
      repeated_orders,
      funnel: funnelOf(steps),
      products: products.slice(0, MOST_ROWS).map((row) => ({ ...row, revenue: money(row.revenue, scope) })),
      ...partsOf(commerce, scope),
      rates: await usedRates(scope, days.slice(0, MOST_ROWS)),
      series: seriesOf(trend, (index) => {
        const found = commerce.buckets.find(({ bucket }) => bucket === index);
        const amount = (sum: string | null | undefined) => money(rounded(sum ?? null, scope.currency), scope);
        return {
          orders: found?.orders ?? 0,
          revenue: amount(found?.revenue),
          refunds: amount(found?.refunds),
          net: amount(found?.net),
        };
      }),
    };
  },
});

const visitorsOf = async (scope: Scope): Promise<number> => (await sumsOf(scope, ["visits"])).visitors;

const money = (amount: string, { currency }: Scope) => ({ amount, currency });

const partOf = ({ orders, revenue, refunds, net, average }: Takings, scope: Scope) => ({
  orders,
  revenue: money(revenue, scope),
  refunds: money(refunds, scope),
  net: money(net, scope),
  average_order_value: average === null ? null : money(average, scope),
});

const inTotal = (totals: Totals, visitors: number, scope: Scope) => ({
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
  const listed = currencies.slice(0, MOST_ROWS);
  const own = (amount: string, currency: string) => asSent(amount, currency).amount;
  return {
    sources: sources.slice(0, MOST_ROWS).map(({ source, ...row }) => ({ source, ...partOf(row, scope) })),
    campaigns: campaigns.slice(0, MOST_ROWS).map(({ source, medium, campaign, term, content, ...row }) => ({
      ...{ source, medium, campaign, term, content },
      ...partOf(row, scope),
    })),
    coupons: coupons.slice(0, MOST_ROWS).map(({ coupon, orders, order_revenue }) => ({
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
