import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import overview from "@/lib/operations/analytics.overview";
import { refused } from "@/lib/testing/calls";
import { asOwner } from "@/lib/testing/reports";
import { makeSite, type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Visits in, exact numbers out. */

const NOW = "2025-03-12T15:30:00Z"; // a Wednesday

const overviewOf = async (site: TestSite, input: object = {}) =>
  (await execute(overview, asOwner(site, input, NOW))).data;
const chartOf = async (site: TestSite, input: object = {}) => (await execute(chart, asOwner(site, input, NOW))).data;

let people = 0;
/** Sends a visit of a new visitor, as a list of [minute, event or path]. */
async function visit(site: TestSite, begin: string, steps: [number, string | object][], sending: SendOptions = {}) {
  people++;
  const address = `10.${people >> 16}.${(people >> 8) & 255}.${people & 255}`;
  for (const [minute, event] of steps) {
    await send(site, event, { at: new Date(Date.parse(begin) + minute * 60_000), address, ...sending });
  }
}

const engaged = (site: TestSite, path: string, ms: number, scroll: number) => ({
  name: "engagement",
  url: `https://${site.host}${path}`,
  engagement: { ms, scroll },
});
const from = (site: TestSite, path: string, referrer: string) => ({
  name: "pageview",
  url: `https://${site.host}${path}`,
  referrer,
});

test("the range 24h says its exact moments, and ranges of whole days leave them out", async () => {
  const site = await makeSite({ timezone: "Asia/Kolkata" });
  const { meta } = await overviewOf(site, { period: "24h" });
  expect(meta).toMatchObject({
    from: "2025-03-11",
    to: "2025-03-12",
    start: "2025-03-11T16:30:00.000Z",
    end: "2025-03-12T16:30:00.000Z",
  });
  for (const input of [{ period: "today" }, { period: "24h", from: "2025-03-11", to: "2025-03-12" }])
    expect(Object.keys((await overviewOf(site, input)).meta)).not.toContain("start");
  const refusal = await refused(overviewOf(site, { to: "2025-03-12" }));
  expect(refusal?.details?.issues).toEqual([{ path: "from", message: "is required with to" }]);
});

test("an empty site has zeros for counts and null for rates", async () => {
  const site = await makeSite();
  const { metrics, previous, change, panels, meta } = await overviewOf(site);
  expect(metrics).toEqual({
    visitors: 0,
    visits: 0,
    pageviews: 0,
    events: 0,
    views_per_visit: null,
    bounce_rate: null,
    visit_duration: null,
    time_on_page: null,
    scroll_depth: null,
  });
  expect([previous, change]).toEqual([null, null]);
  expect(panels.pages).toEqual([]);
  expect(meta).toMatchObject({
    from: "2025-02-13",
    to: "2025-03-12",
    timezone: "UTC",
    traffic: "human",
    partial: true,
  });
});

test("headline metrics of three visits: one bounces, one has an event, one has engagement", async () => {
  const site = await makeSite();
  await visit(site, "2025-03-12T09:00:00Z", [
    [0, "/"],
    [2, "/a"],
    [4, "/b"],
  ]);
  await visit(site, "2025-03-12T10:00:00Z", [[0, "/"]]);
  await visit(site, "2025-03-12T11:00:00Z", [
    [0, "/"],
    [1, { name: "Play" }],
    [2, engaged(site, "/", 100_000, 80)],
  ]);
  const { metrics } = await overviewOf(site, { period: "today" });
  expect(metrics).toEqual({
    visitors: 3,
    visits: 3,
    pageviews: 5,
    events: 1,
    views_per_visit: 5 / 3,
    bounce_rate: 1 / 3,
    visit_duration: (240 + 0 + 120) / 3,
    time_on_page: 20,
    scroll_depth: 0.8,
  });
});

test("visitors of several days are the sum of the days; a visit across midnight is one visit, and a visitor of both days", async () => {
  const site = await makeSite({ timezone: "Asia/Kolkata" });
  const address = "192.0.2.44";
  for (const at of ["2025-03-10T06:00:00Z", "2025-03-10T12:00:00Z", "2025-03-11T06:00:00Z"])
    await send(site, "/", { at, address });
  await visit(site, "2025-03-11T18:25:00Z", [
    [0, "/"],
    [10, "/after-midnight"],
  ]); // 23:55 local
  const { metrics } = await overviewOf(site, { period: "7d" });
  expect(metrics).toMatchObject({ visitors: 4, visits: 4, pageviews: 5 });
  const { buckets } = await chartOf(site, { period: "7d" });
  expect(
    buckets.map(({ label, visitors, visits, pageviews }) => [label.slice(5), visitors, visits, pageviews]),
  ).toEqual([
    ["03-06", 0, 0, 0],
    ["03-07", 0, 0, 0],
    ["03-08", 0, 0, 0],
    ["03-09", 0, 0, 0],
    ["03-10", 1, 2, 2],
    ["03-11", 2, 2, 2],
    ["03-12", 1, 0, 1],
  ]);
});

test("the comparison counts up to the same time of day, and its buckets match those of the range", async () => {
  const site = await makeSite();
  await visit(site, "2025-03-12T09:00:00Z", [
    [0, "/"],
    [1, "/"],
  ]);
  await visit(site, "2025-03-11T09:00:00Z", [[0, "/"]]);
  await visit(site, "2025-03-11T20:00:00Z", [[0, "/"]]); // later in the day than now
  const input = { period: "today", compare: "previous_period" };
  const { metrics, previous, change, meta } = await overviewOf(site, input);
  expect([metrics.pageviews, previous?.pageviews, change?.pageviews]).toEqual([2, 1, 1]);
  expect([change?.visitors, change?.visit_duration]).toEqual([0, null]);
  expect(meta.compare).toEqual({
    from: "2025-03-11",
    to: "2025-03-11",
    start: "2025-03-11T00:00:00.000Z",
    end: "2025-03-11T15:30:00.000Z",
  });
  const { buckets, comparison } = await chartOf(site, input);
  expect(comparison).toHaveLength(buckets.length);
  expect([comparison?.[9]?.label, comparison?.[9]?.visits, comparison?.[20]]).toEqual(["2025-03-11T09:00", 1, null]);
});

test("panels of pages, entry and exit pages, sources, channels, browsers and devices", async () => {
  const site = await makeSite();
  const at = "2025-03-12T09:00:00Z";
  await visit(site, at, [
    [0, from(site, "/", "https://www.google.com/search?q=x")],
    [1, "/a"],
    [2, "/a"],
  ]);
  await visit(site, at, [[0, from(site, "/a", "https://chatgpt.com/")]]);
  await visit(site, at, [[0, `/?utm_source=newsletter&utm_medium=email`]]);
  await visit(site, at, [[0, "/"]], {
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  const { panels } = await overviewOf(site, { period: "today" });
  expect(panels.pages).toEqual([
    { value: "/", visitors: 3, visits: 3, pageviews: 3 },
    { value: "/a", visitors: 2, visits: 2, pageviews: 3 },
  ]);
  expect(panels.entry_pages).toEqual([
    { value: "/", visitors: 3, visits: 3 },
    { value: "/a", visitors: 1, visits: 1 },
  ]);
  expect(panels.exit_pages).toEqual([
    { value: "/", visitors: 2, visits: 2 },
    { value: "/a", visitors: 2, visits: 2 },
  ]);
  expect(panels.sources.map((row) => row.value).sort()).toEqual(["ChatGPT", "Google", "newsletter", null].sort());
  expect(panels.channels.map((row) => row.value).sort()).toEqual([
    "AI assistants",
    "Direct",
    "Email",
    "Organic Search",
  ]);
  expect(panels.devices).toEqual([
    { value: "Desktop", visitors: 3, visits: 3 },
    { value: "Mobile", visitors: 1, visits: 1 },
  ]);
  expect(panels.browsers[0]).toEqual({ value: "Chrome", visitors: 3, visits: 3 });
  expect(panels.countries).toEqual([{ value: null, visitors: 4, visits: 4 }]);
});

test("the page with the most visitors is first in its panel, even if other pages have as many visits", async () => {
  const site = await makeSite();
  const at = "2025-03-12T09:00:00Z";
  const paths = Array.from({ length: 33 }, (_, index) => `/again/${10 + index}`);
  await Promise.all(
    paths.map((path) =>
      visit(site, at, [
        [0, path],
        [40, path],
      ]),
    ),
  );
  await visit(site, at, [[0, "/twice"]]);
  await visit(site, at, [[0, "/twice"]]);
  const { panels } = await overviewOf(site, { period: "today" });
  const first = [
    { value: "/twice", visitors: 2, visits: 2 },
    ...paths.slice(0, 9).map((value) => ({ value, visitors: 1, visits: 2 })),
  ];
  expect(panels.entry_pages).toEqual(first);
  expect(panels.exit_pages).toEqual(first);
  expect(panels.pages).toEqual([
    { value: "/twice", visitors: 2, visits: 2, pageviews: 2 },
    ...paths.slice(0, 9).map((value) => ({ value, visitors: 1, visits: 2, pageviews: 2 })),
  ]);
});

test("the traffic filter is human by default; bot selects bots and all selects everything", async () => {
  const site = await makeSite();
  const at = "2025-03-12T09:00:00Z";
  await visit(site, at, [[0, "/"]]);
  await visit(
    site,
    at,
    [
      [0, "/"],
      [1, "/a"],
    ],
    { userAgent: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)" },
  );
  const views = async (traffic?: string) => (await overviewOf(site, { period: "today", traffic })).metrics.pageviews;
  expect([await views(), await views("bot"), await views("all"), await views("ai")]).toEqual([1, 2, 3, 0]);
});

test("a chart by hour that compares with nine years is refused before any query begins", async () => {
  const site = await makeSite();
  const compared = { compare_from: "2016-01-01", compare_to: "2024-12-31" };
  // Vitest also fails when a query that has begun is abandoned, because its rejection is not handled.
  const call = chartOf(site, { period: "today", interval: "hour", ...compared });
  await expect(call).rejects.toMatchObject({ code: "invalid_input" });
});

test("a range of nine years works, and only its chart by hour is refused", async () => {
  const site = await makeSite();
  await visit(site, "2017-11-02T09:00:00Z", [[0, "/"]]);
  expect((await overviewOf(site, { period: "all" })).metrics.visitors).toBe(1);
  expect((await chartOf(site, { period: "all" })).meta.interval).toBe("month");
  await expect(chartOf(site, { period: "all", interval: "hour" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("text from visitors is returned without control and direction characters", async () => {
  const site = await makeSite();
  await visit(site, "2025-03-12T09:00:00Z", [[0, from(site, "/", "https://evil.example/")]]);
  await visit(site, "2025-03-12T09:00:00Z", [[0, "/?utm_source=a%E2%80%AEb%07c"]]);
  const { panels } = await overviewOf(site, { period: "today" });
  expect(panels.sources.map((row) => row.value).sort()).toEqual(["abc", "evil.example"]);
});

test("a foreign and a missing site get the same error, and invalid parameters are named", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const refusal = (input: object) =>
    execute(overview, { ...asOwner(site, {}, NOW), input }).then(
      () => null,
      (error) => error,
    );
  const foreign = await refusal({ site_id: other.id });
  const missing = await refusal({ site_id: 2_000_000_000 });
  expect([foreign.code, missing.code]).toEqual(["site_not_granted", "site_not_granted"]);
  expect(foreign.message.replace(`${other.id}`, "#")).toBe(missing.message.replace("2000000000", "#"));
  const bad = await refusal({ site_id: site.id, perod: "7d", period: "8d", from: "2025-02-30" });
  expect(bad.code).toBe("invalid_input");
  expect(bad.details.issues.map((issue: { path: string }) => issue.path)).toEqual(["period", "from", "perod"]);
});
