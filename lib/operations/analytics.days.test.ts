import { expect, test } from "vitest";
import campaigns from "@/lib/operations/analytics.campaigns";
import chart from "@/lib/operations/analytics.chart";
import commerce from "@/lib/operations/analytics.commerce";
import events from "@/lib/operations/analytics.events";
import explore from "@/lib/operations/analytics.explore";
import heatmap from "@/lib/operations/analytics.heatmap";
import overview from "@/lib/operations/analytics.overview";
import seo from "@/lib/operations/analytics.seo";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import { rolledSites } from "@/lib/testing/database";
import { people, reportAsOwner } from "@/lib/testing/reports";
import { sampled } from "@/lib/testing/tier";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** A visitor counts on each local day on which they have an event; a visit counts where it began. */

const NOW = "2025-03-14T12:00:00Z";
const DAYS = ["2025-03-10", "2025-03-11", "2025-03-12"];

interface Counted {
  visitors: number;
  visits: number | null;
}

/** What every report says of a day: visitors and visits, in total and by what their events and visits have. */
async function countsOf(site: TestSite, range: { from: string; to: string }, filters: object = {}) {
  const ask = (operation: Parameters<typeof reportAsOwner>[0], input: object = {}) =>
    reportAsOwner(operation, site, { ...range, filters, ...input }, NOW);
  const pair = ({ visitors, visits }: Counted) => [visitors, visits];
  const { metrics, panels } = await ask(overview);
  const explored = async (dimension: string) =>
    (await ask(explore, { metrics: "visitors,visits", dimensions: dimension })).rows.map(pair);
  const { organic } = await ask(seo);
  const { cells } = await ask(heatmap);
  const { buckets, metrics: totals } = await ask(chart, { interval: "day" });
  return {
    overview: pair(metrics),
    chart: [pair(totals), ...buckets.map(pair)],
    countries: panels.countries.map(pair),
    entries: panels.entry_pages.map(pair),
    sources: [panels.sources.map(pair), await explored("source")],
    pages: [panels.pages.map(pair), await explored("page")],
    names: [panels.event_names.map(pair), await explored("event")],
    campaigns: (await ask(campaigns)).channels.map(pair),
    search: [pair(organic), ...organic.landing_pages.map(pair)],
    heatmap: cells.reduce((sum: number, { visits }: { visits: number }) => sum + visits, 0),
    events: (await ask(events)).visitors,
  };
}

/** The same numbers in every report, of a visitor with one source, one page and one name. */
const everywhere = (visitors: number, visits: number, daily: number[][] = [[visitors, visits]]) => ({
  overview: [visitors, visits],
  chart: [[visitors, visits], ...daily],
  countries: [[visitors, visits]],
  entries: [[visitors, visits]],
  sources: [[[visitors, visits]], [[visitors, visits]]],
  pages: [[[visitors, visits]], [[visitors, visits]]],
  names: [[[visitors, visits]], [[visitors, visits]]],
  campaigns: [[visitors, visits]],
  search: [
    [visitors, visits],
    [visitors, visits],
  ],
  heatmap: visits,
  events: visitors,
});

const on = (day: string) => ({ from: day, to: day });
const whole = { from: DAYS[0] as string, to: DAYS[2] as string };

/** Views and plays on a page at some moments, from a search. */
async function playing(moments: string[], timezone: string, rolled: boolean) {
  const site = await makeSite({ timezone });
  if (rolled) rolledSites.add(site.id);
  const by = people(site);
  const url = `https://${site.host}/game`;
  for (const at of moments) {
    await by("ann", at, { name: "pageview", url, referrer: "https://www.google.com/" });
    await by("ann", at, { name: "Play", url });
  }
  return site;
}

test.each(sampled([true, false], 2))(
  "every report counts a visitor on each day with an event, and a visit on the day on which it began (rolled up: %s)",
  async (rolled) => {
    const site = await playing(["2025-03-10T23:55:00Z", "2025-03-11T00:05:00Z"], "UTC", rolled);
    expect(await countsOf(site, on("2025-03-10"))).toEqual(everywhere(1, 1));
    expect(await countsOf(site, on("2025-03-11"))).toEqual(everywhere(1, 0));
    expect(await countsOf(site, whole)).toEqual(
      everywhere(2, 1, [
        [1, 1],
        [1, 0],
        [0, 0],
      ]),
    );
  },
);

test("a visit over midnight counts alike with filters on its pages, its source and its goals", {
  tags: "full",
}, async () => {
  // 23:45 to 00:35 in Kolkata.
  const moments = ["2025-03-10T18:15:00Z", "2025-03-10T18:40:00Z", "2025-03-10T19:05:00Z"];
  const site = await playing(moments, "Asia/Kolkata", true);
  await db().goal.create({
    data: {
      siteId: site.id,
      name: "Played",
      kind: "event",
      pattern: "Play",
      createdAt: new Date(NOW),
      updatedAt: new Date(NOW),
    },
  });
  for (const filters of [{ page: "/game" }, { source: "Google" }, { entry_page: "/game" }, { "goal:Played": "yes" }]) {
    const { names: _, pages: __, ...counts } = await countsOf(site, on("2025-03-11"), filters);
    const { names: ___, pages: ____, ...right } = everywhere(1, 0);
    expect([filters, counts]).toEqual([filters, right]);
  }
});

