import { expect, test } from "vitest";
import { call, faults, summaryOf } from "@/lib/testing/calls";
import { keyOf, postEvents } from "@/lib/testing/measuring";
import { sampled } from "@/lib/testing/tier";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, post, send, type TestSite } from "@/lib/testing/world";
import { GA4 } from "@/lib/transfer/ga4";

/** A query makes a page where its site says so, and a slash at the end of a path makes none unless its site says so. */

const AT = "2025-03-12T11:00:00Z";

interface Pages {
  trailing_slashes?: "same_page" | "separate_pages";
  page_query?: string[];
}

const SETTINGS = { name: "", timezone: "UTC", reporting_currency: "EUR", public: false };
const set = (site: TestSite, pages: Pages) =>
  call(site.ownerId, "sites.settings.update", { site_id: site.id, ...SETTINGS, ...pages });

async function siteWith(pages: Pages): Promise<TestSite> {
  const site = await makeSite();
  await set(site, pages);
  return site;
}

const ask = (site: TestSite, operation: string, input: object) =>
  call(site.ownerId, operation, { site_id: site.id, period: "today", ...input });

async function pagesOf(site: TestSite, filters: object = {}): Promise<string[]> {
  const { rows } = await ask(site, "analytics.explore", { metrics: "pageviews", dimensions: "page", filters });
  return rows.map(({ values: [page] }: { values: [string] }) => page).sort();
}

/** Sends a page view by a URL or by a path alone, over one of the two APIs. */
type Sends = (site: TestSite, page: { url?: string; path?: string; title?: string }) => Promise<unknown>;
const byEventsApi: Sends = (site, page) => send(site, { name: "pageview", user_id: "u-1", ...page }, { at: AT });
const byBatch: Sends = async (site, page) => {
  const { key } = await keyOf(site);
  const { body } = await postEvents([{ type: "page", user_id: "u-1", context: { page } }], { key, at: AT });
  if (body.counts.stored !== 1) throw new Error(JSON.stringify(body));
};
const APIS = [
  ["the Events API", byEventsApi],
  ["the Measurement Protocol", byBatch],
] as const;

test.each(APIS)("by %s, the listed parameters of a query make a page with its own title", async (_, sends) => {
  const site = await siteWith({ page_query: ["p", "/", "lang"] });
  const at = (address: string) => ({ url: `https://${site.host}${address}`, title: `Title of ${address}` });
  const seen = ["/?p=12", "/?p=13", "/index.php?/archives/4015", "/", "/x?lang=de&utm_source=a&p=1#top"];
  for (const address of seen) await sends(site, at(address));
  await sends(site, at("/?fbclid=1&p=12"));
  await sends(site, at("/x/?p=1&page=2&lang=de"));
  const { rows } = await ask(site, "analytics.explore", { metrics: "pageviews", dimensions: "page,title" });
  const values = rows.map(({ values }: { values: string[] }) => values.join(" = ")).sort();
  expect(values).toEqual([
    "/ = Title of /",
    "/?p=12 = Title of /?p=12",
    "/?p=13 = Title of /?p=13",
    "/index.php?/archives/4015 = Title of /index.php?/archives/4015",
    "/x?lang=de&p=1 = Title of /x/?p=1&page=2&lang=de",
    "/x?lang=de&p=1 = Title of /x?lang=de&utm_source=a&p=1#top",
  ]);
});

test.each(APIS)("by %s, a query of a URL makes no page unless its parameters are listed", async (_, sends) => {
  const site = await makeSite();
  for (const address of ["/?p=12", "/?p=13", "/index.php?/archives/4015"])
    await sends(site, { url: `https://${site.host}${address}` });
  expect(await pagesOf(site)).toEqual(["/", "/index.php"]);
});

test.each(APIS)("by %s, a path that was sent as such keeps its query, sorted", async (_, sends) => {
  const site = await siteWith({ page_query: ["p"] });
  const url = `https://${site.host}/?p=1`;
  for (const path of ["/?p=14", "/list?b=2&a=1&a=0&c=#top", "/search?q=a+b&x=%2f%26%c3%a9", "/s?q=a%20b?"])
    await sends(site, { url, path });
  await sends(site, { path: "/?x=1" });
  expect(await pagesOf(site)).toEqual([
    "/?p=14",
    "/?x=1",
    "/list?a=1&a=0&b=2&c",
    "/s?q=a%20b%3F",
    "/search?q=a%20b&x=/%26%C3%A9",
  ]);
});

