import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { test as concurrent, expect } from "vitest";
import { uploadAsAgent } from "@/lib/api/uploads";
import { db } from "@/lib/platform/db";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { dataDirForTests } from "@/lib/testing/data-dir";
import { databaseForTests } from "@/lib/testing/database";
import { callApi, makeClient, makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";
import { type ZipEntry, zipOf } from "@/lib/testing/zip";
import { runImports } from "@/lib/transfer/import-runs";
import { pathOf, storePart, sweepUploads, UPLOAD_LIMITS } from "@/lib/transfer/uploads";

/**
 * Imports of uploaded files: upload, check, start, undo. One after the other, because the job works for all sites of the
 * database and deletes the files of others.
 */

const test = concurrent.sequential;

databaseForTests();
dataDirForTests();

const NOW = new Date("2025-03-20T12:00:00Z");
const TOTALS = `date,visitors,pageviews,bounces,visits,visit_duration
2025-03-01,10,30,4,12,600
2025-03-02,20,50,5,25,1500
`;
const DEVICES = `date,device,visitors,visits,visit_duration,bounces,pageviews
2025-03-01,Mobile,4,5,100,1,10
2025-03-01,Desktop,6,7,500,3,20
`;
const PROPS = "date,property,value,visitors,events\n2025-03-01,plan,pro,9,40\n";
const P = (table: string) => `imported_${table}_20250301_20250302.csv`;

type Who = TestSite & { personId?: number };
const as = (site: Who) => site.personId ?? site.ownerId;

/** Uploads a file in two parts. @returns its id */
async function uploaded(site: Who, name: string, content: Buffer | string): Promise<string> {
  const bytes = Buffer.from(content);
  const { file_id } = await call(as(site), "sites.imports.upload", { site_id: site.id, name, size: bytes.length }, NOW);
  const half = Math.ceil(bytes.length / 2);
  await storePart(file_id, 0, bytes.subarray(0, half), NOW);
  await storePart(file_id, half, bytes.subarray(half), NOW);
  return file_id;
}

async function checked(site: Who, files: readonly ZipEntry[]) {
  const ids = [];
  for (const { name, data } of files) ids.push(await uploaded(site, name, data));
  return checkedIds(site, ids);
}

async function checkedIds(site: Who, files: readonly string[]) {
  const { import_id } = await call(as(site), "sites.imports.create", { site_id: site.id, files }, NOW);
  await runImports(NOW);
  return runOf(site, import_id);
}

const list = (site: TestSite) => call(site.ownerId, "sites.imports.list", { site_id: site.id }, NOW);
const runOf = async (site: TestSite, id: string) =>
  (await list(site)).runs.find((run: { import_id: string }) => run.import_id === id);

async function imported(site: TestSite, importId: string) {
  await call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id: importId }, NOW);
  await runImports(NOW);
  return runOf(site, importId);
}

const problemOf = async (name: string, data: Buffer | string) =>
  (await checked(await makeSite(), [{ name, data }])).problem;

const EXPORT = zipOf([
  { name: "__MACOSX/._imported_visitors.csv", data: "junk" },
  { name: `export/${P("visitors")}`, data: TOTALS },
  { name: `export/${P("devices")}`, data: DEVICES },
  { name: `export/${P("custom_props")}`, data: PROPS },
]);

test("a zip is recognised by its content, previewed with exact numbers, imported, and undone", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-02T12:00:00Z" });
  const preview = await checked(site, [{ name: "download (3).zip", data: EXPORT }]);
  const sums = {
    from: "2025-03-01",
    to: "2025-03-01",
    days: 1,
    own_days: 1,
    replaced_days: 0,
    earlier_days: 0,
    rows: 4,
    visitors: 10,
    visits: 12,
    pageviews: 30,
    events: null,
    dimensions: ["device"],
    notes: [`export/${P("custom_props")} is skipped: event properties cannot be stored in daily sums.`],
  };
  expect(preview).toMatchObject({
    state: "ready",
    source: "plausible",
    files: ["download (3).zip"],
    progress: 1,
    sums,
  });
  expect((await list(site)).imports).toEqual([]);

  const done = await imported(site, preview.import_id);
  expect(done).toMatchObject({ state: "done", sums, problem: null });
  expect((await list(site)).imports).toMatchObject([{ source: "plausible", days: 1, visitors: 10, visits: 12 }]);
  expect(await db().importFile.count({ where: { siteId: site.id } })).toBe(0);

  await call(site.ownerId, "sites.imports.delete", { site_id: site.id, source: "plausible" }, NOW);
  expect((await list(site)).imports).toEqual([]);
});

