import { randomUUID } from "node:crypto";
import { beforeEach, test as concurrent, expect } from "vitest";
import {
  flushLiveWindows,
  MAX_WINDOW_EVENTS,
  showInLiveWindow,
  WINDOWS_CACHE_MS,
} from "@/lib/ingest/store/live-window";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import type { TrackingTest } from "@/lib/sites/tracking-shape";
import { sweepTrackingTests } from "@/lib/sites/tracking-tests";
import { call } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { postTo } from "@/lib/testing/foreign";
import { keyOf, postEvents, signedIp } from "@/lib/testing/measuring";
import { rowsOf } from "@/lib/testing/rows";
import { CHROME, callApi, makeClient, makeSite, post, type TestSite } from "@/lib/testing/world";

/** Sequential, because the process caches which sites have an open test, and so each test uses its own day. */
const test = concurrent.sequential;
databaseForTests();

let START = new Date("2025-03-12T12:00:00Z");
/** The time from which every process knows about the open test. */
let SOON = START;
beforeEach(() => {
  START = after(DAY_MS);
  SOON = after(WINDOWS_CACHE_MS);
});

const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const after = (ms: number) => new Date(START.getTime() + ms);

const ask = async (site: TestSite, what: "start" | "stop" | "overview", now: Date): Promise<TrackingTest> => {
  await flushLiveWindows();
  return call(site.ownerId, `sites.tracking_test.${what}`, { site_id: site.id }, now);
};

async function siteWithTest(): Promise<TestSite> {
  const site = await makeSite();
  await ask(site, "start", START);
  return site;
}

test("an event that cannot be shown in the live window is stored, and the next one is shown", async () => {
  const site = await siteWithTest();
  const failing = () => {
    throw new Error("cannot be described");
  };
  // While the open windows are being read, and when they are known.
  showInLiveWindow(site.id, SOON, failing);
  await flushLiveWindows();
  expect(() => showInLiveWindow(site.id, SOON, failing)).not.toThrow();
  await post(site, "/", { at: SOON });
  const { hits } = await ask(site, "overview", SOON);
  expect(hits).toMatchObject([{ outcome: "stored" }]);
});

test("filtered, bot, invalid and human events are recorded with their reason, newest first", async () => {
  const site = await makeSite();
  const rule = { site_id: site.id, kind: "path", pattern: "/admin/**" };
  await call(site.ownerId, "sites.exclusions.add", rule, START);
  await ask(site, "start", START);
  await post(site, "/admin/users", { at: SOON });
  await post(site, "/", { at: SOON, userAgent: GOOGLEBOT });
  await post(site, { name: "pageview", url: "https://elsewhere.example/page" }, { at: SOON });
  await post(site, { name: "Signup", props: "none" }, { at: SOON });
  const url = `https://${site.host}/?utm_source=news&utm_medium=email`;
  await post(site, { name: "pageview", url, title: "Home", language: "de", screen: "1920x1080" }, { at: SOON });
  await post(site, { name: "Signup", event_id: "abcdefghijkl" }, { at: SOON });
  await post(site, { name: "Signup", event_id: "abcdefghijkl" }, { at: SOON });
  const { hits, counts, status } = await ask(site, "overview", SOON);
  expect(status).toBe("running");
  expect(hits).toMatchObject([
    { outcome: "duplicate" },
    { outcome: "stored", type: "event", name: "Signup", visit: "continued" },
    {
      outcome: "stored",
      class: { traffic: "human", reason: null },
      page: { hostname: site.host, path: "/", title: "Home" },
      source: { source: "news", channel: "Email", rule: "email", because: expect.stringContaining("medium is email") },
      campaign: { source: "news", medium: "email", campaign: null },
      agent: { browser: "Chrome", browser_version: "142", os: "Windows", device: "Desktop" },
      language: "de",
      visit: "new",
      visitor: { known_by: "address", address_from: "connection" },
    },
    { outcome: "invalid", reason: "invalid_input", name: "Signup", issues: [{ path: "props" }] },
    { outcome: "invalid", page: { hostname: "elsewhere.example", path: "/page" }, issues: [{ path: "url" }] },
    { outcome: "stored", class: { traffic: "bot", reason: "crawler", bot: "Googlebot" } },
    { outcome: "filtered", reason: "excluded_path", page: { path: "/admin/users" }, class: null },
  ]);
  expect(counts).toContainEqual({ outcome: "stored", traffic: "human", events: 2 });
  expect(counts).toContainEqual({ outcome: "invalid", traffic: null, events: 2 });
});

