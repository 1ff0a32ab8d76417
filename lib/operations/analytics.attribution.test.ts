import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-31T18:00:00Z");
const GOOGLE = "https://www.google.com/";

interface Act {
  at: string;
  user?: string;
  address?: string;
  path?: string;
  referrer?: string;
  /** An order of so many euros. */
  pays?: string;
}

async function act(site: TestSite, { at, user, address = "198.51.100.7", path = "/", referrer, pays }: Act) {
  const event = {
    name: pays ? "purchase" : "pageview",
    url: `https://${site.host}${path}`,
    ...(user && { user_id: user }),
    ...(referrer && { referrer }),
    ...(pays && { props: { order_id: `of ${at}` }, revenue: { amount: pays, currency: "EUR" } }),
  };
  await send(site, event, { at: new Date(at), address });
}

/** Of three people, each with a first visit and an order later: 29 days, 31 days, and on the next day without a user id. */
async function shop(): Promise<TestSite> {
  const site = await makeSite();
  await act(site, { at: "2025-02-27T12:00:00Z", user: "late", path: "/?utm_campaign=winter" });
  await act(site, { at: "2025-03-01T12:30:00Z", user: "early", path: "/?utm_campaign=spring" });
  await act(site, { at: "2025-03-29T12:00:00Z", address: "198.51.100.8", referrer: GOOGLE });
  await act(site, { at: "2025-03-30T12:00:00Z", user: "early", path: "/shop" });
  await act(site, { at: "2025-03-30T12:01:00Z", user: "early", path: "/shop", pays: "10.00" });
  await act(site, { at: "2025-03-30T13:00:00Z", user: "late", path: "/?utm_campaign=summer" });
  await act(site, { at: "2025-03-30T13:01:00Z", user: "late", pays: "20.00" });
  await act(site, { at: "2025-03-30T14:00:00Z", address: "198.51.100.8" });
  await act(site, { at: "2025-03-30T14:01:00Z", address: "198.51.100.8", pays: "40.00" });
  return site;
}

const ASKED = { period: "7d", metrics: "revenue,orders,conversions", dimensions: "utm_campaign" };
const rowsOf = async (site: TestSite, input: object) => {
  const { rows } = await reportAsAgent("analytics.explore", site, { ...ASKED, ...input }, NOW);
  const values = (row: { values: (string | null)[]; revenue: number }) => [...row.values, row.revenue];
  return rows.filter((row: { revenue: number }) => row.revenue !== 0).map(values);
};

test("by first touch a sale belongs to the visitor's first visit within 30 days, and to its own where nothing recognises the visitor", async () => {
  const site = await shop();
  expect(await rowsOf(site, {})).toEqual([
    [null, 50],
    ["summer", 20],
  ]);
  expect(await rowsOf(site, { attribution: "first" })).toEqual([
    [null, 40],
    ["summer", 20],
    ["spring", 10],
  ]);
  const first = { ...ASKED, dimensions: "source", attribution: "first" };
  const answer = await reportAsAgent("analytics.explore", site, first, NOW);
  expect(answer.meta.attribution).toBe("first");
  // Google brought a visitor on the day before, whom the next day's salt does not recognise.
  expect(answer.rows).toMatchObject([{ values: [null], revenue: 70 }]);
});

test("without a user id, first touch recognises a visitor on the same local day", async () => {
  const site = await makeSite();
  await act(site, { at: "2025-03-30T08:00:00Z", referrer: GOOGLE });
  await act(site, { at: "2025-03-30T14:00:00Z", path: "/?utm_campaign=mail" });
  await act(site, { at: "2025-03-30T14:01:00Z", pays: "40.00" });
  const of = async (attribution: string) => {
    const { panels, metrics } = await reportAsAgent("analytics.overview", site, { period: "7d", attribution }, NOW);
    expect(metrics.revenue).toBe(40);
    return panels.sources.map(({ value, revenue }: { value: string | null; revenue: number }) => [value, revenue]);
  };
  expect(await of("first")).toContainEqual(["Google", 40]);
  expect(await of("last")).toContainEqual(["Google", 0]);
});

test("a filter by campaign chooses what first touch gives to it, by source, page and landing page alike", async () => {
  const site = await shop();
  const filters = { utm_campaign: "spring" };
  for (const dimensions of ["utm_campaign", "page", "entry_page", ""]) {
    const rows = await rowsOf(site, { filters, attribution: "first", dimensions });
    expect(
      rows.map((row: unknown[]) => row.at(-1)),
      dimensions,
    ).toEqual([10]);
  }
  const bySale = await reportAsAgent("analytics.commerce", site, { period: "7d", filters, attribution: "first" }, NOW);
  expect(bySale.totals).toMatchObject({ orders: 1, revenue: { amount: "10.00" } });
  expect(bySale.campaigns).toMatchObject([{ campaign: "spring", revenue: { amount: "10.00" } }]);
  const tagged = await reportAsAgent("analytics.campaigns", site, { period: "7d", attribution: "first" }, NOW);
  expect(tagged.campaigns).toMatchObject([
    { campaign: "summer", conversions: 1, revenue: { amount: "20.00" } },
    { campaign: "spring", visits: 0, conversions: 1, revenue: { amount: "10.00" } },
  ]);
});
