import { z } from "zod";
import type { CampaignWords } from "@/lib/analytics/campaigns";
import { type Commerce, commerceOf, refundsOf, type Takings } from "@/lib/analytics/commerce";
import { commerceShape } from "@/lib/analytics/commerce-shape";
import { conversionRate } from "@/lib/analytics/conversions";
import { usedRates } from "@/lib/analytics/exchange";
import { type Product, productRows, SHOP_STEPS, shopFunnel } from "@/lib/analytics/products";
import { ask, type Scope } from "@/lib/analytics/question";
import { salesInFull, salesOf, toldIn } from "@/lib/analytics/sales";
import { sumsOf } from "@/lib/analytics/series";
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
    const { scope, before, meta } = await ask(input, site, now);
    const [sales, withoutProps] = await Promise.all([salesInFull(scope), salesOf(scope)]);
    // The longest first: only a few statements of a site run at once.
    const [products, steps, commerce, previous, { visitors }, refunds] = await Promise.all([
      productRows(sales, MOST_ROWS + 1),
      shopFunnel(scope),
      commerceOf(sales, MOST_ROWS + 1),
      before && totalsOf(before),
      sumsOf(scope, ["visits"]),
      refundsOf(withoutProps),
    ]);
    const { repeated_orders, ...refunded } = refunds;
    const { sources, campaigns, coupons, currencies, days } = commerce;
    const lists = [sources, campaigns, coupons, currencies, days, products];
    return {
      meta: {
        ...meta,
        conversion_unit: "visitors" as const,
        row_limit: MOST_ROWS,
        truncated: lists.some(({ length }) => length > MOST_ROWS),
      },
      totals: tellTotals(commerce.totals, visitors, scope),
      previous,
      refunds: refunded,
      repeated_orders,
      funnel: tellFunnel(steps),
      products: products.slice(0, MOST_ROWS).map((row) => tellProduct(row, scope)),
      ...tellParts(commerce, scope),
      rates: await usedRates(scope, days.slice(0, MOST_ROWS)),
    };
  },
});

async function totalsOf(scope: Scope) {
  const sales = await salesInFull(scope);
  const [{ totals }, { visitors }] = await Promise.all([commerceOf(sales, 1), sumsOf(scope, ["visits"])]);
  return tellTotals(totals, visitors, scope);
}

const money = (amount: string, { currency }: Scope) => ({ amount, currency });

const tellPart = ({ orders, revenue, refunds, net, average }: Takings, scope: Scope) => ({
  orders,
  revenue: money(revenue, scope),
  refunds: money(refunds, scope),
  net: money(net, scope),
  average_order_value: average === null ? null : money(average, scope),
});

const tellTotals = (totals: Commerce["totals"], visitors: number, scope: Scope) => ({
  ...tellPart(totals, scope),
  order_revenue: money(totals.order_revenue, scope),
  other_revenue: money(totals.other_revenue, scope),
  refund_count: totals.refund_count,
  tax: money(totals.tax, scope),
  shipping: money(totals.shipping, scope),
  visitors,
  buyers: totals.buyers,
  conversion_rate: conversionRate(totals.buyers, visitors),
});

const tellFunnel = (steps: readonly number[]) =>
  SHOP_STEPS.map((step, index) => {
    const [visitors = 0, first = 0, previous = 0] = [steps[index], steps[0], index > 0 ? steps[index - 1] : 0];
    return {
      step,
      visitors,
      from_first: first > 0 ? visitors / first : null,
      from_previous: previous > 0 ? visitors / previous : null,
    };
  });

const tellProduct = ({ revenue, ...product }: Product, scope: Scope) => ({
  ...product,
  revenue: money(revenue, scope),
});

const tellCampaign = (
  { source, medium, campaign, term, content, ...takings }: Takings & CampaignWords,
  scope: Scope,
) => ({
  ...{ source, medium, campaign, term, content },
  ...tellPart(takings, scope),
});

function tellParts({ sources, campaigns, coupons, currencies }: Commerce, scope: Scope) {
  const told = currencies.slice(0, MOST_ROWS);
  const own = (amount: string, currency: string) => toldIn(amount, currency).amount;
  return {
    sources: sources.slice(0, MOST_ROWS).map(({ source, ...row }) => ({ source, ...tellPart(row, scope) })),
    campaigns: campaigns.slice(0, MOST_ROWS).map((row) => tellCampaign(row, scope)),
    coupons: coupons.slice(0, MOST_ROWS).map(({ coupon, orders, order_revenue }) => ({
      coupon,
      orders,
      revenue: money(order_revenue, scope),
    })),
    currencies: told.map(({ currency, earned, returned, revenue, refunds }) => ({
      currency,
      revenue: own(earned, currency),
      refunds: own(returned, currency),
      converted_revenue: money(revenue, scope),
      converted_refunds: money(refunds, scope),
    })),
    unconverted: told
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
