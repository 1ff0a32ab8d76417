import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { sampled } from "@/lib/testing/tier";
import { makeSite, post, send, type TestSite } from "@/lib/testing/world";

/** Paths and hosts have one spelling, in events and in everything that is typed. */

const AT = "2025-03-12T11:00:00Z";

const ask = (site: TestSite, operation: string, input: object) =>
  call(site.ownerId, operation, { site_id: site.id, period: "today", ...input });

const pagesOf = async (site: TestSite, filters: object = {}): Promise<string[]> => {
  const { rows } = await ask(site, "analytics.explore", { metrics: "pageviews", dimensions: "page", filters });
  return rows.map(({ values: [page] }: { values: [string] }) => page).sort();
};

const SALAM = "/%D8%B3%D9%84%D8%A7%D9%85-%D8%AF%D9%86%DB%8C%D8%A7";

/** A site with a Persian page, seen by visitors from a page with a Russian address, and another page. */
async function persianSite(): Promise<TestSite> {
  const site = await makeSite();
  const referrer = "https://news.example/статья";
  const url = `https://${site.host}/سلام-دنیا`;
  await send(site, { name: "pageview", url, referrer }, { at: AT, address: "198.51.100.1" });
  await send(site, "/other", { at: AT, address: "198.51.100.2" });
  return site;
}

test.each(
  sampled<[string, unknown]>(
    [
      ["page", "/سلام-دنیا"],
      ["page", "/%d8%b3لام-دنیا"],
      ["page", ["/سلام-دنیا", "/none"]],
      ["page", { contains: "دنیا" }],
      ["page", { contains: "لا" }],
      ["page", { starts_with: "/سلا" }],
      ["page", { matches: "^/سلام.(دنیا|x)+$" }],
      ["page", { matches: "^/%D8%B3" }],
      ["page", { is_not: "/other" }],
      ["page", { not_contains: "oth" }],
      ["entry_page", "/سلام-دنیا"],
      ["exit_page", { contains: "سلام" }],
      ["referrer", "news.example/статья"],
      ["referrer", "https://News.example/статья"],
      ["referrer", { contains: "стат" }],
    ],
    3,
  ),
)("the filter %s %j finds the Persian page", async (key, condition) => {
  expect(await pagesOf(await persianSite(), { [key]: condition })).toEqual([SALAM]);
});

test("a negated filter leaves out the page however it is typed", async () => {
  const site = await persianSite();
  expect(await pagesOf(site, { page: { is_not: "/سلام-دنیا" } })).toEqual(["/other"]);
  expect(await pagesOf(site, { page: { not_contains: "سلام" } })).toEqual(["/other"]);
});

test("filter options, segments, funnels and journeys find the Persian page", async () => {
  const site = await persianSite();
  for (const q of ["سلام", "دن", "%D8%B3", "%d8%b3"]) {
    const { options } = await ask(site, "analytics.filter_options", { field: "page", q });
    expect([q, options]).toEqual([q, [{ value: SALAM, visitors: 1 }]]);
  }
  const found = await ask(site, "analytics.filter_options", { field: "referrer", q: "СТАТЬЯ" });
  expect(found.options).toHaveLength(1);
  const saved = { site_id: site.id, name: "Persian", filters: { page: "/سلام-دنیا" } };
  const { id } = await call(site.ownerId, "sites.segments.save", saved);
  const { metrics } = await ask(site, "analytics.overview", { segment: id });
  expect(metrics.visitors).toBe(1);
  const { funnels } = await ask(site, "analytics.funnels", { funnel: "/سلام-دنیا > /%D8%B3لام-دنیا" });
  expect(funnels[0].steps[0].visitors).toBe(1);
  const { journeys } = await ask(site, "analytics.journeys", { start: "/سلام-دنیا" });
  expect(journeys[0].visits).toBe(1);
});

