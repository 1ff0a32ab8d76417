import { expect, test } from "vitest";
import { EVENT_TYPES, type EventType } from "@/lib/contract/vocabulary";
import { deleteExpiredSalts, saltsFor } from "@/lib/ingest/identity/salts";
import { decideEvent } from "@/lib/ingest/pipeline/pipeline";
import { type IngestSite, siteByDomain } from "@/lib/ingest/site/sites";
import { reserveTimestamps } from "@/lib/ingest/store/arrival-time";
import { writer } from "@/lib/ingest/store/writer";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, makeSite, post, send, type TestSite } from "@/lib/testing/world";

interface VisitRow {
  pageviews: number;
  duration_ms: number;
  visitor_id: string;
  entry: string | null;
  exit: string | null;
  source: string;
  interactions: number;
}

const visitsOf = (site: TestSite) =>
  rowsOf<VisitRow[]>`
    SELECT pageviews, duration_ms, visitor_id::text, interactions, entry.path AS entry, exit.path AS exit, source
    FROM facts.visit v
    LEFT JOIN facts.page entry ON entry.site_id = v.site_id AND entry.id = entry_page
    LEFT JOIN facts.page exit ON exit.site_id = v.site_id AND exit.id = exit_page
    LEFT JOIN facts.referrer r ON r.site_id = v.site_id AND r.id = v.referrer
    WHERE v.site_id = ${site.id} ORDER BY started`;

const signup = { name: "Signup" };
const engagement = (path: string, host: string, ms: number, scroll = 50) => ({
  name: "engagement",
  url: `https://${host}${path}`,
  engagement: { ms, scroll },
});

test("a visit continues after a gap of 29:59 and ends after one of 30:01", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(site, "/a", { at: "2025-03-04T12:29:59Z" });
  await send(site, "/b", { at: "2025-03-04T13:00:00Z" });
  expect(await visitsOf(site)).toMatchObject([
    { pageviews: 2, duration_ms: 1_799_000, entry: "/", exit: "/a" },
    { pageviews: 1, duration_ms: 0, entry: "/b", exit: "/b" },
  ]);
});

test("a visit continues after a gap of exactly 30 minutes", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00.000Z" });
  await send(site, "/", { at: "2025-03-04T12:30:00.000Z" });
  await send(site, "/", { at: "2025-03-04T13:00:00.001Z" });
  expect((await visitsOf(site)).map((visit) => visit.pageviews)).toEqual([2, 1]);
});

test("an hour of activity with short gaps is one visit", async () => {
  const site = await makeSite();
  for (const minute of ["00", "20", "40"]) await send(site, "/", { at: `2025-03-04T12:${minute}:00Z` });
  await send(site, "/", { at: "2025-03-04T13:00:00Z" });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 4, duration_ms: 3_600_000 }]);
});

test("a visit continues past the site's local midnight with the salt it started with", async () => {
  const site = await makeSite({ timezone: "America/Los_Angeles" });
  await send(site, "/", { at: "2025-06-02T06:50:00Z" }); // 23:50 local
  await send(site, "/late", { at: "2025-06-02T07:10:00Z" }); // 00:10 local, the next day
  await send(site, "/later", { at: "2025-06-02T07:35:00Z" });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 3, duration_ms: 2_700_000 }]);
});

test("after local midnight and a long gap, the same person is a new visitor", async () => {
  const site = await makeSite({ timezone: "America/Los_Angeles" });
  await send(site, "/", { at: "2025-06-02T06:50:00Z" });
  await send(site, "/", { at: "2025-06-02T08:00:00Z" });
  const [before, after] = await visitsOf(site);
  expect(before?.visitor_id).not.toBe(after?.visitor_id);
});

test("UTC midnight does not split the local day: one visitor for the whole local day", async () => {
  const site = await makeSite({ timezone: "America/Los_Angeles" });
  await send(site, "/", { at: "2025-06-01T19:00:00Z" }); // noon local
  await send(site, "/", { at: "2025-06-02T03:00:00Z" }); // 20:00 local, the next day in UTC
  const visits = await visitsOf(site);
  expect(visits).toHaveLength(2);
  expect(new Set(visits.map((visit) => visit.visitor_id)).size).toBe(1);
});

