import { expect, test } from "vitest";
import type { AnyOperation } from "@/lib/contract/define";
import { readAgent } from "@/lib/ingest/enrich/agent";
import { isServerEvent } from "@/lib/ingest/pipeline/sender";
import campaigns from "@/lib/operations/analytics.campaigns";
import chart from "@/lib/operations/analytics.chart";
import commerce from "@/lib/operations/analytics.commerce";
import events from "@/lib/operations/analytics.events";
import experiments from "@/lib/operations/analytics.experiments";
import explore from "@/lib/operations/analytics.explore";
import filterOptions from "@/lib/operations/analytics.filter_options";
import funnels from "@/lib/operations/analytics.funnels";
import overview from "@/lib/operations/analytics.overview";
import realtime from "@/lib/operations/analytics.realtime";
import retention from "@/lib/operations/analytics.retention";
import { EVENT_EXAMPLES } from "@/lib/publish/open-events";
import { postEvents, siteWithKey } from "@/lib/testing/measuring";
import { reportAsOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { sampled } from "@/lib/testing/tier";
import { CHROME, makeSite, post, type SendOptions, send, type TestSite } from "@/lib/testing/world";

const DAY = "2025-03-12";
const LATER = "2025-03-14T15:30:00Z";
const CURL = "curl/8.5.0";
const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const at = (time: string) => `${DAY}T${time}:00Z`;
const reportOf = (op: AnyOperation, site: TestSite, input: object = {}, now = LATER) =>
  reportAsOwner(op, site, { from: DAY, to: DAY, ...input }, now);
const euros = (amount: string) => ({ amount, currency: "EUR" });

async function responseTo(site: TestSite, event: object, sending: SendOptions) {
  const response = await post(site, event, sending);
  return { status: response.status, body: await response.json() };
}

const isServerAgent = (userAgent: string) =>
  isServerEvent({ address: null, userAgent, gpc: false }, readAgent(userAgent));

const stored = (site: TestSite) =>
  rowsOf<{ name: string | null; traffic: number; visitor_id: bigint | null; visit_id: bigint | null }[]>`
    SELECT name.name, traffic, visitor_id, visit_id FROM facts.event AS event
    LEFT JOIN facts.name AS name ON name.site_id = event.site_id AND name.id = event.name
    WHERE event.site_id = ${site.id} ORDER BY seq`;

test("the documented backend call is stored as a human event and counts in default reports", async () => {
  const site = await makeSite();
  const { domain: _, ...event } = EVENT_EXAMPLES.event.value;
  const { status, body } = await responseTo(site, event, { at: at("10:00"), userAgent: CURL });
  expect([status, body]).toEqual([
    202,
    { status: "stored", event_id: event.event_id, class: "human", request_id: expect.any(String) },
  ]);
  const { metrics } = await reportOf(overview, site);
  expect(metrics).toMatchObject({ events: 1, visitors: 1, visits: 1, pageviews: 0, bounce_rate: 0 });
  const { totals } = await reportOf(commerce, site);
  expect(totals).toMatchObject({ orders: 1, revenue: euros("49.00"), buyers: 1, visitors: 1, conversion_rate: 1 });
});

test.each([
  "",
  "curl/8.5.0",
  "Wget/1.21.4",
  "HTTPie/3.2.2",
  "PostmanRuntime/7.43.0",
  "insomnia/10.1.1",
  "python-requests/2.32.3",
  "python-httpx/0.27.0",
  "Python-urllib/3.12",
  "Python/3.12 aiohttp/3.10.5",
  "Go-http-client/2.0",
  "axios/1.7.7",
  "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
  "node",
  "undici",
  "got (https://github.com/sindresorhus/got)",
  "Deno/2.1.4",
  "Bun/1.1.38",
  "okhttp/4.12.0",
  "Java/17.0.9",
  "Java-http-client/21.0.2",
  "Apache-HttpClient/5.3.1 (Java/21.0.2)",
  "Ruby",
  "Faraday v2.12.0",
  "rest-client/2.1.0 (linux x86_64) ruby/3.3.0p0",
  "GuzzleHttp/7",
  "Symfony HttpClient (Curl)",
  "WordPress/6.7; https://shop.example",
  "RestSharp/112.0.0.0",
  "Dart/3.5 (dart:io)",
  "reqwest/0.12.9",
  "libwww-perl/6.77",
  "hackney/1.20.1",
  "Zapier",
  "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.4391",
  "shop-backend/2.4",
])("a call without Origin by %j is a server's", (userAgent) => {
  expect(isServerAgent(userAgent)).toBe(true);
});

test.each([
  CHROME,
  GOOGLEBOT,
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "python-requests/2.32.3 (compatible; GPTBot/1.2)",
  "Java/17 FooCrawler/1.0",
  "AhrefsBot/7.0",
  "SomeUnknownBot/1.0",
  "Scrapy/2.11 (+https://scrapy.org)",
  CHROME.replace("Chrome", "HeadlessChrome"),
])("a call without Origin by %j is not a server's", (userAgent) => {
  expect(isServerAgent(userAgent)).toBe(false);
});

test("the response has the class: crawlers stay bot and AI, a spam referrer is spam, headless browsers are suspicious", async () => {
  const site = await makeSite();
  const classOf = async (userAgent: string, event: object = {}, headers = {}) =>
    (await responseTo(site, { name: "Paid", ...event }, { userAgent, headers })).body.class;
  expect(await classOf("")).toBe("human");
  expect(await classOf(CHROME)).toBe("human");
  expect(await classOf(GOOGLEBOT)).toBe("bot");
  expect(await classOf("Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)")).toBe("ai");
  expect(await classOf(CURL, { referrer: "https://semalt.com/" })).toBe("spam");
  expect(await classOf(CHROME.replace("Chrome", "HeadlessChrome"))).toBe("suspicious");
  // Events from pages are classified as a browser's, whatever their user agent.
  expect(await classOf(CURL, {}, { origin: `https://${site.host}` })).toBe("bot");
  const repeated = { name: "Paid", event_id: "order-2025-000001" };
  expect((await responseTo(site, repeated, { userAgent: CURL })).body.class).toBe("human");
  expect((await responseTo(site, repeated, { userAgent: CURL })).body).not.toHaveProperty("class");
});

test("a backend with a key of the site is trusted, also with a forwarded browser user agent; crawlers stay bots", async () => {
  const { site, key } = await siteWithKey();
  const headers = { authorization: `Bearer ${key}` };
  const HETZNER = "116.202.1.1";
  const otherAddress = "116.202.1.2";
  const headless = CHROME.replace("Chrome", "HeadlessChrome");
  const classOf = async (sending: SendOptions) =>
    (await responseTo(site, { name: "Paid" }, { address: HETZNER, ...sending })).body.class;
  expect(await classOf({ userAgent: CHROME })).toBe("human");
  expect(await classOf({ userAgent: headless })).toBe("suspicious");
  expect(await classOf({ userAgent: headless, headers, address: otherAddress })).toBe("human");
  expect(await classOf({ userAgent: CURL, headers })).toBe("human");
  expect(await classOf({ userAgent: GOOGLEBOT, headers })).toBe("bot");
  const wrong = { authorization: `Bearer ffk_${"x".repeat(43)}` };
  expect((await responseTo(site, { name: "Paid" }, { userAgent: CURL, headers: wrong })).status).toBe(401);
  // The address counts as a visitor's because the user agent is a browser's.
  const visits = await rowsOf<object[]>`SELECT 1 FROM facts.visit WHERE site_id = ${site.id}`;
  expect(visits.length).toBeGreaterThan(0);
});

test("a server's event continues the running visit of its user_id or starts one, and without it has no visit and no visitor", async () => {
  const site = await makeSite();
  const url = `https://${site.host}/?utm_source=news`;
  await send(site, { name: "pageview", url, user_id: "u-1" }, { at: at("10:00") });
  const server = (name: string, time: string, more: object = {}) =>
    send(site, { name, ...more }, { at: at(time), userAgent: CURL, address: "198.51.100.77" });
  await server("Paid", "10:10", { user_id: "u-1", revenue: { amount: "49.00", currency: "EUR" } });
  await server("Shipped", "10:15", { user_id: "u-2" });
  await server("Restocked", "10:16");
  await server("Late", "11:30", { user_id: "u-1" });
  const [page, paid, shipped, restocked, late] = await stored(site);
  expect(paid).toMatchObject({ name: "Paid", visit_id: page?.visit_id, visitor_id: page?.visitor_id });
  expect(shipped?.visitor_id).not.toBe(page?.visitor_id);
  expect(restocked).toMatchObject({ name: "Restocked", traffic: 1, visitor_id: null });
  expect(late?.visitor_id).toBe(page?.visitor_id);
  expect(late?.visit_id).not.toBe(page?.visit_id);
  const { campaigns: rows } = await reportOf(campaigns, site);
  expect(rows).toMatchObject([{ source: "news", visits: 1, conversions: 1, revenue: euros("49.00"), bounce_rate: 0 }]);
  expect((await reportOf(overview, site)).metrics).toMatchObject({ visitors: 2, visits: 3, pageviews: 1, events: 4 });
});

test("engagement and vitals from a server without a running visit are filtered", async () => {
  const site = await makeSite();
  const report = { name: "engagement", path: "/", engagement: { ms: 1000 } };
  const { body } = await responseTo(site, report, { userAgent: CURL });
  expect(body).toMatchObject({ status: "filtered", reason: "visit_over" });
});

/** One visit with a signup, and five events of servers without a visit. */
async function makeSiteWithEvents() {
  const site = await makeSite();
  const page = { name: "pageview", url: `https://${site.host}/shop?utm_source=news` };
  await send(site, page, { at: at("10:00") });
  await send(site, { name: "Signup", path: "/shop", props: { plan: "pro" } }, { at: at("10:01") });
  const server = (event: object, time: string) => send(site, event, { at: at(time), userAgent: CURL });
  await server({ name: "Signup", props: { plan: "pro" } }, "10:02");
  await server({ name: "Signup", props: { plan: "free" } }, "12:00");
  await server({ name: "purchase", props: { order_id: "A1" }, revenue: { amount: "30.00", currency: "EUR" } }, "12:01");
  await server({ name: "pageview", url: `https://${site.host}/shop` }, "12:02");
  await server({ name: "hero", exposure: { experiment: "hero", variant: "b" } }, "12:03");
  return site;
}

test("events without a visit count as events in every report and as visitors in none", async () => {
  const site = await makeSiteWithEvents();
  const checks = async () => {
    const { metrics, panels } = await reportOf(overview, site);
    expect(metrics).toMatchObject({
      visitors: 1,
      visits: 1,
      pageviews: 2,
      events: 4,
      views_per_visit: 2,
      bounce_rate: 0,
      visit_duration: 60,
    });
    expect(panels.pages).toMatchObject([{ value: "/shop", visitors: 1, visits: 1, pageviews: 2 }]);
    expect(panels.sources).toMatchObject([{ value: "news", visitors: 1, visits: 1 }]);
    const { buckets } = await reportOf(chart, site, { interval: "day" });
    expect(buckets).toMatchObject([{ visitors: 1, visits: 1, pageviews: 2, events: 4 }]);
    const { buckets: hours } = await reportOf(chart, site, { interval: "hour" });
    expect([hours[10], hours[12]]).toMatchObject([
      { visitors: 1, visits: 1, pageviews: 1, events: 2 },
      { visitors: 0, visits: 0, pageviews: 1, events: 2 },
    ]);
    const named = await reportOf(events, site, { event: "Signup" });
    expect(named.events).toMatchObject([
      { event: "Signup", count: 3, visitors: 1, conversion_rate: 1 },
      { event: "purchase", count: 1, visitors: 0, conversion_rate: 0, revenue: euros("30.00") },
    ]);
    expect(named.event).toMatchObject({ count: 3, visitors: 1 });
    expect(named.event.series.map(({ count, visitors }: Record<string, number>) => [count, visitors])).toContainEqual([
      2, 1,
    ]);
    expect(named.event.properties).toMatchObject([
      {
        key: "plan",
        count: 3,
        visitors: 1,
        values: [
          { value: "pro", count: 2, visitors: 1 },
          { value: "free", count: 1, visitors: 0 },
        ],
      },
    ]);
    const acquisition = await reportOf(campaigns, site);
    expect(acquisition.campaigns).toMatchObject([{ source: "news", conversions: 1, converters: 1, pageviews: 1 }]);
    const unknown = acquisition.channels.find(({ channel }: { channel: string | null }) => channel === null);
    expect(unknown).toMatchObject({ visits: 0, conversions: 3, converters: 0, revenue: euros("30.00") });
    const { totals, sources } = await reportOf(commerce, site);
    expect(totals).toMatchObject({ orders: 1, revenue: euros("30.00"), buyers: 0, visitors: 1, conversion_rate: 0 });
    expect(sources).toMatchObject([{ source: null, orders: 1 }]);
    const { rows } = await reportOf(explore, site, { metrics: "events,visitors,visits", dimensions: "event" });
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ values: ["Signup"], events: 3, visitors: 1, visits: 1 }),
        expect.objectContaining({ values: ["purchase"], events: 1, visitors: 0, visits: 0 }),
      ]),
    );
    expect((await reportOf(experiments, site)).experiments).toEqual([]);
    const { funnels: found } = await reportOf(funnels, site, { funnel: "event:Signup > event:purchase" });
    expect(found[0].entered).toBe(1);
    const { metrics: filtered } = await reportOf(overview, site, { filters: { source: "news" } });
    expect(filtered).toMatchObject({ visitors: 1, pageviews: 1, events: 1 });
    const { metrics: ofEvent } = await reportOf(overview, site, { filters: { event: "purchase" } });
    expect(ofEvent).toMatchObject({ visitors: 0, visits: 0, events: 1 });
    for (const reached of ["yes", "no"]) {
      const { metrics: byGoal } = await reportOf(overview, site, { filters: { "goal:purchase": reached } });
      expect([reached, byGoal.visitors, byGoal.events]).toEqual([reached, ...(reached === "yes" ? [0, 0] : [1, 1])]);
    }
    const { metrics: entered } = await reportOf(overview, site, { filters: { entry_page: { is_not: "/other" } } });
    expect(entered).toMatchObject({ visitors: 1, events: 1, pageviews: 1 });
    const { options } = await reportOf(filterOptions, site, { field: "prop:plan" });
    expect(options).toEqual([
      { value: "pro", visitors: 1 },
      { value: "free", visitors: 0 },
    ]);
    expect((await reportOf(retention, site)).meta.identity).toBe("none");
  };
  await checks();
});

