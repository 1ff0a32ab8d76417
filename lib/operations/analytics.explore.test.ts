import { expect, test } from "vitest";
import { rolledSites } from "@/lib/testing/database";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");

const fetchReport = (site: TestSite, input: object) =>
  reportAsAgent("analytics.explore", site, { period: "7d", ...input }, NOW);

async function world(): Promise<TestSite> {
  const site = await makeSite();
  const view = (path: string, referrer: string) => ({ name: "pageview", url: `https://${site.host}${path}`, referrer });
  const at = (day: number, time: string) => new Date(`2025-03-${String(day).padStart(2, "0")}T${time}Z`);
  await send(site, view("/a", "https://www.google.com/"), { at: at(12, "09:00:00"), address: "198.51.100.1" });
  await send(site, "/b", { at: at(12, "09:01:00"), address: "198.51.100.1" });
  await send(
    site,
    { name: "Signup", url: `https://${site.host}/b` },
    { at: at(12, "09:02:00"), address: "198.51.100.1" },
  );
  await send(site, view("/a", "https://www.google.com/"), { at: at(12, "10:00:00"), address: "198.51.100.2" });
  await send(site, "/c", { at: at(11, "10:00:00"), address: "198.51.100.3" });
  await send(site, "/c", { at: at(4, "10:00:00"), address: "198.51.100.3" });
  return site;
}

test("metrics by a visit dimension are sorted by the first metric, with unknown values as null", async () => {
  const site = await world();
  const { rows, metrics } = await fetchReport(site, {
    metrics: "visitors,pageviews,bounce_rate",
    dimensions: "source",
  });
  expect(metrics).toEqual(["visitors", "pageviews", "bounce_rate"]);
  expect(rows).toEqual([
    { values: ["Google"], visitors: 2, pageviews: 3, bounce_rate: 0.5 },
    { values: [null], visitors: 1, pageviews: 1, bounce_rate: 1 },
  ]);
});

test("the rule that chose the channel of each source is a dimension, to list and to filter by", async () => {
  const site = await world();
  const tagged = `https://${site.host}/?utm_source=partner&utm_medium=organic`;
  await send(
    site,
    { name: "pageview", url: tagged },
    { at: new Date("2025-03-12T11:00:00Z"), address: "198.51.100.9" },
  );
  const { rows } = await fetchReport(site, { metrics: "visits", dimensions: "source,channel,channel_rule" });
  expect(rows.map(({ values }: { values: string[] }) => values)).toEqual([
    ["Google", "Organic Search", "organic_search"],
    ["partner", "Organic Search", "organic_search"],
    [null, "Direct", "direct"],
  ]);
  const filtered = await fetchReport(site, { metrics: "visits", filters: { channel_rule: "direct" } });
  expect(filtered.rows).toEqual([{ values: [], visits: 1 }]);
});

test("rows can be sorted by dimension values, unknown values last in both directions", async () => {
  const site = await world();
  const order = async (dimensions: string, sort: string) =>
    (await fetchReport(site, { metrics: "visits", dimensions, sort })).rows.map(
      (row: { values: string[] }) => row.values[0],
    );
  expect(await order("page", "page")).toEqual(["/a", "/b", "/c"]);
  expect(await order("page", "-page")).toEqual(["/c", "/b", "/a"]);
  expect(await order("source", "-source")).toEqual(["Google", null]);
  expect(await order("source", "source")).toEqual(["Google", null]);
});

test("incompatible and unknown metrics, dimensions and sorts are refused with the alternatives", async () => {
  const site = await world();
  const refused = (input: object) => fetchReport(site, input).then((error) => error.details.issues[0]);
  expect(await refused({ metrics: "bounce_rate", dimensions: "page" })).toMatchObject({
    path: "metrics",
    message: expect.stringContaining("entry_page"),
  });
  expect(await refused({ metrics: "visitors", sort: "-pageviews" })).toMatchObject({ path: "sort" });
  expect(await refused({ metrics: "visitors", dimensions: "page", sort: "source" })).toMatchObject({ path: "sort" });
  expect(await refused({ metrics: "clicks" })).toMatchObject({
    path: "metrics",
    message: expect.stringContaining("visitors"),
  });
  expect(await refused({ dimensions: "page,source,country,city" })).toMatchObject({ path: "dimensions" });
});

test("without dimensions there is one page of one row, and the next page is empty", async () => {
  const site = await world();
  const first = await fetchReport(site, { metrics: "visits", compare: "previous_period" });
  expect(first).toMatchObject({ page: 1, rows: [{ values: [], visits: 3 }], comparison: [{ values: [] }] });
  expect(first.meta).toMatchObject({ row_limit: 100, truncated: false });
  const second = await fetchReport(site, { metrics: "visits", compare: "previous_period", page: 2, limit: 5 });
  expect(second).toMatchObject({ page: 2, rows: [], comparison: [] });
  expect(second.meta).toMatchObject({ row_limit: 5, truncated: false });
});

test("a channel whose visits have no page views is no row of page views, with a rollup as without", async () => {
  for (const isRolledUp of [false, true]) {
    const site = await makeSite();
    if (isRolledUp) rolledSites.add(site.id);
    const url = `https://${site.host}/a`;
    const [at, address] = [new Date("2025-03-10T09:00:00Z"), "198.51.100.1"];
    await send(site, { name: "Tick", interactive: false, url }, { at, address });
    await send(site, { name: "pageview", url, referrer: "https://www.google.com/" }, { at, address: "198.51.100.2" });
    const input = { metrics: "pageviews", dimensions: "channel" };
    expect((await fetchReport(site, input)).rows).toEqual([{ values: ["Organic Search"], pageviews: 1 }]);
    const all = await fetchReport(site, { metrics: "visitors", dimensions: "channel" });
    expect(all.rows).toHaveLength(2);
  }
});

test("by event there is no scroll depth, because a named event has none", async () => {
  const site = await world();
  await send(
    site,
    { name: "engagement", url: `https://${site.host}/b`, engagement: { ms: 1000, scroll: 80 } },
    { at: new Date("2025-03-12T09:01:30Z"), address: "198.51.100.1" },
  );
  const rowsBy = async (dimensions: string, metrics: string) =>
    (await fetchReport(site, { metrics, dimensions, from: "2025-03-12", to: "2025-03-12" })).rows;
  expect(await rowsBy("event", "events,scroll_depth")).toEqual([{ values: ["Signup"], events: 1, scroll_depth: null }]);
  expect(await rowsBy("event", "scroll_depth")).toEqual([]);
  expect(await rowsBy("page,event", "scroll_depth")).toEqual([]);
  expect(await rowsBy("page", "scroll_depth")).toEqual([{ values: ["/b"], scroll_depth: 0.8 }]);
});