test.each([
  ["the day of 23 hours", "2025-03-30T00:30:00Z", "2025-03-30T20:30:00Z", "2025-03-30T22:30:00Z"],
  ["the day of 25 hours", "2025-10-25T22:30:00Z", "2025-10-26T22:30:00Z", "2025-10-26T23:30:00Z"],
])("%s in Berlin is one day: one visitor until local midnight, another after it", async (_, first, last, next) => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  for (const at of [first, last, next]) await send(site, "/", { at });
  const visitors = (await visitsOf(site)).map((visit) => visit.visitor_id);
  expect(visitors[0]).toBe(visitors[1]);
  expect(visitors[2]).not.toBe(visitors[1]);
});

test("two tabs opened at the same moment are one visit", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  await Promise.all([send(site, "/a", { at }), send(site, "/b", { at }), send(site, signup, { at })]);
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 2, interactions: 1, duration_ms: 0 }]);
});

test("another address or another browser is another visitor", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  await send(site, "/", { at });
  await send(site, "/", { at, address: "203.0.113.8" });
  await send(site, "/", { at, userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0" });
  expect(new Set((await visitsOf(site)).map((visit) => visit.visitor_id)).size).toBe(3);
});

test("the same person on two sites is two visitors that cannot be linked", async () => {
  const [one, two] = [await makeSite(), await makeSite()];
  const at = "2025-03-04T12:00:00Z";
  await send(one, "/", { at });
  await send(two, "/", { at });
  expect((await visitsOf(one))[0]?.visitor_id).not.toBe((await visitsOf(two))[0]?.visitor_id);
});

test("identify during a visit keeps the visit and links later days by user id", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(site, { ...signup, user_id: "u-1" }, { at: "2025-03-04T12:05:00Z" });
  await send(site, { ...signup, user_id: "u-1" }, { at: "2025-03-05T12:00:00Z" });
  await send(site, { ...signup, user_id: "u-1" }, { at: "2025-03-06T12:00:00Z", address: "198.51.100.1" });
  const visits = await visitsOf(site);
  expect(visits).toMatchObject([{ pageviews: 1, interactions: 1 }, { interactions: 1 }, { interactions: 1 }]);
  expect(visits[1]?.visitor_id).toBe(visits[2]?.visitor_id);
});

test("identify adds no pageview or event; a second user in the same browser starts a new visit", async () => {
  const site = await makeSite();
  const identify = (user_id: string, minute: number) =>
    send(site, { name: "identify", path: "/", user_id }, { at: `2025-03-04T12:0${minute}:00Z` });
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await identify("u-1", 1);
  await identify("u-1", 2);
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 1, interactions: 0, duration_ms: 120_000 }]);
  const refused = await post(site, { name: "Who", type: "identify", path: "/" }, { at: "2025-03-04T12:03:00Z" });
  expect((await refused.json()).error.details.issues[0].path).toBe("user_id");

  const shared = await makeSite();
  const view = { name: "pageview", path: "/" };
  await send(shared, { ...view, user_id: "u-1" }, { at: "2025-03-04T12:00:00Z" });
  await send(shared, { ...view, user_id: "u-2" }, { at: "2025-03-04T12:01:00Z" });
  await send(shared, { ...view, user_id: "u-1" }, { at: "2025-03-04T12:02:00Z" });
  expect((await visitsOf(shared)).map(({ pageviews }) => pageviews).sort()).toEqual([1, 2]);
});

test("a visit keeps its first source, even when a payment page sends the visitor back", async () => {
  const site = await makeSite();
  const at = (minute: number) => `2025-03-04T12:0${minute}:00Z`;
  const view = (path: string, referrer: string) => ({ name: "pageview", url: `https://${site.host}${path}`, referrer });
  await send(site, view("/", "https://www.google.com/"), { at: at(0) });
  await send(site, view("/paid", "https://pay.example.org/done"), { at: at(5) });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 2, source: "Google" }]);
});