const byEventsApi = async (site: TestSite, _: string, events: readonly ServerEvent[]) => {
  for (const { time, ids, ...event } of events)
    await send(site, { ...event, ...ids }, { at: at(time), userAgent: CURL });
};
const byBatch = async (site: TestSite, key: string, events: readonly ServerEvent[]) => {
  for (const {
    time,
    name,
    path,
    props,
    ids: { session_id, ...ids },
  } of events) {
    const context = { session_id, ...(path && { page: { url: `https://${site.host}${path}` } }) };
    const sent = path ? { type: "page", context } : { type: "event", name, properties: props, context };
    const { body } = await postEvents([{ ...sent, ...ids }], { key, at: at(time) });
    expect(body.counts.stored, JSON.stringify(body)).toBe(1);
  }
};

interface ServerEvent {
  time: string;
  name: string;
  path?: string;
  props?: object;
  ids: { user_id?: string; session_id?: string };
}
/** Three buyers, each a page view and an order, named by an id or not. */
const ordersOf = (idsOf: (buyer: number) => ServerEvent["ids"]): ServerEvent[] =>
  [1, 2, 3].flatMap((buyer) => [
    { time: `10:0${buyer}`, name: "pageview", path: "/pricing", ids: idsOf(buyer) },
    {
      time: `10:1${buyer}`,
      name: "purchase",
      props: { order_id: `A${buyer}`, value: 10, currency: "EUR" },
      ids: idsOf(buyer),
    },
  ]);

