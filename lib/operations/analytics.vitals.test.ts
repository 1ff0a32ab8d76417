import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Vitals of pageviews in, exact percentiles out. */

const NOW = new Date("2025-03-12T15:30:00Z");
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const fetchReport = (site: TestSite, input: object = {}) =>
  reportAsAgent("analytics.vitals", site, { period: "7d", ...input }, NOW);

/** Sends a pageview and its vitals: vitals alone do not start a visit. */
async function report(site: TestSite, path: string, vitals: object, at: string, sending: SendOptions = {}) {
  const url = `https://${site.host}${path}`;
  await send(site, path, { at: `2025-03-${at}Z`, ...sending });
  await send(site, { name: "vitals", url, vitals }, { at: `2025-03-${at}Z`, ...sending });
}

/** Sends one pageview each of `count` visitors, with vitals by visitor number. */
const views = (
  site: TestSite,
  path: string,
  count: number,
  vitals: (number: number) => object,
  day = 12,
  more: SendOptions = {},
) =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      report(site, path, vitals(number + 1), `${String(day).padStart(2, "0")}T09:00:00`, {
        address: `10.${day}.${path.length}.${number + 1}`,
        ...more,
      }),
    ),
  );

const NOTHING = {
  samples: 0,
  enough_data: false,
  p50: null,
  p75: null,
  p90: null,
  p99: null,
  good: null,
  needs_improvement: null,
  poor: null,
};

test("a site without vitals has no samples and no values", async () => {
  const { overall, pages, floor, comparison } = await fetchReport(await makeSite());
  expect(overall).toEqual({ views: 0, lcp: NOTHING, inp: NOTHING, cls: NOTHING, fcp: NOTHING, ttfb: NOTHING });
  expect([pages, floor, comparison]).toEqual([[], 20, null]);
});

test("percentiles are interpolated, and values at a threshold belong to the better class", async () => {
  const site = await makeSite();
  // 100, 200 … 2000 ms, and values exactly at the thresholds of LCP and CLS.
  await views(site, "/", 20, (number) => ({
    inp: number * 100,
    lcp: number <= 10 ? 2500 : number <= 15 ? 4000 : 4000.5,
    cls: number <= 18 ? 0.1 : 0.26,
  }));
  const { overall } = await fetchReport(site);
  expect(overall.inp).toEqual({
    samples: 20,
    enough_data: true,
    p50: 1050,
    p75: 1525,
    p90: 1810,
    p99: 1981,
    good: 0.1,
    needs_improvement: 0.15,
    poor: 0.75,
  });
  expect(overall.lcp).toMatchObject({ good: 0.5, needs_improvement: 0.25, poor: 0.25, p50: 3250 });
  expect(overall.cls).toMatchObject({ good: 0.9, needs_improvement: 0, poor: 0.1 });
  expect(overall.fcp).toEqual(NOTHING);
});

test("below 20 samples only their number is returned", async () => {
  const site = await makeSite();
  await views(site, "/", 19, () => ({ lcp: 1000 }));
  expect((await fetchReport(site)).overall).toMatchObject({ views: 19, lcp: { ...NOTHING, samples: 19 } });
  await report(site, "/", { lcp: 1000 }, "12T10:00:00");
  const { lcp } = (await fetchReport(site)).overall;
  expect(lcp).toMatchObject({ samples: 20, enough_data: true, p50: 1000, p99: 1000, good: 1, poor: 0 });
});

test("a pageview counts once, with the last reported value of each vital", async () => {
  const site = await makeSite();
  await views(site, "/", 19, () => ({ lcp: 1000, inp: 100 }));
  const address = "198.51.100.1";
  await report(site, "/", { lcp: 9000, inp: 900, view: 1 }, "12T10:00:00", { address });
  await report(site, "/", { inp: 50, view: 1 }, "12T10:00:02", { address });
  await report(site, "/", { lcp: 3000, inp: 700, view: 1 }, "12T10:00:01", { address });
  const { views: count, lcp, inp } = (await fetchReport(site)).overall;
  expect([count, lcp.samples, inp.samples]).toEqual([20, 20, 20]);
  // The largest LCP of the twenty is 3000, the smallest INP is 50.
  expect([lcp.p99, lcp.needs_improvement, lcp.poor]).toEqual([1000 + 0.81 * 2000, 0.05, 0]);
  expect([inp.p50, inp.good]).toEqual([100, 1]);
});

