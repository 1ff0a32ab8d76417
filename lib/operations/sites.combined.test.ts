import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { call, faults, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { callApi, makeClient, makePerson, makeSite, send } from "@/lib/testing/world";

databaseForTests();

const NOW = new Date("2025-03-31T15:30:00Z");
const combined = (personId: number, input: object) => call(personId, "sites.combined", input, NOW);

/** A person with three sites in different zones, which people visited. */
async function stage() {
  const personId = await makePerson();
  const sites = await Promise.all(
    ["Europe/Berlin", "Pacific/Auckland", "UTC"].map((timezone) => makeSite({ timezone })),
  );
  for (const [index, site] of sites.entries()) {
    await db().membership.create({ data: { siteId: site.id, personId, role: "viewer" } });
    for (let visitor = 0; visitor <= index + 1; visitor++) {
      const address = `198.51.${index}.${visitor + 1}`;
      const day = visitor % 2 === 0 ? "2025-03-30" : "2025-03-20";
      const landing = { name: "pageview", url: `https://${site.host}/start`, referrer: "https://www.google.com/" };
      await send(site, landing, { at: `${day}T08:00:00Z`, address });
      if (visitor > 0) await send(site, `/more${index}`, { at: `${day}T08:05:00Z`, address });
    }
  }
  return { personId, sites };
}

test("a combined report has the sums of the sites' own reports, rates of all visits, and rows that name their site", async () => {
  const { personId, sites } = await stage();
  const input = { period: "7d", compare: "previous_period" };
  const report = await combined(personId, { ...input, site_ids: sites.map(({ id }) => id) });
  const own = await Promise.all(
    sites.map((site) => call(personId, "analytics.overview", { ...input, site_id: site.id }, NOW)),
  );
  const sum = (of: "metrics" | "previous", metric: string) =>
    own.reduce((all: number, one) => all + Number(one[of][metric]), 0);
  for (const metric of ["visitors", "visits", "pageviews"]) {
    expect(sum("metrics", metric), metric).toBeGreaterThan(0);
    expect(report.metrics[metric], metric).toBe(sum("metrics", metric));
    expect(report.previous[metric], metric).toBe(sum("previous", metric));
  }
  const bounces = own.reduce((all: number, { metrics }) => all + metrics.bounce_rate * metrics.visits, 0);
  expect(report.metrics.bounce_rate).toBeCloseTo(bounces / sum("metrics", "visits"), 10);
  for (const [index, { id, host }] of sites.entries()) {
    expect(report.sites.find((one: { site_id: number }) => one.site_id === id)).toMatchObject({
      ...{ domain: host, metrics: own[index].metrics, previous: own[index].previous, change: own[index].change },
    });
    const google = { site_id: id, domain: host, value: "Google", visitors: own[index].metrics.visitors };
    expect(report.sources).toContainEqual(google);
    expect(report.pages).toContainEqual(expect.objectContaining({ site_id: id, value: "/start" }));
  }
  const inBuckets = report.buckets.reduce((all: number, { visitors }: { visitors: number }) => all + visitors, 0);
  expect([inBuckets, report.interval]).toEqual([report.metrics.visitors, "day"]);
  expect(report.buckets.map(({ label }: { label: string }) => label)).toContain("2025-03-30");
});

test("a combined report is of the chosen sites, of a tag or of a team, and of no site without access", async () => {
  const { personId, sites } = await stage();
  const [first, second, third] = sites.map(({ id }) => id) as [number, number, number];
  const idsOf = async (input: object) =>
    (await combined(personId, { period: "7d", ...input })).sites.map((one: { site_id: number }) => one.site_id).sort();
  await call(personId, "sites.tags.set", { site_id: second, tags: ["Shops"] }, NOW);
  const { id: teamId } = await db().team.create({ data: { name: "Acme", createdAt: NOW } });
  await db().site.update({ where: { id: third }, data: { teamId } });
  expect(await idsOf({})).toEqual([first, second, third].sort());
  expect(await idsOf({ tag: "shops" })).toEqual([second]);
  expect(await idsOf({ team_id: teamId })).toEqual([third]);
  const foreign = await makeSite();
  await db().site.update({ where: { id: foreign.id }, data: { teamId } });
  expect(await idsOf({ team_id: teamId })).toEqual([third]);
  expect((await refused(idsOf({ site_ids: [first, foreign.id] })))?.code).toBe("site_not_granted");
  expect(await faults(idsOf({ site_ids: [first], tag: "shops" }))).toEqual([expect.stringMatching(/^tag: must not/)]);
  expect(await faults(idsOf({ from: "2025-03-20", to: "2025-03-01" }))).toEqual([
    expect.stringMatching(/^from: is after to/),
  ]);
  await db().site.update({ where: { id: first }, data: { disabledAt: NOW } });
  const left = (await combined(personId, { period: "28d" })).sites;
  expect(left.at(-1)).toMatchObject({ site_id: first, disabled: true, metrics: null });
  const agent = await makeClient({ scopes: ["analytics:read"], sites: [{ id: second }], personId, now: NOW });
  const seen = await callApi("sites.combined", { token: agent.token, input: { period: "7d" }, now: NOW });
  expect(seen.body.data.sites.map((one: { site_id: number }) => one.site_id)).toEqual([second]);
});

/** Two shops with the goal Joined that report in two currencies, and a blog without goals and sales. */
async function shops() {
  const personId = await makePerson();
  const [euro, dollar, blog] = await Promise.all([makeSite(), makeSite(), makeSite()]);
  await db().site.update({ where: { id: dollar.id }, data: { reportingCurrency: "USD" } });
  for (const [index, site] of [euro, dollar, blog].entries()) {
    await db().membership.create({ data: { siteId: site.id, personId, role: "viewer" } });
    const address = `203.0.113.${index + 1}`;
    const url = `https://${site.host}/`;
    await send(site, { name: "pageview", url, referrer: "https://www.google.com/" }, { at: NOW, address });
    await send(site, "/", { at: NOW, address: `203.0.113.${index + 101}` });
    if (site === blog) continue;
    await db().goal.create({
      data: { siteId: site.id, name: "Joined", kind: "event", pattern: "Joined", createdAt: NOW, updatedAt: NOW },
    });
    await db().exchangeRate.create({
      data: { siteId: site.id, currency: "USD", day: new Date("2025-03-01"), perEuro: index === 0 ? "2" : "4" },
    });
    const sell = (order: string, amount: string, currency: string, at: string) =>
      send(site, { name: "purchase", url, props: { order_id: order }, revenue: { amount, currency } }, { at, address });
    await send(site, { name: "Joined", url }, { at: NOW, address });
    await sell("1", "10.10", "EUR", "2025-03-31T15:30:00Z");
    await sell("1", "10.10", "EUR", "2025-03-31T15:30:00Z");
    await sell("2", "8", "USD", "2025-03-31T15:30:00Z");
    await sell("3", "5", "JPY", "2025-03-31T15:30:00Z");
    await sell("0", "3", "EUR", "2025-03-22T09:00:00Z");
  }
  return { personId, sites: [euro, dollar, blog] };
}

const INPUT = { period: "7d", compare: "previous_period" };

test("revenue and conversions of several sites are those of their own reports, each by its own rates, in one currency", async () => {
  const { personId, sites } = await shops();
  const ids = sites.map(({ id }) => id);
  const report = await combined(personId, { ...INPUT, site_ids: ids });
  // The currency of two of the three; 8 USD are 4 EUR by the rate of one shop, and 2 by that of the other.
  expect(report).toMatchObject({
    currency: "EUR",
    metrics: { revenue: 26.2, orders: 6, average_order_value: 6.55, conversions: 2, conversion_rate: 0.5 },
    previous: { revenue: 6, orders: 2, conversions: 0, conversion_rate: 0 },
    unconverted: [{ amount: "10", currency: "JPY" }],
  });
  const answered = ["revenue", "orders", "average_order_value", "conversions", "conversion_rate"] as const;
  const overview = await call(
    personId,
    "sites.overview",
    { period: "7d", site_ids: ids, metrics: ["visitors", ...answered] },
    NOW,
  );
  for (const metric of answered)
    expect([overview.totals.metrics[metric], overview.totals.previous[metric]], metric).toEqual([
      report.metrics[metric],
      report.previous[metric],
    ]);
  // A report of a site is in its own currency.
  await db().site.updateMany({ where: { id: { in: ids } }, data: { reportingCurrency: "EUR" } });
  for (const { id } of sites) {
    const goal = id === ids[2] ? {} : { goal: "Joined" };
    const own = await call(personId, "analytics.overview", { ...INPUT, ...goal, site_id: id }, NOW);
    const row = report.sites.find(({ site_id }: { site_id: number }) => site_id === id);
    expect([row.metrics, row.previous, row.change]).toEqual([own.metrics, own.previous, own.change]);
    const { numbers } = overview.sites.find(({ site_id }: { site_id: number }) => site_id === id);
    expect(own.metrics).toMatchObject(numbers.metrics);
    expect(own.previous).toMatchObject(numbers.previous);
    const [google] = own.panels.sources.filter(({ value }: { value: string }) => value === "Google");
    const listed = report.sources.find((one: { site_id: number; value: string }) => one.site_id === id && one.value);
    expect(listed.revenue).toBe(google.revenue);
    expect(listed.conversion_rate).toBe(google.conversion_rate);
  }
  const inBuckets = report.buckets.reduce((all: number, { revenue }: { revenue: number }) => all + revenue, 0);
  expect(inBuckets).toBeCloseTo(26.2, 10);
  const dollars = await combined(personId, { ...INPUT, site_ids: ids, currency: "usd" });
  expect([dollars.currency, dollars.metrics.revenue]).toEqual(["USD", 76.6]);
});

test("sites without goals and sales have neither conversions nor revenue", async () => {
  const { personId } = await stage();
  const keys = (metrics: object) => Object.keys(metrics).filter((key) => /conver|revenue|order/.test(key));
  const report = await combined(personId, INPUT);
  expect([report, ...report.sites].flatMap(({ metrics }) => keys(metrics))).toEqual([]);
  const ask = (input: object) => call(personId, "sites.overview", input, NOW);
  const answer = await ask({ metrics: ["revenue", "conversions"] });
  expect([answer.currency, answer.totals.metrics]).toEqual(["EUR", {}]);
  expect((await ask({})).currency).toBeNull();
  expect(await faults(ask({ metrics: ["revenue"], currency: "EURO" }))).toEqual([
    expect.stringMatching(/^currency: must/),
  ]);
});

test("outcomes are of at most 50 sites, which the refusal says", { tags: "full" }, async () => {
  const { personId, sites } = await stage();
  const many = await Promise.all(Array.from({ length: 48 }, () => makeSite()));
  await db().membership.createMany({ data: many.map(({ id }) => ({ siteId: id, personId, role: "viewer" as const })) });
  const ask = (input: object) => call(personId, "sites.overview", { metrics: ["revenue"], ...input }, NOW);
  expect(await faults(ask({}))).toEqual([expect.stringMatching(/^site_ids: must name at most 50/)]);
  expect((await ask({ site_ids: sites.map(({ id }) => id) })).sites).toHaveLength(3);
});
