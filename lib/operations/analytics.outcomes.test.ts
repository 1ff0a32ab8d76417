import { expect, test } from "vitest";
import { queryPublicSite } from "@/lib/gateway/execute";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsExplore from "@/lib/operations/analytics.explore";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { reportAsAgent } from "@/lib/testing/reports";
import { callApi, makeClient, makeSite, send, type TestSite } from "@/lib/testing/world";

const NOW = new Date("2025-03-12T15:30:00Z");
const DAYS = { from: "2025-03-11", to: "2025-03-12", interval: "day" };

/** Two visitors of a shop, of whom one from Google has an order of 49 EUR and one has signed up. */
async function shop(): Promise<TestSite> {
  const site = await makeSite();
  const url = `https://${site.host}/pricing`;
  const from = (last: number, time: string) => ({
    at: new Date(`2025-03-12T${time}Z`),
    address: `198.51.100.${last}`,
  });
  await send(site, { name: "pageview", url, referrer: "https://www.google.com/" }, from(1, "09:00:00"));
  const revenue = { amount: "49.00", currency: "EUR" };
  await send(site, { name: "purchase", url, props: { order_id: "o1" }, revenue }, from(1, "09:05:00"));
  await send(site, { name: "pageview", url }, from(2, "10:00:00"));
  await send(site, { name: "Signup", url }, from(2, "10:01:00"));
  return site;
}

test("a chosen goal gives conversions and their rate, and sales revenue, as metrics, buckets and per row of each panel", async () => {
  const site = await shop();
  const input = { from: DAYS.from, to: DAYS.to, compare: "previous_period", goal: "Signup" };
  const overview = await reportAsAgent("analytics.overview", site, input, NOW);
  const outcomes = { conversions: 1, conversion_rate: 0.5, revenue: 49, orders: 1, average_order_value: 49 };
  expect(overview).toMatchObject({
    currency: "EUR",
    metrics: outcomes,
    previous: { conversions: 0, conversion_rate: null, revenue: 0, orders: 0, average_order_value: null },
    change: { conversions: null, revenue: null },
  });
  expect(overview.panels.sources).toEqual([
    { value: "Google", visitors: 1, visitors_before: 0, visits: 1, conversions: 0, conversion_rate: 0, revenue: 49 },
    { value: null, visitors: 1, visitors_before: 0, visits: 1, conversions: 1, conversion_rate: 1, revenue: 0 },
  ]);
  expect(overview.panels.pages).toMatchObject([{ value: "/pricing", conversions: 1, revenue: 49 }]);
  const { metrics, buckets, currency } = await reportAsAgent("analytics.chart", site, { ...DAYS, goal: "Signup" }, NOW);
  expect({ metrics, currency }).toMatchObject({ currency: "EUR", metrics: outcomes });
  expect(buckets).toMatchObject([{ revenue: 0, conversions: 0, conversion_rate: null }, outcomes]);
});

test("without a goal and without sales a dashboard has neither conversions nor revenue", async () => {
  const site = await makeSite();
  await send(site, "/", { at: NOW });
  for (const operation of ["analytics.overview", "analytics.chart"]) {
    const answer = await reportAsAgent(operation, site, { period: "7d" }, NOW);
    expect(answer.currency).toBe(null);
    expect(Object.keys(answer.metrics).filter((key) => /conver|revenue|order/.test(key))).toEqual([]);
  }
});

test("a public dashboard has no conversions, revenue or custom properties, whoever asks for them", async () => {
  const site = await shop();
  await db().site.update({ where: { id: site.id }, data: { public: true } });
  const ask = queryPublicSite("198.51.100.9");
  const input = { site_id: site.id, period: "7d" as const };
  await expect(ask(analyticsOverview, { input: { ...input, goal: "Signup" }, now: NOW })).rejects.toMatchObject({
    code: "invalid_input",
  });
  const answers = [
    (await ask(analyticsOverview, { input, now: NOW })).data,
    (await ask(analyticsChart, { input, now: NOW })).data,
  ];
  for (const { metrics, currency } of answers) {
    expect(metrics).not.toHaveProperty("revenue");
    expect(metrics).not.toHaveProperty("conversions");
    expect(currency).toBe(null);
  }
  expect(JSON.stringify(answers)).not.toMatch(/"(revenue|conversions)"/);
  for (const asked of [{ metrics: "revenue" }, { metrics: "conversion_rate" }, { dimensions: "prop:plan" }]) {
    const call = { input: { site_id: site.id, period: "7d" as const, ...asked }, now: NOW };
    await expect(ask(analyticsExplore, call)).rejects.toThrow("A public dashboard shows only");
  }
});

