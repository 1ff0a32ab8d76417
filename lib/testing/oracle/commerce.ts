import { conversionRate, ranked, tagsOf } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { valueOfVisit } from "@/lib/testing/oracle/dimensions";
import type { Fact } from "@/lib/testing/oracle/facts";
import { funnelPathsIn, progress } from "@/lib/testing/oracle/funnels";
import { headline, ratio, visitorsOf } from "@/lib/testing/oracle/metrics";
import {
  allSales,
  asMoney,
  asSent,
  exact,
  inEuros,
  RATES,
  REPORTING,
  type Sale,
  sumOf,
} from "@/lib/testing/oracle/money";
import { productsOf } from "@/lib/testing/oracle/products";
import { type Known, type Query, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** Expected answer of commerce: plain sums over the sales. */

const PURCHASE_STEPS = ["product_viewed", "cart_added", "checkout_started", "purchase"];

export function commerce(query: Query, known: Known): object {
  const { scope, before } = select(query, known);
  const all = allSales(scope);
  const sales = all.filter(({ repeated }) => !repeated);
  return {
    totals: totalsOf(scope),
    previous: before && totalsOf(before),
    refunds: refundsOf(all),
    repeated_orders: all.length - sales.length,
    funnel: purchaseFunnel(scope),
    products: productsOf(scope, sales),
    sources: partsBy(sales, ({ visit }) => JSON.stringify(valueOfVisit(visit, "source") || null)).map(
      ({ key, part }) => ({ source: JSON.parse(key), ...part }),
    ),
    campaigns: partsBy(sales, ({ visit }) => tagsOf(visit)).map(({ key, part }) => {
      const [source, medium, campaign, term, content] = JSON.parse(key);
      return { source, medium, campaign, term, content, ...part };
    }),
    coupons: partsBy(
      sales.filter(({ kind }) => kind === "purchase"),
      ({ props }) => (props?.coupon ? JSON.stringify(props.coupon) : null),
    ).map(({ key, part: { orders, revenue } }) => ({ coupon: JSON.parse(key), orders, revenue })),
    ...foreignOf(sales, scope),
    series: seriesOf(scope, (part) => {
      const sold = sales.filter(({ fact }) => part.credited.includes(fact));
      return { visitors: headline(part).visitors ?? 0, buyers: buyersOf(sold, scope), ...partOf(sold) };
    }),
  };
}

const worthOf = (sales: readonly Sale[]): bigint => sumOf(sales.map(({ converted }) => converted));
const refundsAmong = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind === "refund");
const paidAmong = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind !== "refund");
const ordersIn = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind === "purchase");

function partOf(sales: readonly Sale[]) {
  const orders = ordersIn(sales);
  const priced = orders.filter(({ converted }) => converted !== null).length;
  return {
    orders: orders.length,
    revenue: asMoney(worthOf(paidAmong(sales))),
    refunds: asMoney(-worthOf(refundsAmong(sales))),
    net: asMoney(worthOf(sales)),
    average_order_value: priced > 0 ? asMoney(worthOf(orders), BigInt(priced)) : null,
  };
}

const buyersOf = (sales: readonly Sale[], { range }: Selection): number =>
  visitorsOf(
    ordersIn(sales).map(({ fact }) => fact),
    range.zone,
  );

function totalsOf(scope: Selection): object {
  const sales = allSales(scope).filter(({ repeated }) => !repeated);
  const orders = ordersIn(sales);
  const named = (name: string) =>
    asMoney(
      sumOf(
        orders.map(({ fact: { props, currency, at } }) => {
          const sent = props?.[name];
          return sent === undefined ? null : inEuros(exact(`${sent}`), currency, dateAt(at, scope.range.zone));
        }),
      ),
    );
  const visitors = headline(scope).visitors ?? 0;
  const buyers = buyersOf(sales, scope);
  return {
    ...partOf(sales),
    order_revenue: asMoney(worthOf(orders)),
    other_revenue: asMoney(worthOf(sales.filter(({ kind }) => kind === "other"))),
    refund_count: refundsAmong(sales).length,
    tax: named("tax"),
    shipping: named("shipping"),
    visitors,
    buyers,
    conversion_rate: conversionRate(buyers, visitors),
  };
}

