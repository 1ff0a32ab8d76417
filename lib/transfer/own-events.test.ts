import { gzipSync } from "node:zlib";
import { test as concurrent, expect } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { db } from "@/lib/platform/db";
import { call } from "@/lib/testing/calls";
import { dataDirForTests } from "@/lib/testing/data-dir";
import { databaseForTests } from "@/lib/testing/database";
import { rowsOf } from "@/lib/testing/rows";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import { zipOf } from "@/lib/testing/zip";
import { exportEvents } from "@/lib/transfer/export";
import { runImports } from "@/lib/transfer/import-runs";
import type { Format } from "@/lib/transfer/line";
import { storePart } from "@/lib/transfer/uploads";

/** Own exports of events as uploads. One after the other, because the job works for all sites of the database. */

const test = concurrent.sequential;

databaseForTests();
dataDirForTests();

const NOW = new Date("2025-03-20T12:00:00Z");
type Files = Record<string, string | Buffer>;

/** Two visitors on two days, with pages, an event and a robot. */
async function siteWithEvents(): Promise<TestSite> {
  const site = await makeSite();
  await send(site, { name: "pageview", url: `https://${site.host}/a`, title: "=1+1" }, { at: "2025-03-01T12:00:00Z" });
  await send(site, { name: "Signup", props: { plan: "pro" } }, { at: "2025-03-01T12:01:00Z" });
  await send(site, "/b", { at: "2025-03-01T12:02:00Z", address: "198.51.100.2" });
  await send(site, "/b", { at: "2025-03-05T12:00:00Z", address: "198.51.100.2" });
  return site;
}

async function exported(site: TestSite, format: Format): Promise<Buffer> {
  const by = { principal: { kind: "owner", personId: site.ownerId } as const, siteId: site.id, requestId: "test" };
  const chunks = [];
  for await (const chunk of (await exportEvents({ ...by, now: NOW }, { format, after: null })).chunks)
    chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Creates a site to which the domain of another one has moved. */
async function siteAfter(left: TestSite): Promise<TestSite> {
  const site = await makeSite();
  await db().siteDomain.update({ where: { host: left.host }, data: { siteId: site.id, isPrimary: false } });
  return site;
}

let created = 0;

/** Checks files by an import that is newer than all others, so the list of the latest has it. */
async function checked(site: TestSite, files: Files) {
  const at = new Date(NOW.getTime() + ++created * 1_000);
  const ids = [];
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Buffer);
    const announced = { site_id: site.id, name, size: bytes.length };
    const { file_id } = await call(site.ownerId, "sites.imports.upload", announced, at);
    await storePart(file_id, 0, bytes, at);
    ids.push(file_id);
  }
  const { import_id } = await call(site.ownerId, "sites.imports.create", { site_id: site.id, files: ids }, at);
  await runImports(at);
  return runOf(site, import_id);
}

const runOf = async (site: TestSite, id: string) =>
  (await call(site.ownerId, "sites.imports.list", { site_id: site.id }, NOW)).runs.find(
    (run: { import_id: string }) => run.import_id === id,
  );

async function imported(site: TestSite, files: Files) {
  const { import_id, state, problem } = await checked(site, files);
  expect([state, problem]).toEqual(["ready", null]);
  await call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id }, NOW);
  await runImports(NOW);
  return runOf(site, import_id);
}

const problemOf = async (site: TestSite, files: Files): Promise<string> =>
  (await checked(site, files)).problem ?? "no problem";

async function reported(site: TestSite) {
  const input = { site_id: site.id, from: "2025-02-20", to: "2025-03-19" };
  const { metrics, panels } = await call(site.ownerId, "analytics.overview", input, NOW);
  const events = await call(site.ownerId, "analytics.events", input, NOW);
  return { metrics, panels, events: events.rows };
}

const factsOf = ({ id }: TestSite) =>
  rowsOf`SELECT (SELECT count(*)::int FROM facts.event WHERE site_id = ${id}) AS events,
                (SELECT count(*)::int FROM facts.visit WHERE site_id = ${id}) AS visits`;

/** Uploads an export of a site into a new one, and compares the preview and the reports. */
async function expectMoved(left: TestSite, files: Files): Promise<TestSite> {
  const before = await reported(left);
  const site = await siteAfter(left);
  const { visitors, visits, pageviews, events } = before.metrics;
  const preview = await checked(site, files);
  expect(preview).toMatchObject({ state: "ready", source: "footfall_events", removable: false });
  const totals = { visitors, visits, pageviews, events };
  const range = { from: "2025-03-01", to: "2025-03-05", days: 2, own_days: 0, replaced_days: 0 };
  expect(preview.sums).toMatchObject({ ...range, ...totals, notes: [] });
  expect(await factsOf(site)).toEqual([{ events: 0, visits: 0 }]);
  const lines = Object.keys(files).length * 4;
  expect((await imported(site, files)).sums).toMatchObject({
    rows: lines,
    notes: [`4 events were added, ${lines - 4} were stored already.`],
  });
  expect(await reported(site)).toEqual(before);
  return site;
}

test("an owner uploads an own export, sees what it has, gets the same reports, and the same again changes nothing", async () => {
  const left = await siteWithEvents();
  const csv = await exported(left, "csv");
  const files = {
    "all.zip": zipOf([{ name: "2025/events.csv", data: csv }]),
    "b.ndjson": await exported(left, "ndjson"),
  };
  const site = await expectMoved(left, files);
  const before = await reported(site);
  const again = await imported(site, files);
  expect(again.sums.notes).toEqual(["0 events were added, 8 were stored already."]);
  expect((await checked(site, files)).sums.notes).toEqual([
    expect.stringMatching(/^The site has events on 2 of these days\. Equal ones are not added again/),
  ]);
  expect(await factsOf(site)).toEqual(await factsOf(left));
  expect(await reported(site)).toEqual(before);
});

