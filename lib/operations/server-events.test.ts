import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { siteWithKey } from "@/lib/testing/measuring";
import { exported, imported } from "@/lib/testing/transfer";
import { CHROME, makeSite, post, send, type TestSite } from "@/lib/testing/world";

const DAY = { from: "2025-03-12", to: "2025-03-12" };
const SAME_DAY = new Date("2025-03-12T15:30:00Z");
const DAYS_LATER = new Date("2025-03-15T12:00:00Z");
const at = (time: string) => `2025-03-12T${time}:00Z`;
const paid = { name: "Paid", revenue: { amount: "49.90", currency: "EUR" } };
const CURL = { userAgent: "curl/8.5.0" };

const LIBRARIES = [
  "",
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.32.3",
  "Python-urllib/3.12",
  "Go-http-client/2.0",
  "axios/1.7.9",
  "node",
  "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
  "undici",
  "okhttp/4.12.0",
  "Apache-HttpClient/5.3 (Java/21)",
  "Java/21.0.2",
  "GuzzleHttp/7",
  "Ruby",
  "PostmanRuntime/7.43.0",
  "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
  "GitHub-Hookshot/044aadd",
  "our-backend/2.1",
];

test("a call without Origin by any library is a server event with class human and no visit", async () => {
  const site = await makeSite();
  for (const userAgent of LIBRARIES) {
    const response = await post(site, paid, { at: at("09:00"), userAgent });
    expect(await response.json(), userAgent).toMatchObject({ status: "stored", class: "human" });
  }
  const { metrics } = await call(site.ownerId, "analytics.overview", { site_id: site.id, ...DAY }, SAME_DAY);
  const none = { visits: 0, visitors: 0, pageviews: 0, bounce_rate: null };
  expect(metrics).toMatchObject({ events: LIBRARIES.length, ...none });
});

