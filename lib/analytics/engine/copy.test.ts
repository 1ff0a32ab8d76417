import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { test as concurrent, expect, onTestFinished } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { OutdatedCopy, refresh } from "@/lib/analytics/engine/copy";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import { Engine, type EngineOptions } from "@/lib/analytics/engine/engine";
import { accountOf } from "@/lib/analytics/engine/facts-snapshot";
import { StillCopying } from "@/lib/analytics/engine/failure";
import { derived } from "@/lib/analytics/query/derived";
import { changedFacts, deleteOldChanges, takeNumbers } from "@/lib/ingest/store/sequence";
import { addMonths } from "@/lib/jobs/jobs";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { FairQueue } from "@/lib/platform/fair-queue";
import { ingestPool } from "@/lib/platform/pool";
import { deleteExpiredEvents } from "@/lib/sites/delete-expired";
import { deleteSite, purgeSites } from "@/lib/sites/purge";
import { call } from "@/lib/testing/calls";
import { databaseForTests, rolledSites } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { PATIENT_MS } from "@/lib/testing/patience";
import { sampled } from "@/lib/testing/tier";
import { exported, imported } from "@/lib/testing/transfer";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { importSums } from "@/lib/transfer/import-sums";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

/** Sequential, because the retention job processes all sites. */
const test = concurrent.sequential;
const installation = databaseForTests();

const NOW = new Date("2025-03-17T11:20:00Z");

/** The answers of reports about all days of a site. */
async function answers(site: TestSite, more: object = {}) {
  const input = { site_id: site.id, period: "custom", from: "2024-12-01", to: "2025-03-17", traffic: "all", ...more };
  const { meta: _, ...overview } = await call(site.ownerId, "analytics.overview", input, NOW);
  const { meta: __, ...chart } = await call(site.ownerId, "analytics.chart", { ...input, interval: "day" }, NOW);
  return { overview, chart };
}

/** The answers of the existing copy. They must equal those of a new copy. */
async function unlike(before: unknown, site: TestSite, more: object = {}) {
  const now = await answers(site, more);
  expect(now).not.toEqual(before);
  await analytics().forget(site.id);
  expect(await answers(site, more)).toEqual(now);
  return now;
}

/** Copies of large sites have a rollup, those of small ones have none. */
const WAYS = ["without a rollup", "with a rollup"] as const;

async function siteWith(paths: Record<string, string>, way: (typeof WAYS)[number] = WAYS[0]): Promise<TestSite> {
  const site = await makeSite();
  if (way === "with a rollup") rolledSites.add(site.id);
  for (const [page, at] of Object.entries(paths)) await send(site, page, { at });
  return site;
}

/** The texts that occur in the files of a site. */
function inFiles(site: TestSite, texts: string[]): string[] {
  const names = readdirSync(installation.analyticsFolder).filter((name) => name.startsWith(`${site.id}.`));
  expect(names.length).toBeGreaterThan(0);
  const all = Buffer.concat(names.map((name) => readFileSync(path.join(installation.analyticsFolder, name))));
  return texts.filter((text) => all.includes(text));
}

const engineHere = (databaseUrl: string, more: Partial<EngineOptions> = {}) =>
  Engine.open({
    folder: installation.analyticsFolder,
    databaseUrl,
    memoryMegabytes: 256,
    threads: 1,
    derived,
    maxAgeMs: 0,
    // On a busy machine a query would read the copy of a moment ago.
    waitForCopyMs: PATIENT_MS,
    ...more,
  });

/** A copy of a site in memory, with a rollup, that a test refreshes itself. */
async function openCopy(site: TestSite) {
  const pool = new pg.Pool({ connectionString: await openedUrl() });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(async () => {
    connection.closeSync();
    instance.closeSync();
    await pool.end();
  });
  const of = {
    connection,
    pool,
    siteId: site.id,
    timezone: "UTC",
    mergeSlashes: true,
    installation: "one",
    temporary: tmpdir(),
  };
  const refreshed = (more: Partial<CopyOptions>) => refresh({ ...of, derived, rollUpFrom: 0, ...more });
  return { connection, refreshed };
}