test("vitals without a view id count as one pageview each, and the same id in two visits as two", async () => {
  const site = await makeSite();
  const address = "198.51.100.1";
  await report(site, "/", { lcp: 1 }, "12T10:00:00", { address });
  await report(site, "/", { lcp: 2 }, "12T10:00:00", { address });
  await report(site, "/", { lcp: 3, view: 1 }, "12T10:00:00", { address });
  await report(site, "/", { lcp: 4, view: 1 }, "12T12:00:00", { address });
  expect((await fetchReport(site)).overall.views).toBe(4);
});

test("rows by page, device, country and browser are sorted by pageviews, with unknown as null", async () => {
  const site = await makeSite();
  await views(site, "/a", 20, () => ({ ttfb: 100 }));
  await views(site, "/long", 21, () => ({ ttfb: 2000 }), 12, { userAgent: SAFARI });
  const { pages, devices, browsers, countries, meta } = await fetchReport(site);
  const summary = (rows: { value: string; views: number; ttfb: { p75: number } }[]) =>
    rows.map(({ value, views: count, ttfb }) => [value, count, ttfb.p75]);
  expect(summary(pages)).toEqual([
    ["/long", 21, 2000],
    ["/a", 20, 100],
  ]);
  expect(summary(devices)).toEqual([
    ["Mobile", 21, 2000],
    ["Desktop", 20, 100],
  ]);
  expect(browsers.map((row: { value: string }) => row.value)).toEqual([expect.stringContaining("Safari"), "Chrome"]);
  expect(summary(countries)).toEqual([[null, 41, 2000]]);
  expect(meta).toMatchObject({ row_limit: 20, truncated: false });
});

test("at most 20 rows of each breakdown are returned", async () => {
  const site = await makeSite();
  for (let page = 1; page <= 21; page++) await report(site, `/${page}`, { lcp: 1 }, "12T10:00:00");
  const { pages, meta } = await fetchReport(site);
  expect([pages.length, meta.truncated]).toEqual([20, true]);
});

test("filters apply to the page and the visit of vitals, and bots are left out", async () => {
  const site = await makeSite();
  await views(site, "/a", 3, () => ({ lcp: 1 }));
  await views(site, "/long", 2, () => ({ lcp: 1 }), 12, { userAgent: SAFARI });
  await report(site, "/a", { lcp: 1 }, "12T10:00:00", { userAgent: "Googlebot/2.1", address: "198.51.100.9" });
  const viewsOf = async (input: object) => (await fetchReport(site, input)).overall.views;
  expect(await viewsOf({})).toBe(5);
  expect(await viewsOf({ filters: JSON.stringify({ page: "/a" }) })).toBe(3);
  expect(await viewsOf({ filters: JSON.stringify({ device: "Mobile" }) })).toBe(2);
  expect(await viewsOf({ traffic: "all" })).toBe(6);
});

test("each row has its comparison row, null if there is none", async () => {
  const site = await makeSite();
  await views(site, "/a", 20, () => ({ lcp: 3000 }), 4);
  await views(site, "/b", 20, () => ({ lcp: 1 }), 4);
  await views(site, "/a", 21, () => ({ lcp: 1000 }), 12);
  await views(site, "/new", 2, () => ({ lcp: 1000 }), 12);
  const { pages, comparison } = await fetchReport(site, { compare: "previous_period" });
  expect(pages.map((row: { value: string }) => row.value)).toEqual(["/a", "/new"]);
  expect(comparison.overall).toMatchObject({ views: 40 });
  expect(comparison.pages).toMatchObject([{ value: "/a", views: 20, lcp: { p75: 3000 } }, null]);
  expect(comparison.devices).toMatchObject([{ value: "Desktop", views: 40 }]);
});

test("an imported vital that is too large to compare is no sample, and the report still answers", async () => {
  const [from, into] = [await makeSite(), await makeSite()];
  await report(from, "/", { lcp: 1234 }, "12T09:00:00");
  await report(from, "/", { lcp: 800 }, "12T10:00:00", { address: "198.51.100.7" });
  const text = await exported(from, NOW);
  expect(text).toContain("1234");
  await imported(into, text.replace("1234", "1e13"));
  expect((await fetchReport(from)).overall).toMatchObject({ views: 2, lcp: { samples: 2 } });
  expect((await fetchReport(into)).overall).toMatchObject({ views: 2, lcp: { samples: 1 } });
});