test.each([
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"],
  ["Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "ai"],
  ["AcmeCrawler/1.0", "bot"],
  ["Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "bot"],
])("a declared crawler keeps its class, even with an ingest key: %s", async (userAgent, traffic) => {
  const { site, key } = await siteWithKey();
  const bare: Record<string, string> = {};
  for (const headers of [bare, { authorization: `Bearer ${key}` }]) {
    const response = await post(site, paid, { userAgent, headers });
    expect(await response.json()).toMatchObject({ status: "stored", class: traffic });
  }
});

test("with an ingest key no call is suspicious, and a forwarded browser counts as a visitor", async () => {
  const { site, key } = await siteWithKey();
  const headless = CHROME.replace("Chrome", "HeadlessChrome");
  const sent = async (address: string, headers: Record<string, string>) =>
    (await (await post(site, paid, { at: at("09:00"), address, userAgent: headless, headers })).json()).class;
  expect(await sent("203.0.113.1", {})).toBe("suspicious");
  expect(await sent("203.0.113.2", { authorization: `Bearer ${key}` })).toBe("human");
  const { metrics } = await call(site.ownerId, "analytics.overview", { site_id: site.id, ...DAY }, SAME_DAY);
  expect(metrics).toMatchObject({ events: 1, visitors: 1 });
});

test("a request with Origin is not a server event, whatever its user agent", async () => {
  const site = await makeSite();
  const response = await post(site, paid, { ...CURL, headers: { origin: `https://${site.host}` } });
  expect(await response.json()).toMatchObject({ status: "stored", class: "bot" });
});

/** Sends a visit of an identified visitor, a server event in it and one after it, and two without a visitor. */
async function world(): Promise<TestSite> {
  const site = await makeSite();
  const page = { name: "pageview", url: `https://${site.host}/pay?utm_source=news&utm_medium=email`, user_id: "ann" };
  await send(site, page, { at: at("09:00") });
  await send(site, { ...paid, user_id: "ann" }, { at: at("09:05"), ...CURL });
  await send(site, { ...paid, user_id: "ann" }, { at: at("11:00"), ...CURL });
  await send(site, paid, { at: at("11:01"), ...CURL });
  await send(site, { name: "pageview", path: "/hook" }, { at: at("11:02"), ...CURL });
  return site;
}

/** Returns the numbers of all reports. */
async function numbersOf(site: TestSite, now: Date) {
  const ask = (id: string, more: object = {}) => call(site.ownerId, id, { site_id: site.id, ...DAY, ...more }, now);
  const [overview, chart, events, detail, campaigns, commerce, pages, channels, funnels, journeys, landed, goal] = [
    await ask("analytics.overview"),
    await ask("analytics.chart", { interval: "day" }),
    await ask("analytics.events"),
    await ask("analytics.events", { event: "Paid" }),
    await ask("analytics.campaigns"),
    await ask("analytics.commerce"),
    await ask("analytics.explore", { metrics: "pageviews,visitors,visits", dimensions: "page" }),
    await ask("analytics.explore", { metrics: "events,visitors", dimensions: "channel" }),
    await ask("analytics.funnels", { funnel: "/hook > event:Paid" }),
    await ask("analytics.journeys"),
    await ask("analytics.overview", { filters: { entry_page: { is_not: "/nowhere" } } }),
    await ask("analytics.overview", { filters: { event: "Paid" } }),
  ];
  const { visitors, visits, pageviews, events: count } = overview.metrics;
  return {
    overview: { visitors, visits, pageviews, events: count },
    chart: chart.buckets.map((bucket: { events: number; visits: number }) => [bucket.events, bucket.visits]),
    events: events.events.map(({ event, count, visitors, revenue }: Record<string, { amount?: string }>) => [
      ...[event, count, visitors, revenue?.amount],
    ]),
    detail: [detail.event.count, detail.event.visitors],
    campaigns: campaigns.campaigns.map((row: { source: string; conversions: number; converters: number }) => [
      ...[row.source, row.conversions, row.converters],
    ]),
    commerce: [commerce.totals.revenue.amount, commerce.totals.visitors],
    pages: pages.rows.map((row: { values: string[]; pageviews: number; visitors: number; visits: number }) => [
      ...[row.values[0], row.pageviews, row.visitors, row.visits],
    ]),
    channels: channels.rows.map((row: { values: string[]; events: number; visitors: number }) => [
      ...[row.values[0], row.events, row.visitors],
    ]),
    funnel: funnels.funnels[0].steps.map((step: { visitors: number }) => step.visitors),
    journeys: journeys.journeys[0].visits,
    landed: landed.metrics.events,
    goal: [goal.metrics.events, goal.metrics.visits],
  };
}

const EXPECTED = {
  overview: { visitors: 1, visits: 2, pageviews: 2, events: 3 },
  chart: [[3, 2]],
  events: [["Paid", 3, 1, "149.70"]],
  detail: [3, 1],
  campaigns: [["news", 1, 1]],
  commerce: ["149.70", 1],
  pages: [
    ["/hook", 1, 0, 0],
    ["/pay", 1, 1, 1],
    [null, 0, 0, 0],
  ],
  channels: [
    ["Direct", 1, 1],
    ["Email", 1, 1],
    [null, 1, 0],
  ],
  funnel: [0, 0],
  journeys: 1,
  landed: 2,
  goal: [3, 2],
};

test("in every report, a server event continues or starts a visit of its user, or counts without a visitor", async () => {
  const site = await world();
  expect(await numbersOf(site, SAME_DAY)).toEqual(EXPECTED);
});

test("past days count server events like today", async () => {
  const site = await world();
  expect(await numbersOf(site, DAYS_LATER)).toEqual(EXPECTED);
});

test("an export with server events gives the same reports after its import", async () => {
  const [site, copy] = [await world(), await makeSite()];
  await imported(copy, await exported(site, SAME_DAY));
  expect(await numbersOf(copy, SAME_DAY)).toEqual(EXPECTED);
});

test("realtime lists a server event without counting a current visitor", async () => {
  const site = await makeSite();
  await send(site, paid, { at: at("15:29"), ...CURL });
  const { visitors, events } = await call(site.ownerId, "analytics.realtime", { site_id: site.id }, SAME_DAY);
  expect([visitors, events.map(({ name }: { name: string }) => name)]).toEqual([0, ["Paid"]]);
});

test("a user with only server events is in retention", async () => {
  const site = await makeSite();
  await send(site, { ...paid, user_id: "ben" }, { at: at("09:00"), ...CURL });
  const { cohorts } = await call(site.ownerId, "analytics.retention", { site_id: site.id, ...DAY }, SAME_DAY);
  expect(
    cohorts.reduce(
      (sum: number, cohort: { size?: number; visitors?: number }) => sum + (cohort.size ?? cohort.visitors ?? 0),
      0,
    ),
  ).toBe(1);
});
