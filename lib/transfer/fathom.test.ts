import { expect, test } from "vitest";
import { importedList, importedMetrics, refusedImport } from "@/lib/testing/imported";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite } from "@/lib/testing/world";
import { FATHOM } from "@/lib/transfer/fathom";
import { serviceOf } from "@/lib/transfer/sources";

const refused = (files: Record<string, string>) => refusedImport(FATHOM, files);

const SITE = `Timestamp,Pageviews,Visits,Avg Duration,Bounce Rate
2025-03-01 09:00:00,10,4,30,0.5
2025-03-01 10:00:00,6,2,60,0
2025-03-02 22:00:00,,,,
2025-03-02 23:00:00,1,1,0,1
`;
const EXPORT = {
  "Site.csv": SITE,
  "Pages.csv": `Timestamp,Hostname,Pathname,Views,Uniques
2025-03-01 09:00:00,https://a.example,/,6,4
2025-03-01 10:00:00,https://a.example,/,2,1
2025-03-01 10:00:00,https://b.example,/,1,1
2025-03-01 10:00:00,https://a.example,"/a,b",4,2
`,
  "Referrers.csv": `Timestamp,Referrer Hostname,Referrer Pathname,Views,Uniques
2025-03-01 09:00:00,https://www.google.com,/,5,2
2025-03-01 10:00:00,https://news.example,/x,3,1
`,
  "Browsers.csv": "Timestamp,Browser,Pageviews,Visits\n2025-03-01 09:00:00,Mobile Safari,10,4\n",
  "Countries.csv": "Timestamp,Country,Pageviews,Visits\n2025-03-01 09:00:00,DE,9,3\n2025-03-01 09:00:00,XX,1,1\n",
  "DeviceTypes.csv": "Timestamp,Device Type,Pageviews,Visits\n2025-03-01 09:00:00,Phone,10,4\n",
  "Events.csv":
    "Timestamp,Event Name,Completions,Unique Completions,Value\n2025-03-01 09:00:00,Sign up,3,2,0\n2025-03-01 10:00:00,Sign up,1,1,0\n",
};

test("the whole export of Fathom by hour becomes sums of days, with its visitors as visits, and can be imported repeatedly", async () => {
  const site = await makeSite();
  expect(await importFiles(site, FATHOM, EXPORT)).toMatchObject({ days: 2, skipped: [] });
  const metrics = await importedMetrics(site);
  expect(metrics).toMatchObject({ visitors: 7, visits: 7, pageviews: 17, events: 4, bounce_rate: 3 / 7 });
  expect(metrics.visit_duration).toBeCloseTo(240 / 7);
  expect(await importedList(site, "page", "visitors,visits,pageviews")).toEqual([
    ["/", 6, null, 9],
    ["/a,b", 2, null, 4],
  ]);
  expect(await importedList(site, "source", "visitors,pageviews")).toEqual([
    ["Google", 2, 5],
    ["news.example", 1, 3],
  ]);
  expect(await importedList(site, "country", "visitors")).toEqual([
    ["DE", 3],
    [null, 1],
  ]);
  expect(await importedList(site, "browser", "visits,bounce_rate")).toEqual([["Mobile Safari", 4, null]]);
  expect(await importedList(site, "device", "visitors")).toEqual([["Mobile", 4]]);
  expect(await importedList(site, "event", "visitors,events")).toEqual([["Sign up", 3, 4]]);
  await importFiles(site, FATHOM, EXPORT);
  expect(await importedMetrics(site)).toEqual(metrics);
});

test("exports of Fathom's settings are read by day with any one dimension, and what lacks visitors is skipped by name", async () => {
  const site = await makeSite();
  const { skipped } = await importFiles(site, FATHOM, {
    "pageviews-site-totals.csv":
      "datetime,pageviews,visits,uniques,avg_duration,bounce_rate\n2025-03-01 00:00:00,10,4,4,90,25%\n",
    "pageviews-city.csv":
      "datetime,country_code,state,city,pageviews,visits,uniques\n2025-03-01 00:00:00,FR,Rhône,Lyon,10,4,4\n",
    "pageviews-os.csv": "datetime,operating_system,pageviews\n2025-03-01 00:00:00,macOS,10\n",
    "events.csv": "date,event_name,completions\n2025-03-01,Sign up,3\n",
  });
  expect(skipped).toEqual([
    "pageviews-os.csv is skipped: it has no visits, which lists need.",
    "events.csv is skipped: it has no unique completions, which lists need.",
  ]);
  expect(await importedMetrics(site)).toMatchObject({
    visitors: 4,
    visits: 4,
    pageviews: 10,
    bounce_rate: 0.25,
    visit_duration: 90,
  });
  expect(await importedList(site, "city", "visits")).toEqual([["Lyon", 4]]);
});

