import fc from "fast-check";
import { afterAll, expect, inject, test } from "vitest";
import { dayStarts } from "@/lib/analytics/buckets";
import { coverOf, packedCoverOf } from "@/lib/analytics/cover";
import { NO_FILTERS, NO_ID_FILTERS } from "@/lib/analytics/filters";
import { countElsewhere } from "@/lib/analytics/packed/counters";
import { countingThreads } from "@/lib/analytics/packed/counting-threads";
import { days } from "@/lib/analytics/period";
import { readBlocks } from "@/lib/analytics/rollup-lists";
import { reopenDays, sealSite } from "@/lib/analytics/rollups";
import { salesOf } from "@/lib/analytics/sales";
import { db, Prisma } from "@/lib/db";
import { execute } from "@/lib/gateway/execute";
import { reclassifySite } from "@/lib/ingest/reclassify";
import campaigns from "@/lib/operations/analytics.campaigns";
import chart from "@/lib/operations/analytics.chart";
import events from "@/lib/operations/analytics.events";
import explore from "@/lib/operations/analytics.explore";
import journeys from "@/lib/operations/analytics.journeys";
import overview from "@/lib/operations/analytics.overview";
import { deleteSite } from "@/lib/sites/purge";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { Temporal } from "@/lib/time";

// 2025-03-05 is day 20152, a multiple of 8: the range holds one whole block of eight days.
const FROM = Date.parse("2025-03-02T00:00:00Z");
const NOW = new Date("2025-03-17T11:20:00Z");
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

// Most of it is asked the way the server asks: of threads that count.
const threads = countingThreads(
  { databaseUrl: inject("databaseUrl"), statementMs: 20_000 },
  new URL("../../build/counting.mjs", import.meta.url),
);
countElsewhere(threads.count);
afterAll(() => threads.close());

const questions = [
  { period: "custom", from: "2025-03-01", to: "2025-03-17", compare: "previous_period" },
  { period: "custom", from: "2025-03-04", to: "2025-03-13", traffic: "all" },
  { period: "custom", from: "2025-03-03", to: "2025-03-16", traffic: "bot" },
  { period: "24h", traffic: "all" },
  { period: "7d", compare: "previous_period" },
];

/** What questions are narrowed to: visits, their pages, events, goals, and what no packed day knows. */
const narrowings: Record<string, unknown>[] = [
  { source: "Google" },
  { source: "", entry_page: { is_not: "/a" } },
  { page: "/b" },
  { page: { starts_with: "/c" }, event: { is_not: "Play" }, traffic: ["human", "bot"] },
  { event: "Signup" },
  { "goal:Reads": "yes" },
  { "goal:Signs": "no", exit_page: ["/", "/b"] },
  { title: "none" },
  { source: "" },
  { entry_page: "/c/d" },
  { exit_page: "" },
  { browser: "none" },
];

/** What reports say to questions that are not narrowed, to be compared. */
async function answers(site: TestSite): Promise<unknown[]> {
  const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: NOW };
  const asked = questions.flatMap((question) => {
    const input = { site_id: site.id, ...question };
    return [
      execute(overview, { ...call, input }),
      execute(events, { ...call, input }),
      execute(campaigns, { ...call, input }),
      execute(chart, { ...call, input: { ...input, interval: "day" } }),
      execute(chart, { ...call, input: { ...input, interval: "week" } }),
      execute(explore, { ...call, input: { ...input, dimensions: "event", metrics: "events,visitors" } }),
      execute(explore, {
        ...call,
        input: { ...input, dimensions: "page", metrics: "pageviews,time_on_page,scroll_depth" },
      }),
    ];
  });
  return (await Promise.all(asked)).map(({ data }) => data);
}

/** And to those that are, that are asked by several dimensions, or about the ways of visits. */
async function narrowedAnswers(site: TestSite): Promise<unknown[]> {
  const call = { principal: { kind: "owner" as const, personId: site.ownerId }, now: NOW };
  const asked = narrowings.flatMap((filters, index) => {
    const input = { site_id: site.id, ...questions[index % questions.length], filters };
    return [
      execute(overview, { ...call, input }),
      execute(events, { ...call, input }),
      execute(campaigns, { ...call, input }),
      execute(chart, { ...call, input: { ...input, interval: "day" } }),
      execute(explore, { ...call, input: { ...input, dimensions: "page,source", metrics: "visitors,scroll_depth" } }),
      execute(explore, {
        ...call,
        input: { ...input, dimensions: "exit_page,browser", metrics: "visits,bounce_rate,visit_duration,pageviews" },
      }),
      execute(explore, { ...call, input: { ...input, dimensions: "event", metrics: "visitors,visits,events" } }),
    ];
  });
  const several = { site_id: site.id, ...questions[1], dimensions: "page,event,device", metrics: "visitors,events" };
  const crossed = execute(explore, { ...call, input: several });
  const starts = [{}, { start: "/a" }, { start: "event:Signup" }, { start: "/**", filters: { page: "/b" } }];
  const ways = starts.map((start, index) =>
    execute(journeys, { ...call, input: { site_id: site.id, ...questions[index], ...start } }),
  );
  return (await Promise.all([...asked, crossed, ...ways])).map(({ data }) => data);
}

