import { expect, test } from "vitest";
import { REPORTS } from "@/lib/contract/reports";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Events in, the reports that have something to show out. */

const NOW = new Date("2025-03-12T15:30:00Z");
const AT = "2025-03-12T09:00:00Z";

const reportsOf = async (site: TestSite, input: object = {}): Promise<string[]> =>
  (await reportAsAgent("analytics.reports", site, { period: "7d", ...input }, NOW)).reports;

const ALWAYS = ["realtime", "changes", "campaigns", "seo", "ai", "journeys", "heatmap", "funnels", "explore"];

test("a site without events has no report with data, one with pageviews those about all traffic", async () => {
  const site = await makeSite();
  expect(await reportsOf(site)).toEqual([]);
  await send(site, "/", { at: AT });
  expect(await reportsOf(site)).toEqual(ALWAYS);
});

/** What makes each report have data, beside a pageview. */
const MAKES: [string[], object][] = [
  [["events"], { name: "Signup" }],
  [["events", "site_search"], { name: "Search", props: { keyword: "red shoes" } }],
  [["events"], { name: "Search", props: { term: " " } }],
  [["events", "commerce"], { name: "Product Viewed", props: { product_id: "a" } }],
  [["events", "commerce"], { name: "Donation", revenue: { amount: "5.00", currency: "EUR" } }],
  [["experiments"], { name: "exposure", exposure: { experiment: "Button", variant: "red" } }],
  [["vitals"], { name: "vitals", vitals: { lcp: 1200 } }],
  [["retention"], { name: "pageview", user_id: "a" }],
];

for (const [reports, event] of MAKES) {
  test(`${reports.join(" and ")} is listed after ${JSON.stringify(event)}, and not outside its days`, async () => {
    const site = await makeSite();
    await send(site, "/", { at: AT });
    await send(site, { url: `https://${site.host}/`, ...event }, { at: AT });
    const listed = Object.keys(REPORTS).filter((key) => ALWAYS.includes(key) || reports.includes(key));
    expect(await reportsOf(site)).toEqual(listed);
    expect(await reportsOf(site, { from: "2025-03-01", to: "2025-03-11" })).toEqual([]);
    expect(await reportsOf(site, { filters: { country: "ZZ" } })).toEqual([]);
  });
}

test("a planned experiment and the setting for returning visitors count before anything was measured for them", async () => {
  const site = await makeSite();
  await send(site, "/", { at: AT });
  const variants = [
    { name: "blue", weight: 1 },
    { name: "red", weight: 1 },
  ];
  const plan = { siteId: site.id, name: "Button", variants, goal: "Signup", createdAt: NOW, updatedAt: NOW };
  await db().experiment.create({ data: plan });
  await db().site.update({ where: { id: site.id }, data: { retentionSalt: true } });
  expect(await reportsOf(site)).toEqual(expect.arrayContaining(["experiments", "retention"]));
});
