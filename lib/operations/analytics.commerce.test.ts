import { expect, test } from "vitest";
import commerce from "@/lib/operations/analytics.commerce";
import { db } from "@/lib/platform/db";
import { people, rate, reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";
const ask = (site: TestSite, input: object = {}, now = NOW) =>
  reportAsOwner(commerce, site, { period: "today", ...input }, now);
const at = (time: string) => `2025-03-12T${time}:00Z`;
const euros = (amount: string) => ({ amount, currency: "EUR" });
const setCurrency = (site: TestSite, currency: string) =>
  db().site.update({ where: { id: site.id }, data: { reportingCurrency: currency } });

const sold = (name: string, properties: object, more: object = {}) => ({ type: "commerce", name, properties, ...more });
const purchase = (order_id: string, value: string | number, currency = "EUR", more: object = {}) =>
  sold("purchase", { order_id, value, currency, ...more });
const refund = (order_id: string, value: string | number, currency = "EUR") =>
  sold("refund", { order_id, value, currency });

test("a site without sales has zeros, and null for rates without a denominator", async () => {
  const { meta, series, ...report } = await ask(await makeSite());
  const zero = euros("0.00");
  expect(series.length).toBeGreaterThan(0);
  for (const bucket of series) expect(bucket).toMatchObject({ orders: 0, revenue: zero, refunds: zero, net: zero });
  expect(report).toEqual({
    totals: {
      orders: 0,
      revenue: zero,
      refunds: zero,
      net: zero,
      average_order_value: null,
      order_revenue: zero,
      other_revenue: zero,
      refund_count: 0,
      tax: zero,
      shipping: zero,
      visitors: 0,
      buyers: 0,
      conversion_rate: null,
    },
    previous: null,
    refunds: { orders: 0, of_other_orders: 0, without_order: 0, exceeding: 0 },
    repeated_orders: 0,
    funnel: ["product_viewed", "cart_added", "checkout_started", "purchase"].map((step) => ({
      step,
      visitors: 0,
      from_first: null,
      from_previous: null,
    })),
    products: [],
    sources: [],
    campaigns: [],
    coupons: [],
    currencies: [],
    rates: [],
    unconverted: [],
  });
  expect([meta.row_limit, meta.truncated]).toEqual([100, false]);
});

test("totals of orders, other revenue, refunds and net revenue", async () => {
  const site = await makeSite();
  const server = await shop(site);
  const by = people(site);
  await server("u1", at("09:00"), purchase("A1", "100.10", "EUR", { tax: "19.00", shipping: 4.9, coupon: "SPRING" }));
  await server("u1", at("10:00"), purchase("A2", 50, "EUR", { tax: 1.05, coupon: "SPRING" }));
  await server("u2", at("10:00"), refund("A1", "30.05"));
  await by("ann", at("11:00"), { name: "Subscribed", path: "/", revenue: { amount: "9.99", currency: "EUR" } });
  await by("ann", at("11:01"), {
    name: "Renewed",
    path: "/",
    interactive: false,
    revenue: { amount: 1, currency: "EUR" },
  });
  await by("ann", at("11:02"), { name: "Cancelled", path: "/", revenue: { amount: "-4.99", currency: "EUR" } });
  await by("ben", at("11:00"), "/");
  const { totals, coupons, refunds } = await ask(site);
  expect(totals).toEqual({
    orders: 2,
    revenue: euros("161.09"),
    refunds: euros("35.04"),
    net: euros("126.05"),
    average_order_value: euros("75.05"),
    order_revenue: euros("150.10"),
    other_revenue: euros("10.99"),
    refund_count: 2,
    tax: euros("20.05"),
    shipping: euros("4.90"),
    visitors: 4,
    buyers: 1,
    conversion_rate: 0.25,
  });
  expect(coupons).toEqual([{ coupon: "SPRING", orders: 2, revenue: euros("150.10") }]);
  expect(refunds).toEqual({ orders: 1, of_other_orders: 0, without_order: 1, exceeding: 0 });
});

test("orders with a scrubbed or missing id count as separate orders", async () => {
  const site = await makeSite();
  const server = await shop(site);
  await server("u1", at("09:00"), purchase("4111 1111 1111 1111", 1));
  await server("u1", at("09:01"), purchase("5500 0000 0000 0004", 2));
  const by = people(site);
  await by("ann", at("10:00"), { name: "purchase", path: "/", revenue: { amount: 3, currency: "EUR" } });
  await by("ann", at("10:00"), { name: "purchase", path: "/", revenue: { amount: 3, currency: "EUR" } });
  await by("ann", at("10:01"), { name: "purchase", path: "/", props: { order_id: "T1" } });
  const { totals, repeated_orders } = await ask(site);
  expect(totals).toMatchObject({ orders: 5, revenue: euros("9.00"), average_order_value: euros("2.25") });
  expect(repeated_orders).toBe(0);
});

test("arbitrary properties of custom events do not break the report", async () => {
  const site = await makeSite();
  const server = await shop(site);
  const odd = [
    { items: "none", tax: {}, coupon: ["x"] },
    {
      items: [1, null, "x", { name: "Thing", price: "a lot", quantity: -3 }, { price: 1 }],
      tax: "1e9",
      order_id: ["A"],
    },
    { items: { product_id: "p" }, shipping: "NaN", currency: 5 },
  ];
  for (const properties of odd) await server("u1", at("09:00"), { type: "event", name: "purchase", properties });
  const { totals, products } = await ask(site);
  expect(totals).toMatchObject({ orders: 3, revenue: euros("0.00"), average_order_value: null });
  expect(products).toEqual([
    { product: "Thing", name: "Thing", views: 0, cart_adds: 0, quantity: 1, revenue: euros("0.00"), unpriced: 1 },
  ]);
});

test("the largest accepted amounts do not break the report", async () => {
  const site = await makeSite();
  await rate(site.id, "USD", "2025-03-01", "0.00000001");
  const server = await shop(site);
  const most = 999_999_999_999;
  const items = [{ product_id: "p1", price: most, quantity: most }];
  for (const order of ["A1", "A2", "A3"]) {
    await server("u1", at("09:00"), purchase(order, most, "USD", { items, tax: `${most}.99999999999999999999` }));
  }
  await server("u1", at("09:01"), purchase("A4", most));
  const { totals, products } = await ask(site);
  expect(totals).toMatchObject({ orders: 4, order_revenue: { currency: "EUR" } });
  expect(Number(totals.revenue.amount) / (3 * most * 1e8 + most)).toBeCloseTo(1, 12);
  expect(products).toMatchObject([{ product: "p1", quantity: 3 * most, revenue: euros("0.00"), unpriced: 3 * most }]);
});

test("cross rates go through the euro, and amounts have the decimal places of the reporting currency", async () => {
  const site = await makeSite();
  await rate(site.id, "USD", "2025-03-11", "1.10");
  await rate(site.id, "GBP", "2025-03-10", "0.80");
  await rate(site.id, "JPY", "2025-03-10", "160");
  await rate(site.id, "BHD", "2025-03-10", "0.4");
  const server = await shop(site);
  await server("u1", at("09:00"), purchase("A1", 11, "USD"));
  const revenueIn = async (currency: string) => {
    await setCurrency(site, currency);
    const { totals, rates } = await ask(site);
    return [totals.revenue.amount, totals.revenue.currency, rates[0]?.rate, rates[0]?.rate_date];
  };
  expect(await revenueIn("GBP")).toEqual(["8.00", "GBP", "0.7272727273", "2025-03-10"]);
  expect(await revenueIn("JPY")).toEqual(["1600", "JPY", "145.4545454545", "2025-03-10"]);
  expect(await revenueIn("BHD")).toEqual(["4.000", "BHD", "0.3636363636", "2025-03-10"]);
  expect(await revenueIn("EUR")).toEqual(["10.00", "EUR", "0.9090909091", "2025-03-11"]);
  expect(await revenueIn("USD")).toEqual(["11.00", "USD", undefined, undefined]);
});

test("a reference rate applies for at most ten days, and a rate of the site takes precedence", async () => {
  // Reference rates are global: this year is used by no other test.
  const year = (day: string) => `2031-03-${day}`;
  await rate(0, "USD", year("07"), "2"); // a Friday
  const site = await makeSite();
  const server = await shop(site);
  await server("u1", `${year("09")}T09:00:00Z`, purchase("A1", 10, "USD"));
  await server("u1", `${year("16")}T09:00:00Z`, purchase("A2", 10, "USD"));
  await server("u1", `${year("17")}T09:00:00Z`, purchase("A3", 10, "USD"));
  const reportOf = () => ask(site, { period: "month" }, `${year("20")}T12:00:00Z`);
  const { totals, rates, unconverted } = await reportOf();
  expect(totals).toMatchObject({ orders: 3, revenue: euros("10.00"), average_order_value: euros("5.00") });
  expect(rates).toEqual([
    { currency: "USD", day: year("16"), rate: "0.5", rate_date: year("07"), source: "reference" },
    { currency: "USD", day: year("09"), rate: "0.5", rate_date: year("07"), source: "reference" },
  ]);
  expect(unconverted).toEqual([{ currency: "USD", revenue: "10.00", refunds: "0.00" }]);
  await rate(site.id, "USD", year("10"), "5");
  const own = await reportOf();
  expect(own.totals).toMatchObject({ revenue: euros("9.00") });
  expect(own.rates.map((used: { rate: string; source: string }) => `${used.rate} ${used.source}`)).toEqual([
    "0.2 own",
    "0.2 own",
    "0.5 reference",
  ]);
});
