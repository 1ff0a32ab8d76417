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

test("two dimensions, of the event and of its visit, ascending and in pages", async () => {
  const site = await world();
  const input = { metrics: "visits,pageviews", dimensions: "page,entry_page", sort: "pageviews", limit: 2 };
  const first = await fetchReport(site, input);
  expect(first.rows).toEqual([
    { values: ["/b", "/a"], visits: 1, pageviews: 1 },
    { values: ["/c", "/c"], visits: 1, pageviews: 1 },
  ]);
  expect(first.meta).toMatchObject({ row_limit: 2, truncated: true });
  const second = await fetchReport(site, { ...input, page: 2 });
  expect(second.rows).toEqual([{ values: ["/a", "/a"], visits: 2, pageviews: 2 }]);
  expect(second.meta.truncated).toBe(false);
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

test("events by name and page, with a comparison row for each row", async () => {
  const site = await world();
  const named = await fetchReport(site, { metrics: "events,visitors", dimensions: "event,page" });
  expect(named.rows).toEqual([{ values: ["Signup", "/b"], events: 1, visitors: 1 }]);
  const pages = await fetchReport(site, { metrics: "pageviews", dimensions: "page", compare: "previous_period" });
  expect(pages.rows.map((row: { values: string[] }) => row.values[0])).toEqual(["/a", "/b", "/c"]);
  expect(pages.comparison).toEqual([null, null, { values: ["/c"], pageviews: 1 }]);
});

test("without a dimension there is one row for the whole range", async () => {
  const site = await world();
  const { rows } = await fetchReport(site, { metrics: "visitors,visits,pageviews,events" });
  expect(rows).toEqual([{ values: [], visitors: 3, visits: 3, pageviews: 4, events: 1 }]);
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