test("a goal may be reached in several ways and ask for properties of the event, everywhere it counts", async () => {
  const site = await makeSite();
  const at = (minute: number) => new Date(Date.parse("2025-03-12T09:00:00Z") + minute * 60_000);
  const url = `https://${site.host}/thanks`;
  const events = [
    { name: "Signup", url, props: { plan: "pro" } },
    { name: "Signup", url, props: { plan: "basic" } },
    { name: "Upgrade", url, props: { plan: "pro team" } },
    { name: "Play", url, props: { plan: "pro" } },
    { name: "pageview", url },
  ];
  for (const [minute, event] of events.entries())
    await send(site, event, { at: at(minute), address: `198.51.100.${minute + 1}` });
  const client = {
    scopes: ["sites:write", "analytics:read"] as const,
    sites: [site],
    personId: site.ownerId,
    now: NOW,
  };
  const { token } = await makeClient({ ...client, scopes: [...client.scopes] });
  const save = (more: object) =>
    callApi("sites.goals.save", {
      token,
      now: NOW,
      input: { site_id: site.id, name: "Pays", reached_by: { kind: "event", pattern: "Signup" }, ...more },
    });
  const also_reached_by = [
    { kind: "event", pattern: "Upgrade" },
    { kind: "page", pattern: "/thanks" },
  ];
  const properties = [{ property: "plan", operator: "starts_with", values: ["pro"] }];
  expect((await save({ also_reached_by, properties })).body.data).toMatchObject({ also_reached_by, properties });
  const overview = await reportAsAgent("analytics.overview", site, { period: "7d", goal: "Pays" }, NOW);
  expect(overview.metrics).toMatchObject({ visitors: 5, conversions: 2, conversion_rate: 0.4 });
  const { goals } = await reportAsAgent("analytics.events", site, { period: "7d" }, NOW);
  expect(goals).toMatchObject([{ goal: "Pays", count: 2, visitors: 2 }]);
  const filtered = await reportAsAgent(
    "analytics.overview",
    site,
    { period: "7d", filters: { "goal:Pays": "yes" } },
    NOW,
  );
  expect(filtered.metrics.visitors).toBe(2);
  const refused = await save({ name: "Other", properties: [{ property: "plan", operator: "matches", values: ["x"] }] });
  expect(refused.body.error.details.issues[0]).toMatchObject({
    path: "properties.0.operator",
    message: expect.stringContaining("starts_with"),
  });
});

test("explored rows that have only sales are sorted by the 0 visits, visitors and pageviews that they show", async () => {
  const site = await makeSite();
  const at = (m: number) => ({ at: new Date(Date.parse("2025-03-12T09:00:00Z") + m * 1000) });
  const sale = (amount: string, id: string) => ({ props: { order_id: id }, revenue: { amount, currency: "EUR" } });
  await send(site, { name: "purchase", url: `https://${site.host}/y`, ...sale("0.10", "a") }, at(0));
  await send(site, { name: "pageview", url: `https://${site.host}/home` }, at(1));
  await send(site, { name: "purchase", url: `https://${site.host}/home`, ...sale("30.00", "b") }, at(2));
  for (const sort of ["visits", "visitors", "pageviews"]) {
    const asked = { period: "7d", metrics: `revenue,${sort}`, dimensions: "page", sort };
    const { rows } = await reportAsAgent("analytics.explore", site, asked, NOW);
    expect(rows).toMatchObject([
      { values: ["/y"], [sort]: 0 },
      { values: ["/home"], [sort]: 1 },
    ]);
  }
});
