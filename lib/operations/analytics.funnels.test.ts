import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { FunnelStep } from "@/lib/contract/funnel-steps";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");
const BOT = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";

const fetchReport = (site: TestSite, input: object) =>
  reportAsAgent("analytics.funnels", site, { period: "7d", ...input }, NOW);

/** Returns the visitors of each step of the funnel. */
async function visitors(site: TestSite, funnel: string, more: object = {}): Promise<number[]> {
  const { funnels } = await fetchReport(site, { funnel, ...more });
  return funnels[0].steps.map((step: { visitors: number }) => step.visitors);
}

const at = (time: string, day = 12) => new Date(`2025-03-${String(day).padStart(2, "0")}T${time}Z`);

/** Sends the paths and events of one visitor, each at its time. */
async function live(site: TestSite, who: number, steps: [Date, string][], sending: object = {}): Promise<void> {
  for (const [at, what] of steps) {
    const event = what.startsWith("/") ? what : { name: what, url: `https://${site.host}/` };
    await send(site, event, { at, address: `198.51.100.${who}`, ...sending });
  }
}

const save = (site: TestSite, name: string, steps: FunnelStep[], windowMinutes = 60) =>
  db().funnel.create({
    data: { id: randomUUID(), siteId: site.id, name, steps, windowMinutes, createdAt: NOW, updatedAt: NOW },
  });

test("each step has visitors, conversion from the first and the previous step, and drop-off", async () => {
  const site = await makeSite();
  for (const who of [1, 2, 3, 4]) await live(site, who, [[at("09:00:00"), "/pricing"]]);
  for (const who of [1, 2]) await live(site, who, [[at("09:01:00"), "Signup"]]);
  await live(site, 1, [[at("09:02:00"), "/thanks"]]);
  const { funnels, meta } = await fetchReport(site, { funnel: "/pricing > event:Signup > /thanks" });
  expect(funnels).toEqual([
    {
      funnel_id: null,
      name: "/pricing > event:Signup > /thanks",
      window_minutes: 1440,
      entered: 4,
      converted: 1,
      conversion_rate: 0.25,
      steps: [
        {
          name: "/pricing",
          kind: "page",
          pattern: "/pricing",
          visitors: 4,
          conversion_from_first: 1,
          conversion_from_previous: null,
          drop_off: 0,
          drop_off_rate: null,
        },
        {
          name: "Signup",
          kind: "event",
          pattern: "Signup",
          visitors: 2,
          conversion_from_first: 0.5,
          conversion_from_previous: 0.5,
          drop_off: 2,
          drop_off_rate: 0.5,
        },
        {
          name: "/thanks",
          kind: "page",
          pattern: "/thanks",
          visitors: 1,
          conversion_from_first: 0.25,
          conversion_from_previous: 0.5,
          drop_off: 1,
          drop_off_rate: 0.5,
        },
      ],
      comparison: null,
    },
  ]);
  expect(meta).toMatchObject({ row_limit: 20, truncated: false });
});

test("a step counts from one millisecond after the previous one, and steps out of order do not count", async () => {
  const site = await makeSite();
  await live(site, 2, [
    [at("09:00:00.000"), "/a"],
    [at("09:00:00.001"), "/b"],
  ]);
  await live(site, 3, [
    [at("09:00:00"), "/b"],
    [at("09:01:00"), "/a"],
  ]);
  expect(await visitors(site, "/a > /b")).toEqual([2, 1]);
});

test("one event counts for only one step, and a repeated pageview can count for the second", async () => {
  const site = await makeSite();
  await live(site, 1, [[at("09:00:00"), "/shop/a"]]);
  await live(site, 2, [
    [at("09:00:00"), "/shop/a"],
    [at("09:00:05"), "/shop/a"],
  ]);
  expect(await visitors(site, "/shop/** > /shop/a")).toEqual([2, 1]);
  expect(await visitors(site, "/shop/a > /shop/a > /shop/*")).toEqual([2, 1, 0]);
});

test("the last step counts up to the exact end of the window, measured from any first step", async () => {
  const site = await makeSite();
  const funnel = await save(site, "Hour", [
    { kind: "page", pattern: "/a", name: "Look" },
    { kind: "page", pattern: "/b" },
    { kind: "event", pattern: "Buy" },
  ]);
  const idle = [at("09:25:00"), "/x"] as [Date, string];
  await live(site, 1, [[at("09:00:00.000"), "/a"], idle, [at("09:50:00"), "/b"], [at("10:00:00.000"), "Buy"]]);
  await live(site, 2, [[at("09:00:00.000"), "/a"], idle, [at("09:50:00"), "/b"], [at("10:00:00.001"), "Buy"]]);
  await live(site, 3, [
    [at("09:00:00"), "/a"],
    [at("09:20:00"), "/a"],
    [at("09:45:00"), "/b"],
    [at("10:10:00"), "Buy"],
  ]);
  expect(await visitors(site, "Hour")).toEqual([3, 3, 2]);
  expect(await visitors(site, funnel.id)).toEqual([3, 3, 2]);
  const { funnels } = await fetchReport(site, { funnel: "Hour" });
  expect(funnels[0]).toMatchObject({ funnel_id: funnel.id, name: "Hour", window_minutes: 60 });
  expect(funnels[0].steps.map((step: { name: string }) => step.name)).toEqual(["Look", "/b", "Buy"]);
});

test("a visitor counts on the day of the first step, with later steps after midnight and after the range", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  await live(site, 1, [
    [at("22:55:00", 9), "/a"],
    [at("23:05:00", 9), "/b"],
  ]);
  const day = (date: string) => visitors(site, "/a > /b", { period: "custom", from: date, to: date });
  expect(await day("2025-03-09")).toEqual([1, 1]);
  expect(await day("2025-03-10")).toEqual([0, 0]);
  expect(await visitors(site, "/a > /b")).toEqual([1, 1]);
});