test.each(
  sampled(
    [
      ["Events API", "user_id", byEventsApi],
      ["Events API", "session_id", byEventsApi],
      ["Measurement Protocol", "user_id", byBatch],
      ["Measurement Protocol", "session_id", byBatch],
    ] as const,
    2,
  ),
)("%s: a server that names its visitors by %s has them as visitors, buyers and in funnels", async (_, id, by) => {
  const { site, key } = await siteWithKey();
  await by(
    site,
    key,
    ordersOf((buyer) => ({ [id]: `buyer-${buyer}` })),
  );
  const { metrics, panels } = await reportOf(overview, site);
  expect(metrics).toMatchObject({ visitors: 3, visits: 3, pageviews: 3, events: 3, bounce_rate: 0 });
  expect(panels.pages).toEqual([{ value: "/pricing", visitors: 3, visits: 3, pageviews: 3, revenue: 0 }]);
  expect(panels.event_names).toEqual([{ value: "purchase", visitors: 3, visits: 3, revenue: 30 }]);
  const { totals } = await reportOf(commerce, site);
  expect(totals).toMatchObject({ orders: 3, revenue: euros("30.00"), buyers: 3, visitors: 3, conversion_rate: 1 });
  const { funnels: found } = await reportOf(funnels, site, { funnel: "/pricing > event:purchase" });
  expect(found[0].steps.map(({ visitors }: { visitors: number }) => visitors)).toEqual([3, 3]);
});

