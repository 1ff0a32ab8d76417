import { expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import campaigns from "@/lib/operations/analytics.campaigns";
import changes from "@/lib/operations/analytics.changes";
import chart from "@/lib/operations/analytics.chart";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { people, reportAsOwner } from "@/lib/testing/reports";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { FATHOM } from "@/lib/transfer/fathom";
import { GA4 } from "@/lib/transfer/ga4";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { UMAMI } from "@/lib/transfer/umami";

/** What the export of another service does not tell is unknown in every report, never 0. */

const NOW = "2025-03-20T12:00:00Z";
const P = (table: string) => `imported_${table}_20250301_20250310.csv`;
const TOTALS =
  "date,visitors,pageviews,bounces,visits,visit_duration\n2025-03-01,10,30,4,12,600\n2025-03-02,20,50,5,25,1500\n";
const GA4_HEAD = "# ----\n# Free form 1\n# 20250301-20250302\n# ----\n\n";

const askOverview = (site: TestSite) => reportAsOwner(overview, site, { from: "2025-02-20", to: "2025-03-19" }, NOW);

/** The ratios that some reports show of a range. */
async function ratiosOf(site: TestSite, range: object) {
  const ask = (operation: AnyOperation, input: object) => reportAsOwner(operation, site, { ...range, ...input }, NOW);
  const ratios = ({ bounce_rate, visit_duration }: Record<string, number | null>) => [bounce_rate, visit_duration];
  const named = { metrics: "bounce_rate,visit_duration", dimensions: "country" };
  const { rows } = await ask(explore, named);
  return {
    overview: ratios((await ask(overview, {})).metrics),
    chart: ratios((await ask(chart, {})).metrics),
    buckets: (await ask(chart, { interval: "day" })).buckets.map(ratios),
    channels: (await ask(campaigns, {})).channels.map(({ bounce_rate }: { bounce_rate: number | null }) => bounce_rate),
    rows: rows.map(ratios),
    series: (await ask(explore, named)).series.map(({ values }: { values: (number | null)[] }) => values[0]),
  };
}

test("bounces and durations that an export lacks are unknown, and averages of a mixed range are of what is known", async () => {
  const site = await makeSite();
  const by = people(site);
  await by("ann", "2025-03-03T10:00:00Z", "/");
  await by("ann", "2025-03-03T10:01:00Z", "/a");
  await by("ben", "2025-03-03T11:00:00Z", "/");
  const of = (dimension: string, word: string) =>
    `${GA4_HEAD}Date,${dimension},Total users,Sessions,Views\n20250301,${word},8,10,25\n`;
  await importFiles(site, GA4, {
    "totals.csv": `${GA4_HEAD}Date,Total users,Sessions,Views\n20250301,8,10,25\n`,
    "country.csv": of("Country ID", "DE"),
    "channel.csv": of("Session default channel group", "Direct"),
  });
  const unknown = [null, null];
  expect(await ratiosOf(site, { from: "2025-03-01", to: "2025-03-02" })).toEqual({
    overview: unknown,
    chart: unknown,
    buckets: [unknown, unknown],
    channels: [null],
    rows: [unknown],
    series: [null, null],
  });
  expect(await ratiosOf(site, { from: "2025-03-01", to: "2025-03-03" })).toMatchObject({
    overview: [0.5, 30],
    chart: [0.5, 30],
    buckets: [unknown, unknown, [0.5, 30]],
    channels: [0.5],
  });
  const compared = { from: "2025-03-03", to: "2025-03-03", compare_from: "2025-03-01", compare_to: "2025-03-01" };
  for (const operation of [overview, chart]) {
    const { metrics, previous, change } = await reportAsOwner(operation, site, compared, NOW);
    expect([metrics.bounce_rate, previous.bounce_rate, change.bounce_rate, change.visit_duration]).toEqual([
      0.5,
      null,
      null,
      null,
    ]);
    expect([previous.views_per_visit, previous.visits, change.visits]).toEqual([2.5, 10, -0.8]);
  }
});

test("what one file of an export lacks is unknown in its lists alone: bounces of exit pages, views of entry pages, visits", async () => {
  const site = await makeSite();
  await importFiles(site, PLAUSIBLE, {
    [P("visitors")]: TOTALS,
    [P("exit_pages")]: "date,exit_page,visitors,exits\n2025-03-01,/end,4,5\n",
    [P("entry_pages")]: "date,entry_page,visitors,entrances,visit_duration,bounces\n2025-03-01,/,4,5,50,1\n",
    [P("pages")]: "date,page,visitors,pageviews\n2025-03-01,/b,3,7\n",
  });
  const rowsOf = async (dimensions: string, metrics: string) =>
    (await reportAsOwner(explore, site, { from: "2025-03-01", to: "2025-03-01", dimensions, metrics }, NOW)).rows;
  expect(await rowsOf("exit_page", "visitors,bounce_rate,visit_duration,views_per_visit")).toEqual([
    { values: ["/end"], visitors: 4, bounce_rate: null, visit_duration: null, views_per_visit: null },
  ]);
  expect(await rowsOf("entry_page", "visits,bounce_rate,visit_duration,pageviews,views_per_visit")).toEqual([
    { values: ["/"], visits: 5, bounce_rate: 0.2, visit_duration: 10, pageviews: null, views_per_visit: null },
  ]);
  expect(await rowsOf("page", "visitors,visits,pageviews")).toEqual([
    { values: ["/b"], visitors: 3, visits: null, pageviews: 7 },
  ]);
});

test("an empty field is unknown: a day of Google Analytics without its bounce rate does not lower the average", async () => {
  const site = await makeSite();
  const rows = "20250301,8,10,25,,30\n20250302,8,10,25,0.4,\n";
  await importFiles(site, GA4, {
    "totals.csv": `${GA4_HEAD}Date,Total users,Sessions,Views,Bounce rate,Average session duration\n${rows}`,
  });
  const { metrics } = await askOverview(site);
  expect(metrics).toMatchObject({ visits: 20, bounce_rate: 0.4, visit_duration: 30 });
});

test("time on page is divided by the page views that could report it, not by imported ones", async () => {
  const site = await makeSite();
  const by = people(site);
  const url = `https://${site.host}/`;
  await by("ann", "2025-03-03T10:00:00Z", "/");
  await by("ann", "2025-03-03T10:01:00Z", { name: "engagement", url, engagement: { ms: 20_000, scroll: 50 } });
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS });
  expect((await askOverview(site)).metrics.time_on_page).toBe(20);
});

