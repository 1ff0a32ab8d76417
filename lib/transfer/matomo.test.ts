import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { importedList, importedMetrics, refusedImport } from "@/lib/testing/imported";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite } from "@/lib/testing/world";
import { MATOMO } from "@/lib/transfer/matomo";
import { serviceOf } from "@/lib/transfer/sources";

const refused = (files: Record<string, string | Uint8Array>) => refusedImport(MATOMO, files);

const DAY = "2025-03-01";
const visits = (visitors: number, count = visitors, more: object = {}) => ({
  nb_uniq_visitors: visitors,
  nb_visits: count,
  nb_actions: count * 3,
  max_actions: 9,
  sum_visit_length: count * 60,
  bounce_count: 1,
  nb_visits_converted: 0,
  ...more,
});
const SUMMARY = {
  [DAY]: { ...visits(10, 12), nb_users: 0, bounce_rate: "8%", nb_actions_per_visit: 3, avg_time_on_site: 60 },
  "2025-03-02": [],
};
const ACTIONS = {
  [DAY]: { nb_pageviews: 30, nb_uniq_pageviews: 25, nb_downloads: 2, nb_outlinks: 1, nb_searches: 0, nb_keywords: 0 },
};
const page = (label: string, hits: number, more: object = {}) => ({
  label,
  nb_visits: hits - 1,
  nb_uniq_visitors: hits - 2,
  nb_hits: hits,
  sum_time_spent: 100,
  avg_time_on_page: 10,
  bounce_rate: "0%",
  exit_rate: "50%",
  segment: `pageUrl==https%253A%252F%252Fa.example${label}`,
  ...more,
});
const PAGES = {
  [DAY]: [
    page("/index", 20, { url: "https://a.example/" }),
    page("/blog/a,b", 7, { entry_nb_visits: 1, goals: { "idgoal=1": { nb_conversions: 1 } } }),
    page("Others", 3, { is_summary: true }),
  ],
};
const json = (answer: unknown) => JSON.stringify(answer);
const ofDay = (...rows: object[]) => json({ [DAY]: rows, "2025-03-02": [] });
const named = (label: string, segment: string, count: number, more: object = {}) => ({
  label,
  ...visits(count),
  segment,
  ...more,
});

const API: Record<string, string> = {
  "summary.json": json(SUMMARY),
  "actions.json": json(ACTIONS),
  "pages.json": json(PAGES),
  "entries.json": ofDay({
    ...page("/index", 20, { segment: "entryPageUrl==x", url: "https://a.example/" }),
    entry_nb_uniq_visitors: 8,
    entry_nb_visits: 9,
    entry_nb_actions: 30,
    entry_sum_visit_length: 500,
    entry_bounce_count: 3,
  }),
  "exits.json": ofDay({
    ...page("/blog/a", 5, { segment: "exitPageUrl==x" }),
    exit_nb_uniq_visitors: 4,
    exit_nb_visits: 5,
  }),
  "types.json": ofDay(
    named("Direct Entry", "referrerType==direct", 5, { referrer_type: 1 }),
    named("Search Engines", "referrerType==search", 4, { referrer_type: 2 }),
    named("Websites", "referrerType==website", 2, { referrer_type: 3 }),
  ),
  "websites.json": ofDay(named("news.example", "referrerName==news.example", 2)),
  "engines.json": ofDay(named("Yahoo!", "referrerType==search;referrerName==Yahoo%21", 4)),
  "campaigns.json": ofDay(named("spring", "referrerType==campaign;referrerName==spring", 1)),
  "countries.json": ofDay(
    named("Frankreich", "countryCode==fr", 6, { code: "fr" }),
    named("Unknown", "countryCode==xx", 1, { code: "xx" }),
  ),
  "cities.json": ofDay(
    named("Lyon, Auvergne, France", "city==Lyon;regionCode==ARA;countryCode==fr", 3, { city_name: "Lyon" }),
  ),
  "devices.json": ofDay(named("Téléphone intelligent (smartphone)", "deviceType==smartphone", 3), {
    label: "Camera",
    nb_visits: 0,
    segment: "deviceType==camera",
  }),
  "browsers.json": ofDay(
    named("Firefox", "browserCode==FF", 7, { logo: "plugins/Morpheus/icons/dist/browsers/FF.png" }),
  ),
  "systems.json": ofDay({ label: "GNU/Linux", ...visits(4), logo: "plugins/Morpheus/icons/dist/os/LIN.png" }),
  "events.json": ofDay({
    label: "play",
    nb_uniq_visitors: 3,
    nb_visits: 3,
    nb_events: 5,
    nb_events_with_value: 0,
    segment: "eventAction==play",
  }),
  "categories.json": ofDay({
    label: "Movie",
    nb_uniq_visitors: 3,
    nb_visits: 3,
    nb_events: 5,
    segment: "eventCategory==Movie",
  }),
  "goals.json": json({ [DAY]: { nb_conversions: 3, nb_visits_converted: 1, revenue: 31, conversion_rate: "10%" } }),
};