test("secrets in a query are removed like those in a path", async () => {
  const site = await siteWith({ page_query: ["p", "token"] });
  await send(site, `/?p=1&token=a1B2c3D4`, { at: AT });
  await send(site, { name: "pageview", path: "/?mail=ann@example.com" }, { at: AT });
  expect(await pagesOf(site)).toEqual(["/?mail=(email)", "/?p=1&token=(secret)"]);
});

async function wordpress(): Promise<TestSite> {
  const site = await siteWith({ page_query: ["p", "lang"] });
  for (const path of ["/?p=12&utm_source=x", "/?p=13", "/?p=12&lang=de", "/"])
    await send(site, { name: "pageview", user_id: "u-1", url: `https://${site.host}${path}` }, { at: AT });
  return site;
}

test.each(
  sampled<[object, string[]]>(
    [
      [{ page: "/?p=12" }, ["/?p=12"]],
      [{ page: "/?p=12&lang=de" }, ["/?lang=de&p=12"]],
      [{ page: ["/?lang=de&p=12", "/?p=13"] }, ["/?lang=de&p=12", "/?p=13"]],
      [{ page: "https://example.com/?utm_source=y&p=13#top" }, ["/?p=13"]],
      [{ page: "/" }, ["/"]],
      [{ page: { is_not: ["/?p=12", "/"] } }, ["/?lang=de&p=12", "/?p=13"]],
      [{ page: { contains: "?p=" } }, ["/?p=12", "/?p=13"]],
      [{ page: { starts_with: "/?lang" } }, ["/?lang=de&p=12"]],
      [{ page: { not_contains: "?" } }, ["/"]],
      [{ page: { matches: "^/\\?p=1[23]$" } }, ["/?p=12", "/?p=13"]],
      [{ entry_page: "/?p=12", page: "/?p=13" }, ["/?p=13"]],
    ],
    6,
  ),
)("the filter %j finds pages by their query", async (filters, found) => {
  expect(await pagesOf(await wordpress(), filters)).toEqual(found);
});

test("goals, funnels, journeys, segments and filter options find pages by their query", async () => {
  const site = await wordpress();
  const reachedBy = { kind: "page", pattern: "/?p=13" };
  const goal = { site_id: site.id, name: "Post", reached_by: reachedBy };
  expect(await call(site.ownerId, "sites.goals.save", goal)).toMatchObject({ reached_by: reachedBy });
  expect(await pagesOf(site, { "goal:Post": "yes" })).toHaveLength(4);
  expect(await pagesOf(site, { "goal:Post": "no" })).toEqual([]);
  const { funnels } = await ask(site, "analytics.funnels", { funnel: "/?p=12 > /?p=13 > /?p=12&lang=de > /" });
  expect(funnels[0].steps.map(({ visitors }: { visitors: number }) => visitors)).toEqual([1, 1, 1, 1]);
  const { journeys } = await ask(site, "analytics.journeys", { start: "/?p=12&lang=de" });
  expect(journeys[0].visits).toBe(1);
  const filters = { page: "https://example.com/?p=13&gclid=1" };
  const { id } = await call(site.ownerId, "sites.segments.save", { site_id: site.id, name: "Post 13", filters });
  const { metrics } = await ask(site, "analytics.overview", { segment: id });
  expect(metrics.pageviews).toBe(1);
  const { options } = await ask(site, "analytics.filter_options", { field: "page", q: "?p=1" });
  expect(options.map(({ value }: { value: string }) => value).sort()).toEqual(["/?p=12", "/?p=13"]);
});

test("an exclusion holds for a page with any query, and its pattern has none", async () => {
  const site = await siteWith({ page_query: ["p"] });
  const exclude = (pattern: string) =>
    call(site.ownerId, "sites.exclusions.add", { site_id: site.id, kind: "path", pattern });
  await exclude("/admin/**");
  await exclude("/drafts/");
  expect(await faults(exclude("/?p=12"))).toEqual([
    "pattern: must be a path without ?: it excludes the page with any query",
  ]);
  const sent = async (page: object) =>
    (await (await post(site, { name: "pageview", ...page }, { at: AT })).json()).reason ?? "stored";
  const at = (address: string) => ({ url: `https://${site.host}${address}` });
  for (const page of [at("/admin/?p=1"), { path: "/admin?p=1/x" }, at("/drafts"), at("/drafts/"), at("/drafts?p=2")])
    expect([page, await sent(page)]).toEqual([page, "excluded_path"]);
  expect(await sent(at("/?p=1"))).toBe("stored");
});