const happening = fc.record({
  who: fc.integer({ min: 1, max: 6 }),
  minute: fc.integer({ min: 0, max: 15 * 24 * 60 }),
  path: fc.constantFrom("/", "/a", "/b", "/c/d"),
  kind: fc.constantFrom("view", "view", "view", "event", "read", "passive", "purchase"),
  tag: fc.constantFrom("", "", "?utm_source=letter&utm_campaign=may", "?utm_source=letter&utm_medium=email"),
  order: fc.integer({ min: 1, max: 4 }),
  bot: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
  burst: fc.integer({ min: 1, max: 3 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const happened = fc.array(happening, { minLength: 5, maxLength: 40 });

async function live(site: TestSite, happenings: readonly Happening[]): Promise<void> {
  const sorted = [...happenings].sort((a, b) => a.minute - b.minute);
  for (const { who, minute, path, tag, kind, order, bot, burst } of sorted) {
    for (let again = 0; again < burst; again++) {
      const at = new Date(FROM + (minute + 9 * again) * 60_000);
      const url = `https://${site.host}${path}${tag}`;
      const event = {
        view: { name: "pageview", url, referrer: who % 2 ? "https://www.google.com/" : undefined },
        event: { name: who % 2 ? "Signup" : "Play", url },
        passive: { name: who % 2 ? "Play" : "Scrolled", url, interactive: false },
        purchase: {
          name: order === 4 ? "refund" : "purchase",
          url,
          props: { order_id: `o${order}` },
          revenue: { amount: 10 + who, currency: who % 3 ? "EUR" : "JPY" },
        },
        read: { name: "engagement", url, engagement: { ms: 4000 * who, scroll: 10 * who } },
      }[kind];
      const sending = { at, address: `198.51.100.${who}`, ...(bot && { userAgent: BOT }) };
      if (kind === "read") await send(site, url.slice(`https://${site.host}`.length), sending);
      await send(site, event, sending);
    }
  }
}

test("sealed days change no answer, in any zone, and neither does throwing them away", async () => {
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Chatham");
  await fc.assert(
    fc.asyncProperty(zone, fc.boolean(), happened, async (timezone, withGoals, happenings) => {
      const site = await makeSite({ timezone });
      const goals = [
        { name: "Signs", kind: "event" as const, pattern: "Signup" },
        { name: "Reads", kind: "page" as const, pattern: "/c/*" },
      ];
      if (withGoals)
        await db().goal.createMany({
          data: goals.map((goal) => ({ siteId: site.id, ...goal, createdAt: NOW, updatedAt: NOW })),
        });
      await live(site, happenings);
      const [fromFacts, narrowed] = [await answers(site), await narrowedAnswers(site)];
      await sealSite(site.id, timezone, NOW);
      expect(await answers(site)).toEqual(fromFacts);
      expect(await narrowedAnswers(site)).toEqual(narrowed);
      await reopenDays(site.id);
      expect(await answers(site)).toEqual(fromFacts);
      await sealSite(site.id, timezone, NOW);
      expect(await answers(site)).toEqual(fromFacts);
    }),
    { numRuns: 5 },
  );
}, 300_000);

const range = (from: string, to: string, timezone = "UTC") =>
  days(Temporal.PlainDate.from(from), Temporal.PlainDate.from(to), timezone, NOW);
const covers = (site: TestSite, from: string, to: string, timezone = "UTC") =>
  coverOf(site.id, range(from, to, timezone), "human", dayStarts(range(from, to, timezone)));

test("a range is covered by the longest blocks, and only what is not sealed is left to the facts", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2024-12-20T10:00:00Z" });
  await sealSite(site.id, "UTC", NOW);
  const cover = await covers(site, "2024-12-25", "2025-03-17");
  expect(cover?.gaps).toEqual([{ start: new Date("2025-03-17T00:00:00Z"), end: new Date("2025-03-18T00:00:00Z") }]);
  expect(cover?.blocks[64]).toHaveLength(1);
  expect((cover?.blocks[8].length ?? 0) * 8 + (cover?.blocks[1].length ?? 0)).toBe(82 - 64);
});

test("a day is not sealed while a visit that began on it goes on, and other classes do not wait for it", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-16T23:50:00Z" });
  await send(site, "/", { at: "2025-03-16T12:00:00Z", address: "198.51.100.9", userAgent: BOT });
  await send(site, "/", { at: "2025-03-17T00:15:00Z" });
  await sealSite(site.id, "UTC", new Date("2025-03-17T00:40:00Z"));
  const lenses = () =>
    db().$queryRaw<
      { traffic: number }[]
    >`SELECT traffic FROM facts.sealed WHERE site_id = ${site.id} AND length = 1 ORDER BY 1`;
  expect((await lenses()).map(({ traffic }) => traffic)).toEqual([2, 3, 4, 5]);
  await sealSite(site.id, "UTC", new Date("2025-03-17T00:51:00Z"));
  expect((await lenses()).map(({ traffic }) => traffic)).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a change of the timezone or of the lists makes reports read the facts again", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-10T10:00:00Z" });
  await sealSite(site.id, "UTC", NOW);
  expect(await covers(site, "2025-03-10", "2025-03-12")).not.toBeNull();
  expect(await covers(site, "2025-03-10", "2025-03-12", "Asia/Tokyo")).toBeNull();
  await sealSite(site.id, "Asia/Tokyo", NOW);
  expect(await covers(site, "2025-03-10", "2025-03-12")).toBeNull();
  expect(await covers(site, "2025-03-10", "2025-03-12", "Asia/Tokyo")).not.toBeNull();
  await reclassifySite(site.id, NOW);
  expect(await covers(site, "2025-03-10", "2025-03-12", "Asia/Tokyo")).toBeNull();
});

