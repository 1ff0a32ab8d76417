import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, type SendOptions, send, type TestSite } from "@/lib/testing/world";

/** Vitals of pageviews in, exact percentiles out. */

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite) => reportAsAgent("analytics.vitals", site, { period: "7d" }, NOW);

/** Sends a pageview and its vitals: vitals alone do not start a visit. */
async function report(site: TestSite, path: string, vitals: object, at: string, sending: SendOptions = {}) {
  const url = `https://${site.host}${path}`;
  await send(site, path, { at: `2025-03-${at}Z`, ...sending });
  await send(site, { name: "vitals", url, vitals }, { at: `2025-03-${at}Z`, ...sending });
}

/** Sends one pageview each of `count` visitors, with vitals by visitor number. */
const views = (site: TestSite, path: string, count: number, vitals: (number: number) => object) =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      report(site, path, vitals(number + 1), "12T09:00:00", { address: `10.12.0.${number + 1}` }),
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

test("at most 20 rows of each breakdown are returned", async () => {
  const site = await makeSite();
  for (let page = 1; page <= 21; page++) await report(site, `/${page}`, { lcp: 1 }, "12T10:00:00");
  const { pages, meta } = await fetchReport(site);
  expect([pages.length, meta.truncated]).toEqual([20, true]);
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