test("events of the same moment keep their order: sixty landings with an early event keep source and entry page", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  const landings = Array.from({ length: 60 }, (_, i) => {
    const address = `198.51.100.${i}`;
    const url = `https://${site.host}/landing-${i}`;
    const view = { name: "pageview", url, referrer: `https://blog-${i}.example.org/` };
    return [
      post(site, view, { at, address }),
      post(site, { name: `Early ${i % 7}`, url }, { at, address }),
      post(site, `/second-${i}`, { at, address }),
    ];
  });
  await Promise.all(landings.flat());
  const visits = await visitsOf(site);
  expect(visits).toHaveLength(60);
  for (const visit of visits) {
    expect(visit).toMatchObject({ pageviews: 2, interactions: 1 });
    expect(visit.source).toMatch(/^blog-\d+\.example\.org$/);
    expect(visit.entry).toMatch(/^\/landing-/);
    expect(visit.exit).toMatch(/^\/second-/);
  }
});

test("engagement extends a visit and never starts one", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(site, engagement("/", site.host, 60_000), { at: "2025-03-04T12:01:30Z" });
  const late = await post(site, engagement("/", site.host, 5_000), { at: "2025-03-04T13:00:00Z" });
  expect(late.status).toBe(202);
  expect(await late.json()).toMatchObject({ status: "filtered", reason: "visit_over" });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 1, interactions: 0, duration_ms: 90_000 }]);
});

test("a filtered event reserves no id: it is filtered again on retry, and another event may use the id", async () => {
  const site = await makeSite();
  const at = "2025-03-04T13:00:00Z";
  const late = { ...engagement("/", site.host, 5_000), event_id: "engaged-0123456789" };
  const both = await Promise.all([post(site, late, { at }), post(site, late, { at })]);
  const again = await post(site, late, { at });
  for (const response of [...both, again]) expect(await response.json()).toMatchObject({ status: "filtered" });
  expect(await (await post(site, { name: "a", event_id: late.event_id }, { at })).json()).toMatchObject({
    status: "stored",
  });
  expect(await (await post(site, late, { at })).json()).toMatchObject({ status: "duplicate" });
});

test("an interactive event ends a bounce, a passive one does not", async () => {
  const site = await makeSite();
  await send(site, { name: "Play" }, { at: "2025-03-04T12:00:00Z" });
  await send(site, { name: "Scrolled", interactive: false }, { at: "2025-03-04T15:00:00Z" });
  expect((await visitsOf(site)).map((visit) => visit.interactions)).toEqual([1, 0]);
});

test("engagement beyond the column's range is capped, and no event fails", async () => {
  const site = await makeSite();
  const at = "2025-03-04T12:00:00Z";
  await send(site, "/", { at });
  const reports = Array.from({ length: 100 }, () => post(site, engagement("/", site.host, DAY_MS), { at }));
  expect(new Set((await Promise.all(reports)).map((response) => response.status))).toEqual(new Set([202]));
});

