import { expect, test } from "vitest";
import { call, makeMember, refused } from "@/lib/testing/calls";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { exportTotals } from "@/lib/transfer/export-totals";
import { FOOTFALL_TOTALS } from "@/lib/transfer/footfall-totals";
import { GA4 } from "@/lib/transfer/ga4";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { SERVICES } from "@/lib/transfer/sources";

const NOW = new Date("2025-03-20T12:00:00Z");
const P = (table: string) => `imported_${table}_20250301_20250310.csv`;
const OF_PLAUSIBLE = {
  [P("visitors")]:
    "date,visitors,pageviews,bounces,visits,visit_duration\n2025-03-01,10,30,4,12,600\n2025-03-02,20,50,5,25,1500\n",
  [P("custom_events")]:
    "date,name,link_url,path,visitors,events\n2025-03-01,=1+1,,/gone,2,7\n2025-03-02,Signup,,/,1,3\n",
  [P("pages")]:
    'date,hostname,page,visits,visitors,pageviews\n2025-03-01,example.com,"/a,""b""",5,4,9\n2025-03-02,example.com,/é,2,2,2\n',
};
const OF_GOOGLE = {
  totals: "Date,Total users,Sessions,Views\n20250227,8,10,25\n",
  countries: "Date,Country ID,Total users,Sessions,Views\n20250227,DE,5,6,20\n20250227,FR,3,4,5\n",
};

async function siteWithImports(): Promise<TestSite> {
  const site = await makeSite();
  await importFiles(site, PLAUSIBLE, OF_PLAUSIBLE, "UTC", NOW);
  await importFiles(site, GA4, OF_GOOGLE, "UTC", NOW);
  return site;
}

const by = (site: TestSite, personId = site.ownerId) => ({
  ...{ principal: { kind: "owner", personId } as const, siteId: site.id, requestId: "test", now: NOW },
});

async function exported(site: TestSite): Promise<string> {
  let text = "";
  for await (const chunk of (await exportTotals(by(site))).chunks) text += chunk;
  return text;
}

/** Returns reports of a site without its domain, which pages are listed with. */
async function reported({ id, ownerId, host }: TestSite) {
  const input = { site_id: id, from: "2025-02-20", to: "2025-03-19" };
  const ask = async (operation: string) => {
    const { meta: _, ...answer } = await call(ownerId, operation, input, NOW);
    return JSON.parse(JSON.stringify(answer).replaceAll(host, "example.com"));
  };
  return [await ask("analytics.overview"), await ask("analytics.campaigns"), await ask("analytics.events")];
}

test("imported totals of several services, exported and imported into an empty site, give the same reports and the same file", async () => {
  const from = await siteWithImports();
  const file = await exported(from);
  const into = await makeSite();
  await importFiles(into, FOOTFALL_TOTALS, { "totals.csv": file }, "UTC", NOW);
  expect(await reported(into)).toEqual(await reported(from));
  const bare = (text: string) => text.replace(/"[a-z0-9_]+"\r\n/g, "\r\n");
  expect(bare(await exported(into))).toBe(bare(file));
  await importFiles(into, FOOTFALL_TOTALS, { "totals.csv": file }, "UTC", NOW);
  expect(await reported(into)).toEqual(await reported(from));
  const { imports } = await call(into.ownerId, "sites.imports.list", { site_id: into.id }, NOW);
  expect(imports).toMatchObject([{ source: "footfall_totals", days: 3, visitors: 38 }]);
});

test("more totals than a page of the export has are each in it once", async () => {
  const site = await makeSite();
  const names = Array.from({ length: 5_600 }, (_, index) => `2025-03-01,Event ${index},,/,1,1`);
  const events = `date,name,link_url,path,visitors,events\n${names.join("\n")}\n`;
  await importFiles(site, PLAUSIBLE, { ...OF_PLAUSIBLE, [P("custom_events")]: events }, "UTC", NOW);
  const found = (await exported(site)).match(/"Event \d+"/g) ?? [];
  expect([found.length, new Set(found).size]).toEqual([names.length, names.length]);
});

test("no cell of exported totals is a formula, and what a service did not tell stays empty", async () => {
  const file = await exported(await siteWithImports());
  expect(file).toContain(`"2025-03-01","event","'=1+1",2,`);
  expect(file).toContain(`"2025-02-27","all","",8,10,,,25,,"ga4"\r\n`);
  expect(file).not.toMatch(/(^|,)"[=+@-]/m);
});

test("totals with wrong columns, dimensions, numbers or days are refused by file and line", async () => {
  const site = await makeSite();
  const file = await exported(await siteWithImports());
  const faults: [string, RegExp][] = [
    [file.replace('"bounces"', '"bounced"'), /totals\.csv: unknown column "bounced"; missing column "bounces"/],
    [file.replace('"country"', '"password"'), /totals\.csv, line \d+: password is not a dimension/],
    [file.replace(",8,10,", ",8.5,10,"), /totals\.csv, line \d+: visitors is not a whole number: 8\.5/],
    [file.replace(",8,10,", ",,10,"), /totals\.csv, line \d+: visitors is missing/],
    [file.replace(",8,10,", ",9999999999,10,"), /more visitors than can be stored/],
    [file.replace('"2025-02-27","all"', '"2025-02-30","all"'), /2025-02-30 is not a date/],
    [file.replace('"2025-02-27","all"', '"2025-03-01","all"'), /more than one row of totals for 2025-03-01/],
    [file.replace(/"2025-02-27","all".*\r\n/, ""), /totals of 1 days are missing/],
  ];
  for (const [text, problem] of faults)
    await expect(importFiles(site, SERVICES.footfall_totals, { "totals.csv": text }, "UTC", NOW)).rejects.toThrow(
      problem,
    );
});

test("managers and their agents export imported totals, in CSV alone; viewers do not", async () => {
  const site = await siteWithImports();
  const ask = (input: object) =>
    call(site.ownerId, "sites.export.download", { site_id: site.id, content: "imported", ...input }, NOW);
  expect((await ask({ format: "csv" })).url).toMatch(/\/downloads\/./);
  expect((await refused(ask({ format: "parquet" })))?.message).toMatch(/format must be csv for imported totals/);
  expect((await refused(ask({ format: "csv", after: "1.2.3" })))?.message).toMatch(/after must be left out/);
  const viewer = await makeMember(site.id, "viewer");
  await expect(exportTotals(by(site, viewer))).rejects.toMatchObject({ code: "role_denied" });
});
