import { expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import campaigns from "@/lib/operations/analytics.campaigns";
import commerce from "@/lib/operations/analytics.commerce";
import events from "@/lib/operations/analytics.events";
import experiments from "@/lib/operations/analytics.experiments";
import seo from "@/lib/operations/analytics.seo";
import siteSearch from "@/lib/operations/analytics.site_search";
import { people, reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-14T15:30:00Z";
const DAY = "2025-03-12";
const at = (time: string) => `${DAY}T${time}:00Z`;
const ask = (op: AnyOperation, site: TestSite) => reportAsOwner(op, site, { from: DAY, to: DAY }, NOW);
const euros = (amount: string) => ({ amount, currency: "EUR" });

test("a refund is not a conversion in any report", async () => {
  const site = await makeSite();
  const by = people(site);
  for (const [person, name] of [
    ["ann", "refund"],
    ["ben", "Order Refunded"],
    ["cid", "Signup"],
  ] as const) {
    const page = {
      name: "pageview",
      url: `https://${site.host}/?utm_source=news`,
      referrer: "https://www.google.com/",
    };
    await by(person, at("09:00"), page);
    await by(person, at("09:01"), { name: "hero", path: "/", exposure: { experiment: "hero", variant: "a" } });
    await by(person, at("09:02"), { name: "Search", path: "/", props: { term: "shoes" } });
    await by(person, at("09:03"), { name, path: "/", revenue: { amount: "5", currency: "EUR" } });
  }
  const { campaigns: rows, channels } = await ask(campaigns, site);
  // Three searches and a signup.
  expect(rows).toMatchObject([{ source: "news", conversions: 4, converters: 3 }]);
  expect(channels.map(({ conversions }: { conversions: number }) => conversions)).toEqual([4]);
  expect((await ask(siteSearch, site)).total).toMatchObject({ searches: 3, conversions: 1 });
  const [{ variants }] = (await ask(experiments, site)).experiments;
  expect(variants).toMatchObject([{ exposed: 3, converted: 3 }]);
  const rates = (await ask(events, site)).events.map((row: { event: string; conversion_rate: number | null }) => [
    row.event,
    row.conversion_rate,
  ]);
  expect(new Map(rates)).toEqual(
    new Map<string, number | null>([
      ["Search", 1],
      ["Order Refunded", null],
      ["refund", null],
      ["Signup", 1 / 3],
    ]),
  );
});

test("a search visit with only a refund does not convert", async () => {
  const site = await makeSite();
  const by = people(site);
  for (const [person, name] of [
    ["ann", "refund"],
    ["ben", "Signup"],
  ] as const) {
    const referrer = "https://www.google.com/";
    await by(person, at("09:00"), { name: "pageview", url: `https://${site.host}/`, referrer });
    await by(person, at("09:01"), { name, path: "/" });
  }
  expect((await ask(seo, site)).organic).toMatchObject({ visits: 2, conversions: 1 });
});

test("commerce events with names of GA4 and Segment count like ours", async () => {
  const site = await makeSite();
  const server = await shop(site);
  const commerceEvent = (name: string, properties: object) => ({ type: "commerce", name, properties });
  const pro = { item_id: "pro", item_name: "Pro", price: "30.00", quantity: "1" };
  const kit = { product_id: "kit", name: "Kit", price: 10, quantity: 2 };
  await server("ga", at("09:00"), commerceEvent("view_item", { items: [pro] }));
  await server("ga", at("09:01"), commerceEvent("add_to_cart", { items: [pro] }));
  await server("ga", at("09:02"), commerceEvent("begin_checkout", {}));
  const bought = { transaction_id: "G1", value: "30.00", currency: "EUR", items: [pro] };
  await server("ga", at("09:03"), commerceEvent("purchase", bought));
  await server("ga", at("09:04"), commerceEvent("purchase", bought));
  await server("seg", at("09:00"), commerceEvent("Product Viewed", { product_id: "kit", name: "Kit" }));
  await server("seg", at("09:01"), commerceEvent("Product Added", { product_id: "kit" }));
  await server("seg", at("09:02"), commerceEvent("Checkout Started", {}));
  await server(
    "seg",
    at("09:03"),
    commerceEvent("Order Completed", { order_id: "S1", revenue: 20, currency: "EUR", products: [kit] }),
  );
  await server("seg", at("09:04"), commerceEvent("Order Refunded", { order_id: "S1", total: "5", currency: "EUR" }));
  await server("own", at("09:00"), commerceEvent("product_viewed", { product_id: "pro" }));
  await server("own", at("09:05"), commerceEvent("purchase", { value: 1, currency: "EUR" }));
  const { totals, refunds, repeated_orders, funnel, products } = await ask(commerce, site);
  expect(totals).toMatchObject({ orders: 3, revenue: euros("51.00"), refunds: euros("5.00"), net: euros("46.00") });
  expect([refunds.orders, refunds.without_order, repeated_orders]).toEqual([1, 0, 1]);
  expect(funnel.map(({ visitors }: { visitors: number }) => visitors)).toEqual([3, 2, 2, 2]);
  expect(products).toMatchObject([
    { product: "pro", name: "Pro", views: 2, cart_adds: 1, quantity: 1, revenue: euros("30.00") },
    { product: "kit", name: "Kit", views: 1, cart_adds: 1, quantity: 2, revenue: euros("20.00") },
  ]);
});