test("server events are recorded with the result of their key and signed address", async () => {
  const site = await siteWithTest();
  const { key, key_id } = await keyOf(site);
  const view = { type: "page", context: { page: { url: `https://${site.host}/a` }, user_agent: CHROME } };
  const stray = { ...view, favourite: "blue" };
  const body = JSON.stringify({ events: [view, stray] });
  const signed = signedIp(key, body, "8.8.8.8", SOON.toISOString());
  await postEvents([view, stray], { key, at: SOON, headers: signed });
  await postEvents([{ ...view, user_id: "ann" }], {
    key,
    at: SOON,
    headers: { ...signed, "x-footfall-client-ip": "" },
  });
  await call(site.ownerId, "sites.keys.revoke", { site_id: site.id, key_id }, SOON);
  await postEvents([view], { key, at: after(60_000) });
  const { hits } = await ask(site, "overview", SOON);
  expect(hits).toMatchObject([
    { outcome: "refused", reason: "invalid_token", surface: "measurement_protocol" },
    { outcome: "stored", visitor: { known_by: "user_id", address_from: "none", because: expect.any(String) } },
    {
      outcome: "stored",
      visitor: { known_by: "address", address_from: "client_ip", because: null },
      place: { country: "US" },
    },
    { outcome: "invalid", issues: [{ path: "favourite", message: "is not a known field; leave it out" }] },
  ]);
});