test("a conversion counts once, for the latest first step before it, so that days add up to the range", async () => {
  const site = await makeSite();
  const event = (name: string) => ({ name, url: `https://${site.host}/`, user_id: "u1" });
  await send(site, event("A"), { at: at("23:00:00", 10), address: "198.51.100.1" });
  await send(site, event("A"), { at: at("09:00:00", 11), address: "198.51.100.2" });
  await send(site, event("B"), { at: at("10:00:00", 11), address: "198.51.100.3" });
  const day = (date: string) => visitors(site, "event:A > event:B", { period: "custom", from: date, to: date });
  expect(await day("2025-03-10")).toEqual([1, 0]);
  expect(await day("2025-03-11")).toEqual([1, 1]);
  expect(await visitors(site, "event:A > event:B")).toEqual([2, 1]);
});

test("a conversion that the latest first step cannot reach counts for the previous first step", async () => {
  const site = await makeSite();
  const event = (name: string) => ({ name, url: `https://${site.host}/`, user_id: "u1" });
  for (const [name, time, day] of [
    ["A", "23:00:00", 10],
    ["B", "23:30:00", 10],
    ["A", "00:10:00", 11],
    ["C", "00:20:00", 11],
  ] as const)
    await send(site, event(name), { at: at(time, day) });
  const day = (date: string) =>
    visitors(site, "event:A > event:B > event:C", { period: "custom", from: date, to: date });
  expect(await day("2025-03-10")).toEqual([1, 1, 1]);
  expect(await day("2025-03-11")).toEqual([1, 0, 0]);
  expect(await visitors(site, "event:A > event:B > event:C")).toEqual([2, 1, 1]);
});

test("bots are left out unless the traffic filter includes them", async () => {
  const site = await makeSite();
  const both: [Date, string][] = [
    [at("09:00:00"), "/a"],
    [at("09:01:00"), "/b"],
  ];
  await live(site, 1, both);
  await live(site, 2, both, { userAgent: BOT });
  expect(await visitors(site, "/a > /b")).toEqual([1, 1]);
  expect(await visitors(site, "/a > /b", { traffic: "bot" })).toEqual([1, 1]);
  expect(await visitors(site, "/a > /b", { traffic: "all" })).toEqual([2, 2]);
});

test("filters select visits; filters on events select visits with such an event", async () => {
  const site = await makeSite();
  const view = (path: string, referrer: string) => ({ name: "pageview", url: `https://${site.host}${path}`, referrer });
  await send(site, view("/a", "https://www.google.com/"), { at: at("09:00:00"), address: "198.51.100.1" });
  await live(site, 1, [[at("09:01:00"), "/b"]]);
  await live(site, 2, [
    [at("09:00:00"), "/a"],
    [at("09:01:00"), "/c"],
    [at("09:02:00"), "/b"],
  ]);
  const narrowed = (filters: object) => visitors(site, "/a > /b", { filters: JSON.stringify(filters) });
  expect(await narrowed({})).toEqual([2, 2]);
  expect(await narrowed({ source: "Google" })).toEqual([1, 1]);
  expect(await narrowed({ page: "/c" })).toEqual([1, 1]);
  expect(await narrowed({ exit_page: "/b", entry_page: "/a" })).toEqual([2, 2]);
  expect(await narrowed({ page: "/none" })).toEqual([0, 0]);
  expect(await narrowed({ "goal:Signup": "no" })).toEqual([2, 2]);
});

test("the comparison of an unfinished range ends at the same time of day", async () => {
  const site = await makeSite();
  await live(site, 1, [[at("09:00:00", 12), "/a"]]);
  for (const [who, time] of [
    [2, "15:00:00"],
    [3, "15:29:59"],
  ] as const) {
    await live(site, who, [[at(time, 11), "/a"]]);
  }
  await live(site, 2, [[at("15:29:00", 11), "/b"]]);
  await live(site, 3, [[at("15:31:00", 11), "/b"]]);
  const { funnels } = await fetchReport(site, { funnel: "/a > /b", period: "today", compare: "previous_period" });
  expect([funnels[0].entered, funnels[0].converted]).toEqual([1, 0]);
  expect([funnels[0].comparison.entered, funnels[0].comparison.converted]).toEqual([2, 1]);
});

test("without a funnel, all saved funnels of the site are returned", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const steps: FunnelStep[] = [
    { kind: "page", pattern: "/a" },
    { kind: "page", pattern: "/b" },
  ];
  await save(site, "Second", steps);
  await save(site, "First", steps);
  const foreign = await save(other, "Other", steps);
  const { funnels } = await fetchReport(site, {});
  expect(funnels.map(({ name }: { name: string }) => name)).toEqual(["First", "Second"]);
  expect(funnels[0]).toMatchObject({ entered: 0, conversion_rate: null });
  for (const funnel of ["Other", foreign.id, "/pricing"]) {
    const refused = await fetchReport(site, { funnel });
    expect(refused.code).toBe("not_found");
    expect(refused.message).toContain("/pricing > event:Signup > /thanks");
  }
});

test.each([
  ["a step that is not a path", "/a > pricing", "step 2"],
  ["an event without a name", "/a > event:", "step 2"],
  ["more than ten steps", Array(11).fill("/a").join(" > "), "2 to 10 steps"],
])("%s is refused with the funnel syntax", async (_, funnel, reason) => {
  const refused = await fetchReport(await makeSite(), { funnel });
  expect([refused.code, refused.details.issues[0].path]).toEqual(["invalid_input", "funnel"]);
  expect(refused.message).toContain(reason);
  expect(refused.message).toContain("/pricing > event:Signup > /thanks");
});