test("changes over many weeks are copied week by week, each event once, even after a crash", async () => {
  const weeks = Array.from({ length: 9 }, (_, week) => new Date(NOW.getTime() - week * 7 * DAY_MS));
  const site = await siteWith(Object.fromEntries(weeks.map((at, week) => [`/${week}`, at.toISOString()])));
  const { connection, refreshed } = await openCopy(site);
  let parts = 0;
  const copied = (crashAt = Number.POSITIVE_INFINITY) => {
    parts = 0;
    return refreshed({
      progress() {
        if (parts++ >= crashAt) throw new Error("crashed");
      },
    });
  };
  const pages = async () => {
    const reader = await connection.runAndReadAll(
      "SELECT path, count(*)::INTEGER FROM event JOIN page ON page.id = page GROUP BY path ORDER BY path",
    );
    return reader.getRowsJS();
  };
  await copied();
  expect(await pages()).toEqual(weeks.map((_, week) => [`/${week}`, 1]));
  const [from, until] = [weeks.at(-1) as Date, NOW];
  await ingestPool().query("DELETE FROM facts.event WHERE site_id = $1 AND ts >= $2 AND ts < $3", [
    site.id,
    weeks[5],
    weeks[4],
  ]);
  await ingestPool().query(changedFacts({ siteId: site.id, start: from, end: until }));
  await send(site, "/0", { at: new Date().toISOString() });
  await expect(copied(5)).rejects.toThrow("crashed");
  await copied();
  expect(parts).toBe(9);
  const left = weeks.map((_, week) => [`/${week}`, week === 0 ? 2 : 1]).filter(([path]) => path !== "/5");
  expect(await pages()).toEqual(left);
  await copied();
  expect(parts).toBe(0);
});

test("a first copy in parts has each event and each visit once", async () => {
  const weeks = Array.from({ length: 6 }, (_, week) => new Date(Date.now() - week * 7 * DAY_MS));
  const site = await siteWith(Object.fromEntries(weeks.map((at, week) => [`/${week}`, at.toISOString()])));
  const { connection, refreshed } = await openCopy(site);
  const shares = new Set<number | null>();
  await refreshed({ partEvents: 2, progress: (share) => shares.add(share) });
  expect(shares.size).toBeGreaterThanOrEqual(3);
  const reader = await connection.runAndReadAll(
    "SELECT (SELECT count(*)::INTEGER FROM event), (SELECT count(DISTINCT visit_id)::INTEGER FROM visit), (SELECT count(*)::INTEGER FROM visit)",
  );
  expect(reader.getRowsJS()).toEqual([[6, 6, 6]]);
});