test("answers of Matomo's Reporting API are imported by what their rows tell, whatever the files are called", async () => {
  const site = await makeSite();
  const { days, skipped } = await importFiles(site, MATOMO, API);
  expect(days).toBe(1);
  expect(skipped.map((note) => note.replace(/[:;].*/, "")).sort()).toEqual([
    "categories.json is skipped",
    "goals.json is skipped",
    "pages.json",
    "summary.json",
  ]);
  expect(await importedMetrics(site)).toMatchObject({
    visitors: 10,
    visits: 12,
    pageviews: 30,
    events: 5,
    bounce_rate: 1 / 12,
    visit_duration: 60,
  });
  expect(await importedList(site, "page", "visitors,visits,pageviews")).toEqual([
    ["/", 18, 19, 20],
    ["/blog/a,b", 5, 6, 7],
  ]);
  expect(await importedList(site, "entry_page", "visitors,visits,bounce_rate")).toEqual([["/", 8, 9, 1 / 3]]);
  expect(await importedList(site, "exit_page", "visitors,visits,bounce_rate")).toEqual([["/blog/a", 4, 5, null]]);
  expect(await importedList(site, "channel")).toEqual([
    ["Direct", 5],
    ["Organic Search", 4],
    ["Referral", 2],
  ]);
  expect(await importedList(site, "source")).toEqual([
    [null, 5],
    ["Yahoo!", 4],
    ["news.example", 2],
  ]);
  expect(await importedList(site, "utm_campaign")).toEqual([["spring", 1]]);
  expect(await importedList(site, "country")).toEqual([
    ["FR", 6],
    [null, 1],
  ]);
  expect(await importedList(site, "city")).toEqual([["Lyon", 3]]);
  expect(await importedList(site, "device")).toEqual([["Mobile", 3]]);
  expect(await importedList(site, "browser")).toEqual([["Firefox", 7]]);
  expect(await importedList(site, "os")).toEqual([["Linux", 4]]);
  expect(await importedList(site, "event", "visitors,events")).toEqual([["play", 3, 5]]);

  const before = await importedMetrics(site);
  await importFiles(site, MATOMO, API);
  expect(await importedMetrics(site)).toEqual(before);
});

test("what Matomo's summary lacks is unknown: pageviews without Actions.get, bounces and durations without their columns", async () => {
  const site = await makeSite();
  await importFiles(site, MATOMO, {
    "summary.json": json({ [DAY]: { nb_uniq_visitors: 10, nb_visits: 12, nb_actions: 40 } }),
  });
  expect(await importedMetrics(site)).toMatchObject({
    visitors: 10,
    visits: 12,
    pageviews: null,
    bounce_rate: null,
    visit_duration: null,
  });
  expect(await refused({ "actions.json": json(ACTIONS) })).toMatch(
    /pageviews of 1 days without their visitors and visits, starting with 2025-03-01/,
  );
});

test("a processed report with separators of thousands, rates and times as text gives the sums that they stand for", async () => {
  const site = await makeSite();
  const summary =
    'Date;Visiteurs uniques;Visites;Taux de rebond;Temps moyen sur le site web\n2025-03-01;1 000;1.200;"33,33 %";00:01:30';
  const { skipped } = await importFiles(site, MATOMO, { "rapport.csv": gzipSync(summary) });
  expect(skipped[0]).toMatch(
    /bounces are computed from the rounded rate; durations are computed from the rounded average/,
  );
  expect(await importedMetrics(site)).toMatchObject({
    visitors: 1000,
    visits: 1200,
    bounce_rate: 400 / 1200,
    visit_duration: 90,
  });
});

