import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";
import { flushIngestStats } from "@/lib/ingest/store/ingest-stats";
import { flushLiveWindows } from "@/lib/ingest/store/live-window";
import { db } from "@/lib/platform/db";
import { startTrackingTest } from "@/lib/sites/tracking-tests";
import { postTo } from "@/lib/testing/foreign";
import { siteWithKey } from "@/lib/testing/measuring";
import { PATIENT_MS } from "@/lib/testing/patience";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, type TestSite } from "@/lib/testing/world";

const FIREFOX = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0";
const AT = "2025-03-04T12:00:00Z";
const post = (body: unknown, more: object = {}) => postTo("/api/send", body, { at: AT, ...more });
const event = (site: TestSite, payload: object = {}) => ({
  type: "event",
  payload: { website: site.host, hostname: site.host, url: "/", ...payload },
});
/** In the order of minutes; other tests move the clock that orders events of one minute. */
const pathsOf = async (site: TestSite) =>
  (
    await rowsOf<{ at: Date; path: string | null; name: string | null }[]>`
      SELECT event.ts AS at, path, name.name FROM facts.event AS event
      LEFT JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page
      LEFT JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
      WHERE event.site_id = ${site.id}`
  )
    .map(({ at, path, name }) => `${at.toISOString().slice(11, 16)} ${name ?? path}`)
    .sort();