test("the first query of a small site waits for its copy, longer than a query waits for a large one", async () => {
  const site = await siteWith({ "/": NOW.toISOString() });
  const engine = await engineHere(await openedUrl(), { waitForCopyMs: 1_000 });
  const locking = new pg.Client(await openedUrl());
  await locking.connect();
  await locking.query("BEGIN; LOCK TABLE facts.event");
  const answer = engine.query({ siteId: site.id, timezone: "UTC" }, [{ sql: "SELECT 1 AS n FROM visit", values: [] }]);
  const late = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > '1100 ms'`;
  await expect.poll(async () => (await locking.query(late)).rowCount, { timeout: PATIENT_MS }).toBe(1);
  await locking.end();
  expect(await answer).toEqual([[{ n: 1 }]]);
  await engine.close();
});

/** A site whose copy takes its turn. */
async function largeSite(): Promise<TestSite> {
  const site = await siteWith({ "/": NOW.toISOString() });
  await ingestPool().query(
    `INSERT INTO facts.event SELECT later.* FROM facts.event AS one, generate_series(1, 10001) AS n,
       jsonb_populate_record(one, jsonb_build_object('ts', one.ts + n * interval '1 second')) AS later
     WHERE one.site_id = $1`,
    [site.id],
  );
  return site;
}

test("long copies are built one after the other, and a small site and a refresh wait for none of them", async () => {
  const [large, small] = [await largeSite(), await siteWith({ "/": NOW.toISOString() })];
  const asked: number[] = [];
  const built = async (site: TestSite) => {
    const { refreshed } = await openCopy(site);
    const inTurn: CopyOptions["inTurn"] = (work) => {
      asked.push(site.id);
      return work();
    };
    await refreshed({ inTurn });
    await refreshed({ inTurn });
  };
  await built(small);
  expect(asked).toEqual([]);
  await built(large);
  expect(asked).toEqual([large.id]);
});

test("one account with three long copies does not delay the copy of another account", { tags: "full" }, async () => {
  const mine = [await largeSite(), await largeSite(), await largeSite()];
  const other = await largeSite();
  const [{ ownerId: personId } = other] = mine;
  const siteId = { in: mine.map(({ id }) => id) };
  await db().membership.updateMany({ where: { siteId, role: "owner" }, data: { personId } });
  const queue = new FairQueue();
  const pool = ingestPool();
  const built: number[] = [];
  // The first copy has begun before the others ask for their turn, and goes on when all have.
  let [begin, go] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const allQueued = new Promise<void>((resolve) => {
    go = resolve;
  });
  let queued = 0;
  await Promise.all(
    [...mine, other].map(async (site) => {
      const { refreshed } = await openCopy(site);
      const inTurn: CopyOptions["inTurn"] = async (work) => {
        const account = (await accountOf(pool, site.id)) as string;
        if (site !== mine[0]) await begun;
        const turn = queue.run(account, async () => {
          built.push(site.id);
          if (site !== mine[0]) return work();
          begin();
          await allQueued;
          return work();
        });
        if (++queued === 4) go();
        return turn;
      };
      await refreshed({ inTurn });
    }),
  );
  expect([built[0], built[1]]).toEqual([mine[0]?.id, other.id]);
  expect(built).toHaveLength(4);
});

test("a site without a person belongs to its machine account, and a deleted one to nobody", async () => {
  const [site, alone] = [await makeSite(), await makeSite()];
  const pool = ingestPool();
  expect(await accountOf(pool, site.id)).toBe(`person ${site.ownerId}`);
  await db().membership.deleteMany({ where: { siteId: alone.id } });
  expect(await accountOf(pool, alone.id)).toBe(`site ${alone.id}`);
  await db().site.delete({ where: { id: alone.id } });
  expect(await accountOf(pool, alone.id)).toBeNull();
});

test("the copy of a site that is deleted is not built, and stops between its parts", async () => {
  const site = await largeSite();
  await db().site.delete({ where: { id: site.id } });
  const engine = await engineHere(await openedUrl());
  const count = { sql: "SELECT count(*) FROM event", values: [] };
  await expect(engine.query({ siteId: site.id, timezone: "UTC" }, [count])).rejects.toThrow(StillCopying);
  await engine.close();

  const weeks = Array.from({ length: 5 }, (_, week) => new Date(NOW.getTime() - week * 7 * DAY_MS));
  const long = await siteWith(Object.fromEntries(weeks.map((at, week) => [`/${week}`, at.toISOString()])));
  const { refreshed } = await openCopy(long);
  await refreshed({});
  await ingestPool().query(changedFacts({ siteId: long.id, start: weeks.at(-1) as Date, end: NOW }));
  let parts = 0;
  const mayContinue = async () => {
    if (++parts === 2) await db().site.delete({ where: { id: long.id } });
    if ((await accountOf(ingestPool(), long.id)) === null) throw new StillCopying(0);
  };
  await expect(refreshed({ mayContinue })).rejects.toThrow(StillCopying);
  expect(parts).toBe(2);
});

test("a change of all weeks of a large site takes its turn, one of a few days does not", async () => {
  const site = await largeSite();
  const weeks = Array.from({ length: 12 }, (_, week) => new Date(NOW.getTime() - week * 7 * DAY_MS));
  for (const at of weeks) await send(site, "/", { at: at.toISOString() });
  const { refreshed } = await openCopy(site);
  await refreshed({});
  let turns = 0;
  const inTurn: CopyOptions["inTurn"] = (work) => {
    turns++;
    return work();
  };
  const change = (start: Date) => ingestPool().query(changedFacts({ siteId: site.id, start, end: NOW }));
  await change(weeks[2] as Date);
  await refreshed({ inTurn });
  expect(turns).toBe(0);
  await change(weeks.at(-1) as Date);
  await refreshed({ inTurn });
  expect(turns).toBe(1);
});

test("a late event rebuilds only the days it touches", async () => {
  const days = ["01-06", "01-20", "02-03", "02-17", "03-03"];
  const site = await siteWith(Object.fromEntries(days.map((day) => [`/${day}`, `2025-${day}T10:00:00Z`])));
  const made = { rollUp: [] as unknown[], moneyOf: [] as unknown[] };
  const { connection, refreshed } = await openCopy(site);
  const noting: CopyOptions["derived"] = {
    ...derived,
    rollUp(parts) {
      made.rollUp.push(...parts);
      return derived.rollUp(parts);
    },
    moneyOf(those) {
      made.moneyOf.push(those);
      return derived.moneyOf(those);
    },
  };
  const copied = () => refreshed({ derived: noting });
  await copied();
  expect(made.rollUp).toHaveLength(1);
  Object.assign(made, { rollUp: [], moneyOf: [] });
  await send(site, "/late", { at: "2025-01-20T10:10:00Z" });
  await copied();
  const dayOf = (at: string) => Date.parse(`2025-${at}`) / DAY_MS;
  const day = dayOf("01-20");
  expect(made).toEqual({ rollUp: [[day, day]], moneyOf: [{ after: expect.any(Number) }] });
  const sums = await connection.runAndReadAll(
    "SELECT day, sum(pageviews)::INTEGER, max(visits) FROM rollup WHERE dimension = 0 AND everything GROUP BY day ORDER BY day",
  );
  expect(sums.getRowsJS()).toEqual(days.map((at) => [dayOf(at), at === "01-20" ? 2 : 1, 1]));
});

test("while Postgres delays a refresh, queries read the last copy, and queries of a site without a copy are refused", async () => {
  const [site, other] = [await siteWith({ "/": NOW.toISOString() }), await siteWith({ "/": NOW.toISOString() })];
  const engine = await engineHere(await openedUrl(), { waitForCopyMs: 50 });
  const count = ({ id }: TestSite) =>
    engine.query({ siteId: id, timezone: "UTC" }, [{ sql: "SELECT count(*) AS n FROM visit", values: [] }]);
  await expect.poll(() => count(site).catch(() => null), { timeout: PATIENT_MS }).toEqual([[{ n: 1 }]]);
  await send(site, "/", { at: new Date().toISOString() });
  const locking = new pg.Client(await openedUrl());
  await locking.connect();
  await locking.query("BEGIN; LOCK TABLE facts.event");
  expect(await count(site)).toEqual([[{ n: 1 }]]);
  await expect(count(other)).rejects.toBeInstanceOf(StillCopying);
  await locking.end();
  await expect.poll(() => count(site), { timeout: PATIENT_MS }).toEqual([[{ n: 2 }]]);
  await engine.close();
});

test("changes are deleted after 30 days, and a copy that has not read them is built again", {
  tags: "full",
}, async () => {
  const site = await siteWith({ "/a": "2025-03-10T10:00:00Z", "/b": "2025-03-11T10:00:00Z" });
  const { connection, refreshed } = await openCopy(site);
  await refreshed({});
  const change = { siteId: site.id, start: new Date("2025-03-10"), end: new Date("2025-03-11") };
  for (const age of ["29 days", "31 days"]) {
    await ingestPool().query(changedFacts(change));
    await ingestPool().query(
      `UPDATE facts.change SET at = now() - $2::interval
       WHERE site_id = $1 AND seq = (SELECT max(seq) FROM facts.change WHERE site_id = $1)`,
      [site.id, age],
    );
    if (age === "29 days") await refreshed({});
  }
  await deleteOldChanges();
  const ages = await ingestPool().query(
    "SELECT extract(day FROM now() - at)::int AS days FROM facts.change WHERE site_id = $1",
    [site.id],
  );
  expect(ages.rows).toEqual([{ days: 29 }]);
  await expect(refreshed({})).rejects.toBeInstanceOf(OutdatedCopy);
  await connection.run("DROP TABLE state");
  await refreshed({});
  await refreshed({});
});

test("a deleted site leaves no copy, no change and no number", async () => {
  const site = await siteWith({ "/": "2025-03-10T10:00:00Z" });
  await ingestPool().query(changedFacts({ siteId: site.id, start: null, end: new Date("2020-01-02") }));
  await answers(site);
  await db().$transaction((tx) => deleteSite(tx, site.id, NOW));
  await purgeSites(new Date(NOW.getTime() + 3600_000));
  expect(readdirSync(installation.analyticsFolder).filter((name) => name.startsWith(`${site.id}.`))).toEqual([]);
  for (const table of ["change", "site_sequence"]) {
    const { rowCount } = await ingestPool().query(`SELECT FROM facts.${table} WHERE site_id = $1`, [site.id]);
    expect(rowCount).toBe(0);
  }
});

test.each(sampled(WAYS, 2))("imported events and daily sums are in the next answer, %s", async (way) => {
  const from = await siteWith({ "/a": "2025-02-03T10:00:00Z", "/b": "2025-02-03T10:05:00Z" });
  const site = await siteWith({ "/c": "2025-02-20T10:00:00Z" }, way);
  const before = await answers(site);
  await imported(site, await exported(from, NOW));
  const then = await unlike(before, site);
  expect(then.overview.metrics).toMatchObject({ visits: 2, pageviews: 3 });
  async function* lines() {
    yield { text: "date,visitors,pageviews,bounces,visits,visit_duration" };
    yield { text: "2025-01-01,10,30,4,12,600" };
  }
  const target = { siteId: site.id, timezone: "UTC", pageQuery: [], host: site.host, now: NOW };
  await importSums(PLAUSIBLE, [{ name: "imported_visitors_20250101_20250101.csv", lines: lines() }], target);
  expect((await unlike(then, site)).overview.metrics).toMatchObject({ visits: 14, pageviews: 33 });
});

test("a new time zone moves events to other days, also on days of 23 and 25 hours, with a rollup", {
  tags: "full",
}, async () => {
  const times = ["2024-10-26T23:30:00Z", "2024-10-27T22:30:00Z", "2024-03-30T23:30:00Z", "2024-03-31T21:30:00Z"];
  const site = await siteWith(Object.fromEntries(times.map((at, index) => [`/${index}`, at])), WAYS[1]);
  const range = { from: "2024-03-01", to: "2025-01-31" };
  const daysOf = ({ chart }: Awaited<ReturnType<typeof answers>>) =>
    (chart.buckets as { label: string; visits: number }[])
      .filter(({ visits }) => visits > 0)
      .map(({ label, visits }) => `${label} ${visits}`);
  const before = await answers(site, range);
  expect(daysOf(before)).toEqual(["2024-03-30 1", "2024-03-31 1", "2024-10-26 1", "2024-10-27 1"]);
  await db().site.update({ where: { id: site.id }, data: { timezone: "Europe/Berlin" } });
  expect(daysOf(await unlike(before, site, range))).toEqual(["2024-03-31 2", "2024-10-27 2"]);
  await db().site.update({ where: { id: site.id }, data: { timezone: "UTC" } });
  expect(await answers(site, range)).toEqual(before);
});

/** Adds an event as a writer does, in a transaction of its own that the caller ends. */
async function adding(site: TestSite, visit: number, at: Date) {
  const client = new pg.Client(await openedUrl());
  await client.connect();
  onTestFinished(() => client.end());
  const add = async () => {
    await client.query("BEGIN");
    await client.query(takeNumbers(new Map([[site.id, 1]])));
    await client.query(
      `INSERT INTO facts.event (site_id, ts, visit_id, visitor_id, page, referrer, place, agent, type, traffic, seq)
       SELECT site_id, $3, $2, $2, page, referrer, place, agent, type, traffic,
         (SELECT last FROM facts.site_sequence WHERE site_id = $1)
       FROM facts.event WHERE site_id = $1 LIMIT 1`,
      [site.id, visit, at],
    );
  };
  return { client, add };
}

async function countIn(engine: Pick<Engine, "query">, site: TestSite) {
  const [[row] = []] = await engine.query({ siteId: site.id, timezone: "UTC" }, [
    { sql: "SELECT count(*) AS events, count(DISTINCT visit_id) AS visits FROM event", values: [] },
  ]);
  return row;
}

test("every committed event is in the next answer of each server, once: of long, waiting, aborted and repeated transactions, and of clocks that differ", async () => {
  const site = await siteWith({ "/": NOW.toISOString() });
  const other = await engineHere(await openedUrl(), { folder: mkdtempSync(path.join(tmpdir(), "footfall-copies-")) });
  onTestFinished(() => other.close());
  const count = async () => {
    const here = await countIn(analytics(), site);
    expect(await countIn(other, site)).toEqual(here);
    return here;
  };
  const clocks = [0, -20, 20, -50 * 24 * 60].map((minutes) => new Date(NOW.getTime() + minutes * 60_000));
  for (const at of clocks) await addMonths(at);
  expect(await count()).toEqual({ events: 1, visits: 1 });
  const long = await adding(site, 11, clocks[1] as Date);
  const waiting = await adding(site, 12, clocks[2] as Date);
  await long.add();
  const waited = waiting.add().then(() => waiting.client.query("COMMIT"));
  expect(await count()).toEqual({ events: 1, visits: 1 });
  await long.client.query("ROLLBACK");
  await waited;
  expect(await count()).toEqual({ events: 2, visits: 2 });
  await long.add();
  expect(await count()).toEqual({ events: 2, visits: 2 });
  await long.client.query("COMMIT");
  expect(await count()).toEqual({ events: 3, visits: 3 });
  expect(await count()).toEqual({ events: 3, visits: 3 });
  const late = await adding(site, 13, clocks[3] as Date);
  await late.add();
  await late.client.query("COMMIT");
  expect(await count()).toEqual({ events: 4, visits: 4 });
  await analytics().forget(site.id);
  expect(await count()).toEqual({ events: 4, visits: 4 });
});

test("events deleted by the retention limit are neither in the copy nor anywhere in its file", async () => {
  for (const month of [0, 1, 2]) await addMonths(new Date(Date.UTC(2025, month, 1)));
  const site = await siteWith({ "/kept-word-of-march": "2025-03-10T10:00:00Z" });
  const url = `https://${site.host}/erased-path-of-january`;
  const props = { kind: "erased-property-of-january" };
  await send(
    site,
    { name: "erased-name-of-january", url, title: "erased-title-of-january", props },
    { at: "2025-01-05T10:00:00Z" },
  );
  const before = await answers(site);
  // Data that is not checkpointed yet is in the log beside the file.
  const erased = ["erased-path", "erased-property", "erased-name"];
  expect(inFiles(site, ["kept-word", ...erased]).length).toBeGreaterThan(1);
  await call(site.ownerId, "sites.retention.update", { site_id: site.id, retention_months: 1 }, NOW);
  await deleteExpiredEvents(NOW);
  const after = await answers(site);
  expect(after).not.toEqual(before);
  expect(inFiles(site, ["kept-word", ...erased])).toEqual(["kept-word"]);
  expect(await unlike(before, site)).toEqual(after);
});