test("no IP address, user agent or user id is stored, and personal data is replaced", async () => {
  const site = await siteWithTest();
  const address = "203.0.113.77";
  const url = `https://${site.host}/u/ann@example.com?email=ann@example.com`;
  const props = { email: "ann@example.com", plan: "pro" };
  await post(site, { name: "Signup", url, props, user_id: "ann-of-the-shop" }, { at: SOON, address });
  await post(site, { name: "pageview", url: "https://bob@example.com:1/bob@example.com" }, { at: SOON, address });
  await post(site, "/hidden", { at: SOON, address, headers: { "sec-gpc": "1" } });
  await flushLiveWindows();
  const rows = await rowsOf<{ record: object }[]>`
    SELECT record FROM facts.tracking_event WHERE site_id = ${site.id} ORDER BY id`;
  expect(rows.map(({ record }) => record)).toMatchObject([
    { page: { path: "/u/(email)" }, properties: { email: "(email)", plan: "pro" }, scrubbed: expect.any(Array) },
    { outcome: "invalid" },
    { outcome: "filtered", reason: "gpc", page: null },
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|@example|of-the-shop|Mozilla|\/hidden/);
});

test("nothing is recorded before a test starts, for other sites, or after it expires or is stopped", async () => {
  const [quiet, stopped, over] = [await makeSite(), await siteWithTest(), await siteWithTest()];
  await ask(stopped, "stop", SOON);
  for (const site of [quiet, stopped]) await post(site, "/", { at: after(1_000) });
  await post(over, "/", { at: after(10 * 60_000) });
  for (const site of [quiet, stopped, over]) expect((await ask(site, "overview", after(1_000))).hits).toEqual([]);
  expect((await ask(quiet, "overview", SOON)).status).toBe("none");
  expect(await ask(stopped, "overview", after(1_000))).toMatchObject({
    status: "ended",
    stopped_at: SOON.toISOString(),
  });
  expect(await ask(over, "overview", after(10 * 60_000))).toMatchObject({ status: "ended", stopped_at: null });
});

test("a start extends a running test with its record; after the end it starts a new one", async () => {
  const site = await siteWithTest();
  await post(site, "/", { at: SOON });
  const extended = await ask(site, "start", after(60_000));
  expect([extended.started_at, extended.seconds_left, extended.hits.length]).toEqual([START.toISOString(), 600, 1]);
  await ask(site, "stop", after(70_000));
  const restarted = await ask(site, "start", after(80_000));
  expect([restarted.started_at, restarted.hits, restarted.counts]).toEqual([after(80_000).toISOString(), [], []]);
});

test("an hour after its end a test is not returned any more, and its record is deleted", async () => {
  const site = await siteWithTest();
  await post(site, "/", { at: SOON });
  await ask(site, "stop", SOON);
  const hour = after(WINDOWS_CACHE_MS + 3600_000);
  expect((await ask(site, "overview", after(3600_000))).hits).toHaveLength(1);
  expect(await ask(site, "overview", hour)).toMatchObject({ status: "none", hits: [] });
  await sweepTrackingTests(hour);
  const left = await db().$queryRaw<object[]>`
    SELECT site_id FROM facts.tracking_event WHERE site_id = ${site.id}
    UNION ALL SELECT site_id FROM facts.tracking_count WHERE site_id = ${site.id}`;
  expect(left).toEqual([]);
  expect(await db().trackingTest.count({ where: { siteId: site.id } })).toBe(0);
});

test("a flood of events is counted in full, but only the newest are stored, each with bounded size", async () => {
  const site = await siteWithTest();
  const { key } = await keyOf(site);
  const properties = Object.fromEntries(
    Array.from({ length: 45 }, (_, n) => [`${n} ${"ä".repeat(40)}`, "x".repeat(80)]),
  );
  const event = { type: "event", name: "x".repeat(200), properties };
  for (let round = 0; round < MAX_WINDOW_EVENTS / 20 + 2; round++) {
    await postEvents(Array(25).fill(event), { key, at: SOON });
    await flushLiveWindows();
  }
  const { hits, counts } = await ask(site, "overview", SOON);
  expect(hits).toHaveLength(MAX_WINDOW_EVENTS);
  expect(counts).toEqual([{ outcome: "stored", traffic: "human", events: 300 }]);
  expect(hits[0]?.properties_left_out).toBe(15);
  const [size] = await rowsOf<{ bytes: number; rows: number }[]>`
    SELECT max(length(record::text))::int AS bytes, count(*)::int AS rows FROM facts.tracking_event WHERE site_id = ${site.id}`;
  expect(size?.bytes).toBeLessThan(20_000);
  expect(size?.rows).toBe(MAX_WINDOW_EVENTS);
});

test("an agent starts a test, polls an event and stops it with the required scopes", async () => {
  const site = await makeSite();
  const scopes = ["sites:read", "sites:write"] as const;
  const { token } = await makeClient({ scopes, sites: [site], personId: site.ownerId });
  const callTest = (what: string) => callApi(`sites.tracking_test.${what}`, { token, input: { site_id: site.id } });
  const { body } = await callTest("start");
  expect([body.data.status, body.data.seconds_left]).toEqual(["running", 600]);
  const at = new Date(Date.parse(body.data.started_at) + WINDOWS_CACHE_MS);
  await post(site, "/", { at });
  await flushLiveWindows();
  expect((await callTest("overview")).body.data.hits).toMatchObject([{ outcome: "stored", at: at.toISOString() }]);
  expect((await callTest("stop")).body.data.status).toBe("ended");
  expect(await db().audit.count({ where: { siteId: site.id } })).toBe(2);
});

test("each event shows which product's client sent it, also where our script serves another's tag", async () => {
  const site = await siteWithTest();
  const id = randomUUID();
  await db().siteAlias.create({ data: { alias: id, siteId: site.id, createdAt: START } });
  const { key } = await keyOf(site);
  const url = `https://${site.host}/`;
  const own = { domain: site.host, name: "pageview", url };
  const umami = { type: "event", payload: { website: id, hostname: site.host, url: "/" } };
  const sent: [surface: string, path: string, body: object][] = [
    ["events_api", "/api/event", own],
    ["events_api", "/api/event", { ...own, props: '{"by":"hand"}' }],
    ["plausible", "/api/event", { n: "pageview", u: url, d: site.host }],
    // Our script under Plausible's names, and one of its events that is refused.
    ["plausible", "/api/event", { ...own, client: "plausible" }],
    ["plausible", "/api/event", { ...own, client: "plausible", name: "Buy", props: 7 }],
    ["umami", "/api/send", umami],
    ["umami", "/api/batch", [umami]],
    // Umami's tag on our script, whose website is a domain or an id.
    ["umami", "/api/send", own],
    ["umami", "/api/send", { ...own, domain: id }],
    ["umami", "/api/send", { ...own, name: "Buy", props: 7 }],
    ["segment", "/v1/track", { writeKey: key, anonymousId: "a", event: "Buy" }],
  ];
  for (const [, path, body] of sent) await postTo(path, body, { at: SOON.toISOString() });
  await postEvents([{ name: "Buy", client_id: "a" }], { key, at: SOON });
  const { hits } = await ask(site, "overview", SOON);
  expect(hits.map(({ surface }) => surface).reverse()).toEqual([
    ...sent.map(([surface]) => surface),
    "measurement_protocol",
  ]);
});
