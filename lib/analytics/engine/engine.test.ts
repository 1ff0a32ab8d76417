import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, inject, type TestContext, test } from "vitest";
import { Engine, type EngineOptions } from "@/lib/analytics/engine/engine";
import { errorOf, failureOf, StillCopying } from "@/lib/analytics/engine/failure";
import { derived } from "@/lib/analytics/query/derived";
import { changedFacts } from "@/lib/ingest/store/sequence";
import { connected } from "@/lib/testing/database";
import { PATIENT_MS } from "@/lib/testing/patience";
import { makeSite, post, type TestSite } from "@/lib/testing/world";

/** The files of the engine can be deleted and built again at any time. */

const NOW = new Date();

async function openEngine(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  options: Partial<EngineOptions> = {},
) {
  const folder = options.folder ?? mkdtempSync(path.join(os.tmpdir(), "footfall-engine-"));
  const engine = await Engine.open({
    folder,
    databaseUrl: inject("reportsUrl"),
    memoryMegabytes: 256,
    threads: 1,
    maxAgeMs: 0,
    waitForCopyMs: PATIENT_MS,
    connectWithinMs: PATIENT_MS,
    derived,
    ...options,
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= engine.close();
    return closed;
  };
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { engine, folder, close, fileOf: (site: TestSite) => path.join(folder, `${site.id}.duckdb`) };
}

async function siteWithEvents(): Promise<TestSite> {
  const site = await makeSite();
  for (const page of ["/a", "/b", "/a"]) expect((await post(site, page, { at: NOW })).status).toBe(202);
  return site;
}

/** Repeats the events of a site. */
const multiply = (site: TestSite, times: number) =>
  connected(inject("databaseUrl"), (client) =>
    client.query("INSERT INTO facts.event SELECT event.* FROM facts.event, generate_series(2, $2) WHERE site_id = $1", [
      site.id,
      times,
    ]),
  );

const statement = (sql: string, ...values: number[]) => ({ sql, values });
const of = (site: TestSite) => ({ siteId: site.id, timezone: "UTC" });
const PATHS = statement(
  "SELECT path, count(*) AS events FROM event JOIN page ON page.id = page GROUP BY path ORDER BY path",
);
const pathsOf = async (engine: Engine, site: TestSite) => (await engine.query(of(site), [PATHS]))[0];
const ENDLESS = statement(
  "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE (a.range * b.range) % 7 = ?",
  3,
);
const EXPECTED = [
  { path: "/a", events: 2 },
  { path: "/b", events: 1 },
];

function damage(file: string, from: number, bytes: number): void {
  const opened = openSync(file, "r+");
  writeSync(opened, Buffer.alloc(bytes, 7), 0, bytes, from);
  closeSync(opened);
}

test("a deleted copy is built again with the same facts", async (context) => {
  const site = await siteWithEvents();
  const first = await openEngine(context);
  expect(await pathsOf(first.engine, site)).toEqual(EXPECTED);
  await first.close();
  rmSync(first.folder, { recursive: true });
  const second = await openEngine(context, { folder: first.folder });
  expect(await pathsOf(second.engine, site)).toEqual(EXPECTED);
  await second.engine.forget(site.id);
  expect(existsSync(second.fileOf(site))).toBe(false);
  expect(await pathsOf(second.engine, site)).toEqual(EXPECTED);
});

test("a copy is built again after the database was set back to an earlier state", async (context) => {
  const site = await siteWithEvents();
  const first = await openEngine(context);
  await pathsOf(first.engine, site);
  await first.close();
  // As if the copy had seen a later fact.
  const instance = await DuckDBInstance.create(first.fileOf(site));
  const connection = await instance.connect();
  await connection.run("UPDATE state SET seq = seq + 2");
  instance.closeSync();
  expect((await post(site, "/b", { at: NOW })).status).toBe(202);
  const second = await openEngine(context, { folder: first.folder });
  expect(await pathsOf(second.engine, site)).toEqual([
    { path: "/a", events: 2 },
    { path: "/b", events: 2 },
  ]);
});

test("a file that DuckDB cannot open is built again", async (context) => {
  const site = await siteWithEvents();
  const first = await openEngine(context);
  await pathsOf(first.engine, site);
  await first.close();
  damage(first.fileOf(site), 0, 3 * 4096);
  const second = await openEngine(context, { folder: first.folder });
  expect(await pathsOf(second.engine, site)).toEqual(EXPECTED);
});

test("a file whose damage shows in a query is built again, also for concurrent queries", {
  tags: "full",
}, async (context) => {
  const site = await siteWithEvents();
  await multiply(site, 20_000);
  const first = await openEngine(context);
  const [{ events } = {}] =
    (await first.engine.query(of(site), [statement("SELECT count(ts) AS events FROM event")]))[0] ?? [];
  expect(events).toBe(60_000);
  await first.close();
  const file = first.fileOf(site);
  const { size } = statSync(file);
  // Behind the headers every block is damaged.
  damage(file, 3 * 4096, size - 3 * 4096);
  const second = await openEngine(context, { folder: first.folder });
  const sums = statement("SELECT count(ts) AS events, count(DISTINCT page) AS pages FROM event");
  const answers = await Promise.all([1, 2, 3].map(() => second.engine.query(of(site), [sums])));
  for (const [rows] of answers) expect(rows).toEqual([{ events: 60_000, pages: 2 }]);
});

test("a query during a long first copy is refused with its progress, and answered when the copy is complete", {
  tags: "full",
}, async (context) => {
  const site = await siteWithEvents();
  await multiply(site, 70_000);
  const { engine } = await openEngine(context, { waitForCopyMs: 20 });
  const early = await pathsOf(engine, site).catch((error) => error);
  expect(early).toBeInstanceOf(StillCopying);
  expect(errorOf(failureOf(early))).toMatchObject({
    status: 503,
    code: "unavailable",
    details: { progress: expect.any(Number) },
    retryAfter: 2,
  });
  await context.expect
    .poll(() => pathsOf(engine, site).catch(() => null), { timeout: PATIENT_MS })
    .toEqual([
      { path: "/a", events: 140_000 },
      { path: "/b", events: 70_000 },
    ]);
});

test("an idle file is closed, and opened again by the next query", async (context) => {
  const site = await siteWithEvents();
  const { engine, fileOf } = await openEngine(context, { idleMs: 60 });
  expect(await pathsOf(engine, site)).toEqual(EXPECTED);
  await context.expect.poll(() => isOpen(fileOf(site)), { timeout: PATIENT_MS }).toBe(false);
  expect(await pathsOf(engine, site)).toEqual(EXPECTED);
});

test("a file that is closed again and again while it is queried answers every query", {
  tags: "full",
}, async (context) => {
  const site = await siteWithEvents();
  const { engine } = await openEngine(context, { idleMs: 1 });
  const ask = async () => {
    for (let n = 0; n < 20; n++) expect(await pathsOf(engine, site)).toEqual(EXPECTED);
  };
  await Promise.all([ask(), ask()]);
});

/** Whether this process has a file open, from Linux's /proc. */
const isOpen = (file: string): boolean =>
  readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      // Closed since the list was made.
      return false;
    }
  });

