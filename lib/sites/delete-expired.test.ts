import { test as concurrent, expect } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { execute } from "@/lib/gateway/execute";
import { intern, joinText } from "@/lib/ingest/store/dictionary";
import { addMonths } from "@/lib/jobs/jobs";
import overview from "@/lib/operations/analytics.overview";
import { OPERATIONS } from "@/lib/operations/index";
import { db, Prisma } from "@/lib/platform/db";
import { Temporal } from "@/lib/platform/time";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { call } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { asOwner } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Sequential, because each run of the job processes all sites. */
const test = concurrent.sequential;
databaseForTests();

const NOW = new Date("2025-03-17T11:20:00Z");
/** Its days start at 18:15 UTC. */
const TIMEZONE = "Asia/Kathmandu";
/** The first retained day with a retention of one month. */
const FIRST = Temporal.PlainDate.from("2025-02-17");
const OLD = ["2025-01-03T10:00:00Z", "2025-02-10T10:00:00Z", "2025-02-16T18:14:59Z"];
const KEPT = ["2025-02-16T18:15:00Z", "2025-02-20T10:00:00Z", "2025-03-17T11:00:00Z"];

/** A site with a purchase at each of these times, and with imported data. */
async function siteWithSales(moments: readonly string[]): Promise<TestSite> {
  for (const month of [0, 1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  for (const at of moments) {
    const purchase = { name: "purchase", url: `https://${site.host}/at/${at}`, event_id: `order-${Date.parse(at)}` };
    await send(site, { ...purchase, revenue: { amount: "5", currency: "EUR" } }, { at });
  }
  await db().$executeRaw`
    INSERT INTO facts.imported (site_id, dimension, day, value, source, visitors, visits, bounces, duration_ms, pageviews, events)
    SELECT ${site.id}, 0, day, '', 'Plausible', 1, 1, 1, 0, 1, 1 FROM unnest(ARRAY['2024-12-31', '2025-02-16', '2025-02-18']::date[]) AS day`;
  return site;
}

const queryMetrics = async (site: TestSite, from: string, to: string) =>
  (await execute(overview, asOwner(site, { period: "custom", from, to }, NOW))).data.metrics;

/** Counts the rows of a site in each table, before the first retained day (`old`) and since (`kept`). */
async function countRows(siteId: number) {
  const start = new Date("2025-02-16T18:15:00Z");
  const tables: Record<string, Prisma.Sql> = {
    event: Prisma.sql`ts < ${start}`,
    visit: Prisma.sql`started < ${start}`,
    event_key: Prisma.sql`day < ${`${FIRST}`}::date`,
    imported: Prisma.sql`day < ${`${FIRST}`}::date`,
  };
  const counted = Object.entries(tables).map(async ([table, old]) => {
    const [row] = await db().$queryRaw<{ old: number; kept: number }[]>`
      SELECT (count(*) FILTER (WHERE ${old}))::int AS old, (count(*) FILTER (WHERE NOT (${old})))::int AS kept
      FROM ${Prisma.raw(`facts.${table}`)} WHERE site_id = ${siteId}`;
    return [table, row] as const;
  });
  return Object.fromEntries(await Promise.all(counted)) as Record<string, { old: number; kept: number }>;
}

test("expired data is deleted from every table, and reports of retained days stay the same", async () => {
  const [site, other] = await Promise.all([siteWithSales([...OLD, ...KEPT]), siteWithSales(OLD)]);
  const before = [await countRows(site.id), await countRows(other.id)];
  for (const [table, { old }] of Object.entries(before[0] ?? {})) expect([table, old > 0]).toEqual([table, true]);
  const answer = await queryMetrics(site, `${FIRST}`, "2025-03-17");
  // The first retained event belongs to a visit of the day before, and one visit and pageview are imported.
  expect(answer).toMatchObject({ visits: 3, pageviews: 1 });

  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  await deleteExpiredEvents(NOW);

  const after = await countRows(site.id);
  for (const [table, { old, kept }] of Object.entries(after)) {
    expect([table, old, kept]).toEqual([table, 0, before[0]?.[table]?.kept]);
  }
  expect(await queryMetrics(site, `${FIRST}`, "2025-03-17")).toEqual(answer);
  expect(await queryMetrics(site, "2025-01-01", "2025-02-16")).toMatchObject({ visits: 0, pageviews: 0 });
  // A site without a limit keeps everything.
  expect(await countRows(other.id)).toEqual(before[1]);
  // A rebuilt analytics copy returns the same.
  await analytics().forget(site.id);
  expect(await queryMetrics(site, `${FIRST}`, "2025-03-17")).toEqual(answer);
});

test("every report returns the first retained day if its range or comparison starts before it", {
  tags: "full",
}, async () => {
  const site = await siteWithSales(KEPT);
  const others = ["analytics.realtime", "analytics.retention", "analytics.changes"];
  const reports = [...OPERATIONS.values()].filter(({ id }) => id.startsWith("analytics.") && !others.includes(id));
  const decide = (months: number | null) =>
    call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: months }, NOW);
  const keptFrom = async (query: object) => {
    const metas = reports.map(async ({ id, example }) => {
      const input = { ...example, ...("funnel" in example && { funnel: null }), ...query, site_id: site.id };
      return (await call(site.ownerId, id, input, NOW)).meta.kept_from;
    });
    return [...new Set(await Promise.all(metas))];
  };
  const within = { period: "custom", from: "2025-02-17", to: "2025-03-02", compare: "none" };
  const beyond = { ...within, from: "2025-02-16" };
  expect(await keptFrom(beyond)).toEqual([undefined]);
  await decide(1);
  expect(await keptFrom(beyond)).toEqual(["2025-02-17"]);
  expect(await keptFrom(within)).toEqual([undefined]);
  expect(await keptFrom({ ...within, compare: "previous_period" })).toEqual(["2025-02-17"]);
  // Changes always compare.
  const { compare: _, ...changed } = { ...within, site_id: site.id };
  expect((await call(site.ownerId, "analytics.changes", changed, NOW)).meta.kept_from).toBe("2025-02-17");
  // The retention report also depends on the 90 days before its range, which identify returning visitors.
  const retention = (query: object) => call(site.ownerId, "analytics.retention", { site_id: site.id, ...query }, NOW);
  expect((await retention(within)).meta).not.toHaveProperty("kept_from");
  await send(site, { name: "Signup", user_id: "u-1" }, { at: "2025-02-20T10:00:00Z" });
  expect((await retention(within)).meta).toMatchObject({ identity: "user_id", kept_from: "2025-02-17" });
  // Realtime has no range.
  expect(
    (await call(site.ownerId, "analytics.realtime", { site_id: site.id, ...beyond }, NOW)).meta,
  ).not.toHaveProperty("kept_from");
  // Removing the limit does not restore deleted days.
  await deleteExpiredEvents(NOW);
  await decide(null);
  expect(await keptFrom(beyond)).toEqual(["2025-02-17"]);
  await decide(36);
  expect(await keptFrom({ ...within, from: "2022-03-01" })).toEqual(["2025-02-17"]);
});