test("a slash at the end of an exclusion counts where slashes make a page", async () => {
  const site = await siteWith({ trailing_slashes: "separate_pages" });
  await call(site.ownerId, "sites.exclusions.add", { site_id: site.id, kind: "path", pattern: "/drafts/" });
  expect(await (await post(site, "/drafts/", { at: AT })).json()).toMatchObject({ reason: "excluded_path" });
  expect(await (await post(site, "/drafts", { at: AT })).json()).toMatchObject({ status: "stored" });
});

test.each(APIS)("by %s, pages with and without a slash at their end are one page of a new site", async (_, sends) => {
  const site = await makeSite();
  for (const address of ["/", "/some-page", "/some-page/", "/a/b///", "/a/b"])
    await sends(site, { url: `https://${site.host}${address}` });
  await sends(site, { path: "/some-page/?x=1" });
  await sends(site, { path: "/some-page?x=1" });
  const { pages, entry_pages, exit_pages } = (await ask(site, "analytics.overview", {})).panels;
  expect(pages).toMatchObject([
    { value: "/a/b", visitors: 1, pageviews: 2 },
    { value: "/some-page", visitors: 1, pageviews: 2 },
    { value: "/some-page?x=1", visitors: 1, pageviews: 2 },
    { value: "/", visitors: 1, pageviews: 1 },
  ]);
  expect([entry_pages[0].value, exit_pages[0].value]).toEqual(["/", "/some-page?x=1"]);
});

/** A site with `/some-page` and `/some-page/` in that order, and pages below, of which only one has an own visitor. */
async function slashes(pages: Pages): Promise<TestSite> {
  const site = await siteWith(pages);
  for (const path of ["/some-page", "/some-page/", "/some-page/x", "/other/"])
    await send(site, { name: "pageview", user_id: "u-1", url: `https://${site.host}${path}` }, { at: AT });
  return site;
}

test.each(
  sampled<[object, string[]]>(
    [
      [{ page: "/some-page" }, ["/some-page"]],
      [{ page: "/some-page/" }, ["/some-page"]],
      [{ page: ["/other", "/some-page//"] }, ["/other", "/some-page"]],
      [{ page: "https://example.com/some-page/" }, ["/some-page"]],
      [{ page: { is_not: "/some-page/" } }, ["/other", "/some-page/x"]],
      [{ page: { starts_with: "/some-page/" } }, ["/some-page", "/some-page/x"]],
      [{ page: { contains: "e/" } }, ["/some-page", "/some-page/x"]],
      [{ page: { not_contains: "page/" } }, ["/other"]],
      [{ page: { matches: "^/some-page/$" } }, ["/some-page"]],
      [{ page: { matches: "^/some-page$" } }, ["/some-page"]],
      [{ entry_page: "/some-page/", exit_page: "/other" }, ["/other", "/some-page", "/some-page/x"]],
      [{ entry_page: { is_not: "/some-page/" } }, []],
      [{ exit_page: { is_not: ["/other"] } }, []],
    ],
    6,
  ),
)("where slashes make no page, the filter %j means the page with and without one", async (filters, found) => {
  expect(await pagesOf(await slashes({}), filters)).toEqual(found);
});

test("where slashes make a page, filters, goals and funnels tell the two apart", async () => {
  const site = await slashes({ trailing_slashes: "separate_pages" });
  expect(await pagesOf(site)).toEqual(["/other/", "/some-page", "/some-page/", "/some-page/x"]);
  expect(await pagesOf(site, { page: "/some-page/" })).toEqual(["/some-page/"]);
  expect(await pagesOf(site, { page: { starts_with: "/some-page/" } })).toEqual(["/some-page/", "/some-page/x"]);
  expect(await pagesOf(site, { page: { matches: "^/other$" } })).toEqual([]);
  const { funnels } = await ask(site, "analytics.funnels", { funnel: "/some-page > /other" });
  expect(funnels[0].steps.map(({ visitors }: { visitors: number }) => visitors)).toEqual([1, 0]);
});

