import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import commerce from "@/lib/operations/analytics.commerce";
import events from "@/lib/operations/analytics.events";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { store } from "@/lib/testing/oracle/store";
import { world } from "@/lib/testing/oracle/world";
import { asOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { runs } from "@/lib/testing/tier";
import { exported as exportOf, imported, reimported } from "@/lib/testing/transfer";
import { makePerson, makeSite, send, type TestSite } from "@/lib/testing/world";
import { exportEvents } from "@/lib/transfer/export";
import { importEvents } from "@/lib/transfer/import-events";
import { readExportFile } from "@/lib/transfer/read-export";

const NOW = new Date("2026-01-10T12:00:00Z");

const exported = (site: TestSite, options: Parameters<typeof exportOf>[2] = {}) => exportOf(site, NOW, options);

/** Queries several reports of a site, without the metadata, which contains the site id. */
async function queryReports(site: TestSite, now: Date) {
  const all = await Promise.all([
    execute(overview, asOwner(site, { period: "12mo", traffic: "all" }, now)),
    execute(overview, asOwner(site, { period: "28d", filters: { device: "mobile" } }, now)),
    execute(events, asOwner(site, { period: "12mo" }, now)),
    execute(commerce, asOwner(site, { period: "12mo" }, now)),
  ]);
  return all.map(({ data: { meta: _, ...data } }) => data);
}

const factsOf = (site: TestSite) =>
  rowsOf`
    SELECT (SELECT count(*)::int FROM facts.event WHERE site_id = ${site.id}) AS events,
           (SELECT md5(string_agg(visit::text, ',' ORDER BY visitor_id, started)) FROM facts.visit WHERE site_id = ${site.id}) AS visits`;

test("an export imported into an empty site results in the same reports, and importing it again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const from = await store({ ...made, goals: [], monthly: false });
      const into = await makeSite({ timezone: made.zone });
      const rates = await db().exchangeRate.findMany({ where: { siteId: from.id } });
      await db().exchangeRate.createMany({ data: rates.map((rate) => ({ ...rate, siteId: into.id })) });
      const file = await exported(from);
      const { lines, added } = await imported(into, file, made.zone);
      expect(added).toBe(lines);
      const now = new Date(made.now);
      expect(await queryReports(into, now)).toEqual(await queryReports(from, now));
      const before = await factsOf(into);
      expect(await imported(into, file, made.zone)).toEqual({ lines, added: 0 });
      expect(await factsOf(into)).toEqual(before);
      expect(await queryReports(into, now)).toEqual(await queryReports(from, now));
      expect(bare(await exported(into))).toEqual(bare(file));
    }),
    { numRuns: runs({ full: 4, quick: 1 }) },
  );
});

test.each(["csv", "parquet"] as const)(
  "an export in %s imported into an empty site results in the same reports, rows and values",
  async (format) => {
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        const from = await store({ ...made, goals: [], monthly: false });
        const into = await makeSite({ timezone: made.zone });
        const rates = await db().exchangeRate.findMany({ where: { siteId: from.id } });
        await db().exchangeRate.createMany({ data: rates.map((rate) => ({ ...rate, siteId: into.id })) });
        const { lines, added } = await reimported(from, into, format, NOW, made.zone);
        expect(added).toBe(lines);
        const now = new Date(made.now);
        expect(await queryReports(into, now)).toEqual(await queryReports(from, now));
        expect(amountsOf(bare(await exported(into)))).toEqual(amountsOf(bare(await exported(from))));
        expect(await reimported(from, into, format, NOW, made.zone)).toEqual({ lines, added: 0 });
      }),
      { numRuns: runs({ full: 4, quick: 1 }) },
    );
  },
);