test("one more day is deleted every day, and a longer retention restores nothing", async () => {
  const site = await siteWithSales([...OLD, ...KEPT]);
  const decide = (months: number | null) =>
    call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: months }, NOW);
  const events = async () => (await countRows(site.id)).event;
  await decide(1);
  await deleteExpiredEvents(NOW);
  expect(await events()).toEqual({ old: 0, kept: 3 });
  await deleteExpiredEvents(new Date("2025-03-17T18:14:59Z"));
  expect(await events()).toEqual({ old: 0, kept: 3 });
  await deleteExpiredEvents(new Date("2025-03-17T18:15:00Z"));
  expect(await events()).toEqual({ old: 0, kept: 2 });
  await decide(null);
  await deleteExpiredEvents(new Date("2026-03-17T18:15:00Z"));
  expect(await events()).toEqual({ old: 0, kept: 2 });
});

/** Returns the rows of a site that contain a text, in all tables of the facts schema. */
async function rowsContaining(siteId: number, text: string): Promise<string[]> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'site_id'
    WHERE c.relnamespace = 'facts'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;
  expect(tables.length).toBeGreaterThan(12);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db().$queryRaw<{ row: string }[]>`
      SELECT to_jsonb(one)::text AS row FROM ${Prisma.raw(`facts.${name}`)} AS one
      WHERE site_id = ${siteId} AND to_jsonb(one)::text LIKE ${`%${text}%`}`;
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

const FIELDS = ["page", "title", "hostname", "source", "referrer", "utm_campaign", "event", "country", "prop"];

/** Returns all filter options and the retention report of February as JSON. */
async function filterOptionsAndRetention(site: TestSite): Promise<string> {
  const options = FIELDS.map((field) =>
    call(site.ownerId, "analytics.filter_options", { site_id: site.id, field, period: "12mo" }, NOW),
  );
  const range = { site_id: site.id, period: "custom", from: "2025-02-01", to: "2025-03-01" };
  return JSON.stringify(await Promise.all([...options, call(site.ownerId, "analytics.retention", range, NOW)]));
}

/** Sends a visit from Google with the word in every dimension value. */
async function sendVisit(site: TestSite, word: string, at: string): Promise<void> {
  const url = `https://${site.host}/${word}?utm_campaign=${word}`;
  const referrer = `https://www.google.com/${word}`;
  const options = { at, address: "198.51.100.7" };
  await send(site, { name: "pageview", url, title: word, referrer, props: { [word]: word } }, options);
  await send(site, { name: word, url }, options);
}