test("what sealed days came to is not told any more once they are sealed anew", async () => {
  const site = await makeSite();
  const asked = { principal: { kind: "owner" as const, personId: site.ownerId }, now: NOW };
  const input = { site_id: site.id, from: "2025-03-10", to: "2025-03-12" };
  const views = async () => (await execute(overview, { ...asked, input })).data.metrics.pageviews;
  await send(site, "/", { at: "2025-03-10T10:00:00Z" });
  await sealSite(site.id, "UTC", NOW);
  expect([await views(), await views()]).toEqual([1, 1]);
  await send(site, "/", { at: "2025-03-11T10:00:00Z" });
  await reopenDays(site.id);
  await sealSite(site.id, "UTC", NOW);
  expect(await covers(site, "2025-03-10", "2025-03-12")).toMatchObject({ gaps: [] });
  expect(await views()).toBe(2);
});

test("two processes that seal a site at once seal it once", async () => {
  const site = await makeSite();
  for (const day of [8, 9, 10, 11]) await send(site, "/", { at: new Date(Date.UTC(2025, 2, day, 10)) });
  await Promise.all([1, 2, 3].map(() => sealSite(site.id, "UTC", NOW)));
  await sealSite(site.id, "UTC", NOW);
  const found = await readBlocks(db(), { siteId: site.id, traffic: 1, length: 1 }, [0, 1_000_000]);
  const days = found.get(0)?.filter(({ sums }) => sums.visits?.[0] !== 0) ?? [];
  expect(days.map(({ ids, sums }) => [[...ids], [...(sums.visits ?? [])]])).toEqual(days.map(() => [[0], [1]]));
  expect(days).toHaveLength(4);
});

const purchaseOn = (site: TestSite, at: string) =>
  send(site, { name: "purchase", url: `https://${site.host}/`, revenue: { amount: 12, currency: "EUR" } }, { at });

test("a report that has begun when days are reopened still has their sales, and the next one reads the facts", async () => {
  const site = await makeSite();
  await purchaseOn(site, "2025-03-16T10:00:00Z");
  await sealSite(site.id, "UTC", NOW);
  const asked = range("2025-03-16", "2025-03-16");
  const where = { siteId: site.id, currency: "EUR", range: asked, traffic: "human", days: dayStarts(asked) } as const;
  const packed = () => packedCoverOf(site.id, asked, where.days, NO_ID_FILTERS);
  const begun = await salesOf({ ...where, filters: NO_FILTERS, sealed: await packed() });
  expect((await packed())?.gaps).toEqual([]);
  await reopenDays(site.id);
  expect(await db().$queryRaw`SELECT sum(amount)::int AS sum FROM ${begun.counted} AS sale`).toEqual([{ sum: 12 }]);
  expect(await packed()).toBeNull();
});

test("of a site that is deleted while a day is added up nothing is kept that would outlive its facts", async () => {
  const site = await makeSite();
  await purchaseOn(site, "2025-03-16T10:00:00Z");
  let sealing: Promise<void> | undefined;
  await db().$transaction(
    async (tx) => {
      // So late that no other test destroys what would be left.
      await deleteSite(tx, site.id, new Date("2099-01-01T00:00:00Z"));
      sealing = sealSite(site.id, "UTC", NOW);
      await someoneWaitsFor(tx);
    },
    { timeout: 20_000 },
  );
  await sealing;
  const rows = ["sealed", "rollup", "packed", "sale"].map(
    (table) => Prisma.sql`
    SELECT 1 FROM ${Prisma.raw(`facts.${table}`)} WHERE site_id = ${site.id}`,
  );
  expect(await db().$queryRaw`${Prisma.join(rows, " UNION ALL ")}`).toEqual([]);
});
