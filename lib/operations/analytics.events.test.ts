import { expect, test } from "vitest";
import events from "@/lib/operations/analytics.events";
import { db } from "@/lib/platform/db";
import { people, rate, reportAsOwner, shop } from "@/lib/testing/reports";
import { makeSite, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z"; // a Wednesday
const ask = (site: TestSite, input: object = {}) => reportAsOwner(events, site, { period: "today", ...input }, NOW);
const at = (time: string, day = 12) => `2025-03-${`${day}`.padStart(2, "0")}T${time}:00Z`;
const euros = (amount: string) => ({ amount, currency: "EUR" });
const goal = (site: TestSite, name: string, kind: "event" | "page", pattern: string) =>
  db().goal.create({
    data: { siteId: site.id, name, kind, pattern, createdAt: new Date(NOW), updatedAt: new Date(NOW) },
  });

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

test("a goal has the numbers of the events or pages that reach it", async () => {
  const site = await world();
  await goal(site, "Customer", "event", "Pay");
  await goal(site, "Interest", "page", "/jo*");
  await goal(site, "Never", "event", "Nothing of the kind");
  const { goals } = await ask(site);
  expect(goals).toEqual([
    {
      goal: "Customer",
      kind: "event",
      pattern: "Pay",
      count: 1,
      visitors: 1,
      conversion_rate: 0.25,
      revenue: euros("12.35"),
    },
    {
      goal: "Interest",
      kind: "page",
      pattern: "/jo*",
      count: 1,
      visitors: 1,
      conversion_rate: 0.25,
      revenue: euros("0.00"),
    },
    {
      goal: "Never",
      kind: "event",
      pattern: "Nothing of the kind",
      count: 0,
      visitors: 0,
      conversion_rate: 0,
      revenue: euros("0.00"),
    },
  ]);
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

test("an event that never happened has zeros and every bucket instead of an error", async () => {
  const site = await makeSite();
  const { event, visitors } = await ask(site, { event: "Launch" });
  expect(visitors).toBe(0);
  expect(event).toMatchObject({
    event: "Launch",
    count: 0,
    visitors: 0,
    conversion_rate: null,
    revenue: euros("0.00"),
  });
  expect([event.series.length, event.properties, event.pages, event.sources]).toEqual([24, [], [], []]);
});

test("a visitor on two days counts on each day, and twice in the bucket of the month", async () => {
  const site = await makeSite();
  const server = await shop(site);
  for (const day of [3, 4]) {
    await server("u1", at("09:00", day), { type: "event", name: "Login" });
    await server("u1", at("09:10", day), { type: "event", name: "Login" });
  }
  const { events, event } = await ask(site, { period: "month", event: "Login" });
  expect(events).toMatchObject([{ event: "Login", count: 4, visitors: 2, conversion_rate: 1 }]);
  expect(event.series.slice(2, 4)).toMatchObject([
    { label: "2025-03-03", count: 2, visitors: 1 },
    { label: "2025-03-04", count: 2, visitors: 1 },
  ]);
  const { event: ofYear } = await ask(site, { period: null, from: "2023-01-01", event: "Login" });
  expect(ofYear.series.at(-1)).toMatchObject({ label: "2025-03-01", count: 4, visitors: 2, partial: true });
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

test("filters apply to events and to the visitors in the denominator", async () => {
  const { visitors, events } = await ask(await world(), { filters: { source: "Google" } });
  expect(visitors).toBe(1);
  expect(events.map((row: { event: string }) => row.event)).toEqual(["Signup", "Play"]);
  expect(events[0]).toMatchObject({ count: 2, visitors: 1, conversion_rate: 1 });
});

test("each event has its comparison row, with the rate among the visitors of that day", async () => {
  const site = await world();
  const by = people(site);
  await by("eve", at("09:00", 11), { name: "Signup", url: `https://${site.host}/` });
  await by("fay", at("09:00", 11), "/");
  const { comparison, events } = await ask(site, { compare: "previous_period" });
  expect(events.map((row: { event: string }) => row.event)).toEqual(["Signup", "Pay", "Play", "Scroll"]);
  const signup = { event: "Signup", count: 1, visitors: 1, conversion_rate: 0.5, revenue: euros("0.00") };
  expect(comparison).toEqual([signup, null, null, null]);
});

test("revenue is in the reporting currency, and amounts without a rate are listed separately", async () => {
  const site = await makeSite();
  const by = people(site);
  await rate(site.id, "USD", "2025-03-10", "1.25");
  const pay = (amount: string, currency: string) => ({ name: "Pay", path: "/", revenue: { amount, currency } });
  await by("ann", at("09:00"), pay("10.00", "USD"));
  await by("ann", at("09:01"), pay("1.005", "EUR"));
  await by("ann", at("09:02"), pay("7.5", "KES"));
  const { events, unconverted, event } = await ask(site, { event: "Pay" });
  expect(events[0]).toMatchObject({ event: "Pay", count: 3, revenue: euros("9.01") });
  expect(event.series[9].revenue).toEqual(euros("9.01"));
  expect(unconverted).toEqual([{ amount: "7.50", currency: "KES" }]);
});

test("conversion rates are at most 1, even when a visit spans midnight", async () => {
  const site = await makeSite();
  const by = people(site);
  await by("ann", at("23:50", 11), "/");
  await by("ann", at("00:05"), { name: "Late", path: "/" });
  expect((await ask(site)).events).toMatchObject([{ event: "Late", visitors: 1, conversion_rate: null }]);
  await by("ben", at("09:00"), { name: "Late", path: "/" });
  expect((await ask(site)).events).toMatchObject([{ event: "Late", visitors: 2, conversion_rate: 1 }]);
});

test("in the first moment of a day the report and its comparison are empty", async () => {
  const site = await world();
  for (const compare of ["none", "previous_period", "year_over_year"]) {
    const input = { period: "today", compare, event: "Signup" };
    const { visitors, events: rows } = await reportAsOwner(events, site, input, "2025-03-13T00:00:00Z");
    expect([visitors, rows], compare).toEqual([0, []]);
  }
});