test("no address and no user agent is stored anywhere, and salts are deleted within 48 hours", async () => {
  const site = await makeSite();
  const address = "198.51.100.77";
  await send(site, "/", {
    at: "2021-05-01T12:00:00Z",
    address,
    userAgent: "Mozilla/5.0 Chrome/142.0.0.0 Canary-Agent-77",
  });
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('facts', 'public')`;
  for (const { name } of tables) {
    const found = await db().$queryRaw<{ hits: number }[]>`
      SELECT (xpath('/row/hits/text()', query_to_xml(format(
        'SELECT count(*) AS hits FROM %s AS t WHERE t::text LIKE ''%%198.51.100.77%%'' OR t::text LIKE ''%%Canary-Agent-77%%''', ${name}::text),
        false, true, '')))[1]::text::int AS hits`;
    expect(found[0]?.hits, name).toBe(0);
  }
  expect(await db().siteSalt.count({ where: { siteId: site.id } })).toBe(1);
  await deleteExpiredSalts(new Date("2021-05-03T00:00:00Z"));
  expect(await db().siteSalt.count({ where: { siteId: site.id } })).toBe(0);
});

/** What one event of each type adds to a visit that started with a pageview: `[pageviews, interactions]`. */
const ADDS: Record<EventType, [number, number]> = {
  pageview: [1, 0],
  screen: [1, 0],
  event: [0, 1],
  commerce: [0, 1],
  passive: [0, 0],
  engagement: [0, 0],
  identify: [0, 0],
  exposure: [0, 0],
  vitals: [0, 0],
};

test.each(Object.entries(ADDS) as [EventType, number[]][])(
  "a %s event adds the counts of its type to a visit",
  async (type, adds) => {
    const { id, host } = await makeSite();
    const site = (await siteByDomain(host)) as IngestSite;
    const sender = { address: "198.51.100.9", userAgent: CHROME, gpc: false };
    const view = { domain: host, name: "pageview", path: "/" };
    for (const wanted of ["pageview", type] as const) {
      const now = new Date("2025-03-04T12:00:00Z");
      const row = decideEvent(view, {
        site,
        salts: await saltsFor(site, now),
        sender,
        now,
        timestamp: reserveTimestamps(now, 1),
      });
      if ("filtered" in row) throw new Error(row.filtered);
      await writer.write({ ...row, type: wanted });
    }
    const [visit, ...others] = await visitsOf({ id, host, ownerId: 0 });
    expect(others).toEqual([]);
    expect([visit?.pageviews, visit?.interactions]).toEqual([1 + (adds[0] ?? 0), adds[1]]);
  },
);

test("vitals are stored as properties of their visit, and never start one", async () => {
  const site = await makeSite();
  const vitals = { name: "vitals", path: "/", vitals: { lcp: 1234.5, cls: 0.01, inp: 88 } };
  const early = await post(site, vitals, { at: "2025-03-04T11:00:00Z" });
  expect(await early.json()).toMatchObject({ status: "filtered", reason: "visit_over" });
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(site, vitals, { at: "2025-03-04T12:01:00Z" });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 1, interactions: 0 }]);
  expect(await propsOf(site, "vitals")).toEqual([{ name: null, props: { lcp: 1234.5, cls: 0.01, inp: 88 } }]);
});

test("of several vitals reports of one page view, only the last counts", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  const report = (minute: number, vitals: object) =>
    send(site, { name: "vitals", path: "/", vitals }, { at: `2025-03-04T12:0${minute}:00Z` });
  await report(1, { view: 7, lcp: 1000, cls: 0 });
  await report(2, { view: 8, lcp: 3000, cls: 0.25 });
  await report(3, { view: 7, lcp: 1000, cls: 0.123456, inp: 88 });
  await report(4, { lcp: 2000 });
  const [last] = await rowsOf<object[]>`
    SELECT count(*)::int AS views, max((props ->> 'cls')::float8) AS cls,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY (props ->> 'lcp')::float8) AS lcp
    FROM (SELECT DISTINCT ON (visit_id, coalesce(props -> 'view', to_jsonb(ts))) props FROM facts.event
          WHERE site_id = ${site.id} AND type = ${EVENT_TYPES.vitals}
          ORDER BY visit_id, coalesce(props -> 'view', to_jsonb(ts)), ts DESC) AS last`;
  expect(last).toEqual({ views: 3, cls: 0.25, lcp: 2000 });
  expect((await propsOf(site, "vitals")).map(({ props }) => props)).toContainEqual({
    view: 7,
    lcp: 1000,
    cls: 0.1235,
    inp: 88,
  });
  const bad = await post(site, { name: "vitals", path: "/", vitals: { view: 7 } }, { at: "2025-03-04T12:05:00Z" });
  expect(bad.status).toBe(422);
});

test("an exposure is stored under its experiment with the variant as a property", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(
    site,
    { name: "exposure", path: "/", exposure: { experiment: "checkout", variant: "b" } },
    { at: "2025-03-04T12:00:01Z" },
  );
  expect(await propsOf(site, "exposure")).toEqual([{ name: "checkout", props: { variant: "b" } }]);
});

const propsOf = (site: TestSite, type: EventType) =>
  rowsOf<{ name: string | null; props: object }[]>`
    SELECT name.name, event.props FROM facts.event
    LEFT JOIN facts.name ON name.site_id = event.site_id AND name.id = event.name
    WHERE event.site_id = ${site.id} AND event.type = ${EVENT_TYPES[type]}`;
