import { expect, test } from "vitest";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { finishedSites } from "@/lib/testing/database";
import { asOwner } from "@/lib/testing/reports";
import { sampled } from "@/lib/testing/tier";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

/** Imported days have no visits to filter: they count in unfiltered reports only. */

const NOW = new Date("2025-03-20T12:00:00Z");
const SUMS = "visitors,visits,visit_duration,bounces,pageviews";
const days = (columns: string, values: string) =>
  `date,${columns}\n${["2025-03-01", "2025-03-02", "2025-03-03"].map((day) => `${day},${values}\n`).join("")}`;

/** Imported files with the same dimension values as the site's own visits. */
const FILES: Record<string, string> = {
  imported_visitors: days(SUMS, "10,12,600,4,30"),
  imported_sources: days(`source,utm_source,utm_medium,utm_campaign,${SUMS}`, "Google,letter,email,may,10,12,600,4,30"),
  imported_pages: days("hostname,page,visits,visitors,pageviews", "a.example,/b,12,10,30"),
  imported_entry_pages: days("entry_page,visitors,entrances,visit_duration,bounces", "/b,10,12,600,4"),
  imported_exit_pages: days("exit_page,visitors,exits", "/b,10,12"),
  imported_custom_events: days("name,link_url,path,visitors,events", "Signup,,,5,7"),
  imported_locations: days(`country,region,city,${SUMS}`, "DE,,0,10,12,600,4,30"),
  imported_devices: days(`device,${SUMS}`, "Desktop,10,12,600,4,30"),
  imported_browsers: days(`browser,browser_version,${SUMS}`, "Chrome,142,10,12,600,4,30"),
  imported_operating_systems: days(`operating_system,operating_system_version,${SUMS}`, "Windows,10,10,12,600,4,30"),
};
const VALUES: Partial<Record<DimensionKey, string>> = {
  page: "/b",
  entry_page: "/b",
  exit_page: "/b",
  source: "Google",
  channel: "Organic Search",
  utm_source: "letter",
  utm_medium: "email",
  utm_campaign: "may",
  country: "DE",
  device: "Desktop",
  browser: "Chrome",
  os: "Windows",
  event: "Signup",
  traffic: "human",
};

const importDays = (site: TestSite) =>
  importFiles(site, PLAUSIBLE, Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`${name}.csv`, text])));

/** A call for a range with imported days and a comparison. */
const callOf = (site: TestSite, more: object) =>
  asOwner(site, { from: "2025-03-03", to: "2025-03-05", compare: "previous_period", ...more }, NOW);

const queryOverview = async (site: TestSite, filters: object) =>
  (await execute(overview, callOf(site, { filters }))).data;

/** Queries overview, chart by day and by hour, and explore. */
async function queryReports(site: TestSite, filters: object) {
  const metrics = "visitors,visits,pageviews,events,bounce_rate,visit_duration";
  const [whole, daily, hourly, explored] = await Promise.all([
    queryOverview(site, filters),
    execute(chart, callOf(site, { filters, interval: "day" })),
    execute(chart, callOf(site, { filters, interval: "hour" })),
    execute(explore, callOf(site, { filters, metrics })),
  ]);
  return { overview: whole, daily: daily.data, hourly: hourly.data, explored: explored.data };
}

test("filters on any dimension exclude imported days, and chart, overview, explore and comparison agree", async () => {
  const site = await makeSite();
  const url = `https://${site.host}/b?utm_source=letter&utm_medium=email&utm_campaign=may`;
  for (const day of ["04", "05"]) {
    const at = `2025-03-${day}T12:00:00Z`;
    await send(site, { name: "pageview", url, referrer: "https://www.google.com/" }, { at });
    await send(site, { name: "Signup", url }, { at: at.replace(":00Z", ":09Z") });
  }
  const keys = Object.keys(DIMENSIONS) as DimensionKey[];
  const allFilters = sampled(
    keys.flatMap((key) => [{ [key]: VALUES[key] ?? "" }, { [key]: { is_not: VALUES[key] ?? "" } }]),
    7,
  );
  const before: Awaited<ReturnType<typeof queryReports>>["overview"][] = [];
  for (const filters of allFilters) before.push(await queryOverview(site, filters));
  await importDays(site);
  finishedSites.add(site.id);

  for (const [index, filters] of allFilters.entries()) {
    const found = await queryReports(site, filters);
    expect([filters, found.overview.metrics]).toEqual([filters, before[index]?.metrics]);
    expect([filters, found.overview.previous]).toEqual([filters, before[index]?.previous]);
    expect([filters, found.overview.panels]).toEqual([filters, before[index]?.panels]);
    expectSame(filters, found);
  }

  const whole = await queryReports(site, {});
  expect(whole.overview.metrics).toMatchObject({ visitors: 12, visits: 14, pageviews: 32, events: 9 });
  expect(whole.overview.previous).toMatchObject({ visitors: 20, visits: 24, pageviews: 60, events: 14 });
  expectSame({}, whole);
});

function expectSame(
  filters: object,
  { overview, daily, hourly, explored }: Awaited<ReturnType<typeof queryReports>>,
): void {
  const pairs = [
    [overview.metrics, daily.metrics, hourly.metrics, explored.rows[0]],
    [overview.previous, daily.previous, hourly.previous, explored.comparison?.[0]],
  ];
  for (const [expected, ofDays, ofHours, ofExplore] of pairs) {
    const rest = { ...expected, scroll_depth: undefined };
    expect([filters, ofDays]).toEqual([filters, rest]);
    expect([filters, ofHours]).toEqual([filters, rest]);
    expect([filters, { ...rest, values: [] }]).toMatchObject([filters, ofExplore]);
  }
  for (const sum of ["visitors", "visits", "pageviews", "events"] as const) {
    const total = daily.buckets.reduce((all, bucket) => all + (bucket[sum] ?? 0), 0);
    expect([filters, sum, total]).toEqual([filters, sum, overview.metrics[sum]]);
  }
}
