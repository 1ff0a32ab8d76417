import { conversionRate, ranked, tagsOf, visitorsOf } from "@/lib/testing/oracle/acquisition";
import { dateAt } from "@/lib/testing/oracle/clock";
import { wordOfVisit } from "@/lib/testing/oracle/dimensions";
import type { Fact } from "@/lib/testing/oracle/facts";
import { chainsIn, progress } from "@/lib/testing/oracle/funnels";
import { headline, ratio } from "@/lib/testing/oracle/metrics";
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
import { type Asked, type Known, type Selection, select } from "@/lib/testing/oracle/query";
import { seriesOf } from "@/lib/testing/oracle/series";

/** What commerce should say: sums of the sales, one by one. */

const WAY = ["product_viewed", "cart_added", "checkout_started", "purchase"];

export function commerce(asked: Asked, known: Known): object {
  const { scope, before } = select(asked, known);
  const all = allSales(scope);
  const sales = all.filter(({ repeated }) => !repeated);
  return {
    totals: totalsOf(scope),
    previous: before && totalsOf(before),
    refunds: refundsOf(all),
    repeated_orders: all.length - sales.length,
    funnel: wayToPurchase(scope),
    products: productsOf(scope, sales),
    sources: partsBy(sales, ({ visit }) => JSON.stringify(wordOfVisit(visit, "source") || null)).map(
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
    series: seriesOf(scope, ({ facts }) => {
      const { orders, revenue, refunds, net } = partOf(sales.filter(({ fact }) => facts.includes(fact)));
      return { orders, revenue, refunds, net };
    }),
  };
}

const worthOf = (sales: readonly Sale[]): bigint => sumOf(sales.map(({ told }) => told));
const given = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind === "refund");
const taken = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind !== "refund");
const ordersIn = (sales: readonly Sale[]) => sales.filter(({ kind }) => kind === "purchase");

function partOf(sales: readonly Sale[]) {
  const orders = ordersIn(sales);
  const priced = orders.filter(({ told }) => told !== null).length;
  return {
    orders: orders.length,
    revenue: asMoney(worthOf(taken(sales))),
    refunds: asMoney(-worthOf(given(sales))),
    net: asMoney(worthOf(sales)),
    average_order_value: priced > 0 ? asMoney(worthOf(orders), BigInt(priced)) : null,
  };
}

function totalsOf(scope: Selection): object {
  const { zone } = scope.range;
  const sales = allSales(scope).filter(({ repeated }) => !repeated);
  const orders = ordersIn(sales);
  const named = (name: string) =>
    asMoney(
      sumOf(
        orders.map(({ fact: { props, currency, at } }) => {
          const sent = props?.[name];
          return sent === undefined ? null : inEuros(exact(`${sent}`), currency, dateAt(at, zone));
        }),
      ),
    );
  const visitors = headline(scope).visitors ?? 0;
  const buyers = visitorsOf(
    orders.map(({ fact }) => fact),
    zone,
  );
  return {
    ...partOf(sales),
    order_revenue: asMoney(worthOf(orders)),
    other_revenue: asMoney(worthOf(sales.filter(({ kind }) => kind === "other"))),
    refund_count: given(sales).length,
    tax: named("tax"),
    shipping: named("shipping"),
    visitors,
    buyers,
    conversion_rate: conversionRate(buyers, visitors),
  };
}

function refundsOf(all: readonly Sale[]): object {
  const refunds = given(all);
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

function wayToPurchase(scope: Selection): object[] {
  const steps = WAY.map((pattern) => ({ kind: "event" as const, pattern }));
  const way = { name: "", windowMinutes: 24 * 60, steps };
  const visitors = progress(way, chainsIn(scope, way, false)).steps.map((step) => step.visitors);
  return WAY.map((step, index) => ({
    step,
    visitors: visitors[index] ?? 0,
    from_first: ratio(visitors[index] ?? 0, visitors[0] ?? 0),
    from_previous: index === 0 ? null : ratio(visitors[index] ?? 0, visitors[index - 1] ?? 0),
  }));
}

/** The sales of each key, those that brought in most first. */
function groupsOf(sales: readonly Sale[], keyOf: (fact: Fact) => string | null) {
  const keys = [...new Set(sales.map(({ fact }) => keyOf(fact)))].flatMap((key) => key ?? []);
  const groups = keys.map((key) => ({ key, those: sales.filter(({ fact }) => keyOf(fact) === key) }));
  // Money is compared exactly, in millionths of a cent.
  return ranked(
    groups,
    ({ those }) => [Number(worthOf(taken(those))), ordersIn(those).length, Number(-worthOf(given(those)))],
    ({ key }) => [JSON.parse(key)].flat(),
  );
}

const partsBy = (sales: readonly Sale[], keyOf: (fact: Fact) => string | null) =>
  groupsOf(sales, keyOf).map(({ key, those }) => ({ key, part: partOf(those) }));

/** What was sent in other currencies, the rates it was told by, and what no rate is known for. */
function foreignOf(sales: readonly Sale[], { range }: Selection): object {
  const foreign = sales.filter(({ fact }) => fact.currency !== null && fact.currency !== REPORTING);
  const groups = groupsOf(foreign, ({ currency }) => JSON.stringify(currency)).map(({ key, those }) => ({
    currency: JSON.parse(key) as string,
    those,
  }));
  const own = (those: readonly Sale[], currency: string) => ({
    revenue: asSent(sumOf(taken(those).map(({ amount }) => amount)), currency).amount,
    refunds: asSent(-sumOf(given(those).map(({ amount }) => amount)), currency).amount,
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
      converted_revenue: asMoney(worthOf(taken(those))),
      converted_refunds: asMoney(-worthOf(given(those))),
    })),
    rates: days.flatMap((one) => {
      const [day, currency] = JSON.parse(one) as [string, string];
      const rate = RATES.findLast((known) => known.currency === currency && known.from <= day);
      return rate ? [{ currency, day, rate: rate.worth, rate_date: rate.from, source: "own" }] : [];
    }),
    unconverted: groups.flatMap(({ currency, those }) => {
      const lost = those.filter(({ amount, told }) => amount !== null && told === null);
      return lost.length > 0 ? [{ currency, ...own(lost, currency) }] : [];
    }),
  };
}