test("an own export as Parquet is imported from an upload, and the same again changes nothing", async () => {
  const left = await siteWithEvents();
  const files = { "events.parquet": await exported(left, "parquet"), "b.ndjson": await exported(left, "ndjson") };
  const site = await expectMoved(left, files);
  expect((await imported(site, files)).sums.notes).toEqual(["0 events were added, 8 were stored already."]);
  expect(await factsOf(site)).toEqual(await factsOf(left));
});

test("an own export as gzip is imported from an upload", { tags: "full" }, async () => {
  const left = await siteWithEvents();
  await expectMoved(left, { "download.csv.gz": gzipSync(await exported(left, "csv")) });
});

test("the export of another site is refused with its hosts, and foreign pages among own ones are named", async () => {
  const [left, site] = [await siteWithEvents(), await makeSite()];
  const text = (await exported(left, "ndjson")).toString();
  expect(await problemOf(site, { "events.ndjson": text })).toMatch(
    new RegExp(`^The events are of pages on ${left.host}, which is no domain of this site\\..* add the domain first`),
  );
  const [first = "", ...others] = text.split("\n");
  const mixed = [first, ...others.map((line) => line.replaceAll(left.host, site.host))].join("\n");
  expect((await checked(site, { "events.ndjson": mixed })).sums.notes).toEqual([
    `1 events are of pages on ${left.host}, which no domain of this site has. They are imported too.`,
  ]);
});

test("events of so many months that their tables would burden the server are refused, and so are visits far from their events", async () => {
  const left = await siteWithEvents();
  const site = await siteAfter(left);
  const text = (await exported(left, "ndjson")).toString();
  const months = () => rowsOf`SELECT count(*)::int AS tables FROM pg_class WHERE relname LIKE 'visit\\_____\\___'`;
  const before = await months();
  const old = text.replaceAll("2025-03-01T", "2009-03-01T");
  expect(await problemOf(site, { "old.ndjson": old })).toMatch(
    /^old\.ndjson: There is an event of 2009-03-01\. .*since 2010-03-20\. The operator/,
  );
  for (const started of ["1999-01-01T00:00:00.000000Z", "2099-01-01T00:00:00.000000Z"]) {
    const far = text.replace(/"visit_started":"[^"]+"/, `"visit_started":"${started}"`);
    expect(await problemOf(site, { "far.ndjson": far })).toMatch(
      /^far\.ndjson: Line 1: visit_started: must be at most 31/,
    );
  }
  expect(await months()).toEqual(before);
});

test("a file with wrong columns, lines or bytes is refused by its name, and nothing of it is stored", async () => {
  const left = await siteWithEvents();
  const site = await siteAfter(left);
  const csv = (await exported(left, "csv")).toString();
  const parquet = await exported(left, "parquet");
  const ndjson = (await exported(left, "ndjson")).toString();
  const others = Buffer.from(await analytics().parquet({ path: "VARCHAR" }, '{"path":"/a"}\n'));
  const refusals: [Files, RegExp][] = [
    [{ "a.csv": csv.replace('"visit_traffic"', '"traffic_of_visit"') }, /^a\.csv: .*lacks the columns visit_traffic/],
    [{ "b.csv": csv.slice(csv.indexOf("\n") + 1) }, /None of the files is known/],
    [{ "c.ndjson": ndjson.slice(0, -200) }, /^c\.ndjson is cut off/],
    [{ "d.ndjson": ndjson.replace('"pageview"', '"seance"') }, /^d\.ndjson: Line 1: type: /],
    [{ "e.parquet": parquet.subarray(0, -9) }, /^e\.parquet cannot be read as Parquet: it is cut off\. Download/],
    [
      { "e2.parquet": others },
      /^e2\.parquet is no export of Footfall: it lacks the columns event_id, time, .* …\. Choose/,
    ],
    [{ "f.parquet.gz": gzipSync(parquet) }, /^f\.parquet\.gz is a Parquet file in an archive\. Unpack it first/],
    [{ "g.zip": zipOf([{ name: "x.parquet", data: parquet }]) }, /^x\.parquet is a Parquet file in an archive/],
    [{ "h.csv.gz": gzipSync(csv).subarray(0, 300) }, /^h\.csv\.gz is damaged/],
    [{ "i.csv": csv, "j.csv": "when,amount\n2025-03-01,9\n" }, /^i\.csv has events of Footfall, and j\.csv has not/],
    [{ "k.zip": zipOf([{ name: "k.csv", data: csv, claims: { size: 100 } }]) }, /is damaged \(too many bytes/],
  ];
  for (const [files, problem] of refusals) expect(await problemOf(site, files)).toMatch(problem);
  expect(await factsOf(site)).toEqual([{ events: 0, visits: 0 }]);
});

test("an import of events that a restart interrupts begins again and adds the rest", async () => {
  const left = await siteWithEvents();
  const site = await siteAfter(left);
  const ndjson = await exported(left, "ndjson");
  await imported(site, { "part.ndjson": ndjson.subarray(0, ndjson.indexOf("\n") + 1) });
  const { import_id } = await checked(site, { "events.ndjson": ndjson });
  await call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id }, NOW);
  await db().importRun.update({ where: { id: import_id }, data: { attempts: 1, readBytes: 10n } });
  await runImports(NOW);
  expect(await runOf(site, import_id)).toMatchObject({
    state: "done",
    sums: { notes: ["3 events were added, 1 were stored already."] },
  });
  expect(await factsOf(site)).toEqual(await factsOf(left));
});
