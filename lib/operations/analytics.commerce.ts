import { z } from "zod";
import { commerceShape } from "@/lib/analytics/commerce-shape";
import { asSent, rounded } from "@/lib/analytics/money/amounts";
import { usedRates } from "@/lib/analytics/money/rates";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { type Scope, scopeOf } from "@/lib/analytics/query/scope";
import { sumsOf } from "@/lib/analytics/query/scope-sums";
import type { CampaignWords } from "@/lib/analytics/reports/campaigns";
import {
  type Commerce,
  commerceOf,
  SHOP_STEPS,
  salesBy,
  shopFunnel,
  type Takings,
  type Totals,
  totalsOf,
} from "@/lib/analytics/reports/commerce";
import { seriesOf, trendOf } from "@/lib/analytics/reports/trend";
import { defineOperation } from "@/lib/contract/define";
import { questionFields } from "@/lib/contract/fields";

const MOST_ROWS = 100;

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
    const [commerce, sales, visitors, previous, steps] = await Promise.all([
      commerceOf(scope, MOST_ROWS + 1),
      salesBy(scope, trend),
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
      products: products.slice(0, MOST_ROWS).map((row) => productOf(row, scope)),
      ...partsOf(commerce, scope),
      rates: await usedRates(scope, days.slice(0, MOST_ROWS)),
      series: seriesOf(trend, (index) => {
        const found = sales.find(({ bucket }) => bucket === index);
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

const productOf = ({ revenue, ...product }: Commerce["products"][number], scope: Scope) => ({
  ...product,
  revenue: money(revenue, scope),
});

const campaignOf = (
  { source, medium, campaign, term, content, ...takings }: Takings & CampaignWords,
  scope: Scope,
) => ({
  ...{ source, medium, campaign, term, content },
  ...partOf(takings, scope),
});

function partsOf({ sources, campaigns, coupons, currencies }: Commerce, scope: Scope) {
  const listed = currencies.slice(0, MOST_ROWS);
  const own = (amount: string, currency: string) => asSent(amount, currency).amount;
  return {
    sources: sources.slice(0, MOST_ROWS).map(({ source, ...row }) => ({ source, ...partOf(row, scope) })),
    campaigns: campaigns.slice(0, MOST_ROWS).map((row) => campaignOf(row, scope)),
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
