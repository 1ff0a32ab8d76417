import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import chart from "@/lib/operations/analytics.chart";
import events from "@/lib/operations/analytics.events";
import overview from "@/lib/operations/analytics.overview";
import { db } from "@/lib/platform/db";
import { asOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, send, type TestSite } from "@/lib/testing/world";
import type { Service } from "@/lib/transfer/daily-sums";
import { GA4 } from "@/lib/transfer/ga4";
import { PLAUSIBLE } from "@/lib/transfer/plausible";
import { UMAMI } from "@/lib/transfer/umami";

const NOW = new Date("2025-03-20T12:00:00Z");
const TOTALS = `"date","visitors","pageviews","bounces","visits","visit_duration"
"2025-03-01",10,30,4,12,600
"2025-03-02",20,50,5,25,1500
"2025-03-10",99,99,9,99,99
`;
const SOURCES = `date,source,referrer,utm_source,utm_medium,utm_campaign,utm_content,utm_term,pageviews,visitors,visits,visit_duration,bounces
2025-03-01,Google,google.com,,,,,,20,6,7,300,2
2025-03-01,Direct / None,,,,,,,8,3,4,200,1
2025-03-01,Newsletter,,letter,email,"may, the ""fourth""",,,2,1,1,100,1
`;
const PAGES = `date,hostname,page,visits,visitors,pageviews\n2025-03-01,a.example,/b,5,4,9\n2025-03-01,c.example,/b,1,1,2\n`;
const DEVICES = `date,device,visitors,visits,visit_duration,bounces,pageviews\n2025-03-02,Laptop,20,25,1500,5,50\n`;

const queryOverview = async (site: TestSite, more: Record<string, unknown> = {}) =>
  (await execute(overview, asOwner(site, { from: "2025-02-20", to: "2025-03-19", ...more }, NOW))).data;

/** A site with its own data since 10 March. */
async function siteWithOwnData(): Promise<TestSite> {
  const site = await makeSite();
  await send(site, "/b", { at: "2025-03-10T12:00:00Z" });
  return site;
}

const P = (table: string) => `imported_${table}_20250301_20250310.csv`;
const EVENTS = `date,name,link_url,path,visitors,events
2025-03-01,Outbound Link: Click,https://a.example/,,3,4
2025-03-01,Outbound Link: Click,https://b.example/,,1,1
2025-03-01,404,,/gone,2,2
`;
const PROPS = `date,property,value,visitors,events\n2025-03-01,url,https://a.example/,900,1000\n`;
const PLAUSIBLE_FILES = {
  [P("visitors")]: TOTALS,
  [P("sources")]: SOURCES,
  [P("pages")]: PAGES,
  [P("devices")]: DEVICES,
  [P("custom_events")]: EVENTS,
  [P("custom_props")]: PROPS,
};

test("Plausible days are added before the site's own, can be imported repeatedly, and are marked as imported", async () => {
  const site = await siteWithOwnData();
  const files = PLAUSIBLE_FILES;
  const imported = await importFiles(site, PLAUSIBLE, files);
  expect(imported).toEqual({
    rows: 12,
    days: 2,
    ownDays: 1,
    skipped: [`${P("custom_props")} is skipped: event properties cannot be stored in daily sums.`],
  });
  const whole = await queryOverview(site);
  expect(whole.metrics).toMatchObject({ visitors: 31, visits: 38, pageviews: 81, events: 7, bounce_rate: 10 / 38 });
  expect(whole.metrics.visit_duration).toBeCloseTo(2100 / 38);
  const input = { from: "2025-02-20", to: "2025-03-19" };
  const named = (await execute(events, asOwner(site, input, NOW))).data;
  expect(named.events.map(({ event, count, visitors }) => [event, count, visitors])).toEqual([
    ["Outbound Link: Click", 5, 4],
    ["404", 2, 2],
  ]);
  expect(whole.meta.imported).toEqual({ from: "2025-03-01", to: "2025-03-02" });
  const text = JSON.stringify(whole);
  for (const word of ["Google", "Organic Search", "Newsletter", "Email", "Desktop"])
    expect(text).toContain(`"${word}"`);
  expect(text).toMatch(/"\/b"[^}]*"pageviews":12/);
  expect((await queryOverview(site, { traffic: "bot" })).metrics.visitors).toBe(0);
  expect((await queryOverview(site, { filters: { page: "/b" } })).metrics.visitors).toBe(1);
  expect((await queryOverview(site, { from: "2025-03-05" })).meta.imported).toBeUndefined();
  expect((await queryOverview(site, { from: null, to: null, period: "all" })).meta.from).toBe("2025-03-01");

  await importFiles(site, PLAUSIBLE, files);
  expect(await queryOverview(site)).toEqual(whole);
  // Imported days are dates, so they do not depend on the timezone.
  await db().site.update({ where: { id: site.id }, data: { timezone: "Pacific/Auckland" } });
  expect((await queryOverview(site)).metrics).toEqual(whole.metrics);
});