test("an event of Umami with a time of the last 72 hours counts then, and its id names its user", async () => {
  const site = await makeSite();
  const hour = (hours: number) => Date.parse(AT) / 1000 - hours * 3600;
  const answers = [
    await post(event(site, { url: "/a", timestamp: hour(1), id: "u" })),
    await post(event(site, { url: "/b", timestamp: String(hour(2)) })),
    await post(event(site, { url: "/c", timestamp: hour(73) })),
    await post({ type: "identify", payload: { website: site.host, id: "u", data: { plan: "pro" } } }),
    await post({ type: "identify", payload: { website: site.host, data: { plan: "pro" } } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(answers[2]?.body.warnings[0].message).toContain("72 hours");
  expect(answers[4]?.body.note).toContain("not stored");
  expect(await pathsOf(site)).toEqual(["10:00 /b", "11:00 /a", "12:00 /c", "12:00 null"]);
});

test("a performance event of Umami is stored as web vitals of its page, and one without values says that it has none", async () => {
  const site = await makeSite();
  const page = { website: site.host, hostname: site.host, url: "/shop", title: "Shop", duration: 812 };
  const sent = [
    { ...page, lcp: 1804.5, inp: 96, cls: 0.0312, fcp: 640, ttfb: null },
    { ...page, url: `https://${site.host}/`, ttfb: 120 },
    page,
    { ...page, lcp: -1 },
    { ...page, cls: "0.1" },
  ];
  await post(event(site));
  const answers = await Promise.all(sent.map((payload) => post({ type: "performance", payload })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400]);
  expect(answers[0]?.body).toMatchObject({ cache: "none", status: "stored" });
  expect(answers[2]?.body).toMatchObject({ cache: "none", note: expect.stringContaining("nothing to store") });
  expect(answers.slice(3).map(({ body }) => body.error.details.issues[0].path)).toEqual(["payload.lcp", "payload.cls"]);
  const stored = await rowsOf<{ path: string; type: number; props: object }[]>`
    SELECT path, type, props FROM facts.event AS event
    LEFT JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page
    WHERE event.site_id = ${site.id} AND type <> ${EVENT_TYPES.pageview} ORDER BY path`;
  expect(stored).toMatchObject([
    { path: "/", type: EVENT_TYPES.vitals, props: { ttfb: 120 } },
    { path: "/shop", type: EVENT_TYPES.vitals, props: { lcp: 1804.5, inp: 96, cls: 0.0312, fcp: 640 } },
  ]);
});

test("an event of Umami with a wrong frame is counted at the site whose page sent it", async () => {
  const site = await makeSite();
  const payload = { hostname: `www.${site.host}`, url: "/" };
  const frames = [
    { type: "heartbeat", payload: { ...payload, website: site.host } },
    { type: "event", payload: { ...payload, pixel: randomUUID() } },
    { type: "event", payload },
  ];
  const answers = await Promise.all(frames.map((frame) => post(frame)));
  const issues = answers.map(({ body }) => body.error.details.issues[0].path);
  expect(issues).toEqual(["type", "payload.pixel", "payload.website"]);
  await flushIngestStats();
  const counts = await rowsOf<{ reason: string; events: number }[]>`
    SELECT reason, sum(events)::int AS events FROM facts.intake WHERE site_id = ${site.id} GROUP BY reason ORDER BY reason`;
  expect(counts).toEqual([
    { reason: "invalid_input", events: 2 },
    { reason: "invalid_input:type", events: 1 },
  ]);
});

test("the address and the browser of a visitor that a server sends in Umami's form count, the address with a key only", async () => {
  const { site, key } = await siteWithKey();
  const visitor = { ip: "93.184.216.34", userAgent: FIREFOX, os: "Mac OS" };
  const server = { userAgent: "node", address: "198.51.100.9" };
  const keyed = { ...server, headers: { authorization: `Bearer ${key}` } };
  const [without, withKey, own] = [
    await post(event(site, { url: "/a", ...visitor }), server),
    await post(event(site, { url: "/b", ...visitor }), keyed),
    await post(event(site, { url: "/c", ...visitor, ip: "10.0.0.1" }), keyed),
  ];
  const paths = (answer: typeof without) => answer.body.warnings.map(({ path }: { path: string }) => path);
  expect([without, withKey, own].map(paths)).toEqual([
    ["payload.os", "payload.ip"],
    ["payload.os"],
    ["payload.os", "payload.ip"],
  ]);
  const visits = await rowsOf<{ browser: string; visitors: number }[]>`
    SELECT browser, count(DISTINCT visitor_id)::int AS visitors FROM facts.visit AS visit
    JOIN facts.agent AS agent ON agent.site_id = visit.site_id AND agent.id = visit.agent
    WHERE visit.site_id = ${site.id} GROUP BY browser`;
  expect(visits).toEqual([{ browser: "Firefox", visitors: 2 }]);
});

test("events of @umami/node have no visit, unless they name a user, or come with a key and the visitor's browser and address", async () => {
  const { site, key } = await siteWithKey();
  const node = { userAgent: "Mozilla/5.0 Umami/v24.1.0", address: "198.51.100.9" };
  const keyed = { ...node, headers: { authorization: `Bearer ${key}` } };
  const visitor = { ip: "93.184.216.34", userAgent: FIREFOX };
  const sent: [url: string, payload: object, from: object][] = [
    ["/plain", {}, node],
    ["/screen", { screen: "1920x1080", language: "de" }, node],
    ["/address-without-key", { ip: visitor.ip }, node],
    ["/ann", { id: "ann" }, node],
    ["/ben", { id: "ben" }, node],
    ["/ann-again", { id: "ann" }, node],
    ["/visitor", visitor, keyed],
  ];
  for (const [url, payload, from] of sent)
    expect((await post(event(site, { url, ...payload }), from)).status).toBe(200);
  const rows = await rowsOf<{ path: string; visit: string | null; traffic: number }[]>`
    SELECT path, visitor_id::text AS visit, traffic FROM facts.event AS event
    JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page WHERE event.site_id = ${site.id}`;
  const visitOf = new Map(rows.map(({ path, visit }) => [path, visit]));
  expect([...visitOf].flatMap(([path, visit]) => (visit === null ? path : [])).sort()).toEqual([
    "/address-without-key",
    "/plain",
    "/screen",
  ]);
  expect(visitOf.get("/ann-again")).toBe(visitOf.get("/ann"));
  expect(new Set(["/ann", "/ben", "/visitor"].map((path) => visitOf.get(path))).size).toBe(3);
  expect(rows.map(({ traffic }) => traffic)).toEqual(sent.map(() => 1));
});

test("long titles and values of Umami's data are cut, and relative addresses are on the site, as in Umami", async () => {
  const site = await makeSite();
  const long = "x".repeat(5_000);
  const answers = [
    await post(event(site, { url: "docs/start", title: long })),
    await post(event(site, { url: "", name: "" })),
    await post(event(site, { url: "?tab=1", name: "Read", data: { text: long, list: [long] } })),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await pathsOf(site)).sort()).toEqual(["12:00 /", "12:00 /docs/start", "12:00 Read"]);
});

test("a batch of Umami stores each valid event and says which are not", async () => {
  const site = await makeSite();
  const sent = [
    event(site, { url: "/a" }),
    { type: "event" },
    event(site, { name: "Signup" }),
    event(site, { url: 7 }),
  ];
  const { status, body } = await postTo("/api/batch", sent, { at: AT });
  expect([status, body]).toMatchObject([
    200,
    { size: 4, processed: 2, errors: 2, details: [{ index: 1 }, { index: 3 }] },
  ]);
  expect(body.details[1].response.error).toMatchObject({ code: "bad-request", status: 400 });
  expect((await pathsOf(site)).sort()).toEqual(["12:00 /a", "12:00 Signup"]);
});

test("a website id that nobody has mapped is refused, and its site's owner sees it in the counts and in the live test", async ({
  expect,
}) => {
  const site = await makeSite();
  // Not in the past, whose live tests another test file may sweep.
  const start = Date.now();
  const later = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  await startTrackingTest(db(), site.id, new Date(start));
  const id = randomUUID();
  const { status, body } = await post(event(site, { website: id, hostname: `www.${site.host}` }), { at: later(0) });
  expect([status, body.error.code]).toEqual([400, "bad-request"]);
  expect(body.error.details.issues).toEqual([{ path: "payload.website", message: expect.stringContaining(id) }]);
  await flushIngestStats();
  const counts = await rowsOf<{ reason: string }[]>`SELECT reason FROM facts.intake WHERE site_id = ${site.id}`;
  expect(counts).toEqual([{ reason: "invalid_input:website" }]);
  // Open windows are read every half second of the events' time.
  let second = 0;
  const shown = async () => {
    second++;
    await post(event(site, { website: id, hostname: `www.${site.host}` }), { at: later(second) });
    await flushLiveWindows();
    const records = await rowsOf<{ record: { surface: string } }[]>`
      SELECT record FROM facts.tracking_event WHERE site_id = ${site.id} LIMIT 1`;
    return records.map(({ record }) => record.surface);
  };
  await expect.poll(shown, { timeout: PATIENT_MS }).toEqual(["umami"]);
  const own = await postTo(
    "/api/send",
    { domain: id, name: "pageview", url: `https://${site.host}/` },
    { at: later(second) },
  );
  expect(own.status).toBe(422);
});

test("a hostile event of an Umami client is refused in Umami's form, and never stored or a server error", async () => {
  const site = await makeSite();
  const of = (payload: object) => event(site, payload);
  const hostile: [unknown, string][] = [
    [[], ""],
    ["text", ""],
    [null, ""],
    [{ type: "performance", payload: null }, "payload"],
    [{ type: "performance", payload: { website: site.host, lcp: {} } }, "payload.lcp"],
    [of({ ip: {} }), "payload.ip"],
    [of({ userAgent: 7 }), "payload.userAgent"],
    [{ type: "track", payload: {} }, "type"],
    [{ type: "event", payload: [] }, "payload"],
    [{ type: "event", payload: { website: {} } }, "payload.website"],
    [of({ website: "x".repeat(300) }), "payload.website"],
    [of({ website: "not a domain!" }), "payload.website"],
    [of({ name: {} }), "payload.name"],
    [of({ url: "javascript:alert(1)" }), "payload.url"],
    [of({ url: "https://evil.example/" }), "payload.url"],
    [of({ hostname: "evil.example" }), "payload.url"],
    [of({ hostname: "evil.example/@" }), "payload.url"],
    [of({ data: "text" }), "payload.data"],
    [of({ data: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, i])) }), "payload.data"],
    [of({ timestamp: "soon" }), "payload.timestamp"],
    [of({ timestamp: -1 }), "payload.timestamp"],
    [of({ id: {} }), "payload.id"],
    [of({ title: 7 }), "payload.title"],
    [of({ name: "a\0b" }), "payload.name"],
  ];
  for (const [sent, path] of hostile) {
    const { status, body } = await post(JSON.stringify(sent), {
      address: `198.51.100.${hostile.findIndex(([one]) => one === sent)}`,
    });
    expect([status, body.error?.code], JSON.stringify(sent)).toEqual([400, "bad-request"]);
    expect(body.error.details.issues[0].path, JSON.stringify(sent)).toBe(path);
  }
  for (const sent of [of({}), "text", 7, null, [], Array.from({ length: 101 }, () => of({}))]) {
    const { status, body } = await postTo("/api/batch", JSON.stringify(sent), { at: AT, address: "198.51.100.99" });
    expect([status, body.error?.code, body.error?.message]).toEqual([
      400,
      "bad-request",
      expect.stringContaining("1 to 100 events"),
    ]);
  }
  expect(await pathsOf(site)).toEqual([]);
});

