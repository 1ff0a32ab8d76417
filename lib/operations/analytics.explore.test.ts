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

async function shop(): Promise<TestSite> {
  const site = await makeSite();
  const at = (time: string) => new Date(`2025-03-12T${time}Z`);
  const order = (id: string, amount: string, plan: string) => ({
    name: "purchase",
    url: `https://${site.host}/thanks`,
    props: { order_id: id, plan },
    revenue: { amount, currency: "EUR" },
  });
  const [first, second] = ["198.51.100.11", "198.51.100.12"];
  await send(
    site,
    { name: "pageview", url: `https://${site.host}/a`, referrer: "https://www.google.com/" },
    { at: at("09:00:00"), address: first },
  );
  await send(site, order("o1", "10.00", "pro"), { at: at("09:01:00"), address: first });
  await send(site, order("o1", "10.00", "pro"), { at: at("09:02:00"), address: first });
  await send(site, order("o2", "5.01", "basic"), { at: at("09:03:00"), address: first });
  await send(site, "/b", { at: at("10:00:00"), address: second });
  await send(
    site,
    { name: "Signup", url: `https://${site.host}/b`, props: { plan: "pro" } },
    { at: at("10:01:00"), address: second },
  );
  return site;
}

test("revenue, orders, average order, conversions and their rate are metrics by any dimension, each order counting once", async () => {
  const site = await shop();
  const answer = await fetchReport(site, {
    metrics: "revenue,orders,average_order_value,conversions,conversion_rate",
    dimensions: "source",
    goal: "purchase",
  });
  expect(answer).toMatchObject({ currency: "EUR", conversions_of: "goal" });
  expect(answer.rows).toEqual([
    { values: ["Google"], revenue: 15.01, orders: 2, average_order_value: 7.51, conversions: 3, conversion_rate: 1 },
    { values: [null], revenue: 0, orders: 0, average_order_value: null, conversions: 0, conversion_rate: 0 },
  ]);
});

test("a custom property is a dimension whose rows are of the events that have it", async () => {
  const site = await shop();
  const answer = await fetchReport(site, { metrics: "revenue,visitors,events", dimensions: "prop:plan,event" });
  expect(answer.dimensions).toEqual(["prop:plan", "event"]);
  expect(answer.rows).toEqual([
    { values: ["pro", "purchase"], revenue: 10, visitors: 1, events: 2 },
    { values: ["basic", "purchase"], revenue: 5.01, visitors: 1, events: 1 },
    { values: ["pro", "Signup"], revenue: 0, visitors: 1, events: 1 },
  ]);
  expect((await fetchReport(site, { dimensions: "prop:nothing' OR 1=1" })).rows).toEqual([]);
});

test("a goal beside other metrics, and a property without a name, are refused with the way out", async () => {
  const site = await shop();
  const refused = (input: object) => fetchReport(site, input).then((error) => error.details.issues[0]);
  expect(await refused({ metrics: "revenue", goal: "purchase" })).toMatchObject({
    path: "goal",
    message: expect.stringContaining("conversions"),
  });
  expect(await refused({ dimensions: "prop:" })).toMatchObject({
    path: "dimensions",
    message: expect.stringContaining("prop:<name>"),
  });
});
