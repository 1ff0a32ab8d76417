import { expect, test } from "vitest";
import { readFilters } from "@/lib/analytics/query/conditions";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = "2025-03-12T15:30:00Z";
/** The headline numbers: of the chart, which asks a third of the questions that an overview with its lists asks. */
const numbers = async (site: TestSite, filters: object, more: object = {}) => {
  const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: new Date(NOW) };
  const { data } = await execute(chart, { ...call, input: { site_id: site.id, period: "7d", filters, ...more } });
  const { visitors, visits, pageviews, events } = data.metrics;
  return [visitors, visits, pageviews, events];
};

/** Three people: one reads the blog and signs up as pro, one reads the blog, one comes from elsewhere and buys. */
async function threePeople(): Promise<TestSite> {
  const site = await makeSite();
  const at = (time: string) => new Date(`2025-03-12T${time}Z`);
  const from = (path: string, referrer: string) => ({ name: "pageview", url: `https://${site.host}${path}`, referrer });
  await send(site, from("/blog/a", "https://www.google.com/"), { at: at("09:00:00"), address: "198.51.100.1" });
  const signup = { name: "Signup", url: `https://${site.host}/join`, props: { plan: "pro" } };
  await send(site, signup, { at: at("09:01:00"), address: "198.51.100.1" });
  await send(site, "/blog/b", { at: at("10:00:00"), address: "198.51.100.2" });
  await send(site, "/about", { at: at("10:01:00"), address: "198.51.100.2" });
  await send(site, from("/shop", "https://news.ycombinator.com/"), { at: at("11:00:00"), address: "198.51.100.3" });
  const buy = { name: "Buy", url: `https://${site.host}/shop`, props: { plan: "basic" } };
  await send(site, buy, { at: at("11:01:00"), address: "198.51.100.3" });
  return site;
}

test("each operator on a visit dimension, and a goal, choose visits and their events", async () => {
  const site = await threePeople();
  expect(await numbers(site, {})).toEqual([3, 3, 4, 2]);
  expect(await numbers(site, { source: "Google" })).toEqual([1, 1, 1, 1]);
  expect(await numbers(site, { source: ["Google", "Hacker News"] })).toEqual([2, 2, 2, 2]);
  expect(await numbers(site, { source: { is_not: "Google" } })).toEqual([2, 2, 3, 1]);
  expect(await numbers(site, { source: { contains: "oog" } })).toEqual([1, 1, 1, 1]);
  expect(await numbers(site, { source: { not_contains: ["oog", "Hack"] } })).toEqual([1, 1, 2, 0]);
  expect(await numbers(site, { source: { starts_with: "Hack" } })).toEqual([1, 1, 1, 1]);
  expect(await numbers(site, { source: { matches: "^(G|H)" } })).toEqual([2, 2, 2, 2]);
  expect(await numbers(site, { source: "" })).toEqual([1, 1, 2, 0]);
  expect(await numbers(site, { source: null })).toEqual([1, 1, 2, 0]);
  expect(await numbers(site, { "goal:Signup": true })).toEqual([1, 1, 1, 1]);
});