test("spellings of one path are one page", async () => {
  const site = await makeSite();
  for (const path of ["/%d8%b3", "/%D8%B3", "/س", "/%7Euser", "/~user", "/a/./~user/../../~user"])
    await send(site, path, { at: AT });
  expect(await pagesOf(site)).toEqual(["/%D8%B3", "/~user"]);
  expect(await pagesOf(site, { page: "/%7euser" })).toEqual(["/~user"]);
});

test("an encoded letter does not slip past an exclusion", async () => {
  const site = await makeSite();
  const exclude = (pattern: string) =>
    call(site.ownerId, "sites.exclusions.add", { site_id: site.id, kind: "path", pattern });
  await exclude("/admin/**");
  await exclude("/%d9%be");
  await exclude("/cafe\u0301/**");
  for (const path of ["/%61dmin/x", "/admin/%2e/x", "/پ", "/caf\u00e9/1", "/cafe%CC%81"]) {
    const answer = await (await post(site, path, { at: AT })).json();
    expect([path, answer.reason]).toEqual([path, "excluded_path"]);
  }
});

test("goals, funnels and exclusions take paths and hosts with the marks of right-to-left text around them", async () => {
  const site = await persianSite();
  const reached_by = { kind: "page", pattern: "\u202b/سلام-دنیا\u202c" };
  const goal = { site_id: site.id, name: "\u200fسلام ", reached_by };
  expect(await call(site.ownerId, "sites.goals.save", goal)).toMatchObject({ name: "سلام" });
  expect(await pagesOf(site, { "goal:سلام": "yes" })).toEqual([SALAM]);
  const { funnels } = await ask(site, "analytics.funnels", { funnel: "\u200f/سلام-دنیا\u200e > \u2067/x\u2069" });
  expect(funnels[0].steps[0].visitors).toBe(1);
  const exclude = (kind: string, pattern: string) =>
    call(site.ownerId, "sites.exclusions.add", { site_id: site.id, kind, pattern });
  expect(await exclude("path", "\u200e/مدیر/** ")).toMatchObject({ pattern: "/%D9%85%D8%AF%DB%8C%D8%B1/**" });
  expect(await exclude("hostname", "\u200e*.Bücher.example\u200e")).toMatchObject({
    pattern: "*.xn--bcher-kva.example",
  });
});

test("hosts are found in capital letters and as people write them", async () => {
  const site = await makeSite();
  await call(site.ownerId, "sites.domains.add", { site_id: site.id, domain: `bücher-${site.host}` });
  await send(site, { name: "pageview", url: `https://www.BÜCHER-${site.host}/b` }, { at: AT });
  await send(site, "/other", { at: AT });
  for (const hostname of [
    `Bücher-${site.host}`,
    `https://www.bücher-${site.host}/`,
    `BÜCHER-${site.host.toUpperCase()}`,
  ])
    expect([hostname, await pagesOf(site, { hostname })]).toEqual([hostname, ["/b"]]);
  const { options } = await ask(site, "analytics.filter_options", { field: "hostname", q: `bücher-${site.host}` });
  expect(options).toHaveLength(1);
});

test("letters with marks are one spelling, composed or not, encoded or not, stored and typed", async () => {
  const site = await makeSite();
  const [composed, decomposed] = ["/caf\u00e9/\u1ec7", "/cafe\u0301/e\u0323\u0302"];
  for (const path of [composed, decomposed, encodeURI(composed), encodeURI(decomposed)])
    await send(site, path, { at: AT });
  expect(await pagesOf(site)).toEqual([encodeURI(composed)]);
  for (const typed of [composed, decomposed, encodeURI(decomposed).toLowerCase()]) {
    expect(await pagesOf(site, { page: typed })).toEqual([encodeURI(composed)]);
    expect(await pagesOf(site, { page: { contains: typed } })).toEqual([encodeURI(composed)]);
    const { funnels } = await ask(site, "analytics.funnels", { funnel: `${typed} > ${typed}` });
    expect(funnels[0].steps[0].visitors).toBe(1);
  }
  const { options } = await ask(site, "analytics.filter_options", { field: "page", q: decomposed });
  expect(options).toHaveLength(1);
});