test("a copy that is deleted while a query of another site reads all files is built again", {
  tags: "full",
}, async (context) => {
  const sites = [await siteWithEvents(), await siteWithEvents(), await siteWithEvents()] as const;
  const [site, looking, third] = sites;
  const { engine } = await openEngine(context);
  await Promise.all(sites.map((one) => pathsOf(engine, one)));
  const tables = statement("SELECT count(*) FROM duckdb_tables()");
  const long = statement(
    "SELECT count(*) FROM range(10000) AS a, range(10000) AS b WHERE (a.range * b.range) % 7 = ?",
    3,
  );
  const answer = engine.query(of(looking), [tables, long]);
  // What is asked later is answered once that has begun.
  await pathsOf(engine, third);
  await engine.forget(site.id);
  expect(await pathsOf(engine, site)).toEqual(EXPECTED);
  expect(await answer).toHaveLength(2);
});

test("a file that cannot be rewritten answers queries, and is not rewritten until the engine opens again", {
  tags: "full",
}, async (context) => {
  const site = await siteWithEvents();
  const first = await openEngine(context);
  await pathsOf(first.engine, site);
  const file = first.fileOf(site);
  const { ino } = statSync(file);
  mkdirSync(`${file}.new`);
  await connected(inject("databaseUrl"), (client) =>
    client.query(changedFacts({ siteId: site.id, start: null, end: new Date("2020-01-01") })),
  );
  for (let tries = 0; tries < 3; tries++) expect(await pathsOf(first.engine, site)).toEqual(EXPECTED);
  rmdirSync(`${file}.new`);
  for (let tries = 0; tries < 3; tries++) expect(await pathsOf(first.engine, site)).toEqual(EXPECTED);
  await first.close();
  expect(statSync(file).ino).toBe(ino);
  const second = await openEngine(context, { folder: first.folder });
  for (let tries = 0; tries < 2; tries++) expect(await pathsOf(second.engine, site)).toEqual(EXPECTED);
  expect(statSync(file).ino).not.toBe(ino);
});