test.each([
  ["Events API", byEventsApi],
  ["Measurement Protocol", byBatch],
] as const)("%s: events that name no visitor have no visit, and still count and are listed", async (_, by) => {
  const { site, key } = await siteWithKey();
  await by(
    site,
    key,
    ordersOf(() => ({})),
  );
  const { metrics, panels } = await reportOf(overview, site);
  expect(metrics).toMatchObject({ visitors: 0, visits: 0, pageviews: 3, events: 3, bounce_rate: null });
  expect(panels.pages).toEqual([{ value: "/pricing", visitors: 0, visits: 0, pageviews: 3, revenue: 0 }]);
  expect(panels.event_names).toEqual([{ value: "purchase", visitors: 0, visits: 0, revenue: 30 }]);
  expect(panels.sources).toEqual([]);
  expect((await reportOf(events, site)).events).toMatchObject([{ event: "purchase", count: 3, visitors: 0 }]);
  const { totals } = await reportOf(commerce, site);
  expect(totals).toMatchObject({ orders: 3, revenue: euros("30.00"), buyers: 0, visitors: 0 });
});

test("a session that a backend continues by its id is one visit in both APIs, on the pages and the server", async () => {
  const { site, key } = await siteWithKey();
  const ids = { session_id: "s-1" };
  await byEventsApi(site, key, [{ time: "10:00", name: "pageview", path: "/pricing", ids }]);
  await byBatch(site, key, [{ time: "10:05", name: "Signup", ids }]);
  await byEventsApi(site, key, [{ time: "10:10", name: "Paid", ids }]);
  expect((await reportOf(overview, site)).metrics).toMatchObject({ visitors: 1, visits: 1, pageviews: 1, events: 2 });
});