test("a page of another site cannot send events to a site by its website id", async () => {
  const site = await makeSite();
  const alias = randomUUID();
  await db().siteAlias.create({ data: { alias, siteId: site.id, createdAt: new Date() } });
  const { status, body } = await post(event(site, { website: alias }), { headers: { origin: "https://evil.example" } });
  expect([status, body.error?.details.issues[0].path]).toEqual([400, "Origin"]);
  expect(await pathsOf(site)).toEqual([]);
});

test("data of which two values would get the same name is refused, so that neither is lost", async () => {
  const { host } = await makeSite();
  const payload = { website: host, hostname: host, name: "Signup", data: { "a.b": 1, a: { b: 2 } } };
  const { status, body } = await post({ type: "event", payload });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { details: { issues: [{ path: "payload.data" }] } } });
});

test("events of one Umami batch count in its order, also those of one second, and beside events without a time", async () => {
  const site = await makeSite();
  const second = Date.parse(AT) / 1000 - 600;
  const visit = Array.from({ length: 40 }, (_, index) => `/${index}`);
  // The first lookups of a site are not cached: they must not change the order either.
  const late = visit.map((url) => event(site, { url, timestamp: second }));
  const now = visit.map((url) => event(site, { url: `/now${url}` }));
  const mixed = late.flatMap((one, index) => [now[index], one]);
  const { body } = await postTo("/api/batch", mixed, { at: AT });
  expect(body).toMatchObject({ size: 80, processed: 80, errors: 0 });
  const stored = await rowsOf<{ path: string }[]>`
    SELECT path FROM facts.event AS event
    JOIN facts.page AS page ON page.site_id = event.site_id AND page.id = event.page
    WHERE event.site_id = ${site.id} ORDER BY ts`;
  expect(stored.map(({ path }) => path)).toEqual([...visit, ...visit.map((url) => `/now${url}`)]);
  const visits = await rowsOf<{ entry: string; exit: string; pageviews: number }[]>`
    SELECT entry.path AS entry, exit.path AS exit, pageviews FROM facts.visit AS visit
    JOIN facts.page AS entry ON entry.site_id = visit.site_id AND entry.id = entry_page
    JOIN facts.page AS exit ON exit.site_id = visit.site_id AND exit.id = exit_page WHERE visit.site_id = ${site.id}`;
  expect(visits).toEqual([{ entry: "/0", exit: "/now/39", pageviews: 80 }]);
});