/** A decimal without the zeros at its end, which Parquet does not keep. */
const amountsOf = (lines: string[]) =>
  lines.map((line) =>
    line.replace(/("revenue":"-?\d+)(\.\d*?)0*"/, (_, whole, rest) => `${whole}${rest === "." ? "" : rest}"`),
  );

/** Lines without event ids, which differ between sites. */
const bare = (file: string) =>
  file
    .split("\n")
    .map((line) => line.replace(/^\{"event_id":"[^"]*",/, "{"))
    .sort();

const SMALL_SITE = ["/a", "@Play", "@Play", "@Play", "/b", "/c"];

/** Three visitors around the turn of a month, with identical events at the same time and with values like formulas. */
async function smallSite(): Promise<TestSite> {
  const site = await makeSite();
  const at = (day: string) => ({ at: `2025-${day}T12:00:00Z` });
  await send(site, { name: "pageview", url: `https://${site.host}/a`, title: "=1+1" }, at("03-31"));
  for (let copy = 0; copy < 3; copy++)
    await send(site, { name: "@Play", props: { level: 3 } }, { ...at("03-31"), address: "198.51.100.1" });
  await send(site, "/b", { ...at("04-01"), address: "198.51.100.2" });
  await send(site, "/c", { ...at("07-01"), address: "198.51.100.2" });
  return site;
}

test("an export can be continued after any line, in both formats", async () => {
  const site = await smallSite();
  for (const format of ["ndjson", "csv"] as const) {
    const whole = await exported(site, { format });
    const lines = whole.split(/(?<=\n)/);
    const body = format === "csv" ? lines.slice(1) : lines;
    expect(body.map((line) => /@Play|\/[abc]\b/.exec(line)?.[0])).toEqual(SMALL_SITE);
    for (const [index, line] of body.entries()) {
      const [, after = ""] = /"(?:event_id":")?(\d+\.-?\d+\.\d+)"/.exec(line) ?? [];
      expect(await exported(site, { format, after })).toBe(body.slice(index + 1).join(""));
    }
  }
  await expect(exported(site, { after: "1; DROP" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("no CSV cell is a formula, and negative numbers stay numbers", async () => {
  const csv = await exported(await smallSite(), { format: "csv" });
  expect(csv).toContain(`,"'=1+1",`);
  expect(csv).toContain(`,"'@Play",`);
  expect(csv).toContain(`,"{""level"":3}",`);
  expect(csv).not.toMatch(/(^|,)"?[=+@]|"'-?\d/m);
});

test("texts that look like formulas are the same after an export in CSV and its import, with and without apostrophes", async () => {
  const site = await makeSite();
  const titles = ["=1+1", "'=1+1", "''@x", "'quoted'", "-", "'"];
  for (const [index, title] of titles.entries()) {
    const page = { name: "pageview", url: `https://${site.host}/${index}`, title };
    await send(site, page, { at: "2025-03-31T12:00:00Z" });
  }
  const into = await makeSite();
  expect(await reimported(site, into, "csv", NOW)).toEqual({ lines: titles.length, added: titles.length });
  expect(bare(await exported(into))).toEqual(bare(await exported(site)));
});

test("a CSV file of something else, a compressed and a damaged Parquet file are refused with the reason", async () => {
  const site = await makeSite();
  const folder = await mkdtemp(path.join(tmpdir(), "footfall-refused-"));
  const refusalOf = async (content: string | Buffer) => {
    const file = path.join(folder, "export");
    await writeFile(file, content);
    const target = { siteId: site.id, timezone: "UTC", pageQuery: [], host: site.host, now: NOW };
    return importEvents(readExportFile(file), target).then(
      String,
      (error) => `${error.constructor.name}: ${error.message}`,
    );
  };
  try {
    expect(await refusalOf("date,visitors\n2026-01-01,3\n")).toMatch(
      /^ImportRefused: .*lacks the columns event_id, time/,
    );
    expect(await refusalOf("PAR1 and then nothing of Parquet")).toMatch(
      /^ImportRefused: export cannot be read as Parquet: it is cut off\. Download the export again/,
    );
    expect(await refusalOf(gzipSync("PAR1 and more"))).toMatch(/^ImportRefused: .*unpack it/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a file of an earlier version, whose lines have further fields of the visit, is imported like one of this version", async () => {
  const site = await smallSite();
  const file = await exported(site);
  const earlier = file.replaceAll(
    '"visit_interactions"',
    '"visit_events":7,"visit_engagement_ms":61000,"visit_interactions"',
  );
  expect(earlier.match(/visit_events/g)).toHaveLength(6);
  const into = await makeSite();
  expect(await imported(into, earlier)).toEqual({ lines: 6, added: 6 });
  expect(bare(await exported(into))).toEqual(bare(file));
  expect(await imported(into, file)).toEqual({ lines: 6, added: 0 });
});

test("managers export with an audit entry; viewers, non-members and former managers cannot", async () => {
  const site = await smallSite();
  const personId = await makePerson();
  const as = (role: "manager" | "viewer") =>
    db().membership.upsert({
      where: { siteId_personId: { siteId: site.id, personId } },
      create: { siteId: site.id, personId, role, createdAt: NOW },
      update: { role },
    });
  const by = { principal: { kind: "owner", personId } as const, siteId: site.id, requestId: "test", now: NOW };
  const start = () => exportEvents(by, { format: "ndjson", after: null });
  await expect(start()).rejects.toMatchObject({ code: "site_not_granted" });
  await as("viewer");
  await expect(start()).rejects.toMatchObject({ code: "role_denied" });
  expect(await db().audit.count({ where: { siteId: site.id, operation: "events.export" } })).toBe(0);
  await as("manager");
  const { chunks, fileName } = await start();
  expect(fileName).toBe(`${site.host}-events-2026-01-10.ndjson`);
  expect(await db().audit.findFirst({ where: { siteId: site.id, personId } })).toMatchObject({
    operation: "events.export",
    detail: { format: "ndjson" },
  });
  expect((await chunks.next()).value).toMatch(/"path":"\/a"/);
  await as("viewer");
  await expect(chunks.next()).rejects.toMatchObject({ code: "role_denied" });
});

test("an invalid line is reported by number, earlier lines stay imported, and the fixed file adds only the rest", async () => {
  const site = await smallSite();
  const file = await exported(site);
  const into = await makeSite();
  const lines = file.split("\n");
  const broken = lines.with(2, (lines[2] ?? "").slice(0, 200)).join("\n");
  await expect(imported(into, broken)).rejects.toThrow(/^Line 3: it is incomplete.*import the file again/);
  const wrong = lines.with(2, (lines[2] ?? "").replace('"event"', '"seance"')).join("\n");
  await expect(imported(into, wrong)).rejects.toThrow(/^Line 3: type: .*fix or remove the line/);
  const at = (time: string) => lines.with(2, (lines[2] ?? "").replace(/"time":"[^"]+"/, `"time":"${time}"`)).join("\n");
  for (const [time, why] of [
    ["2023-02-29T09:30:00.000000Z", /^Line 3: time: must be a time that exists.*fix or remove the line/],
    ["2025-11-31T09:30:00.000000Z", /^Line 3: time: must be a time that exists/],
    ["0999-01-01T09:30:00.000000Z", /^Line 3: time: .*in the years 1970 to 2100/],
    ["2026-01-11T00:00:00.000000Z", /^Line 3: time: 2026-01-11 is in the future: today is 2026-01-10 in UTC/],
  ] as const) {
    await expect(imported(into, at(time), "UTC", NOW)).rejects.toThrow(why);
  }
  expect(await imported(into, file)).toEqual({ lines: 6, added: 4 });
  // Importing it into its original site adds nothing either.
  expect(await imported(site, file)).toEqual({ lines: 6, added: 0 });
});