test("a day with own events ignores its imported sums", async () => {
  const site = await makeSite();
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS });
  expect((await queryOverview(site)).metrics.visitors).toBe(129);
  await send(site, "/", { at: "2025-03-02T12:00:00Z" });
  expect((await queryOverview(site)).metrics.visitors).toBe(110);
});

test("files without totals, without days before the site's own, or with an invalid line are refused without a trace", async () => {
  const site = await siteWithOwnData();
  await expect(importFiles(site, PLAUSIBLE, { [P("pages")]: PAGES })).rejects.toThrow(
    /totals of 1 days are missing, starting with 2025-03-01/,
  );
  const late = TOTALS.split("\n").toSpliced(1, 2).join("\n");
  await expect(importFiles(site, PLAUSIBLE, { [P("visitors")]: late })).rejects.toThrow(
    /before the site's own first event/,
  );
  const broken = TOTALS.replace('"2025-03-02",20', '"2025-03-02",many');
  await expect(importFiles(site, PLAUSIBLE, { [P("visitors")]: broken })).rejects.toThrow(
    /^imported_visitors_20250301_20250310.csv, line 3: visitors is not a number: many/,
  );
  expect(await rowsOf`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  const unclosed = `${TOTALS}"2025-03-03,1\n${"2025-03-03,1\n".repeat(100_000)}`;
  await expect(importFiles(site, PLAUSIBLE, { [P("visitors")]: unclosed })).rejects.toThrow(
    "Line 5: a quote is not closed",
  );
});

test("Google Analytics reports are read below their comments, with rates and averages converted to sums", async () => {
  const site = await makeSite();
  const head = "# ----\n# Free form 1\n# 20250301-20250302\n# ----\n\n";
  const totals = `${head}Date,Total users,Sessions,Views,Bounce rate,Average session duration\n20250301,8,10,25,0.4,30.5\n`;
  const countries = `${head}Date,Country ID,Total users,Sessions,Views\n20250301,DE,5,6,20\n20250301,(not set),3,4,5\n`;
  await importFiles(site, GA4, { totals, countries });
  const input = { from: "2025-02-28", to: "2025-03-02", interval: "day" };
  const { data } = await execute(chart, asOwner(site, input, NOW));
  expect(JSON.stringify(data)).toMatch(/"visitors":8.*"pageviews":25/);
  const { metrics } = await queryOverview(site);
  expect(metrics).toMatchObject({ visitors: 8, visits: 10, pageviews: 25, bounce_rate: 0.4, visit_duration: 30.5 });
  expect(JSON.stringify(await queryOverview(site))).toMatch(/"DE"[^}]*"visitors":5/);
});