test("a query while its file is being deleted is refused or aborted in time, and answered afterwards", async (context) => {
  const site = await siteWithEvents();
  const { engine } = await openEngine(context, { waitForCopyMs: 300 });
  const answered = () => context.expect.poll(() => pathsOf(engine, site).catch(() => null), { timeout: PATIENT_MS });
  await answered().toEqual(EXPECTED);
  const stopping = new AbortController();
  const endless = engine.query(of(site), [ENDLESS], stopping.signal);
  // What is asked later is answered once that has begun.
  await answered().toEqual(EXPECTED);
  const removing = engine.forget(site.id);
  await expect(pathsOf(engine, site)).rejects.toBeInstanceOf(StillCopying);
  const leaving = new AbortController();
  const asked = engine.query(of(site), [PATHS], leaving.signal);
  leaving.abort(new Error("left"));
  await expect(asked).rejects.toThrow("left");
  stopping.abort(new Error("stopped"));
  await expect(endless).rejects.toThrow("stopped");
  await removing;
  await answered().toEqual(EXPECTED);
});

test("the copies of all but the named sites are deleted", async (context) => {
  const [kept, gone] = [await siteWithEvents(), await siteWithEvents()];
  const { engine, fileOf } = await openEngine(context);
  await Promise.all([pathsOf(engine, kept), pathsOf(engine, gone)]);
  await engine.keep([kept.id]);
  expect([existsSync(fileOf(kept)), existsSync(fileOf(gone))]).toEqual([true, false]);
  expect(await pathsOf(engine, kept)).toEqual(EXPECTED);
});

test("an aborted query is interrupted, also between two statements, and the engine continues", async (context) => {
  const site = await siteWithEvents();
  const { engine } = await openEngine(context);
  await pathsOf(engine, site);
  await expect(engine.query(of(site), [ENDLESS], AbortSignal.timeout(200))).rejects.toThrow("timeout");
  const many = Array.from({ length: 100_000 }, () => PATHS);
  await expect(engine.query(of(site), many, AbortSignal.timeout(200))).rejects.toThrow("timeout");
  expect(await pathsOf(engine, site)).toEqual(EXPECTED);
});

test("a query that needs too much memory is refused, and the error says what to request instead", async (context) => {
  const site = await siteWithEvents();
  const { engine } = await openEngine(context, { memoryMegabytes: 64 });
  const large = statement("SELECT length(list(range)) AS length FROM range(?)", 100_000_000);
  const error = await engine.query(of(site), [large]).catch((thrown) => thrown);
  expect(errorOf(failureOf(error))).toMatchObject({
    status: 503,
    message: expect.stringContaining("ask for a shorter range, fewer dimensions or a narrower filter"),
  });
  expect(await pathsOf(engine, site)).toEqual(EXPECTED);
});

test("SQL of a report reaches no file outside of the folder of copies, no network, no extension and no setting", async (context) => {
  const site = await siteWithEvents();
  const { engine, folder } = await openEngine(context);
  const outside = mkdtempSync(path.join(os.tmpdir(), "footfall-outside-"));
  context.onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  writeFileSync(path.join(outside, "secret.csv"), "a,b");
  const refused = [
    `SELECT * FROM read_csv('${outside}/secret.csv')`,
    `SELECT * FROM read_text('${folder}/../${path.basename(outside)}/secret.csv')`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM 'https://example.com/a.csv'",
    `COPY (SELECT 1) TO '${outside}/written.csv'`,
    `ATTACH '${outside}/other.duckdb'`,
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET allowed_directories = ['/']",
    "RESET lock_configuration",
  ];
  for (const sql of refused) {
    const error = await engine.query(of(site), [statement(sql)]).catch((fault) => fault);
    expect(`${error}`, sql).toMatch(/disabled (by|through) configuration|configuration has been locked/);
  }
  expect(readdirSync(outside)).toEqual(["secret.csv"]);
  expect(await engine.query(of(site), [PATHS])).toHaveLength(1);
});

test("an amount that does not fit the copy is not money, and the site's other numbers stay", async (context) => {
  const site = await siteWithEvents();
  await connected(inject("databaseUrl"), (client) =>
    client.query("UPDATE facts.event SET revenue = 1e25, currency = 'EUR' WHERE site_id = $1", [site.id]),
  );
  const { engine } = await openEngine(context);
  const [[counted] = []] = await engine.query(of(site), [
    statement("SELECT count(*) AS events, count(revenue) AS amounts FROM event"),
  ]);
  expect(counted).toEqual({ events: 3, amounts: 0 });
});