test("what is pasted is found: with marks of right-to-left text around it, and as browsers copy addresses", async () => {
  const site = await persianSite();
  for (const page of [
    "\u200f/سلام-دنیا\u200e",
    "\u202b/سلام-دنیا\u202c\n",
    `${site.host}/سلام-دنیا`,
    `www.${site.host.toUpperCase()}:443/سلام-دنیا?utm_source=x#top`,
    `http://user@${site.host}:8080/سلام-دنیا`,
    "/x/../سلام-دنیا",
    "/./سلام-دنیا",
  ])
    expect([page, await pagesOf(site, { page })]).toEqual([page, [SALAM]]);
  for (const hostname of [
    `${site.host}:443`,
    `https://user@${site.host}:8080/x?y`,
    `//${site.host}./`,
    `\u200e${site.host}`,
  ])
    expect([hostname, await pagesOf(site, { hostname, page: SALAM })]).toEqual([hostname, [SALAM]]);
  expect(await pagesOf(site, { hostname: { starts_with: `https://www.${site.host}` }, page: SALAM })).toEqual([SALAM]);
});

test("sources and referrers of international hosts and of apps are found as people write them", async () => {
  const site = await makeSite();
  const see = (path: string, referrer: string, address: string) =>
    send(site, { name: "pageview", url: `https://${site.host}${path}`, referrer }, { at: AT, address });
  await see("/idn", "https://www.Новости.example/статья", "198.51.100.1");
  await see("/app", "android-app://com.Example.Reader/", "198.51.100.2");
  await see("/known", "https://l.facebook.com/", "198.51.100.3");
  for (const filters of [
    { source: "новости.example" },
    { source: "НОВОСТИ.example" },
    { source: "https://новости.example/" },
    { source: { contains: "новости" } },
    { referrer: "новости.example/статья" },
    { referrer: "https://www.новости.example/статья?x" },
    { referrer: { contains: "новости" } },
    { referrer: { starts_with: "https://новости.example/ста" } },
  ])
    expect([filters, await pagesOf(site, filters)]).toEqual([filters, ["/idn"]]);
  for (const filters of [
    { referrer: "android-app://com.Example.Reader/" },
    { referrer: "com.Example.Reader" },
    { source: "com.Example.Reader" },
    { source: "com.example.reader" },
  ])
    expect([filters, await pagesOf(site, filters)]).toEqual([filters, ["/app"]]);
  for (const source of ["facebook", "Facebook", "fb", "facebook.com"])
    expect([source, await pagesOf(site, { source })]).toEqual([source, ["/known"]]);
  expect(await pagesOf(site, { source: { is_not: ["fb", "новости.example"] } })).toEqual(["/app"]);
  for (const [field, q] of [
    ["source", "новости"],
    ["referrer", "новости"],
    ["referrer", "СТАТЬЯ"],
  ] as const)
    expect([q, (await ask(site, "analytics.filter_options", { field, q })).options]).toHaveLength(2);
});

test("campaign tags that look the same are the same, and are found however they are typed", async () => {
  const site = await makeSite();
  const tags = ["fr\u00fchling", "fru\u0308hling", " fr\u00fchling ", "fr\u00fc\u200bhling"];
  for (const [index, tag] of tags.entries())
    await send(site, `/?utm_campaign=${encodeURIComponent(tag)}`, { at: AT, address: `198.51.100.${index + 1}` });
  const { rows } = await ask(site, "analytics.explore", { metrics: "visits", dimensions: "utm_campaign" });
  expect(rows).toEqual([{ values: ["fr\u00fchling"], visits: 4 }]);
  for (const utm_campaign of tags)
    expect([utm_campaign, await pagesOf(site, { utm_campaign })]).toEqual([utm_campaign, ["/"]]);
});
