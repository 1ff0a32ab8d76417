import fc from "fast-check";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { inIngestTransaction } from "@/lib/platform/pool";
import { call, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { callApi, makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";

/** The numbers of all sites at once are those of each site's reports. */
databaseForTests();

/** One day after the DST change in Europe, and three weeks after the one in America. */
const NOW = new Date("2025-03-31T15:30:00Z");
const ZONES = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu", "America/St_Johns", "UTC"];
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

const METRICS = ["visitors", "visits", "pageviews"] as const;
type Counts = Record<(typeof METRICS)[number], number>;
const countsOf = ({ visitors, visits, pageviews }: Counts): Counts => ({ visitors, visits, pageviews });

/** Reads the same numbers from the site's own chart. */
async function chartOf(site: TestSite, period: string) {
  const input = { site_id: site.id, period, interval: "day", compare: "previous_period" };
  const { meta, metrics, previous, buckets } = await call(site.ownerId, "analytics.chart", input, NOW);
  return {
    from: meta.from,
    to: meta.to,
    metrics: countsOf(metrics),
    previous: countsOf(previous),
    days: buckets.map((bucket: Counts & { start: string }) => countsOf(bucket)),
  };
}

const overview = (personId: number, input: object) => call(personId, "sites.overview", input, NOW);
const join = (site: TestSite, personId: number) =>
  db().membership.create({ data: { siteId: site.id, personId, role: "viewer" } });
const importDay = (site: TestSite, day: string, visitors: number) =>
  inIngestTransaction((client) =>
    client.query("INSERT INTO facts.imported VALUES ($1, 0, $2, '', 'test', $3, $3, 1, 0, 1, 0)", [
      site.id,
      day,
      visitors,
    ]),
  );

const visit = fc.record({
  /** Within the last 16 days, often near the same time of day one week ago, or near a midnight of UTC. */
  minutesAgo: fc.oneof(
    fc.nat(16 * 1440),
    fc.integer({ min: 7 * 1440 - 120, max: 7 * 1440 + 120 }),
    fc.tuple(fc.nat(14), fc.nat(30)).map(([days, minutes]) => days * 1440 + 15 * 60 + 30 + minutes),
  ),
  person: fc.nat(3),
  /** Minutes after which the visitor views another page, perhaps on the next day. */
  again: fc.option(fc.constantFrom(10, 29), { freq: 2 }),
  userAgent: fc.option(fc.constant(BOT), { nil: undefined, freq: 6 }),
});
const world = fc.tuple(
  fc.constantFrom(...ZONES),
  fc.array(visit, { maxLength: 15 }),
  fc.array(fc.record({ daysAgo: fc.nat(15), visitors: fc.nat(50) }), { maxLength: 4 }),
);

test("the numbers of every site equal its own chart, in every timezone and range", async () => {
  const worlds = fc.sample(world, { numRuns: 14, seed: 20250331 });
  const reader = await makePerson();
  const sites = await Promise.all(
    worlds.map(async ([timezone, visits, imports]) => {
      const site = await makeSite({ timezone });
      await join(site, reader);
      const views = visits.flatMap(({ minutesAgo, again, ...by }) => [
        { minutesAgo, ...by },
        ...(again === null || again > minutesAgo ? [] : [{ minutesAgo: minutesAgo - again, ...by }]),
      ]);
      const inOrder = views.toSorted((a, b) => b.minutesAgo - a.minutesAgo);
      for (const { minutesAgo, person, userAgent } of inOrder) {
        const at = new Date(NOW.getTime() - minutesAgo * 60_000);
        await send(site, "/", { at, address: `203.0.113.${person}`, ...(userAgent && { userAgent }) });
      }
      for (const [daysAgo, visitors] of new Map(imports.map((one) => [one.daysAgo, one.visitors]))) {
        await importDay(site, new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10), visitors);
      }
      return site;
    }),
  );
  const total = { visitors: 0, visits: 0, pageviews: 0 };
  for (const period of ["7d", "today", "yesterday", "28d"]) {
    const answer = await overview(reader, { period });
    expect([answer.period, answer.truncated, answer.sites.length]).toEqual([period, false, sites.length]);
    const listed = new Map(
      answer.sites.map(({ site_id, numbers }: { site_id: number; numbers: object }) => [site_id, numbers]),
    );
    for (const site of sites) {
      const chart = await chartOf(site, period);
      const days = chart.days.map((counts: Counts) => ({ ...counts, date: expect.any(String) }));
      expect(listed.get(site.id), `${period} of ${site.host}`).toEqual({ ...chart, days });
      for (const metric of METRICS) total[metric] += chart.metrics[metric] + chart.previous[metric];
    }
  }
  // Imports count visitors and visits, so pageviews are fewer.
  expect([total.visitors > 400, total.visits > 400, total.pageviews > 50]).toEqual([true, true, true]);
});

const AS_EVER = { tags: [], disabled: false, silent_since: null, incidents: [] };

test("only the sites and metrics that were asked for are answered, and no numbers for an unknown timezone", async () => {
  const [site, lost, other] = [await makeSite(), await makeSite(), await makeSite()];
  const reader = await makePerson();
  for (const one of [site, lost, other]) {
    await join(one, reader);
    await send(one, "/", { at: NOW });
  }
  await db().site.update({ where: { id: lost.id }, data: { timezone: "Nowhere/Nowhere" } });
  const { sites } = await overview(reader, { site_ids: [lost.id, site.id], period: "today", metrics: ["visits"] });
  const numbers = { from: "2025-03-31", to: "2025-03-31", metrics: { visits: 1 }, previous: { visits: 0 } };
  expect(sites).toEqual([
    {
      site_id: site.id,
      domain: site.host,
      name: null,
      ...AS_EVER,
      active_visitors: 0,
      numbers: { ...numbers, days: [{ date: "2025-03-31", visits: 1 }] },
    },
    { site_id: lost.id, domain: lost.host, name: null, ...AS_EVER, active_visitors: 0, numbers: null },
  ]);
  expect((await overview(await makePerson(), {})).sites).toEqual([]);
});

test("active visitors are counted as in the activity of each site, without bots", async () => {
  const [site, quiet] = [await makeSite(), await makeSite()];
  await join(quiet, site.ownerId);
  await send(site, "/", { address: "203.0.113.1" });
  await send(site, "/a", { address: "203.0.113.1" });
  await send(site, "/", { address: "203.0.113.2" });
  await send(site, "/", { address: "203.0.113.3", userAgent: BOT });
  await send(quiet, "/", { at: new Date(Date.now() - 6 * 60_000) });
  const { sites } = await overview(site.ownerId, { metrics: [] });
  expect(sites.map((one: { active_visitors: number }) => one.active_visitors)).toEqual([2, 0]);
  expect((await call(site.ownerId, "sites.activity", { site_id: site.id })).active_visitors).toBe(2);
});

test("a site that the caller cannot access is refused like one that does not exist", async () => {
  const [site, foreign] = [await makeSite(), await makeSite()];
  for (const id of [foreign.id, 2 ** 31 - 1, 2 ** 40]) {
    const refusal = await refused(overview(site.ownerId, { site_ids: [site.id, id] }));
    expect([refusal?.code, refusal?.message]).toEqual(["site_not_granted", expect.stringContaining(`site ${id}.`)]);
  }
});

test("an agent sees the numbers of granted sites only, and needs the scope of reports", async () => {
  const [granted, other] = [await makeSite(), await makeSite()];
  await join(other, granted.ownerId);
  const by = { sites: [granted], personId: granted.ownerId };
  const agent = await makeClient({ scopes: ["analytics:read"], ...by });
  const answer = await callApi("sites.overview", { token: agent.token, input: { metrics: ["visitors"] } });
  expect(answer.body.data.sites.map(({ site_id }: { site_id: number }) => site_id)).toEqual([granted.id]);
  const foreign = await callApi("sites.overview", { token: agent.token, input: { site_ids: [other.id] } });
  expect([foreign.status, foreign.body.error.code]).toEqual([403, "site_not_granted"]);
  const reader = await makeClient({ scopes: ["sites:read"], ...by });
  expect((await callApi("sites.overview", { token: reader.token })).body.error.code).toBe("insufficient_scope");
});

/** Counts events of a site as stored on a UTC day. */
const stored = (site: TestSite, day: string, hits: number) =>
  inIngestTransaction((client) =>
    client.query("INSERT INTO facts.intake VALUES ($1, $2, 'stored', '', $3)", [site.id, day, hits]),
  );

test("a site that stored events last week and none for a whole day is named as silent, and others are not", async () => {
  const [broke, quiet, busy, retired] = [await makeSite(), await makeSite(), await makeSite(), await makeSite()];
  const reader = await makePerson();
  for (const site of [broke, quiet, busy, retired]) await join(site, reader);
  // Now is 31 March, a Monday. Its events ended on Friday; on Sundays it has some.
  for (const day of ["2025-03-23", "2025-03-27", "2025-03-28"]) await stored(broke, day, 10);
  // On Sundays it never has any.
  for (const day of ["2025-03-24", "2025-03-27", "2025-03-28"]) await stored(quiet, day, 10);
  for (const day of ["2025-03-23", "2025-03-28", "2025-03-30"]) await stored(busy, day, 10);
  for (const day of ["2025-02-16", "2025-02-17", "2025-02-18"]) await stored(retired, day, 10);
  const { sites } = await overview(reader, { metrics: [] });
  const since = new Map(sites.map((one: { site_id: number; silent_since: string }) => [one.site_id, one.silent_since]));
  expect([broke, quiet, busy, retired].map(({ id }) => since.get(id))).toEqual(["2025-03-28", null, null, null]);
});

test("tags are a person's own, filter the list and the numbers, and the totals are the sums of the sites shown", async () => {
  const [shop, blog] = [await makeSite(), await makeSite()];
  const [ann, ben] = [await makePerson(), await makePerson()];
  for (const site of [shop, blog]) {
    await join(site, ann);
    await join(site, ben);
    await send(site, "/", { at: NOW, address: "203.0.113.1" });
  }
  await send(shop, "/", { at: NOW, address: "203.0.113.2" });
  const set = (tags: string[]) => call(ann, "sites.tags.set", { site_id: shop.id, tags }, NOW);
  expect(await set(["Shops ", "acme", "shops"])).toEqual({ site_id: shop.id, tags: ["acme", "shops"] });
  const listed = async (who: number, tag: string) =>
    (await call(who, "sites.list", { tag }, NOW)).sites.map(({ site_id }: { site_id: number }) => site_id);
  expect([await listed(ann, "SHOPS"), await listed(ann, "shop"), await listed(ben, "shops")]).toEqual([
    [shop.id],
    [],
    [],
  ]);
  const tagged = await overview(ann, { tag: "shops", period: "today" });
  expect(tagged.sites.map(({ tags }: { tags: string[] }) => tags)).toEqual([["acme", "shops"]]);
  expect(tagged.totals.metrics).toEqual({ visitors: 2, visits: 2, pageviews: 2 });
  expect((await overview(ann, { period: "today" })).totals.metrics.visitors).toBe(3);
  const agent = await makeClient({ scopes: ["sites:read"], sites: [shop, blog], personId: ann });
  const { body } = await callApi("sites.list", { token: agent.token, input: { tag: "acme" } });
  expect(body.data.sites.map(({ site_id }: { site_id: number }) => site_id)).toEqual([shop.id]);
  expect(await set([])).toEqual({ site_id: shop.id, tags: [] });
  expect((await refused(set(["a,b"])))?.code).toBe("invalid_input");
});

test("any range of up to 366 days is counted, without the numbers of each day beyond 100", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  for (const at of ["2024-06-10T10:00:00Z", "2025-03-10T10:00:00Z"]) await send(site, "/", { at });
  const ask = async (input: object) => (await overview(site.ownerId, input)).sites[0].numbers;
  const year = await ask({ period: "12mo", metrics: ["visitors"] });
  expect([year.from, year.metrics.visitors, year.days]).toEqual(["2024-04-01", 2, []]);
  const march = await ask({ from: "2025-03-01", to: "2025-03-31", metrics: ["visitors"] });
  expect([march.metrics.visitors, march.days.length]).toEqual([1, 31]);
  for (const [input, path] of [
    [{ from: "2024-01-01", to: "2025-03-31" }, "from"],
    [{ from: "2025-03-31", to: "2025-03-01" }, "from"],
    [{ to: "2025-03-01" }, "from"],
    [{ period: "custom" }, "from"],
  ] as const) {
    const issues = (await refused(overview(site.ownerId, input)))?.details?.issues as { path: string }[];
    expect(issues?.map((issue) => issue.path)).toEqual([path]);
  }
});
