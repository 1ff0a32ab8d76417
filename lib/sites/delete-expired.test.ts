import { test as concurrent, expect } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { execute } from "@/lib/gateway/execute";
import { intern, textOf } from "@/lib/ingest/store/dictionary";
import { addMonths } from "@/lib/jobs/jobs";
import overview from "@/lib/operations/analytics.overview";
import { OPERATIONS } from "@/lib/operations/index";
import { db, Prisma } from "@/lib/platform/db";
import { Temporal } from "@/lib/platform/time";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { call } from "@/lib/testing/calls";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** One after the other: each run of the job goes through all sites. */
const test = concurrent.sequential;

const NOW = new Date("2025-03-17T11:20:00Z");
/** Its days begin at 18:15 UTC. */
const TIMEZONE = "Asia/Kathmandu";
/** The first day that is kept, of a month. */
const FIRST = Temporal.PlainDate.from("2025-02-17");
const OLD = ["2025-01-03T10:00:00Z", "2025-02-10T10:00:00Z", "2025-02-16T18:14:59Z"];
const KEPT = ["2025-02-16T18:15:00Z", "2025-02-20T10:00:00Z", "2025-03-17T11:00:00Z"];

/** A site that sold something at each of these moments. */
async function soldAt(moments: readonly string[]): Promise<TestSite> {
  for (const month of [0, 1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  for (const at of moments) {
    const sold = { name: "purchase", url: `https://${site.host}/at/${at}`, event_id: `order-${Date.parse(at)}` };
    await send(site, { ...sold, revenue: { amount: "5", currency: "EUR" } }, { at });
  }
  await db().$executeRaw`
    INSERT INTO facts.imported (site_id, dimension, day, word, source, visitors, visits, bounces, duration_ms, pageviews, events)
    SELECT ${site.id}, 0, day, '', 'Plausible', 1, 1, 1, 0, 1, 1 FROM unnest(ARRAY['2024-12-31', '2025-02-16', '2025-02-18']::date[]) AS day`;
  return site;
}

const asked = async (site: TestSite, from: string, to: string) => {
  const principal = { kind: "owner" as const, personId: site.ownerId };
  const input = { site_id: site.id, period: "custom", from, to };
  return (await execute(overview, { principal, input, now: NOW })).data.metrics;
};

/** How much is left of a site in each table, of the days before the first that is kept and of the others. */
async function left(siteId: number) {
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

test("what is older than a site keeps is destroyed wherever it is, and what is younger answers as before", async () => {
  const [site, other] = await Promise.all([soldAt([...OLD, ...KEPT]), soldAt(OLD)]);
  const before = [await left(site.id), await left(other.id)];
  for (const [table, { old }] of Object.entries(before[0] ?? {})) expect([table, old > 0]).toEqual([table, true]);
  const answer = await asked(site, `${FIRST}`, "2025-03-17");
  // The first of those that are kept belongs to a visit of the day before, and another service counted one.
  expect(answer).toMatchObject({ visits: 3, pageviews: 1 });

  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  await deleteExpiredEvents(NOW);

  const after = await left(site.id);
  for (const [table, { old, kept }] of Object.entries(after)) {
    expect([table, old, kept]).toEqual([table, 0, before[0]?.[table]?.kept]);
  }
  expect(await asked(site, `${FIRST}`, "2025-03-17")).toEqual(answer);
  expect(await asked(site, "2025-01-01", "2025-02-16")).toMatchObject({ visits: 0, pageviews: 0 });
  // Who keeps everything, keeps everything.
  expect(await left(other.id)).toEqual(before[1]);
  // A copy that is made anew says the same.
  await analytics().forget(site.id);
  expect(await asked(site, `${FIRST}`, "2025-03-17")).toEqual(answer);
});

test("every report tells the first kept day where its range, or the one it is compared with, begins before it", async () => {
  const site = await soldAt(KEPT);
  const reports = [...OPERATIONS.values()].filter(({ id }) => {
    return id.startsWith("analytics.") && id !== "analytics.realtime" && id !== "analytics.retention";
  });
  const decide = (months: number | null) =>
    call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: months }, NOW);
  const told = async (question: object) => {
    const metas = reports.map(async ({ id, example }) => {
      const input = { ...example, ...("funnel" in example && { funnel: null }), ...question, site_id: site.id };
      return (await call(site.ownerId, id, input, NOW)).meta.kept_from;
    });
    return [...new Set(await Promise.all(metas))];
  };
  const within = { period: "custom", from: "2025-02-17", to: "2025-03-02", compare: "none" };
  const beyond = { ...within, from: "2025-02-16" };
  expect(await told(beyond)).toEqual([undefined]);
  await decide(1);
  expect(await told(beyond)).toEqual(["2025-02-17"]);
  expect(await told(within)).toEqual([undefined]);
  expect(await told({ ...within, compare: "previous_period" })).toEqual(["2025-02-17"]);
  // Who was there within the 90 days before is not new to retention: those days are told of too.
  const retention = (question: object) =>
    call(site.ownerId, "analytics.retention", { site_id: site.id, ...question }, NOW);
  expect((await retention(within)).meta).not.toHaveProperty("kept_from");
  await send(site, { name: "Signup", user_id: "u-1" }, { at: "2025-02-20T10:00:00Z" });
  expect((await retention(within)).meta).toMatchObject({ identity: "user_id", kept_from: "2025-02-17" });
  // Nobody asks realtime about a range.
  expect(
    (await call(site.ownerId, "analytics.realtime", { site_id: site.id, ...beyond }, NOW)).meta,
  ).not.toHaveProperty("kept_from");
  // What was destroyed stays so when the limit is lifted.
  await deleteExpiredEvents(NOW);
  await decide(null);
  expect(await told(beyond)).toEqual(["2025-02-17"]);
  await decide(36);
  expect(await told({ ...within, from: "2022-03-01" })).toEqual(["2025-02-17"]);
});

test("each day another day is forgotten, and a longer time brings nothing back", async () => {
  const site = await soldAt([...OLD, ...KEPT]);
  const decide = (months: number | null) =>
    call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: months }, NOW);
  const events = async () => (await left(site.id)).event;
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

/** Rows of a site in any table of facts that hold a text. */
async function holding(siteId: number, text: string): Promise<string[]> {
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

/** Filter options without and with a range, and the retention report of February, day by day. */
async function offered(site: TestSite): Promise<string> {
  const options = FIELDS.map((field) =>
    call(site.ownerId, "analytics.filter_options", { site_id: site.id, field, period: "12mo" }, NOW),
  );
  const range = { site_id: site.id, period: "custom", from: "2025-02-01", to: "2025-03-01" };
  return JSON.stringify(await Promise.all([...options, call(site.ownerId, "analytics.retention", range, NOW)]));
}

/** A visit whose every value holds a word, from a page of Google's. */
async function visited(site: TestSite, word: string, at: string, host = site.host): Promise<void> {
  const url = `https://${host}/${word}?utm_campaign=${word}`;
  const referrer = `https://www.google.com/${word}`;
  const sending = { at, address: "198.51.100.7" };
  await send(site, { name: "pageview", url, title: word, referrer, props: { [word]: word } }, sending);
  await send(site, { name: word, url }, sending);
}

test("values that only deleted days used are nowhere: in no table, filter option or retention report", async () => {
  for (const month of [0, 1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  await db().site.update({ where: { id: site.id }, data: { retentionSalt: true } });
  // Rows of old days are the first with words that kept days use: Google, the hostname, the browser.
  await visited(site, "oldest", "2025-01-25T10:00:00Z");
  await visited(site, "oldword", "2025-02-10T10:00:00Z");
  await visited(site, "bothdays", "2025-02-10T11:00:00Z");
  await visited(site, "bothdays", "2025-02-20T10:00:00Z");
  await visited(site, "keptword", "2025-03-10T10:00:00Z");
  const report = async () => {
    const input = { site_id: site.id, period: "custom", from: `${FIRST}`, to: "2025-03-17" };
    const { meta: _, ...told } = await call(site.ownerId, "analytics.overview", input, NOW);
    const { meta: __, ...narrowed } = await call(
      site.ownerId,
      "analytics.overview",
      { ...input, filters: { source: "Google" } },
      NOW,
    );
    return { told, narrowed };
  };
  const before = await report();
  expect(JSON.stringify(before.told)).toMatch(/"Google".*"bothdays"/);
  expect(before.narrowed.metrics.visits).toBe(2);
  expect(await offered(site)).toMatch(/oldword.*"cohorts":.*"start":"2025-02-10","visitors":1/);

  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  await deleteExpiredEvents(NOW);
  expect([await holding(site.id, "oldest"), await holding(site.id, "oldword")]).toEqual([[], []]);
  expect((await holding(site.id, "bothdays")).length).toBeGreaterThan(4);
  const told = await offered(site);
  expect(told).not.toMatch(/oldest|oldword/);
  expect(told).not.toMatch(/"start":"2025-02-10","visitors":[1-9]/);
  for (const word of ["bothdays", "keptword", "Google"]) expect(told).toContain(`"value":"${word}"`);
  expect(await report()).toEqual(before);
  await analytics().forget(site.id);
  expect(await report()).toEqual(before);
  // Once the kept days go as well, nothing of them is left either.
  await deleteExpiredEvents(new Date("2025-04-25T12:00:00Z"));
  expect([await holding(site.id, "bothdays"), await holding(site.id, "keptword")]).toEqual([[], []]);
  expect(await db().$queryRaw`SELECT FROM facts.referrer WHERE site_id = ${site.id}`).toEqual([]);
});

test("an event that comes while its value is deleted, or before, keeps the value", async () => {
  for (const month of [1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await makeSite({ timezone: TIMEZONE });
  const words = ["found", "meanwhile", "after", ...Array.from({ length: 8 }, (_, n) => `race-${n}`)];
  for (const word of words) await send(site, `/${word}`, { at: "2025-02-10T10:00:00Z" });
  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  const rows = (word: string) => db().$queryRaw<{ id: number; retired: boolean; day: string }[]>`
    SELECT page.id, retired, event.ts::date::text AS day FROM facts.page LEFT JOIN facts.event ON event.site_id = page.site_id AND event.page = page.id
    WHERE page.site_id = ${site.id} AND path = ${`/${word}`}`;

  // Ingest has looked the value up, and its event is not written yet.
  const [{ id: known } = { id: 0 }] = await rows("found");
  const now = { siteId: site.id, at: NOW.getTime(), day: () => "2025-03-17" };
  expect(await intern("page", [{ ...now, text: textOf([site.host, "/found"]) }])).toEqual([known]);
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

  // The job has the row, and ingest waits for it.
  let sent: Promise<unknown> = Promise.resolve();
  await intern("page", [{ ...now, at: Date.parse("2025-02-10"), text: textOf([site.host, "/meanwhile"]) }], false);
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`
      UPDATE facts.page SET retired = true, path = '' WHERE site_id = ${site.id} AND path = '/meanwhile'`;
    sent = send(site, "/meanwhile", { at: NOW });
    await someoneWaitsFor(tx);
  });
  await sent;
  expect(await rows("meanwhile")).toMatchObject([{ retired: false, day: "2025-03-17" }]);
});