test("a visit of Umami over midnight is a visitor of both days, and a visit of the first, in totals and lists", async () => {
  const site = await makeSite();
  const event = (id: string, at: string) => `${id},w1,s1,v1,2025-03-${at},/game,www.google.com,1,,a.example`;
  const events = [
    "event_id,website_id,session_id,visit_id,created_at,url_path,referrer_domain,event_type,event_name,hostname",
    event("e1", "01 23:55:00Z"),
    event("e2", "02 00:05:00Z"),
    "",
  ].join("\n");
  const sessions = "session_id,website_id,browser,os,device,country\ns1,w1,ios,iOS,mobile,FR\n";
  await importFiles(site, UMAMI, { events, sessions });
  for (const [day, visits] of [
    ["2025-03-01", 1],
    ["2025-03-02", 0],
  ] as const) {
    const { metrics, panels } = await reportAsOwner(overview, site, { from: day, to: day }, NOW);
    expect(metrics).toMatchObject({ visitors: 1, visits, pageviews: 1 });
    for (const panel of [panels.pages, panels.entry_pages, panels.sources, panels.countries])
      expect(panel).toMatchObject([{ visitors: 1, visits }]);
  }
});

test("a count that a file leaves empty, or has no column for, is refused by its name instead of stored as 0", async () => {
  const site = await makeSite();
  const totals = `${GA4_HEAD}Date,Total users,Sessions,Views\n20250301,8,10,25\n`;
  const events = (columns: string, row: string) => ({
    "totals.csv": totals,
    "events.csv": `${GA4_HEAD}Date,Event name,${columns}\n20250301,Signup,${row}\n`,
  });
  await expect(importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS.replace("01,10,", "01,,") })).rejects.toThrow(
    "visitors is empty",
  );
  await expect(
    importFiles(site, PLAUSIBLE, {
      [P("visitors")]: TOTALS,
      [P("custom_events")]: "date,name,visitors,events\n2025-03-01,Signup,3,\n",
    }),
  ).rejects.toThrow("events is empty");
  await expect(
    importFiles(site, FATHOM, {
      "Events.csv": "Timestamp,Event Name,Completions,Unique Completions\n2025-03-01 10:00:00,Signup,,3\n",
    }),
  ).rejects.toThrow("events is missing");
  await expect(importFiles(site, GA4, { "totals.csv": totals.replace(",8,", ",,") })).rejects.toThrow(
    "Total users is empty",
  );
  await expect(importFiles(site, GA4, events("Total users", "3"))).rejects.toThrow(/missing column/);
  await expect(importFiles(site, GA4, events("Total users,Event count", "3,"))).rejects.toThrow("Event count is empty");
  await expect(importFiles(site, GA4, events("Total users,Event count", "3,5"))).resolves.toMatchObject({ days: 1 });
});