function refundsOf(all: readonly Sale[]): object {
  const refunds = refundsAmong(all);
  const orders = [...new Set(refunds.flatMap(({ order }) => order ?? []))];
  const purchaseOf = (order: string) => all.find((sale) => sale.kind === "purchase" && sale.order === order);
  const exceeding = orders.filter((order) => {
    const purchase = purchaseOf(order);
    const back = refunds.filter((refund) => refund.order === order);
    if (!purchase || purchase.amount === null) return false;
    const one = back.every(({ fact }) => fact.currency === purchase.fact.currency);
    return one && -sumOf(back.map(({ amount }) => amount)) > purchase.amount;
  });
  return {
    orders: orders.length,
    of_other_orders: orders.filter((order) => !purchaseOf(order)).length,
    without_order: refunds.filter(({ order }) => order === null).length,
    exceeding: exceeding.length,
  };
}

function purchaseFunnel(scope: Selection): object[] {
  const steps = PURCHASE_STEPS.map((pattern) => ({ kind: "event" as const, pattern }));
  const funnel = { name: "", windowMinutes: 24 * 60, steps };
  const visitors = progress(funnel, funnelPathsIn(scope, funnel, false)).steps.map((step) => step.visitors);
  return PURCHASE_STEPS.map((step, index) => ({
    step,
    visitors: visitors[index] ?? 0,
    from_first: ratio(visitors[index] ?? 0, visitors[0] ?? 0),
    from_previous: index === 0 ? null : ratio(visitors[index] ?? 0, visitors[index - 1] ?? 0),
  }));
}

/** Groups sales by a key, highest revenue first. */
function groupsOf(sales: readonly Sale[], keyOf: (fact: Fact) => string | null) {
  const keys = [...new Set(sales.map(({ fact }) => keyOf(fact)))].flatMap((key) => key ?? []);
  const groups = keys.map((key) => ({ key, those: sales.filter(({ fact }) => keyOf(fact) === key) }));
  // Compared exactly, in millionths of a cent.
  return ranked(
    groups,
    ({ those }) => [Number(worthOf(paidAmong(those))), ordersIn(those).length, Number(-worthOf(refundsAmong(those)))],
    ({ key }) => [JSON.parse(key)].flat(),
  );
}

const partsBy = (sales: readonly Sale[], keyOf: (fact: Fact) => string | null) =>
  groupsOf(sales, keyOf).map(({ key, those }) => ({ key, part: partOf(those) }));

/** Returns amounts in other currencies, the conversion rates, and the amounts without a rate. */
function foreignOf(sales: readonly Sale[], { range }: Selection): object {
  const foreign = sales.filter(({ fact }) => fact.currency !== null && fact.currency !== REPORTING);
  const groups = groupsOf(foreign, ({ currency }) => JSON.stringify(currency)).map(({ key, those }) => ({
    currency: JSON.parse(key) as string,
    those,
  }));
  const own = (those: readonly Sale[], currency: string) => ({
    revenue: asSent(sumOf(paidAmong(those).map(({ amount }) => amount)), currency).amount,
    refunds: asSent(-sumOf(refundsAmong(those).map(({ amount }) => amount)), currency).amount,
  });
  const days = ranked(
    [...new Set(foreign.map(({ fact: { currency, at } }) => JSON.stringify([dateAt(at, range.zone), currency])))],
    (day) => [Date.parse(JSON.parse(day)[0])],
    (day) => [JSON.parse(day)[1]],
  );
  return {
    currencies: groups.map(({ currency, those }) => ({
      currency,
      ...own(those, currency),
      converted_revenue: asMoney(worthOf(paidAmong(those))),
      converted_refunds: asMoney(-worthOf(refundsAmong(those))),
    })),
    rates: days.flatMap((one) => {
      const [day, currency] = JSON.parse(one) as [string, string];
      const rate = RATES.findLast((known) => known.currency === currency && known.from <= day);
      return rate ? [{ currency, day, rate: rate.worth, rate_date: rate.from, source: "own" }] : [];
    }),
    unconverted: groups.flatMap(({ currency, those }) => {
      const lost = those.filter(({ amount, converted }) => amount !== null && converted === null);
      return lost.length > 0 ? [{ currency, ...own(lost, currency) }] : [];
    }),
  };
}