test("days with only server events have events and no visits", async () => {
  const site = await makeSite();
  for (const time of ["10:00", "11:00"]) await send(site, { name: "Paid" }, { at: at(time), userAgent: CURL });
  expect((await reportOf(overview, site)).metrics).toMatchObject({ visitors: 0, visits: 0, events: 2, pageviews: 0 });
});

test("realtime shows a server event without a visit, and counts no active visitors", async () => {
  const site = await makeSite();
  await send(site, { name: "pageview", path: "/shop" }, { at: at("10:00"), userAgent: CURL });
  await send(site, { name: "Paid" }, { at: at("10:01"), userAgent: CURL });
  const { visitors, minutes, pages, events: seen } = await reportOf(realtime, site, {}, at("10:02"));
  expect([visitors, pages]).toEqual([0, []]);
  expect(minutes.reduce((sum: number, { pageviews }: { pageviews: number }) => sum + pageviews, 0)).toBe(1);
  expect(seen).toMatchObject([
    { type: "pageview", page: "/shop", visit: null },
    { type: "event", name: "Paid", visit: null },
  ]);
});

test("a purchase counts the amount in its properties, and an unreadable amount returns a warning", async () => {
  const site = await makeSite();
  const sale = (props: object) =>
    responseTo(site, { name: "Order Completed", props }, { at: at("10:00"), userAgent: CURL });
  expect((await sale({ order_id: "A1", total: "12.50", currency: "eur" })).body).not.toHaveProperty("warnings");
  expect((await sale({ order_id: "A2", total: "12,50", currency: "EUR" })).body).toMatchObject({
    status: "stored",
    warnings: [{ path: "props.total", message: expect.stringContaining("the amount is not counted") }],
  });
  expect((await reportOf(commerce, site)).totals).toMatchObject({ orders: 2, revenue: euros("12.50") });
});