test("Umami events become daily sums without web vitals, with browsers from its sessions; two websites are refused", async () => {
  const site = await makeSite();
  const head =
    "event_id,website_id,session_id,visit_id,created_at,url_path,referrer_domain,event_type,event_name,hostname,utm_source";
  let id = 0;
  const event = (visit: string, at: string, path: string, more = "1,,a.example,") =>
    `e${id++},w1,s${visit[0]},v${visit},2025-03-01 ${at},${path},www.google.com,${more}`;
  const events = [
    ...[head, event("1a", "10:00:00.5+00", "/"), event("1a", "10:02:00.5+00", "/b"), event("1b", "15:00:00+00", "/b")],
    ...[event("2a", "11:00:00Z", "/"), event("2a", "11:00:10", "/", "2,Signup,a.example,")],
    ...[event("1b", "15:00:01", "/b", "5,,a.example,"), event("2a", "11:00:20", "/", "5,,a.example,"), ""],
  ].join("\n");
  const sessions =
    "session_id,website_id,browser,os,device,country\ns1,w1,ios,iOS,mobile,FR\ns2,w1,edge-chromium,Windows 10,laptop,DE\n";
  await expect(importFiles(site, UMAMI, { events: events.replace("w1", "w2"), sessions })).rejects.toThrow(
    /2 websites/,
  );
  await expect(importFiles(site, UMAMI, { events, again: events, sessions })).rejects.toThrow(
    /5 events occur more than/,
  );
  const other = events.replace("2,Signup", "6,Signup");
  await expect(importFiles(site, UMAMI, { events: other, sessions })).rejects.toThrow(
    "line 6: event_type 6 is unknown",
  );
  expect(await importFiles(site, UMAMI, { events, sessions })).toEqual({
    rows: 7,
    days: 1,
    ownDays: 0,
    skipped: ["events: 2 rows skipped: web vitals, which cannot be stored in daily sums."],
  });
  const { metrics, ...rest } = await queryOverview(site);
  expect(metrics).toMatchObject({ visitors: 2, visits: 3, pageviews: 4, events: 1, bounce_rate: 1 / 3 });
  expect(metrics.visit_duration).toBeCloseTo(130 / 3);
  const text = JSON.stringify(rest);
  for (const word of ["Google", "Organic Search", "Mobile Safari", "Edge", "Windows", "Desktop", "FR"])
    expect(text).toContain(`"${word}"`);
});