test("an import says how many days its service had before, so that it is known whether deleting them undoes it alone", async () => {
  const site = await makeSite();
  const of = async (name: string, data: string) => {
    const preview = await checked(site, [{ name, data }]);
    const done = await imported(site, preview.import_id);
    return [preview, done].map(({ sums }) => [sums.replaced_days, sums.earlier_days]);
  };
  const february = TOTALS.replaceAll("2025-03-", "2025-02-");
  const umami =
    "event_id,website_id,session_id,visit_id,created_at,url_path,event_type\ne,w,s,v,2025-01-07 10:00:00,/,1\n";
  expect(await of(P("visitors"), TOTALS)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(await of("website_event.csv", umami)).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(await of(P("visitors"), february)).toEqual([
    [0, 2],
    [0, 2],
  ]);
  expect(await of(P("devices"), DEVICES)).toEqual([
    [0, 4],
    [0, 4],
  ]);
  await call(site.ownerId, "sites.imports.delete", { site_id: site.id, source: "plausible" }, NOW);
  expect((await list(site)).imports).toMatchObject([{ source: "umami", days: 1 }]);
  expect(await of(P("visitors"), TOTALS)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test("importing the same files twice changes nothing, and the preview says which days are replaced", async () => {
  const site = await makeSite();
  const files = [{ name: P("visitors"), data: TOTALS }];
  await imported(site, (await checked(site, files)).import_id);
  const before = (await list(site)).imports;
  const again = await checked(site, files);
  expect(again.sums).toMatchObject({ days: 2, replaced_days: 2, visitors: 30 });
  await imported(site, again.import_id);
  // A second start of an import that is done changes nothing either.
  await imported(site, again.import_id);
  expect((await list(site)).imports).toEqual(before);
});

test("an import that a restart interrupts begins again, and fails with a reason after some attempts", async () => {
  const site = await makeSite();
  const { import_id } = await checked(site, [{ name: P("visitors"), data: TOTALS }]);
  await call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id }, NOW);
  await db().importRun.update({ where: { id: import_id }, data: { attempts: 1, readBytes: 10n } });
  await runImports(NOW);
  expect(await runOf(site, import_id)).toMatchObject({ state: "done" });

  const next = await checked(site, [{ name: P("visitors"), data: TOTALS }]);
  await call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id: next.import_id }, NOW);
  await db().importRun.update({ where: { id: next.import_id }, data: { attempts: 5 } });
  await runImports(NOW);
  expect(await runOf(site, next.import_id)).toMatchObject({
    state: "failed",
    problem: expect.stringMatching(/did not finish/),
  });
});

test("a column that cannot be recognised is asked for, and the answer checks the same files again", async () => {
  const site = await makeSite();
  const data = "Datum,Besoekers,Besoeke,Kyke\n20250301,8,10,25\n20250302,3,4,5\n";
  const failed = await checked(site, [{ name: "export/af.csv", data }]);
  expect(failed).toMatchObject({
    state: "failed",
    source: null,
    questions: [
      { file: "export/af.csv", column: "Besoekers", examples: ["8", "3"], suggestion: "visitors" },
      { column: "Besoeke", suggestion: "visits" },
      { column: "Kyke", suggestion: "pageviews" },
    ],
  });
  const columns = failed.questions.map(({ file, column, suggestion }: Record<string, string>) => ({
    file,
    column,
    meaning: suggestion,
  }));
  const again = (answers: object[]) =>
    call(site.ownerId, "sites.imports.create", { site_id: site.id, files: failed.file_ids, columns: answers }, NOW);
  expect((await refused(again([{ ...columns[0], meaning: "money" }])))?.message).toMatch(/meaning must be one of date/);
  const { import_id } = await again(columns);
  await runImports(NOW);
  expect(await runOf(site, import_id)).toMatchObject({
    state: "ready",
    source: "ga4",
    questions: [],
    sums: { days: 2, visitors: 11, visits: 14, pageviews: 30 },
  });
});

