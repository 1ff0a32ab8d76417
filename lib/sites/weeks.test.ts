import fc from "fast-check";
import { expect, test } from "vitest";
import { inIngestTransaction } from "@/lib/platform/pool";
import { sharesOf } from "@/lib/platform/report-shares";
import { lastEventOf } from "@/lib/sites/last-event";
import { presentOf, type Week, weeksOf } from "@/lib/sites/weeks";
import { call } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** The site list shows the same metrics as each site's dashboard. */
databaseForTests();

/** One day after the DST change in Europe, and three weeks after the one in America. */
const NOW = new Date("2025-03-31T15:30:00Z");
const ZONES = ["Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu", "America/St_Johns", "UTC"];
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Reads the same days from the site's chart. */
async function chartOf(site: TestSite): Promise<Week> {
  const input = { site_id: site.id, period: "7d", interval: "day", compare: "previous_period" };
  const { metrics, previous, buckets } = await call(site.ownerId, "analytics.chart", input, NOW);
  return {
    visitors: metrics.visitors,
    before: previous.visitors,
    days: buckets.map(({ visitors }: { visitors: number }) => visitors),
  };
}

const listed = (site: TestSite, timezone = "UTC") => ({ siteId: site.id, timezone });
const ownerOf = (site: TestSite) => ({ kind: "owner", personId: site.ownerId }) as const;
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

test("the week of every site equals its own chart, in every timezone", async () => {
  const worlds = fc.sample(world, { numRuns: 14, seed: 20250331 });
  const sites = await Promise.all(
    worlds.map(async ([timezone, visits, imports]) => {
      const site = await makeSite({ timezone });
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
        await importDay(site, new Date(NOW.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10), visitors);
      }
      return { site, timezone };
    }),
  );
  const all = sites.map(({ site, timezone }) => listed(site, timezone));
  const weeks = await weeksOf(ownerOf(sites[0]?.site as TestSite), all, NOW);
  const charts = await Promise.all(sites.map(async ({ site }) => [site.id, await chartOf(site)] as const));
  expect([...weeks].sort()).toEqual(charts.toSorted());
  const sum = (what: "visitors" | "before") => charts.reduce((sofar, [, week]) => sofar + week[what], 0);
  expect([sum("visitors") > 100, sum("before") > 100]).toEqual([true, true]);
});

test("only requested sites are returned, without sites of unknown timezone", async () => {
  const [site, other, lost] = await Promise.all([makeSite(), makeSite(), makeSite()]);
  for (const one of [site, other, lost]) await send(one, "/", { at: NOW });
  const weeks = await weeksOf(ownerOf(site), [listed(site), listed(lost, "Nowhere/Nowhere")], NOW);
  expect([...weeks]).toEqual([[site.id, { visitors: 1, before: 0, days: [0, 0, 0, 0, 0, 0, 1] }]]);
  expect(await weeksOf(ownerOf(site), [], NOW)).toEqual(new Map());
});

test("live visitors are counted like the last-event indicator counts them, without bots", async () => {
  const [site, quiet] = await Promise.all([makeSite(), makeSite()]);
  await send(site, "/", { address: "203.0.113.1" });
  await send(site, "/a", { address: "203.0.113.1" });
  await send(site, "/", { address: "203.0.113.2" });
  await send(site, "/", { address: "203.0.113.3", userAgent: BOT });
  await send(quiet, "/", { at: new Date(Date.now() - 6 * 60_000) });
  const present = await presentOf(ownerOf(site), [site.id, quiet.id]);
  expect([...present]).toEqual([[site.id, 2]]);
  expect((await lastEventOf(site.id, sharesOf(ownerOf(site)))).present).toBe(2);
});