test("exports of Fathom with several dimensions, unknown columns, months or an hour twice are refused by name", async () => {
  const files: Record<string, [text: string, why: string]> = {
    "all.csv": [
      "datetime,browser,country_code,pageviews,visits\n2025-03-01 00:00:00,Chrome,DE,1,1\n",
      'column "browser" split the rows further; export each dimension by itself',
    ],
    "hosts.csv": ["datetime,hostname,pageviews,visits\n2025-03-01 00:00:00,a.example,1,1\n", 'column "hostname" split'],
    "planets.csv": ["Timestamp,Planet,Pageviews,Visits\n2025-03-01 00:00:00,Mars,1,1\n", 'unknown column "Planet"'],
    "months.csv": [
      "datetime,browser,pageviews,visits\n2025-02-01 00:00:00,Chrome,1,1\n2025-03-01 00:00:00,Chrome,1,1\n",
      'its rows are months; choose "Hourly" or "Daily"',
    ],
    "short.csv": ["Timestamp,Pageviews\n2025-03-01 00:00:00,1\n", 'missing column "Visits"'],
  };
  const message = await refused({
    "Site.csv": SITE,
    ...Object.fromEntries(Object.entries(files).map(([name, [text]]) => [name, text])),
  });
  for (const [name, [, why]] of Object.entries(files)) expect(message).toContain(`${name}: ${why}`);
  expect(await refused({ "Site.csv": SITE, "Site 2.csv": SITE })).toMatch(/both have totals for 2025-03-01/);
  const daily = "datetime,pageviews,visits,uniques\n2025-03-01 00:00:00,16,6,6\n";
  expect(await refused({ "Site.csv": SITE, "daily.csv": daily })).toMatch(/both have totals for 2025-03-01/);
  expect(await refused({ "Site.csv": `${SITE}2025-03-01 09:00:00,1,1,1,1\n` })).toMatch(
    /more than one row of totals for 2025-03-01/,
  );
  for (const [row, why] of [
    ["2025-13-01 09:00:00,1,1,1,1", /2025-13-01 09:00:00 is not a date/],
    ["yesterday,1,1,1,1", /yesterday is not a time/],
    ["2025-03-03 09:00:00,1,,1,1", /visits is missing/],
    ["2025-03-03 09:00:00,=1+1,1,1,1", /pageviews is not a whole number: =1\+1/],
    ["2025-03-03 09:00:00,1,1,1,250", /bounce rate is not a share: 250/],
  ] as const) {
    expect(await refused({ "Site.csv": `${SITE}${row}\n` })).toMatch(why);
  }
});

test("files of Fathom are recognised by their columns, and not a file of another service with a date", () => {
  const headed = (header: string) => ({
    name: "a.csv",
    comments: [],
    header: header.split(","),
    sample: [],
    isJson: false,
  });
  expect(serviceOf([headed("Timestamp,Pageviews,Visits,Avg Duration,Bounce Rate")])).toBe("fathom");
  expect(serviceOf([headed("datetime,pathname,pageviews,uniques")])).toBe("fathom");
  expect(() => serviceOf([headed("date,visitors,pageviews")])).toThrow(/None of the files is known/);
});

test("numbers and texts that cannot be stored are refused by line or day, whether one row has them or all together", async () => {
  const header = "Timestamp,Pageviews,Visits,Avg Duration,Bounce Rate\n";
  const totals = `${header}2025-03-01 09:00:00,1,1,1,0\n`;
  const huge = (row: string) => refused({ "Site.csv": `${header}2025-03-01 09:00:00,${row}\n` });
  expect(await huge("3000000000,3,30,0.5")).toMatch(/^Site\.csv, line 2: it has more pageviews than can be stored/);
  expect(await huge("10,2000000000,999999999999,0.5")).toMatch(/more duration_ms than can be stored/);
  const row = (hour: string) => `2025-03-01 ${hour}:00:00,2000000000,3,30,0.5\n`;
  expect(await refused({ "Site.csv": header + row("09") + row("10") })).toMatch(
    /^The rows of 2025-03-01 add up to more/,
  );
  const events = ["a", "b"].map((name) => `2025-03-01 09:00:00,${name},2000000000,1\n`).join("");
  const named = `Timestamp,Event Name,Completions,Unique Completions\n${events}`;
  expect(await refused({ "Site.csv": totals, "Events.csv": named })).toMatch(/^The rows of 2025-03-01 add up to more/);
  const site = await makeSite();
  const odd = `Timestamp,Pathname,Views,Uniques\n2025-03-01 09:00:00,/a\u0000b,6,4\n`;
  await importFiles(site, FATHOM, { "Site.csv": totals, "Pages.csv": odd });
  const [[page]] = (await importedList(site, "page", "visitors")) as [[string]];
  expect(page).toMatch(/^\/a/);
});