const refused = async (service: Service, files: Record<string, string>): Promise<string> => {
  const site = await makeSite();
  const error: unknown = await importFiles(site, service, files).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  expect(await rowsOf`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  expect(await rowsOf`SELECT FROM facts.page WHERE site_id = ${site.id}`).toEqual([]);
  return (error as Error).message;
};

test("a day that does not exist, or has not begun, is refused by file and line, and nothing is imported", async () => {
  const umami = (at: string) =>
    `event_id,website_id,session_id,visit_id,created_at,url_path,event_type\ne1,w,s,v,${at},/,1\n`;
  const isNoDate = "is not a date, such as 2024-02-29; fix or remove the line";
  for (const [service, name, text, message] of [
    [PLAUSIBLE, P("visitors"), TOTALS.replace("2025-03-02", "2023-02-29"), `line 3: 2023-02-29 ${isNoDate}`],
    [PLAUSIBLE, P("visitors"), TOTALS.replace("2025-03-02", "2025-04-31"), `line 3: 2025-04-31 ${isNoDate}`],
    [
      PLAUSIBLE,
      P("visitors"),
      TOTALS.replace("2025-03-02", "0000-01-01"),
      "line 3: 0000-01-01 must be in the years 1970",
    ],
    [GA4, "totals.csv", GA4_TOTALS.replace("20250302,", "20230229,"), `line 8: 20230229 ${isNoDate}`],
    [UMAMI, "website_event.csv", umami("2023-02-29 10:00:00"), "line 2: created_at is not a valid time: 2023-02-29"],
    [UMAMI, "website_event.csv", umami("2025-03-01 10:00:00+99:99"), "line 2: created_at is not a valid time"],
    [PLAUSIBLE, P("visitors"), TOTALS.replace("2025-03-02", "2030-01-01"), "line 3: 2030-01-01 is in the future"],
    [GA4, "totals.csv", GA4_TOTALS.replace("20250302,", "20990101,"), "line 8: 2099-01-01 is in the future"],
    [UMAMI, "website_event.csv", umami("2030-01-01 10:00:00"), "line 2: 2030-01-01 is in the future"],
  ] as const) {
    expect(await refused(service, { [name]: text })).toContain(`${name}, ${message}`);
  }
});

test("today in the site's timezone is imported, and tomorrow is not", async () => {
  const site = await makeSite({ timezone: "Asia/Tokyo" });
  const now = new Date("2025-03-10T16:00:00Z");
  const files = (day: string) => ({ [P("visitors")]: TOTALS.replace("2025-03-10", day) });
  const refusal = importFiles(site, PLAUSIBLE, files("2025-03-12"), "Asia/Tokyo", now);
  await expect(refusal).rejects.toThrow("line 4: 2025-03-12 is in the future: today is 2025-03-11 in Asia/Tokyo");
  expect(await importFiles(site, PLAUSIBLE, files("2025-03-11"), "Asia/Tokyo", now)).toMatchObject({ days: 3 });
});

test("names of events that look the same are imported as one event", async () => {
  const site = await makeSite();
  const lines = ["Signup", " Signup ", "Sign\u200bup"].map((name) => `2025-03-01,${name},,,1,2\n`);
  const custom = `date,name,link_url,path,visitors,events\n${lines.join("")}`;
  await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS, [P("custom_events")]: custom });
  const input = { from: "2025-02-20", to: "2025-03-19" };
  const named = (await execute(events, asOwner(site, input, NOW))).data;
  expect(named.events.map(({ event, count }) => [event, count])).toEqual([["Signup", 6]]);
});

test("unknown files and columns of a Plausible export are refused by name, with the expected files", async () => {
  const message = await refused(PLAUSIBLE, {
    ...PLAUSIBLE_FILES,
    "notes.csv": "date,visitors\n2025-03-01,5\n",
    [P("browsers")]: DEVICES.replace("device", "browser,planet").replace("Laptop", "Chrome,Mars"),
    [P("locations")]: PROPS,
  });
  expect(message).toContain("Nothing was imported: 3 of 9 files cannot be read.");
  expect(message).toContain(
    `notes.csv: neither its name nor its columns "date", "visitors" are those of a file of a Plausible export.`,
  );
  expect(message).toContain(`${P("browsers")}: unknown column "planet"; expected columns: date, browser, visitors,`);
  expect(message).toContain(
    `${P("locations")}: unknown columns "property", "value", "events"; missing columns "country",`,
  );
  expect(message).toMatch(/Expected: the files of a Plausible export.*imported_visitors, imported_sources,/);
});

test("a day and dimension from two files, or totals of a day from two rows, are refused", async () => {
  const again = { [P("visitors")]: TOTALS, "imported_visitors.csv": TOTALS };
  expect(await refused(PLAUSIBLE, again)).toBe(
    `imported_visitors.csv and ${P("visitors")} both have totals for 2025-03-01. Import only one of them.`,
  );
  const split = `${TOTALS}"2025-03-01",1,1,1,1,1\n`;
  expect(await refused(PLAUSIBLE, { [P("visitors")]: split })).toContain("more than one row of totals for 2025-03-01");
  const ragged = TOTALS.replace(",600", ",600,5");
  expect(await refused(PLAUSIBLE, { [P("visitors")]: ragged })).toContain(
    "line 2: it has 7 fields, but the header has 6",
  );
});

const GA4_HEAD = "# ----\n# Free form 1\n# 20250301-20250302\n# ----\n\n";
const GA4_TOTALS = `${GA4_HEAD}Date,Total users,Sessions,Views\n20250301,8,10,25\n20250302,3,4,5\n`;

test("Google Analytics dimensions are never added to the totals: countries by name, sources with medium, cities", {
  tags: "full",
}, async () => {
  const site = await makeSite();
  const of = (dimension: string, words: string[]) =>
    `${GA4_HEAD}Date,${dimension},Total users,Sessions,Views\n${words.map((word) => `20250301,${word},5,6,20\n`).join("")}`;
  const imported = await importFiles(site, GA4, {
    "totals.csv": GA4_TOTALS,
    "country.csv": of("Country", ["Germany", "Türkiye", "(not set)"]),
    "source.csv": of("Session source / medium", ["google / organic", "(direct) / (none)"]),
    "city.csv": of("City", ["Berlin"]),
    "page.csv": `${GA4_HEAD}Date,Page path and screen class,Views,Active users\n20250301,/b,25,8\n`,
    "events.csv": `${GA4_HEAD}Date,Event name,Event count,Total users\n20250301,page_view,25,8\n20250301,purchase,2,1\n`,
  });
  expect(imported.skipped).toEqual([
    "totals.csv: it has no Bounce rate and no Average session duration; unknown for its days.",
    "events.csv: 1 rows skipped: events that Google Analytics records automatically.",
  ]);
  const { metrics, panels } = await queryOverview(site);
  expect(metrics).toMatchObject({ visitors: 11, visits: 14, pageviews: 30, events: 2 });
  const values = (panel: keyof typeof panels) => panels[panel].map(({ value }) => value);
  expect(values("countries").sort()).toEqual(["DE", "TR", null]);
  expect(values("sources").sort()).toEqual(["Google", null]);
  expect(values("utm_mediums")).toEqual(["organic"]);
  expect(values("cities")).toEqual(["Berlin"]);
  expect(panels.pages).toEqual([{ value: "/b", visitors: 8, visits: null, pageviews: 25 }]);
  expect(panels.event_names).toEqual([{ value: "purchase", visitors: 1, visits: null }]);
});

test("Google Analytics files with a totals row, numbered days, German headers or API names are imported", {
  tags: "full",
}, async () => {
  const forms = {
    "a row of totals": GA4_TOTALS.replace("Views\n", "Views\n,11,14,30,Grand total\n"),
    "numbered days": GA4_TOTALS.replace("Date", "Nth day")
      .replace("20250301,8", "0000,8")
      .replace("20250302,3", "0001,3"),
    "German headers": GA4_TOTALS.replace("Date,Total users,Sessions,Views", "Datum,Nutzer insgesamt,Sitzungen,Aufrufe"),
    "the API's names": GA4_TOTALS.replace(
      "Date,Total users,Sessions,Views",
      "date,totalUsers,sessions,screenPageViews",
    ),
  };
  for (const [name, text] of Object.entries(forms)) {
    const site = await makeSite();
    expect([name, await importFiles(site, GA4, { "totals.csv": text })]).toMatchObject([name, { rows: 2, days: 2 }]);
    const { metrics } = await queryOverview(site);
    expect([name, metrics]).toMatchObject([name, { visitors: 11, visits: 14, pageviews: 30 }]);
  }
});

test("unknown Google Analytics columns are refused by file and column, with the expected columns", async () => {
  const column = (name: string) => GA4_TOTALS.replace("Date,", `Date,${name},`).replaceAll("202503", "202503x,");
  const expected = /\nExpected: CSV files with a column Date or Nth day, Total users, and at most one dimension/;
  for (const [name, text, why] of [
    ["title.csv", column("Page title"), 'title.csv: unknown column "Page title".'],
    ["host.csv", column("Hostname"), 'host.csv: unknown column "Hostname".'],
    ["two.csv", column("Country,City"), 'two.csv: columns "Country", "City" are more than one dimension.'],
    ["report.csv", GA4_TOTALS.replace("Date,", "Page path,"), 'report.csv: missing column "Date".'],
    [
      "af.csv",
      GA4_TOTALS.replace("Total users", "Besoekers"),
      'af.csv: unknown column "Besoekers"; missing column "Total users".',
    ],
    [
      "nth.csv",
      GA4_TOTALS.replace("Date", "Nth day").replace("# 20250301-20250302\n", ""),
      "nth.csv: days are numbered, but no comment line",
    ],
    ["empty.csv", "", 'empty.csv: missing columns "Date", "Total users", "Sessions", "Views".'],
  ] as const) {
    const message = await refused(GA4, { "totals.csv": GA4_TOTALS, [name]: text });
    expect(message).toContain(`1 of 2 files cannot be read.\n${why}`);
    expect(message).toMatch(expected);
  }
  const unknown = GA4_TOTALS.replace("Date,", "Date,Country,").replaceAll(/^(202\d+)/gm, "$1,Atlantis");
  expect(await refused(GA4, { "totals.csv": GA4_TOTALS, "country.csv": unknown })).toContain(
    'country.csv, line 7: "Atlantis" is not a known country name',
  );
  const two = `${GA4_TOTALS}\n# Users by country\nCountry,Users\nFR,5\n`;
  expect(await refused(GA4, { "totals.csv": two })).toContain("totals.csv, line 10: a second table starts here");
});

test("lists from Umami's dashboard are refused by name, with the expected tables", async () => {
  const message = await refused(UMAMI, { "browsers.csv": "x,y\nchrome,99\n", "pages.csv": "x,y\n/,123\n" });
  expect(message).toContain(
    "2 of 2 files cannot be read.\nbrowsers.csv: its columns are x, y.\npages.csv: its columns",
  );
  expect(message).toMatch(/Expected: Umami's tables as CSV with a header: website_event \(event_id, website_id,/);
});
