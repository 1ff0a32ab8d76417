import { expect, test } from "vitest";
import { reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import { filtersOfQuery, namedBy } from "@/components/reports/filters";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { requireShown, SHARED_REPORTS } from "@/lib/sites/share-limits";
import { openShareLink } from "@/lib/sites/share-links";
import { unlock } from "@/lib/sites/share-password";
import { call, faults } from "@/lib/testing/calls";
import { damaged } from "@/lib/testing/damaged";
import { freshAddress } from "@/lib/testing/oauth";
import { patientVisitors } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { dayIn, zoneAtHour } from "@/lib/testing/zone";
import { GET as dataOf } from "../s/[secret]/data/[name]/route";
import { GET as downloadOf } from "../s/[secret]/reports/[report]/download/route";
import { filterFieldsOf, queryOfLink, readLinkOf } from "./links";

patientVisitors();

const ZONE = zoneAtHour(12);

/** A site with a visit of /open from Germany today, and with what links may not show: /secret, and an event of yesterday. */
async function siteWithSecrets(): Promise<TestSite> {
  const site = await makeSite({ timezone: ZONE });
  const at = (path: string) => `https://${site.host}${path}`;
  await send(
    site,
    { name: "pageview", url: at("/open?utm_source=open&utm_campaign=open") },
    { address: "203.0.113.1" },
  );
  await send(site, { name: "pageview", url: at("/secret?utm_campaign=secret") }, { address: "198.51.100.1" });
  await send(site, { name: "secret", url: at("/secret"), props: { secret: "secret" } }, { address: "198.51.100.1" });
  const yesterday = new Date(Date.now() - DAY_MS);
  await send(site, { name: "pageview", url: at("/secret-yesterday") }, { address: "203.0.113.9", at: yesterday });
  return site;
}

interface Made {
  site: TestSite;
  secret: string;
  linkId: number;
}

async function linkTo(site: TestSite, limits: object = {}): Promise<Made> {
  const input = { site_id: site.id, name: "Press", ...limits };
  const { url, link_id: linkId } = await call(site.ownerId, "sites.links.create", input, new Date());
  return { site, linkId, secret: url.split("/s/")[1] };
}

interface Fetched {
  secret: string;
  cookie?: string;
}

const requestOf = (path: string, { cookie = "" }: Fetched) =>
  new Request(`http://localhost/s/x/${path}`, { headers: { [CALLER_HEADERS.address]: freshAddress(), cookie } });

async function fetchData(name: string, link: Fetched, query = "period=today") {
  const { secret } = link;
  const response = await dataOf(requestOf(`data/${name}?${query}`, link), {
    params: Promise.resolve({ secret, name }),
  });
  return { status: response.status, text: await response.text() };
}

async function download(report: string, link: Fetched, query: string) {
  const { secret } = link;
  const request = requestOf(`reports/${report}/download?${query}`, link);
  const response = await downloadOf(request, { params: Promise.resolve({ secret, report }) });
  return { status: response.status, text: await response.text() };
}

const filterParam = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;
const segmentOf = async (site: TestSite, filters: object): Promise<string> =>
  (await call(site.ownerId, "sites.segments.save", { site_id: site.id, name: "Open", filters })).id;

test("a file that a link does not give is refused with a text that its page can show", async () => {
  const link = await linkTo(await makeSite(), { reports: ["events"] });
  const { secret } = link;
  const fetch = async (report: string, given: string) => {
    const response = await downloadOf(requestOf(`reports/${report}/download?format=json`, link), {
      params: Promise.resolve({ secret: given, report }),
    });
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const text = "text/plain; charset=utf-8";
  expect(await fetch("events", "gone")).toEqual([404, text, expect.stringMatching(/^This link does not work/)]);
  expect(await fetch("campaigns", secret)).toEqual([403, text, expect.stringMatching(/^[A-Z][^{}]+\.$/)]);
});

test("a link limited to a segment answers for its visitors only, whatever the address adds", async () => {
  const site = await siteWithSecrets();
  const segment = await segmentOf(site, { page: "/open" });
  const link = await linkTo(site, { segment, reports: ["campaigns", "events"] });
  const other = await segmentOf(await makeSite(), {});
  for (const query of ["", filterParam({ page: "/open" }), `segment=${segment}`]) {
    const { status, text } = await fetchData("panels", link, `period=today&${query}`);
    expect([status, JSON.parse(text).visitors], query).toEqual([200, 1]);
    expect(text, query).not.toContain("secret");
  }
  expect(
    JSON.parse((await fetchData("panels", link, `period=today&${filterParam({ page: ["/secret", "/open"] })}`)).text)
      .visitors,
  ).toBe(1);
  const onlyOther = await fetchData("panels", link, `period=today&${filterParam({ page: "/secret" })}`);
  expect(JSON.parse(onlyOther.text)).toMatchObject({ visitors: 0, lists: { pages: [] } });
  for (const query of [`segment=${other}`, "segment=", "segment=null", `dashboard=${other}`, "dimensions=event"]) {
    for (const name of ["panels", "chart", "details", "options"]) {
      const { text } = await fetchData(name, link, `period=today&details=page&field=page&${query}`);
      expect(text, `${name} ${query}`).not.toContain("secret");
    }
  }
  for (const report of ["campaigns", "events"]) {
    const { status, text } = await download(report, link, "format=json&period=today");
    expect(status, text).toBe(200);
    expect(text).not.toContain("secret");
  }
  // The current visitors are those of the whole site.
  expect((await fetchData("last-event", link)).status).toBe(403);
});

test("filters other than whole values of what is listed are refused on a link, so that answers tell nothing of others", async () => {
  const site = await siteWithSecrets();
  const link = await linkTo(site, { segment: await segmentOf(site, { page: "/open" }) });
  const hostile = [
    ...["is_not", "contains", "not_contains", "starts_with", "matches"].map((operator) => ({
      page: { [operator]: "/s" },
    })),
    ...["event", "title", "hostname", "referrer", "utm_campaign", "bot", "prop:secret", "goal:secret"].map((key) => ({
      [key]: "secret",
    })),
  ];
  for (const filters of hostile) {
    const query = `period=today&details=page&field=page&${filterParam(filters)}`;
    for (const name of ["panels", "chart", "details", "options", "countries"])
      expect((await fetchData(name, link, query)).status, `${name} ${query}`).toBe(422);
  }
});

test("a link limited to a period shows no day outside of it, not as a range, a comparison or a default", async () => {
  const site = await siteWithSecrets();
  const today = dayIn(ZONE);
  const fixed = { from: today, to: today };
  for (const limits of [{ period: "today" }, fixed]) {
    const link = await linkTo(site, { ...limits, reports: ["events", "campaigns"] });
    for (const query of ["", "period=today", `from=${today}&to=${today}`, "compare=year_over_year"]) {
      const panels = await fetchData("panels", link, query);
      expect([panels.status, JSON.parse(panels.text).visitors], `${JSON.stringify(limits)} ${query}`).toEqual([200, 2]);
      expect(panels.text).not.toContain("yesterday");
      const chart = JSON.parse((await fetchData("chart", link, query)).text).chart;
      expect([chart.previous, chart.meta.compare, chart.meta.from.slice(0, 10)]).toEqual([null, null, today]);
    }
    for (const query of ["period=7d", "period=24h", "period=all", "period=yesterday", "from=2020-01-01"]) {
      for (const name of ["panels", "chart", "details", "options"]) {
        const { status, text } = await fetchData(name, link, `${query}&details=page&field=page`);
        expect([status, text.includes("yesterday")], `${name} ${query}`).toEqual([422, false]);
      }
      expect((await download("events", link, `format=json&${query}`)).status, query).toBe(422);
    }
    const compared = `period=today&compare=previous_period&compare_from=2020-01-01&compare_to=${today}&format=json`;
    const { status, text } = await download("campaigns", link, compared);
    expect([status, JSON.parse(text).meta.compare]).toEqual([200, null]);
    expect((await fetchData("last-event", link)).status).toBe(403);
  }
});

test("a link limited to panels answers for these only: as lists, details, options, filters and numbers", async () => {
  const site = await siteWithSecrets();
  const link = await linkTo(site, { panels: ["sources", "countries"] });
  const { status, text } = await fetchData("panels", link);
  expect(status).toBe(200);
  expect(
    Object.entries(JSON.parse(text).lists)
      .filter(([, rows]) => (rows as []).length > 0)
      .map(([key]) => key),
  ).toEqual(["sources", "countries"]);
  expect(text).not.toContain("secret");
  expect((await fetchData("chart", link)).status).toBe(403);
  expect((await fetchData("details", link, "details=source&period=today")).status).toBe(200);
  for (const key of [...Object.keys(DIMENSIONS), "prop:secret"].filter(
    (one) => one !== "source" && one !== "country",
  )) {
    expect((await fetchData("details", link, `details=${key}&period=today`)).status, key).toBe(422);
    expect((await fetchData("options", link, `field=${encodeURIComponent(key)}&q=s`)).status, key).toBe(422);
    expect((await fetchData("panels", link, filterParam({ [key]: "x" }))).status, key).toBe(422);
  }
});

test("a link shows the reports that it names, as JSON and CSV, and no other operation of the service", async () => {
  const site = await siteWithSecrets();
  const link = await linkTo(site, { dashboard: false, reports: ["campaigns"] });
  expect((await download("campaigns", link, "format=json&period=today")).text).toContain("open");
  expect((await download("campaigns", link, "table=campaigns&period=today")).status).toBe(200);
  for (const report of [...SHARED_REPORTS.filter((key) => key !== "campaigns"), "realtime", "explore", "funnel"])
    expect((await download(report, link, "format=json&period=today")).status, report).toBe(403);
  for (const name of ["panels", "chart", "countries"]) expect((await fetchData(name, link)).status, name).toBe(403);
  const opened = await readLinkOf(link.secret, "");
  const input = { site_id: site.id };
  for (const [id, operation] of OPERATIONS) {
    if (id === "analytics.campaigns") continue;
    const query = queryOfLink(opened as NonNullable<typeof opened>, { ip: freshAddress(), filters: [] });
    await expect(query(operation, { input, now: new Date() }), id).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  }
});

test("parameters of a shared report choose among what it shows: breakdowns and funnels of the reader's own are refused", async () => {
  const site = await siteWithSecrets();
  const link = await linkTo(site, { reports: [...SHARED_REPORTS] });
  expect((await download("events", link, "format=json&event=secret&period=today")).status).toBe(200);
  for (const [report, query] of [
    ["changes", "dimensions=utm_campaign"],
    ["funnels", `funnel=${encodeURIComponent("/open > /secret")}`],
    ["journeys", "start=/secret"],
  ] as const)
    expect((await download(report, link, `format=json&period=today&${query}`)).status, report).toBe(422);
});

test("a reader filters a shared report by what it lists whole, and by nothing that only other reports of the link list", async () => {
  const site = await siteWithSecrets();
  const ordered = { name: "purchase", url: `https://${site.host}/open`, revenue: { amount: "9.00", currency: "EUR" } };
  await send(site, ordered, { address: "203.0.113.1" });
  const link = await linkTo(site, { dashboard: false, reports: [...SHARED_REPORTS] });
  const opened = await readLinkOf(link.secret, "");
  const { limits } = (opened as NonNullable<typeof opened>).link;
  const followed = new Set<string>();
  for (const key of SHARED_REPORTS) {
    const report = await reportAt(key);
    const { status, text } = await download(key, link, "format=json&period=today");
    expect(status, key).toBe(200);
    const fields = filterFieldsOf(limits, key).map(({ value }) => value);
    for (const patch of report?.sheets(JSON.parse(text)).flatMap(({ links }) => links ?? []) ?? []) {
      const filters = filtersOfQuery({ filters: patch?.filters ?? "" }) ?? [];
      if (!patch?.filters) continue;
      const isOffered = filters.every((one) => fields.includes(one.key));
      const query = new URLSearchParams({ format: "json", period: "today", filters: patch.filters });
      expect((await download(key, link, `${query}`)).status, `${key} ${patch.filters}`).toBe(isOffered ? 200 : 422);
      if (isOffered) followed.add(key);
    }
    for (const dimension of [...Object.keys(DIMENSIONS), "prop:secret", "goal:secret"].filter(
      (one) => !fields.includes(one),
    )) {
      const filters = [{ key: dimension, operator: "is", values: ["secret"] }];
      const asked = { op: (report as NonNullable<typeof report>).op, input: {}, filters };
      expect(() => requireShown(limits, asked), `${key} ${dimension}`).toThrow(
        expect.objectContaining({ code: "invalid_input" }),
      );
    }
    for (const dimension of ["page", "entry_page", "event", "prop:secret", "goal:secret"])
      expect(fields.includes(namedBy(dimension).kind ?? dimension), `${key} ${dimension}`).toBe(false);
  }
  expect([...followed]).toEqual(["campaigns", "commerce"]);
  // What Campaigns lists is no filter of Events.
  expect((await download("events", link, `format=json&${filterParam({ utm_campaign: "open" })}`)).status).toBe(422);
});

test("a link opens only its own site: another id in a query is refused, and a revoked, expired or guessed secret opens nothing", async () => {
  const [site, other] = [await siteWithSecrets(), await siteWithSecrets()];
  const link = await linkTo(site, { expires_in_days: 1 });
  const opened = await readLinkOf(link.secret, "");
  const overview = OPERATIONS.get("analytics.overview") as never;
  const query = queryOfLink(opened as NonNullable<typeof opened>, { ip: freshAddress(), filters: [] });
  for (const siteId of [other.id, 2 ** 40, -1, `${site.id}`, null])
    await expect(query(overview, { input: { site_id: siteId }, now: new Date() })).rejects.toMatchObject({
      code: expect.stringMatching(/site_not_granted|invalid_input/),
    });
  const wrong = [link.secret.slice(1), `${link.secret}x`, damaged(link.secret), "", "..", "%00", `${link.linkId}`];
  for (const secret of wrong) expect((await fetchData("panels", { secret })).status, secret).toBe(404);
  expect(await openShareLink(link.secret, new Date(Date.now() + 25 * 3600_000))).toBeNull();
  expect((await fetchData("panels", link)).status).toBe(200);
  await call(site.ownerId, "sites.links.revoke", { site_id: site.id, link_id: link.linkId }, new Date());
  for (const name of ["panels", "chart", "last-event"]) expect((await fetchData(name, link)).status, name).toBe(404);
});

test("a password opens its own link in one browser for a day; a changed, foreign or old cookie opens nothing", async () => {
  const site = await siteWithSecrets();
  const password = "correct horse battery";
  const [link, twin] = [await linkTo(site, { password }), await linkTo(site, { password })];
  expect((await fetchData("panels", link)).status).toBe(401);
  const now = new Date();
  await expect(unlock(link.secret, "wrong horse battery", freshAddress(), now)).rejects.toMatchObject({
    code: "invalid_input",
  });
  const header = await unlock(link.secret, password, freshAddress(), now);
  expect(header).toMatch(/; HttpOnly; SameSite=Lax/);
  const cookie = header.split(";")[0] as string;
  expect((await fetchData("panels", { ...link, cookie })).status).toBe(200);
  const [name = "", value = ""] = cookie.split("=");
  const [until = "", mac = ""] = value.split(".");
  const ofTwin = `${name.replace(/\d+$/, `${twin.linkId}`)}=${value}`;
  const later = `${name}=${Number(until) + 1}.${mac}`;
  for (const forged of [
    later,
    `${name}=${until}.`,
    `${name}=${until}.${damaged(mac)}`,
    `${name}=`,
    `${name}=9e9.${mac}`,
  ])
    expect((await fetchData("panels", { ...link, cookie: forged })).status, forged).toBe(401);
  expect((await fetchData("panels", { ...twin, cookie: ofTwin })).status).toBe(401);
  expect((await readLinkOf(link.secret, cookie, new Date(now.getTime() + DAY_MS)))?.isLocked).toBe(true);
});

test("after ten wrong passwords a network waits, also with the right one; other networks do not", async () => {
  const site = await makeSite();
  const password = "correct horse battery";
  const { secret } = await linkTo(site, { password });
  const [address, now] = [freshAddress(), new Date()];
  const codeOf = (typed: string, from = address) =>
    unlock(secret, typed, from, now).then(
      () => "open",
      ({ code }) => code,
    );
  for (let tries = 0; tries < 10; tries++) expect(await codeOf(`wrong horse ${tries}`)).toBe("invalid_input");
  expect([await codeOf(password), await codeOf(password, freshAddress())]).toEqual(["rate_limited", "open"]);
  const { passwordHash } = await db().shareLink.findFirstOrThrow({ where: { siteId: site.id } });
  expect(passwordHash).toMatch(/^\$argon2id\$/);
});

/** A shop with a goal, and a sale of 49 EUR yesterday and one of 30 EUR today from Google. */
async function shop(): Promise<TestSite> {
  const site = await makeSite();
  const url = `https://${site.host}/`;
  for (const [amount, daysAgo] of [
    ["49", 1],
    ["30", 0],
  ] as const) {
    const by = { address: `203.0.113.${daysAgo + 1}`, at: new Date(Date.now() - daysAgo * DAY_MS) };
    await send(site, { name: "pageview", url, referrer: "https://www.google.com/" }, by);
    const sale = { name: "purchase", url, props: { order_id: amount, plan: "pro" } };
    await send(site, { ...sale, revenue: { amount, currency: "EUR" } }, by);
  }
  const goal = { name: "Buys", reached_by: { kind: "event", pattern: "purchase" } };
  await call(site.ownerId, "sites.goals.save", { site_id: site.id, ...goal }, new Date());
  return site;
}

const MONEY = /"(revenue|orders|average_order_value)"/;
const OF_GOALS = /"(conversions|conversion_rate|conversion_value)"/;
const DETAILS = "details=source&details_sort=-revenue";

test("a link shows revenue only if its owner chose so, on a site whose public dashboard shows it too", async () => {
  const site = await shop();
  await db().site.update({ where: { id: site.id }, data: { public: true, publicRevenue: true } });
  const without = await linkTo(site, { reports: ["events"] });
  for (const name of ["chart", "panels"]) {
    const { status, text } = await fetchData(name, without);
    expect([status, MONEY.test(text), OF_GOALS.test(text)], name).toEqual([200, false, false]);
  }
  expect((await fetchData("details", without, `period=today&${DETAILS}`)).status).toBe(422);
  const withIt = await linkTo(site, { revenue: true });
  const read = async (name: string, query: string) => JSON.parse((await fetchData(name, withIt, query)).text);
  const { chart } = await read("chart", "period=today");
  expect([chart.metrics.revenue, chart.metrics.orders, chart.currency]).toEqual([30, 1, "EUR"]);
  const details = await read("details", `period=today&${DETAILS}`);
  expect(details.rows[0].numbers[details.metrics.indexOf("revenue")]).toBe(30);
});

test("a link with revenue shows no goals and conversions, and no money beyond its period, panels and filters", async () => {
  const site = await shop();
  const link = await linkTo(site, { revenue: true, period: "yesterday", panels: ["sources"] });
  for (const name of ["panels", "details"]) {
    const { status, text } = await fetchData(name, link, "period=yesterday&details=source");
    expect([status, MONEY.test(text), OF_GOALS.test(text)], name).toEqual([200, true, false]);
    expect(text).not.toContain("30");
  }
  const refused = [
    ...["chart?period=yesterday", "panels?period=today", "panels?period=7d", "panels?period=yesterday&goal=Buys"],
    ...["panels?period=yesterday&attribution=first", "details?period=yesterday&details=page"],
    "details?period=yesterday&details=source&details_sort=-conversions",
    "details?period=yesterday&details=prop:plan",
    `panels?period=yesterday&${filterParam({ event: "purchase" })}`,
    `panels?period=yesterday&${filterParam({ "goal:Buys": "yes" })}`,
    `panels?period=yesterday&${filterParam({ source: { matches: "G" } })}`,
  ];
  for (const asked of refused) {
    const [name = "", query] = asked.split("?");
    const { status, text } = await fetchData(name, link, query);
    expect([403, 422], `${asked}: ${text}`).toContain(status);
    expect(text, asked).not.toMatch(MONEY);
  }
  const opened = await readLinkOf(link.secret, "");
  if (!opened) throw new Error("The link does not open.");
  const query = queryOfLink(opened, { ip: freshAddress(), filters: [] });
  const ask = (input: object) =>
    query(analyticsExplore, { input: { site_id: site.id, dimensions: "source", ...input } as never, now: new Date() });
  expect((await ask({ metrics: "revenue" })).data.rows).toEqual([{ values: ["Google"], revenue: 49 }]);
  for (const metrics of ["conversions", "revenue,conversion_rate", "conversion_value"])
    await expect(ask({ metrics }), metrics).rejects.toThrow("A public dashboard shows no conversions");
  const faultsOf = (limits: object) => faults(linkTo(site, limits));
  expect(await faultsOf({ dashboard: false, reports: ["events"], revenue: true })).toEqual([
    expect.stringMatching(/^revenue: must be false/),
  ]);
});
