import { expect, test } from "vitest";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { db } from "@/lib/platform/db";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { anonymousShares } from "@/lib/platform/report-shares";
import { reportTime } from "@/lib/platform/report-time";
import { PUBLIC_DASHBOARD } from "@/lib/sites/share-limits";
import { call } from "@/lib/testing/calls";
import { freshAddress } from "@/lib/testing/oauth";
import { patientVisitors } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { zoneAtHour } from "@/lib/testing/zone";
import { filterFieldsOf } from "../../_shared/links";
import { queryOfPublic } from "../../_shared/public";
import { GET } from "./data/[name]/route";

patientVisitors();

const PATHS = 15_000;

/** A public site with 15,000 paths, three of them visited today. */
async function publicSite(paths = PATHS): Promise<TestSite> {
  const site = await makeSite({ timezone: zoneAtHour(12) });
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  await db().$executeRaw`
    INSERT INTO facts.page (site_id, first_seen, hostname, path)
    SELECT ${site.id}, current_date, ${site.host}, '/articles/' || number FROM generate_series(1, ${paths}::int) AS number`;
  for (const [visitor, path] of ["/articles/1", "/articles/2", "/articles/15000"].entries())
    await send(site, path, { address: `203.0.113.${visitor + 1}` });
  return site;
}