test("the number of events is unknown where an export does not tell it, and 0 on a day for which it names none", async () => {
  const site = await makeSite();
  await importFiles(site, GA4, {
    "totals.csv": `${GA4_HEAD}Date,Total users,Sessions,Views\n20250301,8,10,25\n20250302,4,5,9\n`,
    "country.csv": `${GA4_HEAD}Date,Country ID,Total users\n20250301,DE,8\n`,
  });
  const range = { from: "2025-03-01", to: "2025-03-02" };
  const ask = (operation: AnyOperation, input: object = {}) =>
    reportAsOwner(operation, site, { ...range, ...input }, NOW);
  const byDay = async () => {
    const { metrics, buckets } = await ask(chart, { interval: "day" });
    return [metrics.events, ...buckets.map(({ events }: { events: number | null }) => events)];
  };
  expect(await byDay()).toEqual([null, null, null]);
  const { rows } = await ask(explore, { metrics: "events,visitors", dimensions: "country" });
  expect(rows).toMatchObject([{ events: null, visitors: 8 }]);
  const after = { from: "2025-03-02", to: "2025-03-02", compare_from: "2025-03-01", compare_to: "2025-03-01" };
  const compared = await ask(overview, after);
  expect([compared.metrics.events, compared.previous.events, compared.change.events]).toEqual([null, null, null]);
  expect((await ask(changes, { ...after, metric: "events" })).total).toMatchObject({ before: null, after: null });
  await importFiles(site, GA4, {
    "events.csv": `${GA4_HEAD}Date,Event name,Total users,Event count\n20250301,Signup,2,3\n20250302,session_start,4,5\n`,
  });
  expect(await byDay()).toEqual([3, 3, null]);
  const other = await makeSite();
  const days = [1, 2, 3, 4].map((day) => `2025030${day},8,10,25\n`).join("");
  await importFiles(other, GA4, {
    "totals.csv": `${GA4_HEAD}Date,Total users,Sessions,Views\n${days}`,
    "events.csv": `${GA4_HEAD}Date,Event name,Total users,Event count\n20250301,Signup,2,3\n20250303,Signup,1,1\n`,
  });
  const all = { from: "2025-03-01", to: "2025-03-04", interval: "day" };
  const { buckets } = await reportAsOwner(chart, other, all, NOW);
  expect(buckets.map(({ events }: { events: number | null }) => events)).toEqual([3, 0, 1, null]);
});

test("events of the pages of Umami are unknown, because its events are summed up by name and by visit", async () => {
  const site = await makeSite();
  const head = "event_id,website_id,session_id,visit_id,created_at,url_path,event_type,event_name,hostname";
  const events = `${head}\ne1,w1,s1,v1,2025-03-01 10:00:00Z,/a,1,,a.example\ne2,w1,s1,v1,2025-03-01 10:01:00Z,/a,2,Signup,a.example\n`;
  const sessions = "session_id,website_id,browser,os,device,country\ns1,w1,ios,iOS,mobile,FR\n";
  await importFiles(site, UMAMI, { events, sessions });
  const rowsOf = async (dimensions: string) =>
    (await reportAsOwner(explore, site, { from: "2025-03-01", to: "2025-03-01", dimensions, metrics: "events" }, NOW))
      .rows;
  expect([await rowsOf("page"), await rowsOf("country")]).toEqual([
    [{ values: ["/a"], events: null }],
    [{ values: ["FR"], events: 1 }],
  ]);
});