test("engagement and vitals of a page from before midnight count nobody on the next day", async () => {
  const site = await makeSite();
  const by = people(site);
  const url = `https://${site.host}/`;
  await by("ann", "2025-03-10T23:55:00Z", "/");
  await by("ann", "2025-03-11T00:05:00Z", { name: "engagement", url, engagement: { ms: 60_000, scroll: 50 } });
  const { metrics } = await reportAsOwner(overview, site, on("2025-03-11"), NOW);
  expect(metrics).toMatchObject({ visitors: 0, visits: 0, pageviews: 0 });
  const { buckets } = await reportAsOwner(chart, site, { ...on("2025-03-11"), interval: "hour" }, NOW);
  expect(buckets[0]).toMatchObject({ visitors: 0, visits: 0 });
});

test("hours count a visitor in each hour with an event, in chart and heatmap alike", async () => {
  const site = await playing(["2025-03-10T09:50:00Z", "2025-03-10T10:10:00Z"], "UTC", false);
  const { buckets } = await reportAsOwner(chart, site, { ...on("2025-03-10"), interval: "hour" }, NOW);
  const { cells } = await reportAsOwner(heatmap, site, on("2025-03-10"), NOW);
  const pair = ({ visitors, visits }: Counted) => [visitors, visits];
  const right = [
    [1, 1],
    [1, 0],
    [0, 0],
  ];
  expect(buckets.slice(9, 12).map(pair)).toEqual(right);
  expect(cells.slice(9, 12).map(pair)).toEqual(right);
});

test("under a goal, all who are left are its converters: one number in headline, goals and conversion rate", async () => {
  const site = await makeSite();
  const by = people(site);
  const buy = { name: "purchase", url: `https://${site.host}/buy`, revenue: { amount: "5.00", currency: "EUR" } };
  await by("ann", "2025-03-10T23:50:00Z", "/");
  await by("ann", "2025-03-11T00:10:00Z", buy);
  await by("ben", "2025-03-11T12:00:00Z", "/");
  await by("ben", "2025-03-11T12:01:00Z", buy);
  await by("cid", "2025-03-11T13:00:00Z", "/");
  await db().goal.create({
    data: {
      siteId: site.id,
      name: "Buyer",
      kind: "event",
      pattern: "purchase",
      createdAt: new Date(NOW),
      updatedAt: new Date(NOW),
    },
  });
  const filters = { "goal:Buyer": "yes" };
  for (const range of [on("2025-03-11"), whole]) {
    const { metrics } = await reportAsOwner(overview, site, { ...range, filters }, NOW);
    const { visitors, goals, events: named } = await reportAsOwner(events, site, { ...range, filters }, NOW);
    const { totals } = await reportAsOwner(commerce, site, { ...range, filters }, NOW);
    expect([metrics.visitors, visitors, goals[0].visitors, named[0].visitors]).toEqual([2, 2, 2, 2]);
    expect([totals.visitors, totals.buyers, totals.conversion_rate, goals[0].conversion_rate]).toEqual([2, 2, 1, 1]);
  }
});

test("the overview names the same events as the list of events, passive ones included", async () => {
  const site = await makeSite();
  const by = people(site);
  const url = `https://${site.host}/`;
  await by("ann", "2025-03-10T10:00:00Z", "/");
  await by("ann", "2025-03-10T10:01:00Z", { name: "Seen", url, interactive: false });
  await by("ann", "2025-03-10T10:02:00Z", { name: "Play", url });
  await by("ben", "2025-03-10T10:02:00Z", { name: "Seen", url, interactive: false });
  const { panels } = await reportAsOwner(overview, site, whole, NOW);
  const { events: list } = await reportAsOwner(events, site, whole, NOW);
  expect(list.map(({ event, visitors }: { event: string; visitors: number }) => [event, visitors])).toEqual([
    ["Seen", 2],
    ["Play", 1],
  ]);
  expect(
    panels.event_names.map(({ value, visitors }: { value: string; visitors: number }) => [value, visitors]),
  ).toEqual([
    ["Seen", 2],
    ["Play", 1],
  ]);
});

test("every report that compares answers in the first moment of a day, when nothing of the day before is compared yet", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  await people(site)("ann", "2025-03-13T23:30:00Z", { name: "pageview", url: `https://${site.host}/` });
  const reports = [...OPERATIONS.values()].filter(
    (one) => one.id.startsWith("analytics.") && "compare" in one.input.shape,
  );
  expect(reports.length).toBeGreaterThan(10);
  for (const { id, example } of reports) {
    const { from: _, to: __, period: ___, ...asked } = example as Record<string, unknown>;
    const input = { ...asked, site_id: site.id, period: "today", compare: "previous_period" };
    const answer = await call(site.ownerId, id, input, new Date("2025-03-13T23:00:00Z"));
    expect([id, answer]).toEqual([
      id,
      expect.objectContaining({ meta: expect.objectContaining({ compare: expect.anything() }) }),
    ]);
  }
});