test("a segment and a dashboard narrow further, and the question's own range wins", async () => {
  const site = await threePeople();
  const stored = { siteId: site.id, createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  const segment = await db().segment.create({
    data: { ...stored, name: "Blog", filters: { page: { starts_with: "/blog" } } },
  });
  const dashboard = await db().dashboard.create({
    data: { ...stored, name: "Search", filters: { source: "Google" }, period: "yesterday", traffic: "all" },
  });
  expect(await numbers(site, {}, { segment: segment.id })).toEqual([2, 2, 2, 0]);
  expect(await numbers(site, {}, { segment: segment.id, dashboard: dashboard.id })).toEqual([1, 1, 1, 0]);
  expect(await numbers(site, {}, { period: null, dashboard: dashboard.id })).toEqual([0, 0, 0, 0]);
  const stranger = await makeSite();
  await expect(numbers(stranger, {}, { segment: segment.id })).rejects.toMatchObject({ code: "not_found" });
});

test("what a dashboard compares with holds where the question is silent, in realtime too", async () => {
  const site = await makeSite();
  const stored = { siteId: site.id, createdAt: new Date(NOW), updatedAt: new Date(NOW) };
  const saved = await db().dashboard.create({
    data: { ...stored, name: "A year", filters: {}, compare: "year_over_year" },
  });
  const compared = async (operation: string, more: object) => {
    const input = { site_id: site.id, period: "today", dashboard: saved.id, ...more };
    const { meta } = await call(site.ownerId, operation, input, new Date(NOW));
    return meta.compare?.from.slice(0, 10) ?? null;
  };
  for (const operation of ["analytics.overview", "analytics.realtime"]) {
    expect(await compared(operation, {})).toBe("2024-03-12");
    expect(await compared(operation, { compare: "previous_period" })).toBe("2025-03-11");
    expect(await compared(operation, { compare: "none" })).toBeNull();
  }
  // Realtime compares with the last of the days.
  const days = { compare: null, compareFrom: "2025-03-01", compareTo: "2025-03-02" };
  await db().dashboard.update({ where: { id: saved.id }, data: days });
  for (const [operation, day] of [
    ["analytics.overview", "2025-03-01"],
    ["analytics.realtime", "2025-03-02"],
  ] as const) {
    expect(await compared(operation, {})).toBe(day);
    expect(await compared(operation, { compare: "previous_period" })).toBe("2025-03-11");
    expect(await compared(operation, { compare: "none" })).toBeNull();
    expect(await compared(operation, { compare_from: "2025-02-01", compare_to: "2025-02-01" })).toBe("2025-02-01");
    await expect(compared(operation, { compare_from: "2025-02-01" })).rejects.toMatchObject({ code: "invalid_input" });
  }
});

test.each([
  ["an unknown key", { colour: "red" }, "colour", "is not known; there are page, "],
  ["an unknown operator", { country: { like: "F" } }, "country.like", "is not an operator; there are is, "],
  ["a value that is not text", { country: { is: {} } }, "country", "is text, a list of texts, or an object such as "],
  ["an empty list", { country: [] }, "country", "has no value; give one, or leave it out"],
  [
    "an empty text to look for",
    { page: { contains: "" } },
    "page.contains",
    'has an empty value; what has none is {"is": ""}',
  ],
  ["a goal that is neither yes nor no", { "goal:Signup": "maybe" }, "goal:Signup", "is yes for visitors who reached"],
  ["a prototype", JSON.parse('{"__proto__": "x"}'), "__proto__", "is not known; there are page, "],
  [
    "a long pattern",
    { page: { matches: "a".repeat(257) } },
    "page.matches",
    "has values of more than 256 characters; shorten",
  ],
  [
    "a second pattern",
    { page: { matches: ["a", "b"] } },
    "page.matches",
    "has 2 regular expressions; give one, with | ",
  ],
])("%s is refused by name, with what to do", (_, filters, key, message) => {
  const issue = { path: `filters.${key}`, message: expect.stringContaining(message) };
  expect(() => readFilters(filters)).toThrow(
    expect.objectContaining({ code: "invalid_input", details: { issues: [issue] } }),
  );
});

test("a regular expression that RE2 does not understand is the caller's mistake", async () => {
  const site = await makeSite();
  const refusal = { code: "invalid_input", details: { issues: [{ path: "filters.page.matches" }] } };
  await expect(numbers(site, { page: { matches: "(" } })).rejects.toMatchObject(refusal);
  await expect(numbers(site, { "prop:plan": { matches: "(" } })).rejects.toMatchObject({
    details: { issues: [{ path: "filters.prop:plan.matches" }] },
  });
});

test("a filter by product chooses the events with it, in the words of any shop, and the visits that have one", async () => {
  const site = await makeSite();
  const shop = async (person: number, name: string, props: object) =>
    await send(
      site,
      { name, url: `https://${site.host}/shop`, props },
      { at: "2025-03-12T10:00:00Z", address: `198.51.100.${person}` },
    );
  await shop(1, "product_viewed", { product_id: "p1", name: "Shoe" });
  await shop(1, "purchase", { items: '[{"product_id": "p1"}, {"item_name": "Socks"}]', order_id: "o1" });
  await shop(2, "Order Completed", { products: '[{"sku": "p2", "name": "Hat"}]', order_id: "o2" });
  await shop(3, "Signup", { items: "none", plan: "p1" });
  await send(site, "/about", { at: "2025-03-12T10:00:00Z", address: "198.51.100.4" });
  expect(await numbers(site, { product: "p1" })).toEqual([1, 1, 0, 2]);
  expect(await numbers(site, { product: "Socks" })).toEqual([1, 1, 0, 1]);
  expect(await numbers(site, { product: ["Socks", "p2"] })).toEqual([2, 2, 0, 2]);
  expect(await numbers(site, { product: "Shoe" })).toEqual([0, 0, 0, 0]);
  expect(await numbers(site, { product: { matches: "^(p2|Soc)" } })).toEqual([2, 2, 0, 2]);
  expect(await numbers(site, { product: { is_not: "p1" } })).toEqual([3, 3, 1, 2]);
  expect(await numbers(site, { product: "" })).toEqual([2, 2, 1, 1]);
  const asked = { site_id: site.id, period: "7d", field: "product" };
  const { options } = await call(site.ownerId, "analytics.filter_options", { ...asked, q: "P" }, new Date(NOW));
  expect(options.map(({ value }: { value: string }) => value).toSorted()).toEqual(["p1", "p2"]);
});

test("a pattern is matched against every value of a dimension, page by page", async () => {
  const site = await makeSite();
  await db().$executeRaw`
    INSERT INTO facts.page (site_id, first_seen, hostname, path)
    SELECT ${site.id}, current_date, ${site.host}, '/seen/' || number FROM generate_series(1, 12000) AS number`;
  for (const path of ["/seen/1", "/seen/11999", "/seen/12000"]) await send(site, path, { at: "2025-03-12T10:00:00Z" });
  expect(await numbers(site, { page: { matches: "/1(1999|2000)?$" } })).toEqual([1, 1, 3, 0]);
  expect(await numbers(site, { page: { matches: "/1\\d{4}$" } })).toEqual([1, 1, 2, 0]);
});

test("a filter by traffic chooses events by their own class where their visit became suspicious after them", async () => {
  const site = await makeSite();
  const at = "2025-03-12T10:00:00Z";
  const headers = { origin: `https://${site.host}`, "accept-language": "en" };
  await Promise.all(Array.from({ length: 300 }, () => send(site, "/first", { at, headers })));
  await send(site, "/last", { at, headers });
  const read = async (traffic: string) => {
    const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: new Date(NOW) };
    const input = { site_id: site.id, period: "7d" as const, traffic: "all" as const, filters: { traffic } };
    const { data } = await execute(overview, { ...call, input });
    return [data.metrics.visitors, data.metrics.visits, data.panels.devices[0]?.visitors ?? 0];
  };
  expect(await read("human")).toEqual([1, 0, 1]);
  expect(await read("suspicious")).toEqual([1, 1, 1]);
});
