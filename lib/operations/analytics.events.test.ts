import { expect, test } from "vitest";
import events from "@/lib/operations/analytics.events";
import { people, reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";
const ask = (site: TestSite, input: object = {}) => reportAsOwner(events, site, { period: "today", ...input }, NOW);
const at = (time: string) => `2025-03-12T${time}:00Z`;
const euros = (amount: string) => ({ amount, currency: "EUR" });

/** Four visitors: one signs up twice and plays, one signs up and pays, two only view pages, one of them scrolls. */
async function world(): Promise<TestSite> {
  const site = await makeSite();
  const by = people(site);
  const join = `https://${site.host}/join`;
  await by("ann", at("09:00"), { name: "pageview", url: join, referrer: "https://www.google.com/" });
  await by("ann", at("09:01"), { name: "Signup", url: join, props: { plan: "pro", seats: 3 } });
  await by("ann", at("09:02"), { name: "Signup", url: join, props: { plan: "basic" } });
  await by("ann", at("09:03"), { name: "Play", url: join });
  await by("ben", at("10:00"), "/");
  await by("ben", at("10:01"), { name: "Signup", url: `https://${site.host}/`, props: { plan: "pro", trial: null } });
  await by("ben", at("10:02"), { name: "Pay", url: join, revenue: { amount: "12.345", currency: "EUR" } });
  await by("cid", at("11:00"), "/");
  await by("dan", at("12:00"), "/");
  await by("dan", at("12:01"), { name: "Scroll", url: `https://${site.host}/`, interactive: false });
  return site;
}

test("every event name has count, visitors, conversion rate and revenue, including passive events", async () => {
  const { visitors, events, event, goals, unconverted, comparison } = await ask(await world());
  expect(visitors).toBe(4);
  expect(events).toEqual([
    { event: "Signup", count: 3, visitors: 2, conversion_rate: 0.5, revenue: euros("0.00") },
    { event: "Pay", count: 1, visitors: 1, conversion_rate: 0.25, revenue: euros("12.35") },
    { event: "Play", count: 1, visitors: 1, conversion_rate: 0.25, revenue: euros("0.00") },
    { event: "Scroll", count: 1, visitors: 1, conversion_rate: 0.25, revenue: euros("0.00") },
  ]);
  expect([event, goals, unconverted, comparison]).toEqual([null, [], [], null]);
});

test("the requested event has a series without gaps, properties, pages and sources", async () => {
  const { event, meta } = await ask(await world(), { event: "Signup" });
  expect(event).toMatchObject({ event: "Signup", count: 3, visitors: 2, conversion_rate: 0.5 });
  expect([meta.interval, event.series.length]).toEqual(["hour", 24]);
  expect(event.series.slice(9, 11)).toEqual([
    {
      start: at("09:00").replace("00Z", "00.000Z"),
      label: "2025-03-12T09:00",
      partial: false,
      count: 2,
      visitors: 1,
      revenue: euros("0.00"),
    },
    {
      start: at("10:00").replace("00Z", "00.000Z"),
      label: "2025-03-12T10:00",
      partial: false,
      count: 1,
      visitors: 1,
      revenue: euros("0.00"),
    },
  ]);
  expect(event.series[15].partial).toBe(true);
  expect(event.properties).toEqual([
    {
      key: "plan",
      count: 3,
      visitors: 2,
      values: [
        { value: "pro", count: 2, visitors: 2 },
        { value: "basic", count: 1, visitors: 1 },
      ],
      more: false,
    },
    { key: "seats", count: 1, visitors: 1, values: [{ value: "3", count: 1, visitors: 1 }], more: false },
  ]);
  expect(event.pages).toEqual([
    { value: "/join", count: 2, visitors: 1 },
    { value: "/", count: 1, visitors: 1 },
  ]);
  expect(event.sources).toEqual([
    { value: "Google", count: 2, visitors: 1 },
    { value: null, count: 1, visitors: 1 },
  ]);
});

test("nested values are JSON, and at most 30 properties with 10 values each are returned", async () => {
  const site = await makeSite();
  const server = await shop(site);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, index]));
  await server("u0", at("08:00"), { type: "event", name: "Big", properties: many });
  for (let index = 0; index < 12; index++) {
    const properties = { tags: ["a", { b: index }], p0: `${index}`.padStart(2, "0") };
    await server("u1", at("09:00"), { type: "event", name: "Big", properties });
  }
  const { event } = await ask(site, { event: "Big" });
  expect(event.properties).toHaveLength(30);
  const [p0, tags] = event.properties;
  expect([p0.key, p0.count, p0.visitors, p0.values.length, p0.more]).toEqual(["p0", 13, 2, 10, true]);
  expect([tags.key, tags.values[0]]).toEqual(["tags", { value: '["a", {"b": 0}]', count: 1, visitors: 1 }]);
});