test("values used only on deleted days are removed from all tables, filter options and the retention report", async () => {
  for (const month of [0, 1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  await db().site.update({ where: { id: site.id }, data: { retentionSalt: true } });
  // Deleted days are the first to use values that retained days also use: Google, the hostname, the browser.
  await sendVisit(site, "oldest", "2025-01-25T10:00:00Z");
  await sendVisit(site, "oldword", "2025-02-10T10:00:00Z");
  await sendVisit(site, "bothdays", "2025-02-10T11:00:00Z");
  await sendVisit(site, "bothdays", "2025-02-20T10:00:00Z");
  await sendVisit(site, "keptword", "2025-03-10T10:00:00Z");
  const report = async () => {
    const input = { site_id: site.id, period: "custom", from: `${FIRST}`, to: "2025-03-17" };
    const { meta: _, ...all } = await call(site.ownerId, "analytics.overview", input, NOW);
    const { meta: __, ...narrowed } = await call(
      site.ownerId,
      "analytics.overview",
      { ...input, filters: { source: "Google" } },
      NOW,
    );
    return { all, narrowed };
  };
  const before = await report();
  expect(JSON.stringify(before.all)).toMatch(/"Google".*"bothdays"/);
  expect(before.narrowed.metrics.visits).toBe(2);
  expect(await filterOptionsAndRetention(site)).toMatch(/oldword.*"cohorts":.*"start":"2025-02-10","visitors":1/);

  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  await deleteExpiredEvents(NOW);
  expect([await rowsContaining(site.id, "oldest"), await rowsContaining(site.id, "oldword")]).toEqual([[], []]);
  expect((await rowsContaining(site.id, "bothdays")).length).toBeGreaterThan(4);
  const after = await filterOptionsAndRetention(site);
  expect(after).not.toMatch(/oldest|oldword/);
  expect(after).not.toMatch(/"start":"2025-02-10","visitors":[1-9]/);
  for (const word of ["bothdays", "keptword", "Google"]) expect(after).toContain(`"value":"${word}"`);
  expect(await report()).toEqual(before);
  await analytics().forget(site.id);
  expect(await report()).toEqual(before);
  // When the retained days expire too, their values are removed as well.
  await deleteExpiredEvents(new Date("2025-04-25T12:00:00Z"));
  expect([await rowsContaining(site.id, "bothdays"), await rowsContaining(site.id, "keptword")]).toEqual([[], []]);
  expect(await db().$queryRaw`SELECT FROM facts.referrer WHERE site_id = ${site.id}`).toEqual([]);
});

test("an event that arrives before or during the deletion of its value keeps the value", async () => {
  for (const month of [1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  const words = ["found", "meanwhile", "after", ...Array.from({ length: 8 }, (_, n) => `race-${n}`)];
  for (const word of words) await send(site, `/${word}`, { at: "2025-02-10T10:00:00Z" });
  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  const rows = (word: string) => db().$queryRaw<{ id: number; retired: boolean; day: string }[]>`
    SELECT page.id, retired, event.ts::date::text AS day FROM facts.page LEFT JOIN facts.event ON event.site_id = page.site_id AND event.page = page.id
    WHERE page.site_id = ${site.id} AND path = ${`/${word}`}`;

  // Ingest has looked up the value but has not written the event yet.
  const [{ id: known } = { id: 0 }] = await rows("found");
  const now = { siteId: site.id, at: NOW.getTime(), timezone: "UTC" };
  expect(await intern("page", [{ ...now, text: joinText([site.host, "/found"]) }])).toEqual([known]);
  await Promise.all([
    deleteExpiredEvents(NOW),
    ...Array.from({ length: 8 }, (_, n) => send(site, `/race-${n}`, { at: NOW, address: `198.51.100.${n}` })),
  ]);
  expect(await rows("found")).toEqual([{ id: known, retired: false, day: null }]);
  for (let n = 0; n < 8; n++)
    expect((await rows(`race-${n}`)).filter(({ day }) => day !== null)).toMatchObject([
      { retired: false, day: "2025-03-17" },
    ]);
  expect(await rows("after")).toEqual([]);
  await send(site, "/after", { at: NOW });
  expect(await rows("after")).toMatchObject([{ retired: false, day: "2025-03-17" }]);

  // The job has locked the row and ingest waits for it.
  let sent: Promise<unknown> = Promise.resolve();
  await intern("page", [{ ...now, at: Date.parse("2025-02-10"), text: joinText([site.host, "/meanwhile"]) }], false);
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE facts.page SET retired = true, path = '' WHERE site_id = ${site.id} AND path = '/meanwhile'`;
    sent = send(site, "/meanwhile", { at: NOW });
    await someoneWaitsFor(tx);
  });
  await sent;
  expect(await rows("meanwhile")).toMatchObject([{ retired: false, day: "2025-03-17" }]);
});