test("files that no service has are refused by name, with their columns and what is expected", async () => {
  const site = await makeSite();
  const run = await checked(site, [
    { name: "sales.csv", data: "when,amount\n2025-03-01,9\n" },
    { name: "empty.csv", data: "\n" },
  ]);
  expect(run).toMatchObject({ state: "failed", sums: null, source: null });
  expect(run.problem).toMatch(/^None of the files is known\.\n/);
  expect(run.problem).toMatch(
    /sales\.csv: columns "when", "amount"\.\nempty\.csv: it is empty\.\nExpected one of:\nFootfall: .*\nPlausible: /,
  );
  expect(await problemOf("totals.csv", "Date,Total users,Sessions,Views,Weather\n20250301,1,1,1,rain\n")).toMatch(
    /totals\.csv: unknown column "Weather"/,
  );
  expect(await problemOf("browsers.csv", "x,y\nchrome,99\n")).toMatch(
    /browsers\.csv: its columns are x, y\.\n.*no dates/,
  );
});

test("an archive whose entries point out of a folder, or that holds another archive, is refused", async () => {
  expect(await problemOf("a.zip", zipOf([{ name: "../../etc/cron.d/x.csv", data: TOTALS }]))).toMatch(
    /a\.zip is damaged \(invalid relative path/,
  );
  expect(await problemOf("b.zip", zipOf([{ name: "/etc/passwd", data: TOTALS }]))).toMatch(/absolute path/);
  expect(await problemOf("c.zip", zipOf([{ name: "inner.zip", data: EXPORT }]))).toMatch(/archive within an archive/);
  expect(await problemOf("d.gz", gzipSync(gzipSync(TOTALS)))).toMatch(/archive within an archive/);
});

test("an archive that unpacks to more than it says, or than is allowed, is refused", async () => {
  const bomb = zipOf([{ name: P("visitors"), data: TOTALS.repeat(1000), claims: { size: 100 } }]);
  expect(await problemOf("bomb.zip", bomb)).toMatch(/is damaged \(too many bytes/);
  const huge = Array.from({ length: 3 }, (_, index) => ({
    name: `${index}.csv`,
    data: "a",
    claims: { size: 2 ** 31 },
  }));
  expect(await problemOf("huge.zip", zipOf(huge))).toMatch(/huge\.zip unpacks to more than 4096 MiB/);
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `${index}.csv`, data: "a,b\n" }));
  expect(await problemOf("many.zip", zipOf(many))).toMatch(/more than 1000 files/);
});

test("an encrypted, truncated or unknown archive is refused with the way out", async () => {
  expect(await problemOf("e.zip", zipOf([{ name: "a.csv", data: TOTALS, claims: { flags: 1 } }]))).toMatch(
    /is encrypted/,
  );
  expect(await problemOf("m.zip", zipOf([{ name: "a.csv", data: TOTALS, claims: { method: 12 } }]))).toMatch(
    /not supported/,
  );
  expect(await problemOf("t.zip", EXPORT.subarray(0, 300))).toMatch(/t\.zip is damaged/);
  expect(await problemOf("t.csv.gz", gzipSync(TOTALS).subarray(0, 40))).toMatch(/t\.csv\.gz is damaged/);
});

test("two files of one name are refused, because their days would count twice", async () => {
  const twice = zipOf([
    { name: P("visitors"), data: TOTALS },
    { name: P("visitors"), data: TOTALS },
  ]);
  expect(await problemOf("twice.zip", twice)).toMatch(/occurs twice/);
});