test("goals, funnels, journeys and segments mean a page with and without a slash", async () => {
  const site = await slashes({});
  for (const [name, pattern] of [
    ["Slash", "/some-page/"],
    ["None", "/other"],
    ["Below", "/some-page/*/"],
  ])
    await call(site.ownerId, "sites.goals.save", { site_id: site.id, name, reached_by: { kind: "page", pattern } });
  for (const name of ["Slash", "None", "Below"])
    expect([name, (await pagesOf(site, { [`goal:${name}`]: "yes" })).length]).toEqual([name, 3]);
  const { goals } = await ask(site, "analytics.events", {});
  expect(goals.map(({ visitors }: { visitors: number }) => visitors)).toEqual([1, 1, 1]);
  for (const funnel of ["/some-page/ > /other", "/some-page > /some-page/*/ > /other/"]) {
    const { funnels } = await ask(site, "analytics.funnels", { funnel });
    expect(funnels[0].steps.at(-1).visitors).toBe(1);
  }
  const { journeys } = await ask(site, "analytics.journeys", { start: "/some-page/" });
  expect(journeys[0].paths[0].steps.map(({ value }: { value: string }) => value)).toEqual([
    "/some-page",
    "/some-page/x",
    "/other",
  ]);
  const { options } = await ask(site, "analytics.filter_options", { field: "page", q: "/some-page/" });
  expect(options.map(({ value }: { value: string }) => value).sort()).toEqual(["/some-page", "/some-page/x"]);
  const filters = { page: "/some-page/" };
  const { id } = await call(site.ownerId, "sites.segments.save", { site_id: site.id, name: "Page", filters });
  expect((await ask(site, "analytics.overview", { segment: id })).metrics.pageviews).toBe(2);
});

test("a change of trailing slashes holds at once for all days, and can be taken back", async () => {
  const site = await slashes({ trailing_slashes: "separate_pages" });
  const apart = ["/other/", "/some-page", "/some-page/", "/some-page/x"];
  expect(await pagesOf(site)).toEqual(apart);
  await set(site, { trailing_slashes: "same_page" });
  expect(await pagesOf(site)).toEqual(["/other", "/some-page", "/some-page/x"]);
  await send(site, "/later/", { at: AT });
  expect(await pagesOf(site, { page: { starts_with: "/later" } })).toEqual(["/later"]);
  await set(site, { trailing_slashes: "separate_pages" });
  expect(await pagesOf(site)).toEqual(["/later/", ...apart]);
});

test("imported days have the same pages as others", async () => {
  const site = await siteWith({ page_query: ["p"] });
  await send(site, "/a", { at: AT });
  const rows = ["/?p=12&utm_source=x", "/?p=12", "/a/", "/a?ref=1"].map((path) => `${path},20250310,3,4,5`);
  await importFiles(site, GA4, {
    "totals.csv": "Date,Total users,Sessions,Views\n20250310,12,16,20",
    "pages.csv": ["Page path,Date,Total users,Sessions,Views", ...rows].join("\n"),
  });
  const { panels } = await ask(site, "analytics.overview", { from: "2025-03-10", to: "2025-03-10" });
  expect(panels.pages).toMatchObject([
    { value: "/?p=12", pageviews: 10 },
    { value: "/a", pageviews: 10 },
  ]);
});

test("the settings of pages are optional, kept when left out, and shown to whoever approves them", async () => {
  const site = await makeSite();
  const pages = (of: Pages) => ({ trailing_slashes: of.trailing_slashes, page_query: of.page_query });
  expect(pages(await set(site, {}))).toEqual({ trailing_slashes: "same_page", page_query: [] });
  const changed = { trailing_slashes: "separate_pages", page_query: ["/", "p", "page_id"] } as const;
  expect(await set(site, { ...changed, page_query: ["page_id", "p", "/", "p"] })).toMatchObject(changed);
  expect(await set(site, {})).toMatchObject(changed);
  expect(await call(site.ownerId, "sites.settings.get", { site_id: site.id })).toMatchObject(changed);
  const input = { ...SETTINGS, trailing_slashes: "same_page", page_query: [] };
  expect((await summaryOf(site.ownerId, site.id, "sites.settings.update", input))?.slice(-2)).toEqual([
    { label: "Ignore slashes at the end of paths", before: "No", after: "Yes" },
    { label: "Query parameters that make a page", before: "/, p, page_id", after: null },
  ]);
});

test.each([
  [{ page_query: ["a b"] }, "page_query.0"],
  [{ page_query: ["p=12"] }, "page_query.0"],
  [{ page_query: ["p", ""] }, "page_query.1"],
  [{ page_query: ["x".repeat(65)] }, "page_query.0"],
  [{ page_query: Array.from({ length: 21 }, (_, index) => `p${index}`) }, "page_query"],
  [{ page_query: "p" }, "page_query"],
  [{ trailing_slashes: "off" }, "trailing_slashes"],
])("the setting %j is refused by name", async (pages, field) => {
  const site = await makeSite();
  const [fault, ...more] = await faults(set(site, pages as Pages));
  expect(more).toEqual([]);
  expect(fault).toMatch(new RegExp(`^${field}: must `));
});