test("queries are answered while a file is rewritten, and old files are deleted", { tags: "full" }, async () => {
  const site = await siteWith({ "/": "2025-03-10T10:00:00Z" });
  const before = await answers(site);
  for (let round = 0; round < 3; round++) {
    await ingestPool().query(changedFacts({ siteId: site.id, start: null, end: new Date("2020-01-01") }));
    const all = await Promise.all(Array.from({ length: 8 }, () => answers(site)));
    for (const one of all) expect(one).toEqual(before);
  }
  await ingestPool().query(changedFacts({ siteId: site.id, start: null, end: null }));
  expect(await answers(site)).toEqual(before);
  const files = readdirSync(installation.analyticsFolder).filter(
    (name) => name.startsWith(`${site.id}.duckdb`) && !name.endsWith(".wal"),
  );
  expect(files).toHaveLength(1);
});

test("copies that were not used for a week are deleted, and built again by the next query", async () => {
  const site = await siteWith({ "/": "2025-03-10T10:00:00Z" });
  const engine = await engineHere(await openedUrl());
  const query = () =>
    engine.query({ siteId: site.id, timezone: "UTC" }, [{ sql: "SELECT count(*) AS n FROM visit", values: [] }]);
  expect(await query()).toEqual([[{ n: 1 }]]);
  const files = () => readdirSync(installation.analyticsFolder).filter((name) => name.startsWith(`${site.id}.`));
  await engine.sweep();
  expect(files()).not.toEqual([]);
  await engine.sweep(Date.now() + 8 * DAY_MS);
  expect(files()).toEqual([]);
  expect(await query()).toEqual([[{ n: 1 }]]);
  await engine.close();
});
