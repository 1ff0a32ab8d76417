import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { reportAsOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { sampled } from "@/lib/testing/tier";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { MATOMO } from "@/lib/transfer/matomo";
import { serviceOf } from "@/lib/transfer/sources";

const NOW = "2025-03-20T12:00:00Z";
const RANGE = { from: "2025-03-01", to: "2025-03-02" };

const metricsOf = async (site: TestSite) => (await reportAsOwner(overview, site, RANGE, NOW)).metrics;
const eventsOf = async (site: TestSite) =>
  (await reportAsOwner(explore, site, { ...RANGE, dimensions: "event", metrics: "visitors,events" }, NOW)).rows;

async function listOf(site: TestSite, dimension: string, metrics = "visits"): Promise<unknown[]> {
  const { rows } = await reportAsOwner(explore, site, { ...RANGE, dimensions: dimension, metrics }, NOW);
  return rows.map(({ values, ...sums }: { values: string[] }) => [
    values[0],
    ...metrics.split(",").map((one) => sums[one as never]),
  ]);
}

const refused = async (files: Record<string, string | Uint8Array>): Promise<string> => {
  const site = await makeSite();
  const error = await importFiles(site, MATOMO, files).then(
    () => new Error("imported"),
    (reason: Error) => reason,
  );
  expect(await rowsOf`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  return error.message;
};

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
  expect(await metricsOf(site)).toMatchObject({
    visitors: 10,
    visits: 12,
    pageviews: 30,
    events: 5,
    bounce_rate: 1 / 12,
    visit_duration: 60,
  });
  expect(await listOf(site, "page", "visitors,visits,pageviews")).toEqual([
    ["/", 18, 19, 20],
    ["/blog/a,b", 5, 6, 7],
  ]);
  expect(await listOf(site, "entry_page", "visitors,visits,bounce_rate")).toEqual([["/", 8, 9, 1 / 3]]);
  expect(await listOf(site, "exit_page", "visitors,visits,bounce_rate")).toEqual([["/blog/a", 4, 5, null]]);
  expect(await listOf(site, "channel")).toEqual([
    ["Direct", 5],
    ["Organic Search", 4],
    ["Referral", 2],
  ]);
  expect(await listOf(site, "source")).toEqual([
    [null, 5],
    ["Yahoo!", 4],
    ["news.example", 2],
  ]);
  expect(await listOf(site, "utm_campaign")).toEqual([["spring", 1]]);
  expect(await listOf(site, "country")).toEqual([
    ["FR", 6],
    [null, 1],
  ]);
  expect(await listOf(site, "city")).toEqual([["Lyon", 3]]);
  expect(await listOf(site, "device")).toEqual([["Mobile", 3]]);
  expect(await listOf(site, "browser")).toEqual([["Firefox", 7]]);
  expect(await listOf(site, "os")).toEqual([["Linux", 4]]);
  expect(await eventsOf(site)).toMatchObject([{ values: ["play"], visitors: 3, events: 5 }]);

  const before = await metricsOf(site);
  await importFiles(site, MATOMO, API);
  expect(await metricsOf(site)).toEqual(before);
});

test("what Matomo's summary lacks is unknown: pageviews without Actions.get, bounces and durations without their columns", async () => {
  const site = await makeSite();
  await importFiles(site, MATOMO, {
    "summary.json": json({ [DAY]: { nb_uniq_visitors: 10, nb_visits: 12, nb_actions: 40 } }),
  });
  expect(await metricsOf(site)).toMatchObject({
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

const utf16 = (text: string, order: "le" | "be" = "le"): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};
/** An export of the interface for one day, with the day in its name, and its headers and separators of each language. */
const LANGUAGES: readonly [name: string, summary: string, browsers: string][] = [
  [
    "Export _ Visits Summary _ Saturday, March 1, 2025.csv",
    "Unique visitors,Visits,Users,Actions,Maximum actions in one visit,Bounces,Total time spent by visitors (in seconds),Bounce Rate,Actions per Visit,Avg. Visit Duration (in seconds)\n10,12,0,40,9,3,720,25%,3.3,60",
    "Label,Unique visitors,Visits,Actions,Total time spent by visitors (in seconds),Bounces,Conversion Rate,Metadata: logo,Metadata: segment\n'=Firefox,7,8,20,480,2,0%,plugins/Morpheus/icons/dist/browsers/FF.png,browserCode==FF",
  ],
  [
    "Export _ Besucherüberblick _ Samstag, 1. März 2025.csv",
    "Eindeutige Besucher;Besuche;Benutzer;Aktionen;Maximale Aktionen pro Besuch;Absprünge;Von Besuchern verbrachte Gesamtzeit (in Sekunden);Absprungsrate;Durchschn. Besuchszeit (in Sekunden)\n10;12;0;40;9;3;720;25,5 %;60",
    "Bezeichnung;Eindeutige Besucher;Besuche;Aktionen;Von Besuchern verbrachte Gesamtzeit (in Sekunden);Absprünge;Konversionsrate;Metadaten: segment\n'=Firefox;7;8;20;00:08:00;2;0 %;browserCode==FF",
  ],
  [
    "Exporter _ Récapitulatif des visites _ samedi 1 mars 2025.tsv",
    "Visiteurs uniques\tVisites\tUtilisateurs\tActions\tRebonds\tTemps total passé par les visiteurs (en secondes)\tTaux de rebond\n10\t12\t0\t40\t3\t12 min 0s\t25,5 %",
    "Nom\tVisiteurs uniques\tVisites\tActions\tTemps total passé par les visiteurs (en secondes)\tRebonds\tTaux de conversion\tMéta-données: segment\n'=Firefox\t7\t8\t20\t480\t2\t0 %\tbrowserCode==FF",
  ],
  [
    "Exportar _ Resumen de visitas _ sábado, 1 de marzo de 2025.csv",
    'Visitantes únicos,Visitas,Usuarios,Acciones,Rebotes,Tiempo total de los visitantes en el sitio (en segundos),Porcentaje de rebote\n10,12,0,40,3,720,"25,5 %"',
    "Etiqueta,Visitantes únicos,Visitas,Acciones,Tiempo total de los visitantes en el sitio (en segundos),Rebotes,Porcentaje de conversión,Metadatos: segment\n'=Firefox,7,8,20,480,2,0%,browserCode==FF",
  ],
];

test("exports of Matomo's interface are read in English, German, French and Spanish, in UTF-16, with the day in their names", async () => {
  for (const [name, summary, browsers] of sampled(LANGUAGES, 2)) {
    const site = await makeSite();
    const files = { [name]: utf16(summary), [name.replace(/_.*_/, "_ X _")]: utf16(browsers, "be") };
    expect([name, await importFiles(site, MATOMO, files)]).toMatchObject([name, { days: 1, rows: 2 }]);
    expect([name, await metricsOf(site)]).toMatchObject([
      name,
      { visitors: 10, visits: 12, bounce_rate: 0.25, visit_duration: 60 },
    ]);
    expect([name, await listOf(site, "browser", "visits,bounce_rate,visit_duration")]).toEqual([
      name,
      [["=Firefox", 8, 0.25, 60]],
    ]);
  }
});

test("a processed report with separators of thousands, rates and times as text gives the sums that they stand for", async () => {
  const site = await makeSite();
  const summary =
    'Date;Visiteurs uniques;Visites;Taux de rebond;Temps moyen sur le site web\n2025-03-01;1 000;1.200;"33,33 %";00:01:30';
  const { skipped } = await importFiles(site, MATOMO, { "rapport.csv": gzipSync(summary) });
  expect(skipped[0]).toMatch(
    /bounces are computed from the rounded rate; durations are computed from the rounded average/,
  );
  expect(await metricsOf(site)).toMatchObject({
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
  expect(message).toContain("14 of 15 files cannot be read");
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

const at = (time: string) => Date.parse(time) / 1000;
const visit = (id: number, visitor: string, actionDetails: object[], more: object = {}) => ({
  idSite: "1",
  idVisit: String(id),
  visitIp: "192.0.2.0",
  visitorId: visitor,
  actionDetails,
  referrerType: "direct",
  referrerName: "",
  deviceType: "Desktop",
  deviceTypeIcon: "plugins/Morpheus/icons/dist/devices/desktop.png",
  operatingSystemName: "Mac",
  browserName: "Chrome",
  countryCode: "de",
  ...more,
});
const viewed = (path: string, time: string) => ({
  type: "action",
  url: `https://a.example${path}`,
  timestamp: at(time),
  pageTitle: "A",
});

test("Matomo's log of visits is imported as its visits, in the days of the site's timezone, without goals and orders", async () => {
  const site = await makeSite({ timezone: "Asia/Tokyo" });
  const log = [
    visit(2, "ben", [viewed("/b", "2025-03-01T16:00:00Z")], {
      referrerType: "search",
      referrerName: "Google",
      deviceType: "Smartphone",
      deviceTypeIcon: "",
    }),
    visit(1, "ann", [
      viewed("/", "2025-03-01T10:00:00Z"),
      {
        type: "event",
        eventCategory: "Menu",
        eventAction: "open",
        url: "https://a.example/",
        timestamp: at("2025-03-01T10:00:30Z"),
      },
      { type: "goal", goalName: "Sale", url: "https://a.example/", timestamp: at("2025-03-01T10:00:30Z") },
      viewed("/a?token=1", "2025-03-01T10:02:00Z"),
    ]),
  ];
  const imported = await importFiles(site, MATOMO, { "visits.json": json(log) }, "Asia/Tokyo");
  expect(imported).toMatchObject({ days: 2, rows: 2 });
  expect(await metricsOf(site)).toMatchObject({
    visitors: 2,
    visits: 2,
    pageviews: 3,
    events: 1,
    bounce_rate: 0.5,
    visit_duration: 60,
  });
  expect(await listOf(site, "page", "visits,pageviews")).toEqual(
    expect.arrayContaining([
      ["/", 1, 1],
      ["/a", 1, 1],
      ["/b", 1, 1],
    ]),
  );
  expect(await listOf(site, "channel")).toEqual(
    expect.arrayContaining([
      ["Organic Search", 1],
      ["Direct", 1],
    ]),
  );
  expect(await listOf(site, "device")).toEqual(
    expect.arrayContaining([
      ["Desktop", 1],
      ["Mobile", 1],
    ]),
  );
  const days =
    await rowsOf`SELECT day::text, visits FROM facts.imported WHERE site_id = ${site.id} AND dimension = 0 ORDER BY day`;
  expect(days).toEqual([
    { day: "2025-03-01", visits: 1 },
    { day: "2025-03-02", visits: 1 },
  ]);
  expect(await refused({ "visits.json": json(log), "summary.json": json(SUMMARY) })).toMatch(
    /both single events and daily sums, which would count twice/,
  );
  expect(await refused({ "v.json": json([visit(1, "ann", [{ type: "action", timestamp: "soon" }])]) })).toMatch(
    /^v\.json, record 1: actionDetails\.0\.timestamp:/,
  );
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
