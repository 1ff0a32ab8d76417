import { expect, test } from "vitest";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { reportAsOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { GOATCOUNTER } from "@/lib/transfer/goatcounter";
import { SIMPLE_ANALYTICS } from "@/lib/transfer/simple-analytics";

/** Simple Analytics and GoatCounter, whose exports have single pageviews or counts of them. */

const NOW = new Date("2025-03-20T12:00:00Z");
const RANGE = { from: "2025-02-20", to: "2025-03-19" };
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";

const metricsOf = async (site: TestSite) => (await reportAsOwner(overview, site, RANGE, NOW.toISOString())).metrics;

interface Row {
  values: (string | null)[];
  visitors: number;
  visits: number | null;
  pageviews: number | null;
}

/** Returns what reports show by one dimension, as `value: visitors visits pageviews`. */
async function by(site: TestSite, dimension: string): Promise<string[]> {
  const input = { ...RANGE, dimensions: dimension, metrics: "visitors,visits,pageviews" };
  const { rows } = await reportAsOwner(explore, site, input, NOW.toISOString());
  const shown = ({ values: [value], visitors, visits, pageviews }: Row) =>
    `${value ?? ""}: ${visitors} ${visits} ${pageviews}`;
  return rows.map(shown).sort();
}

const dimensionsOf = (site: TestSite) =>
  rowsOf`SELECT DISTINCT dimension FROM facts.imported WHERE site_id = ${site.id} ORDER BY 1`;

const importing = (site: TestSite, service: typeof GOATCOUNTER, files: Record<string, string>, timezone?: string) =>
  importFiles(site, service, files, timezone, NOW);

const POINTS = `added_iso,added_unix,uuid,hostname,path,is_unique,is_robot,document_referrer,utm_source,utm_medium,utm_campaign,country_code,device_type,browser_name,os_name,duration_seconds,scrolled_percentage,session_id,metadata.plan_text
2025-03-01T09:00:00.000Z,1740819600,u1,www.shop.example,/,true,false,https://www.google.com/,,,,NL,desktop,Google Chrome,Windows,12,80,s1,
2025-03-01T09:01:00.000Z,1740819660,u2,shop.example,/prices?b=1,false,false,https://shop.example/,,,,NL,desktop,Google Chrome,Windows,30,100,s2,pro
2025-03-01T10:00:00.000Z,1740823200,u3,shop.example,/prices,true,false,,newsletter,email,spring,de,mobile,Mobile Safari,iOS,,,s3,
2025-03-01T10:30:00.000Z,1740825000,u4,shop.example,/,true,true,,,,,US,desktop,,,,,s4,
2025-03-02T23:30:00.000Z,1740958200,u5,shop.example,/,true,false,https://shop.example/,,,,FR,tablet,Firefox,Android,4,10,s5,
`;
const POINT_EVENTS = `added_iso,datapoint,path,uuid,session_id,hostname
2025-03-01T09:02:00.000Z,signup,/prices,e1,s2,shop.example
2025-03-01T09:03:00.000Z,signup,/prices,e2,s2,shop.example
2025-03-01T11:00:00.000Z,404,/gone,e3,s9,shop.example
`;

test("data points of Simple Analytics give its visitors, pageviews and events by day, and what it does not tell stays unknown", async () => {
  const site = await makeSite();
  const files = { "pageviews.csv": POINTS, "events.csv": POINT_EVENTS };
  const first = await importing(site, SIMPLE_ANALYTICS, files);
  expect(first).toMatchObject({ rows: 7, days: 2, ownDays: 0 });
  expect(first.skipped.join("\n")).toMatch(/metadata cannot be stored[\s\S]*1 rows skipped: robots/);
  const metrics = await metricsOf(site);
  expect(metrics).toMatchObject({
    visitors: 3,
    visits: 3,
    pageviews: 4,
    events: 3,
    bounce_rate: null,
    visit_duration: null,
  });
  expect(await by(site, "source")).toEqual([": 1 1 null", "Google: 1 1 null", "newsletter: 1 1 null"]);
  expect(await by(site, "channel")).toEqual(["Direct: 1 1 null", "Email: 1 1 null", "Organic Search: 1 1 null"]);
  expect(await by(site, "country")).toEqual(["DE: 1 1 1", "FR: 1 1 1", "NL: 1 1 2"]);
  expect(await by(site, "browser")).toEqual(["Chrome: 1 1 2", "Firefox: 1 1 1", "Mobile Safari: 1 1 1"]);
  expect(await by(site, "device")).toEqual(["Desktop: 1 1 2", "Mobile: 1 1 1", "Tablet: 1 1 1"]);
  expect(await by(site, "entry_page")).toEqual(["/: 2 2 null", "/prices: 1 1 null"]);
  expect(await by(site, "event")).toEqual(["404: 1 null null", "signup: 1 null null"]);
  await importing(site, SIMPLE_ANALYTICS, files);
  expect(await metricsOf(site)).toEqual(metrics);
});

test("days of single events are those of the site, also where the export has only seconds since 1970", async () => {
  const [auckland, bare] = [await makeSite(), await makeSite()];
  await importing(auckland, SIMPLE_ANALYTICS, { "a.csv": POINTS }, "Pacific/Auckland");
  expect(
    await rowsOf`SELECT day::text, visitors FROM facts.imported WHERE site_id = ${auckland.id} AND dimension = 0 ORDER BY day`,
  ).toEqual([
    { day: "2025-03-01", visitors: 2 },
    { day: "2025-03-03", visitors: 1 },
  ]);
  await importing(bare, SIMPLE_ANALYTICS, {
    "a.csv": "added_unix,path,is_unique\n1740819600,/,1\n1740819600123,/b,0\n",
  });
  expect(await metricsOf(bare)).toMatchObject({ visitors: 1, pageviews: 2 });
  // Columns that were not exported are no dimension with only unknown values.
  expect(await dimensionsOf(bare)).toHaveLength(3);
});

const GOAT = `2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date
/,Home,0,,Firefox 83,Windows 10,1a-2b,0,news.example.org/story,h,"1280,768,1",NZ,1,2025-03-01T09:00:00Z
/about,About,0,,Firefox 83,Windows 10,1a-2b,0,,,"1280,768,1",NZ,1,2025-03-01T09:05:00Z
signup,Sign up,1,,Firefox 83,Windows 10,1a-2b,0,,,"1280,768,1",NZ,1,2025-03-01T09:06:00Z
/,Home,false,"${IPHONE}",Safari 17.0,iOS 17,3c-4d,0,Hacker News,g,"390,844,3",US-TX,true,2025-03-01T10:00:00Z
/,Home,0,,Chrome 120,Linux Ubuntu,5e-6f,7,,,,US,1,2025-03-01T10:01:00Z
/,Home,0,,,,0-0,0,letter,c,,,1,2025-03-02T10:00:00Z
/,Home,0,,,,0-0,0,org.fox.ttrss,o,,,1,2025-03-02T11:00:00Z
`;

test("the CSV of GoatCounter gives a visit for each session, with its first referrer, and skips robots", async () => {
  const site = await makeSite();
  const read = await importing(site, GOATCOUNTER, { "goatcounter-export.csv": GOAT });
  expect(read).toMatchObject({ rows: 6, days: 2, skipped: ["goatcounter-export.csv: 1 rows skipped: robots."] });
  expect(await metricsOf(site)).toMatchObject({
    visitors: 4,
    visits: 4,
    pageviews: 5,
    events: 1,
    bounce_rate: 0.75,
    visit_duration: 90,
  });
  expect(await by(site, "source")).toEqual([
    "Hacker News: 1 1 1",
    "letter: 1 1 1",
    "news.example.org: 1 1 2",
    "org.fox.ttrss: 1 1 1",
  ]);
  expect(await by(site, "country")).toEqual([": 2 2 2", "NZ: 1 1 2", "US: 1 1 1"]);
  expect(await by(site, "os")).toEqual([": 2 2 2", "Windows: 1 1 2", "iOS: 1 1 1"]);
  expect(await by(site, "exit_page")).toEqual(["/: 3 3 3", "/about: 1 1 2"]);
});

test("version 1 of GoatCounter's CSV has its columns in another order, and the user agent as its browser", async () => {
  const site = await makeSite();
  const text = `1Path,Title,Event,Bot,Session,FirstVisit,Referrer,Referrer scheme,Browser,Screen size,Location,Date
/,Home,false,0,1a-2b,true,,,"${CHROME}","1280,768,1",DE,2020-12-01T00:07:10Z
/b,Home,false,0,1a-2b,true,,,"${CHROME}","1280,768,1",DE,2020-12-01T00:08:10+00:00
`;
  await importing(site, GOATCOUNTER, { "old.csv": text });
  const input = { from: "2020-12-01", to: "2020-12-01", dimensions: "browser", metrics: "visitors,pageviews" };
  const { rows } = await reportAsOwner(explore, site, input, NOW.toISOString());
  expect(rows).toMatchObject([{ values: ["Chrome"], visitors: 1, pageviews: 2 }]);
});

const COUNTS = {
  "e/info.json": `{\n  "export_version": "1.0",\n  "goatcounter_version": "2.7",\n  "created_for": "x",\n  "created_by": "y",\n  "created_at": "2025-03-07T16:49:27Z"\n}`,
  "e/paths.jsonl": `{"id": 1, "path": "/", "title": "Home"}\n{"id": 2, "path": "/b", "title": ""}\n{"id": 3, "path": "signup", "title": "", "event": true}\n`,
  "e/refs.jsonl": `{"id": 1, "ref": "", "ref_scheme": "o"}\n{"id": 2, "ref": "Google", "ref_scheme": "g"}\n{"id": 3, "ref": "a.example/x", "ref_scheme": "h"}\n`,
  "e/browsers.jsonl": `{"id": 1, "name": "Chrome", "version": "46"}\n{"id": 2, "name": "Chrome", "version": "47"}\n`,
  "e/systems.jsonl": `{"id": 1, "name": "Windows", "version": "10"}\n`,
  "e/locations.jsonl": `{"country": "DE", "region": "BW", "country_name": "Germany", "region_name": "Baden"}\n`,
  "e/languages.jsonl": `{"iso_639_3": "deu", "name": "German"}\n`,
  "e/hit_stats.jsonl": `{"hour": "2025-03-01T09:00:00Z", "path_id": 1, "ref_id": 2, "count": 4}
{"hour": "2025-03-01T10:00:00Z", "path_id": 1, "ref_id": 1, "count": 3}
{"hour": "2025-03-01T10:00:00Z", "path_id": 2, "ref_id": 3, "count": 2}
{"hour": "2025-03-01T11:00:00Z", "path_id": 3, "ref_id": 1, "count": 5}
`,
  "e/browser_stats.jsonl": `{"day": "2025-03-01", "path_id": 1, "browser_id": 1, "count": 3}\n{"day": "2025-03-01", "path_id": 1, "browser_id": 2, "count": 6}\n{"day": "2025-03-01", "path_id": 3, "browser_id": 2, "count": 5}\n`,
  "e/system_stats.jsonl": `{"day": "2025-03-01", "path_id": 1, "system_id": 1, "count": 9}\n`,
  "e/location_stats.jsonl": `{"day": "2025-03-01", "path_id": 1, "location": "DE-BW", "count": 4}\n{"day": "2025-03-01", "path_id": 1, "location": "DE", "count": 5}\n`,
  "e/language_stats.jsonl": `{"day": "2025-03-01", "path_id": 1, "language": "deu", "count": 9}\n`,
  "e/size_stats.jsonl": "",
};

test("the JSON export of GoatCounter gives its counts by day, and no bounces and durations, which it does not have", async () => {
  const site = await makeSite();
  const read = await importing(site, GOATCOUNTER, COUNTS);
  expect(read.skipped.join("\n")).toMatch(
    /a visitor and a visit once for each page of a session[\s\S]*e\/size_stats.jsonl is skipped: it is empty/,
  );
  expect(await metricsOf(site)).toMatchObject({
    visitors: 9,
    visits: 9,
    pageviews: 9,
    events: 5,
    bounce_rate: null,
  });
  expect(await by(site, "page")).toEqual(["/: 7 7 7", "/b: 2 2 2"]);
  expect(await by(site, "source")).toEqual([": 3 3 null", "Google: 4 4 null", "a.example: 2 2 null"]);
  expect(await by(site, "browser")).toEqual(["Chrome: 9 9 null"]);
  expect(await by(site, "country")).toEqual(["DE: 9 9 null"]);
  // The hours are UTC, and the site's days are not.
  const kiribati = await makeSite();
  await importing(kiribati, GOATCOUNTER, COUNTS, "Pacific/Kiritimati");
  expect(
    await rowsOf`SELECT day::text, visitors FROM facts.imported WHERE site_id = ${kiribati.id} AND dimension = 0 ORDER BY day`,
  ).toEqual([
    { day: "2025-03-01", visitors: 4 },
    { day: "2025-03-02", visitors: 5 },
  ]);
});

const refusedBy = async (service: typeof GOATCOUNTER, files: Record<string, string>) => {
  const site = await makeSite();
  const reason = await importing(site, service, files).then(
    () => "imported",
    (error: Error) => error.message,
  );
  expect(await rowsOf`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  return reason;
};

test("hostile and incomplete files of Simple Analytics are refused with the file, the line and the way out", async () => {
  const refused = (files: Record<string, string>) => refusedBy(SIMPLE_ANALYTICS, files);
  expect(await refused({ "a.csv": "added_iso,path,is_unique,iq\n2025-03-01T09:00:00Z,/,true,9\n" })).toMatch(
    /a.csv: unknown column "iq"/,
  );
  expect(await refused({ "a.csv": "added_iso,path\n2025-03-01T09:00:00Z,/\n" })).toMatch(/missing column "is_unique"/);
  expect(await refused({ "a.csv": "added_iso,path,is_unique\n2025-03-01T09:00:00Z,/,perhaps\n" })).toMatch(
    /a.csv, line 2: is_unique is neither/,
  );
  expect(await refused({ "a.csv": "added_iso,path,is_unique\nyesterday,/,true\n" })).toMatch(
    /line 2: added_iso is not a valid time/,
  );
  expect(await refused({ "a.csv": "added_unix,path,is_unique\n1e999,/,true\n" })).toMatch(
    /line 2: added_unix is not a valid time/,
  );
  expect(await refused({ "a.csv": "added_iso,path,is_unique\n2025-03-21T09:00:00Z,/,true\n" })).toMatch(
    /in the future/,
  );
  expect(await refused({ "a.csv": POINTS, "b.csv": POINTS })).toMatch(/occur more than once, by their ids/);
  expect(await refused({ "a.csv": POINTS.replace("u5,shop.example", "u5,other.example") })).toMatch(
    /events of 2 websites/,
  );
  expect(await refused({ "a.csv": POINT_EVENTS })).toMatch(/totals of 1 days are missing/);
  const formula = await makeSite();
  await importing(formula, SIMPLE_ANALYTICS, {
    "a.csv": `added_iso,path,is_unique,utm_source\n2025-03-01T09:00:00Z,/,true,"=cmd|'/c'!A1"\n`,
  });
  expect(await by(formula, "utm_source")).toEqual(["=cmd|'/c'!A1: 1 1 null"]);
});

test("hostile and incomplete files of GoatCounter are refused with the file, the line and the way out", async () => {
  const refused = (files: Record<string, string>) => refusedBy(GOATCOUNTER, files);
  expect(await refused({ "a.csv": GOAT.replace("FirstVisit", "Money") })).toMatch(
    /a.csv: unknown column "money"; missing column "firstvisit"/,
  );
  expect(await refused({ "a.csv": GOAT.replace(",h,", ",z,") })).toMatch(/a.csv, line 2: Referrer scheme is none of/);
  expect(await refused({ "a.csv": GOAT, "b.csv": GOAT })).toMatch(/b.csv has events that another file has too/);
  expect(await refused({ ...COUNTS, "a.csv": GOAT })).toMatch(/both single events and counts/);
  const { "e/refs.jsonl": _, ...incomplete } = COUNTS;
  expect(await refused(incomplete)).toMatch(/lacks refs.jsonl. Choose the zip/);
  expect(await refused({ ...COUNTS, "f/hit_stats.jsonl": COUNTS["e/hit_stats.jsonl"] })).toMatch(
    /hit_stats.jsonl occurs twice/,
  );
  expect(await refused({ ...COUNTS, "e/info.json": COUNTS["e/info.json"].replace("1.0", "2.0") })).toMatch(
    /version 2.0 of the export is unknown/,
  );
  expect(await refused({ ...COUNTS, "e/secrets.jsonl": '{"a": 1}' })).toMatch(
    /e\/secrets.jsonl: an export of GoatCounter has no such file/,
  );
  const changed = (name: keyof typeof COUNTS, line: string) => refused({ ...COUNTS, [name]: COUNTS[name] + line });
  expect(
    await changed("e/hit_stats.jsonl", '{"hour": "2025-03-01T09:00:00Z", "path_id": 1, "ref_id": 2, "count": -4}'),
  ).toMatch(/hit_stats.jsonl, record 5: count is not a/);
  expect(
    await changed("e/hit_stats.jsonl", '{"hour": "2025-03-01T09:00:00Z", "path_id": 1, "ref_id": 2, "count": 4'),
  ).toMatch(/hit_stats.jsonl is cut off/);
  expect(await changed("e/paths.jsonl", '{"id": 1, "path": "/", "title": "x", "__proto__": {"a": 1}}')).toMatch(
    /paths.jsonl: unknown column "__proto__"/,
  );
  const many = `{"id": 9, "path": "/x", "title": "x"}\n`.repeat(25);
  expect(await changed("e/paths.jsonl", `${many}{"id": 4, "path": "/", "title": "x", "site": 2}`)).toMatch(
    /paths.jsonl, record 29: unknown column "site"/,
  );
  expect(await changed("e/info.json", "{\n".repeat(20_000))).toMatch(/info.json is nested more than 64 deep/);
});