test("uploads of other sites and by others than owners are refused, whatever the id", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const id = await uploaded(other, P("visitors"), TOTALS);
  const create = (personId: number, siteId: number) =>
    refused(call(personId, "sites.imports.create", { site_id: siteId, files: [id] }, NOW));
  expect((await create(site.ownerId, site.id))?.code).toBe("not_found");
  expect((await create(site.ownerId, other.id))?.code).toBe("site_not_granted");
  expect((await create(await makeMember(other.id, "manager"), other.id))?.code).toBe("role_denied");
  const run = await checkedIds(other, [id]);
  const start = refused(call(site.ownerId, "sites.imports.start", { site_id: site.id, import_id: run.import_id }, NOW));
  expect((await start)?.code).toBe("not_found");
  expect((await refused(call(await makePerson(), "sites.imports.list", { site_id: other.id }, NOW)))?.code).toBe(
    "site_not_granted",
  );
});

test("an agent uploads a file in parts with its token, and a part that was sent before changes nothing", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId });
  const bytes = Buffer.from(TOTALS);
  const announced = await callApi("sites.imports.upload", {
    token,
    input: { site_id: site.id, name: P("visitors"), size: bytes.length },
  });
  const { file_id } = announced.body.data;
  const put = async (offset: string, part: Uint8Array, { bearer = token, type = "application/octet-stream" } = {}) => {
    const headers: Record<string, string> = { authorization: `Bearer ${bearer}`, "content-type": type };
    const answer = await uploadAsAgent(
      {
        header: (name) => headers[name] ?? null,
        query: new URLSearchParams({ offset }),
        bytes: async (limit) => (part.length > limit ? null : part),
      },
      file_id,
      new Date(),
    );
    const body = JSON.parse(answer.body);
    return body.data?.arrived ?? `${answer.status} ${body.error.code}`;
  };
  expect(await put("0", bytes.subarray(0, 20))).toBe(20);
  expect(await put("0", bytes.subarray(0, 20))).toBe(20);
  expect(await put("30", bytes.subarray(30))).toBe("422 invalid_input");
  expect(await put("20", Buffer.concat([bytes.subarray(20), Buffer.from("more")]))).toBe("422 invalid_input");
  expect(await put("-1", bytes)).toBe("422 invalid_input");
  expect(await put("20", bytes.subarray(20), { type: "text/csv" })).toBe("415 unsupported_media_type");
  expect(await put("20", bytes.subarray(20), { bearer: "ff_none" })).toBe("401 invalid_token");
  const early = await callApi("sites.imports.create", { token, input: { site_id: site.id, files: [file_id] } });
  expect(early.body.error.message).toMatch(/20 of \d+ bytes have arrived/);
  expect(await put("20", bytes.subarray(20))).toBe(bytes.length);
  const reader = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  expect(await put("0", bytes, { bearer: reader.token })).toBe("403 insufficient_scope");
});

test("uploads are bounded by file, site and number, and deleted after a day", async () => {
  const site = await makeSite();
  const announce = (size: number) =>
    refused(call(site.ownerId, "sites.imports.upload", { site_id: site.id, name: "a.csv", size }, NOW));
  expect((await announce(UPLOAD_LIMITS.fileBytes + 1))?.message).toMatch(/size is more than 512 MiB/);
  expect(await announce(UPLOAD_LIMITS.fileBytes)).toBeNull();
  expect(await announce(UPLOAD_LIMITS.fileBytes)).toBeNull();
  expect((await announce(1))?.code).toBe("quota_exceeded");
  const old = await makeSite();
  const id = await uploaded(old, "a.csv", TOTALS);
  expect(existsSync(pathOf(id))).toBe(true);
  expect((await refused(storePart("../../secrets", 0, Buffer.from("x"), NOW)))?.code).toBe("not_found");
  expect((await refused(storePart(randomUUID(), 0, Buffer.from("x"), NOW)))?.code).toBe("not_found");
  const later = new Date(NOW.getTime() + UPLOAD_LIMITS.keptMs);
  expect((await refused(storePart(id, 0, Buffer.from("x"), later)))?.code).toBe("not_found");
  await db().site.delete({ where: { id: old.id } });
  await sweepUploads(NOW);
  expect(existsSync(pathOf(id))).toBe(false);
});