async function fetchData(name: string, site: TestSite, query: string, address = freshAddress()) {
  const request = new Request(`http://localhost/share/${site.host}/data/${name}?period=today&${query}`, {
    headers: { [CALLER_HEADERS.address]: address },
  });
  const response = await GET(request, { params: Promise.resolve({ domain: site.host, name }) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const filterParam = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;
const PAGES = "details=page";

test("anonymous callers filter by whole values only, and other filters are refused by name before any query runs", async () => {
  const site = await publicSite();
  const parts = Array.from({ length: 70 }, (_, index) => `part-${index}`);
  const refused: [object, string][] = [
    [
      { page: { not_contains: parts }, entry_page: { not_contains: parts } },
      "filters.page.not_contains is not available",
    ],
    [{ page: { matches: "a" } }, "filters.page.matches is not available"],
    [{ page: { starts_with: "/a" } }, "filters.page.starts_with is not available"],
    [{ page: { is_not: "/a" } }, "filters.page.is_not is not available"],
    [{ page: parts.slice(0, 11) }, "filters.page has 11 values; a public dashboard takes at most 10"],
    [{ utm_campaign: "x" }, "filters.utm_campaign is not shown"],
    [{ "prop:plan": "x" }, "filters.prop:plan is not shown"],
    [
      { page: "/a", source: "a", country: "DE", device: "mobile", browser: "b", os: "o" },
      "filters has 6 conditions; a public dashboard takes at most 5",
    ],
  ];
  for (const [filters, message] of refused) {
    for (const name of ["details", "panels", "countries"]) {
      const { status, body } = await fetchData(name, site, `${PAGES}&${filterParam(filters)}`);
      expect([status, body.error?.code], message).toEqual([422, "invalid_input"]);
      expect(body.error.message).toContain(message);
    }
  }
});

test("with 15,000 paths anonymous callers get lists, search, options and a filter by ten whole values", {
  tags: "full",
}, async () => {
  const site = await publicSite();
  const address = freshAddress();
  const texts = async (query: string) => {
    const { status, body } = await fetchData("details", site, `${PAGES}&${query}`, address);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.rows.map(({ text }: { text: string }) => text).sort();
  };
  expect(await texts("")).toEqual(["/articles/1", "/articles/15000", "/articles/2"]);
  expect(await texts("details_q=ARTICLES/15")).toEqual(["/articles/15000"]);
  const ten = Array.from({ length: 10 }, (_, index) => `/articles/${index + 2}`);
  expect(await texts(filterParam({ page: ten, device: "Desktop" }))).toEqual(["/articles/2"]);
  const found = await fetchData("options", site, "field=page&q=15000", address);
  expect(found.body.options).toMatchObject([{ value: "/articles/15000" }]);
  expect((await fetchData("panels", site, "", address)).body.visitors).toBe(3);
});

test("a network that has used its report time waits, also with another address or site; other networks do not", async () => {
  const [site, other] = [await publicSite(10), await publicSite(10)];
  const address = freshAddress();
  const shares = anonymousShares(address);
  reportTime().charge([shares[1] as (typeof shares)[0]], 10_000_000);
  for (const [one, from] of [
    [site, address],
    [other, address.replace(/1$/, "200")],
  ] as const) {
    const { status, headers, body } = await fetchData("details", one, PAGES, from);
    expect([status, body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(body.error.message).toContain("your network");
  }
  expect((await fetchData("details", site, PAGES)).status).toBe(200);
  expect((await fetchData("last-event", site, "", address)).status).toBe(200);
});

test("queries of an anonymous caller are charged to the network", async () => {
  const site = await publicSite(10);
  const address = freshAddress();
  const [, network] = anonymousShares(address);
  // A budget so small that its refill during the queries cannot cover them.
  const left = { ...network, seconds: 0.001 } as NonNullable<typeof network>;
  expect(() => reportTime().refuseSpent([left])).not.toThrow();
  expect((await fetchData("details", site, PAGES, address)).status).toBe(200);
  expect(() => reportTime().refuseSpent([left])).toThrow(/your network/);
});

/** A public site with a visit whose campaign, event and property no panel shows. */
async function siteWithSecrets() {
  const site = await publicSite(1);
  const url = `https://${site.host}/?utm_source=newsletter&utm_medium=secret&utm_campaign=secret&utm_term=secret&utm_content=secret`;
  await send(site, { name: "pageview", url, title: "secret" });
  await send(site, { name: "secret", url: `https://${site.host}/`, props: { secret: "secret" } });
  return site;
}

const SHOWN = new Set(filterFieldsOf(PUBLIC_DASHBOARD, null).map(({ value }) => value));
const HIDDEN = [...Object.keys(DIMENSIONS).filter((key) => !SHOWN.has(key)), "prop:secret", "goal:secret"];

test("a public dashboard answers nothing about fields that its panels do not show, as details, options or filters", async () => {
  const site = await siteWithSecrets();
  expect(HIDDEN).toEqual(expect.arrayContaining(["title", "event", "hostname", "referrer", "utm_campaign", "bot"]));
  for (const field of HIDDEN) {
    const asked = encodeURIComponent(field);
    const answers = [
      await fetchData("details", site, `details=${asked}`),
      await fetchData("options", site, `field=${asked}&q=s`),
      await fetchData("panels", site, filterParam({ [field]: "secret" })),
    ];
    expect(
      answers.map(({ status }) => status),
      field,
    ).toEqual([422, 422, 422]);
    expect(JSON.stringify(answers), field).not.toContain('"secret"');
  }
  for (const name of ["panels", "last-event", "countries"])
    expect(JSON.stringify((await fetchData(name, site, "")).body)).not.toContain("secret");
});

test("a public dashboard names no host but that of its address, so pages of others have no link", async () => {
  const site = await publicSite(0);
  await send(site, { name: "pageview", url: `https://${site.host}/here` });
  for (const host of [site.host, `secret.${site.host}`, `blog-secret.${site.host}`])
    await send(site, { name: "pageview", url: `https://${host}/on-both` }, { address: freshAddress() });
  for (const path of ["/there", "/on-both"])
    await send(site, { name: "pageview", url: `https://secret.${site.host}${path}` });
  const { body } = await fetchData("panels", site, "");
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(body.pages_by_host).toEqual([]);
  const hosts = body.lists.pages.map(({ value, hostname }: { value: string; hostname?: string }) => [value, hostname]);
  expect(hosts).toEqual(
    expect.arrayContaining([
      ["/here", site.host],
      ["/there", undefined],
      ["/on-both", undefined],
    ]),
  );
});

test("a public dashboard applies no saved segment and takes no hidden dimension from other callers of its query", async () => {
  const site = await siteWithSecrets();
  const now = new Date();
  const row = { siteId: site.id, name: "Secret", createdAt: now, updatedAt: now, filters: { page: "/" } };
  const { id } = await db().segment.create({ data: row });
  const ask = (more: object) =>
    queryOfPublic({ ip: freshAddress(), filters: [] })(analyticsExplore, { input: { site_id: site.id, ...more }, now });
  for (const more of [{ segment: id }, { dimensions: "utm_campaign" }, { dimensions: "page,event" }])
    await expect(ask(more), JSON.stringify(more)).rejects.toMatchObject({ code: "invalid_input" });
  expect((await ask({ dimensions: "page" })).data.rows).toHaveLength(4);
});

test("a request for anything else is refused by name", async () => {
  const site = await publicSite(0);
  for (const name of ["hidden", "__proto__", "constructor", "last-event.json", ""]) {
    const { status, body } = await fetchData(name, site, "");
    expect([status, body.error.code], name).toEqual([404, "not_found"]);
    expect(body.error.message).toContain("chart, countries, details, list, options, panels");
  }
});

test("a public dashboard shows revenue only while its owner says so, and never conversions", async () => {
  const site = await publicSite(1);
  const url = `https://${site.host}/`;
  await send(site, { name: "purchase", url, revenue: { amount: "30", currency: "EUR" } }, { address: "203.0.113.1" });
  const goal = { name: "Buys", reached_by: { kind: "event", pattern: "purchase" } };
  await call(site.ownerId, "sites.goals.save", { site_id: site.id, ...goal }, new Date());
  const shown = async () => {
    const answers = await Promise.all(
      ["chart", "panels", "details"].map((name) => fetchData(name, site, name === "details" ? "details=country" : "")),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const text = answers.map(({ body }) => JSON.stringify(body));
    expect(text.join()).not.toMatch(/"(conversions|conversion_rate|conversion_value)"/);
    return text.map((one) => /"revenue"/.test(one));
  };
  expect(await shown()).toEqual([false, false, false]);
  await db().site.update({ where: { id: site.id }, data: { publicRevenue: true } });
  expect(await shown()).toEqual([true, true, true]);
  const { status } = await fetchData("chart", site, "goal=Buys");
  expect(status).toBe(422);
  await db().site.update({ where: { id: site.id }, data: { publicRevenue: false } });
  expect(await shown()).toEqual([false, false, false]);
});
