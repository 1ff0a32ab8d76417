import { expect, test } from "vitest";
import { COMMERCE_EVENTS } from "@/lib/contract/commerce";
import commerce from "@/lib/operations/analytics.commerce";
import { ORDERS } from "@/lib/publish/event-facts";
import { EVENT_EXAMPLES } from "@/lib/publish/open-events";
import { keyOf, postBody } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { makeSite, post } from "@/lib/testing/world";

const DAY = { from: "2025-03-12", to: "2025-03-12" };
const AT = "2025-03-12T09:00:00Z";
const LATER = "2025-03-14T15:30:00Z";
const revenue = { amount: "10.00", currency: "EUR" };
const euros = (amount: string) => ({ amount, currency: "EUR" });

test.each(COMMERCE_EVENTS.purchase)("an event named %s is an order, with and without an amount", async (name) => {
  const site = await makeSite();
  await post(site, { name, revenue }, { at: AT, userAgent: "" });
  await post(site, { name }, { at: AT, userAgent: "" });
  const { key } = await keyOf(site);
  const properties = { value: "5.00", currency: "EUR", order_id: "B1" };
  const events = [
    { type: "commerce", name, properties },
    { type: "event", name, properties: { ...properties, order_id: "B2" } },
  ];
  await postBody(JSON.stringify({ events }), { key, at: new Date(AT) });
  const { totals } = await reportAsOwner(commerce, site, DAY, LATER);
  expect(totals).toMatchObject({ orders: 4, order_revenue: euros("20.00"), other_revenue: euros("0.00") });
  expect(ORDERS).toContain(`\`${name}\``);
});

test.each([
  ["Donation", { orders: 0, order_revenue: euros("0.00"), other_revenue: euros("10.00") }],
  ["Purchase", { orders: 1, order_revenue: euros("10.00"), other_revenue: euros("0.00") }],
])("an event named %s with revenue counts as documented", async (name, expected) => {
  const site = await makeSite();
  await post(site, { name, revenue }, { at: AT, userAgent: "" });
  const { totals } = await reportAsOwner(commerce, site, DAY, LATER);
  expect(totals).toMatchObject(expected);
  expect(ORDERS).toContain(`\`${name}\``);
});

test.each(COMMERCE_EVENTS.refund)(
  "an event named %s is a refund, and so is any event with a negative revenue",
  async (name) => {
    const site = await makeSite();
    await post(site, { name, revenue }, { at: AT, userAgent: "" });
    await post(site, { name: "Correction", revenue: { ...revenue, amount: "-2.00" } }, { at: AT, userAgent: "" });
    const { totals } = await reportAsOwner(commerce, site, DAY, LATER);
    expect(totals).toMatchObject({ orders: 0, refunds: euros("12.00"), refund_count: 2 });
    expect(ORDERS).toContain(`\`${name}\``);
  },
);

test("the documented event of a backend is an order with its order id, and counts once", async () => {
  const site = await makeSite();
  const { domain: _, event_id: __, ...event } = EVENT_EXAMPLES.event.value;
  for (let sent = 0; sent < 2; sent++) await post(site, event, { at: AT, userAgent: "curl/8.5.0" });
  const { totals, repeated_orders } = await reportAsOwner(commerce, site, DAY, LATER);
  expect([totals.orders, totals.revenue, repeated_orders]).toEqual([1, euros("49.00"), 1]);
});