test("files of Matomo that do not tell a report, its days or its pages are refused by name, with the way out", async () => {
  const summary = { "summary.json": json(SUMMARY) };
  const head = "label,nb_uniq_visitors,nb_visits,bounce_count,sum_visit_length,metadata_segment";
  const cases: Record<string, [content: string, why: RegExp]> = {
    "answer.xml": [
      '<?xml version="1.0" encoding="utf-8" ?>\n<results></results>\n',
      /it is XML; export it as JSON or CSV/,
    ],
    "week.json": [
      json({ "2025-03-03,2025-03-09": visits(3) }),
      /"2025-03-03,2025-03-09" is not a single day; export it with period=day/,
    ],
    "month.csv": ["date,nb_uniq_visitors,nb_visits\n2025-03,5,6\n", /"2025-03" is not a single day/],
    "range.csv": [
      `${head}\nFirefox,5,6,1,60,browserCode==FF\n`,
      /neither its rows nor its name tell the day; export it with period=day/,
    ],
    "from_2025-03-01_to_2025-03-09.csv": [
      `${head}\nFirefox,5,6,1,60,browserCode==FF\n`,
      /neither its rows nor its name tell the day/,
    ],
    "Export _ Browsers _ March 1 – 9, 2025.csv": [`${head}\nFirefox,5,6,1,60,browserCode==FF\n`, /tell the day/],
    "list_2025-03-01.csv": [
      "label,nb_uniq_visitors,nb_visits\nFirefox,5,6\n",
      /which report it is; export it with its metadata, or name it after the report/,
    ],
    "planet.json": [ofDay(named("Mars", "browserCode==FF", 3, { planet: 4 })), /unknown column "planet"/],
    "flat.json": [
      ofDay(named("a.example/x", "", 3, { label1: "a.example", Referrers_WebsitePage: "x" })).replaceAll(
        '"segment":""',
        '"segment":"referrerName==a"',
      ),
      /its rows are split further; export this report without flat=1/,
    ],
    "day_2025-02-30.csv": [
      `${head}\nFirefox,5,6,1,60,browserCode==FF\n`,
      /its name has no day: 2025-02-30 is not a date/,
    ],
    "folders.json": [ofDay({ ...page("blog", 5), url: "" }), /"blog" is a folder of pages; export the report flat/],
    "sites.json": [json({ 1: { [DAY]: visits(3) } }), /unknown column "1"; export one site/],
    "visits.json": [json({ [DAY]: 5 }), /its values have no names: export VisitsSummary.get/],
    "error.json": [
      json({ result: "error", message: "You can't access this resource" }),
      /Matomo did not answer with a report: "You can't access/,
    ],
    "users.csv": ["date,nb_visits,nb_actions\n2025-03-01,5,6\n", /missing column "nb_uniq_visitors"/],
  };
  const message = await refused({
    ...summary,
    ...Object.fromEntries(Object.entries(cases).map(([name, [content]]) => [name, content])),
  });
  expect(message).toContain("15 of 16 files cannot be read");
  for (const [name, [, why]] of Object.entries(cases)) {
    const line = message.split("\n").find((one) => one.startsWith(`${name}: `));
    expect([name, line]).toEqual([name, expect.stringMatching(why)]);
  }
  expect(message).toMatch(/Expected: reports by day in JSON, CSV or TSV, from the Reporting API with period=day/);
});

test("hostile rows of Matomo are refused by file and record: folders, late columns, negative and fractional counts, future days", async () => {
  const rows = (...more: object[]) => ofDay(...Array.from({ length: 25 }, (_, at) => page(`/${at}`, 3)), ...more);
  for (const [content, why] of [
    [rows({ ...page("blog", 5), url: "" }), /^f\.json, record 26: "blog" is a folder/],
    [rows(page("/z", 5, { planet: "Mars" })), /^f\.json, record 26: unknown column "planet"/],
    [rows(page("/z", 5, { nb_uniq_visitors: -3 })), /record 26: nb_uniq_visitors is not a whole number: -3/],
    [rows(page("/z", 5, { nb_uniq_visitors: "1e9" })), /nb_uniq_visitors is not a whole number: 1e9/],
    [rows(page("/z", 5, { nb_hits: 2.5 })), /nb_hits is not a whole number: 2\.5/],
    [rows(page("/z", 5, { nb_uniq_visitors: "" })), /nb_uniq_visitors is missing/],
    [json({ "2099-01-01": [page("/z", 5)] }), /2099-01-01 is in the future/],
    [json({ "2025-02-30": [page("/z", 5)] }), /2025-02-30 is not a date/],
  ] as const) {
    expect(await refused({ "summary.json": json(SUMMARY), "f.json": content })).toMatch(why);
  }
  expect(
    await refused({ "s_2025-03-01.csv": Buffer.from("Eindeutige Besucher,Besuche,Abspr\u00fcnge\n1,1,1\n", "latin1") }),
  ).toMatch(/is not in UTF-8\. Open it in an editor and save it as UTF-8/);
  const both = {
    "summary.json": json(SUMMARY),
    "a.json": API["browsers.json"] as string,
    "b.json": API["browsers.json"] as string,
  };
  expect(await refused(both)).toMatch(/a\.json and b\.json both have sums by the same dimension for 2025-03-01/);
});

test("files of Matomo are recognised among those of the other services by their content", () => {
  const head = (header: string[], rows: string[][] = [], isJson = false) => ({
    name: "a",
    comments: [],
    header,
    sample: rows,
    isJson,
  });
  expect(serviceOf([head(["date", "nb_uniq_visitors", "nb_visits"], [["2025-03-01", "1", "1"]])])).toBe("matomo");
  expect(serviceOf([head(["Datum", "Eindeutige Besucher", "Besuche"], [["2025-03-01", "1", "1"]])])).toBe("matomo");
  expect(serviceOf([head(["result", "message"], [["error", "no"]], true)])).toBe("matomo");
});
