import { expect, test } from "vitest";
import overview from "@/lib/operations/analytics.overview";
import { reportAsOwner } from "@/lib/testing/reports";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { UMAMI } from "@/lib/transfer/umami";

/** Places of Umami's visitors, in the forms in which its tables are exported. */

const NOW = "2025-03-20T12:00:00Z";
const panelsOf = async (site: TestSite) =>
  (await reportAsOwner(overview, site, { from: "2025-02-20", to: "2025-03-19" }, NOW)).panels;
const citiesIn = async (site: TestSite) =>
  (await panelsOf(site)).cities.map(({ value, visitors, visits }: Record<string, unknown>) => [
    value,
    visitors,
    visits,
  ]);

const COLUMNS = "event_id,website_id,session_id,visit_id,created_at,url_path,event_type";
/** An event of a session: of its first visit at 10, of its second at 15 o'clock. */
const event = (session: string, hour: 10 | 15, more = "") =>
  `e-${session}-${hour},w,${session},v-${session}-${hour},2025-03-01 ${hour}:00:00,/,1${more}`;
const table = (...rows: string[]) => `${rows.join("\n")}\n`;
const EVENTS = table(COLUMNS, event("s1", 10), event("s1", 15), event("s2", 10), event("s3", 10));
const SESSION_COLUMNS = "session_id,website_id,browser,os,device,country";
const note = (file: string) => `${file}: regions are skipped, because Umami only has codes for them, such as US-CA.`;

test("cities of Umami's sessions are imported by visit, and regions, which are codes, are skipped with a note", async () => {
  const site = await makeSite();
  const sessions = table(
    `${SESSION_COLUMNS},region,city`,
    's1,w,chrome,Mac OS,desktop,US,US-DC,"Washington, D.C."',
    "s2,w,chrome,Mac OS,desktop,BR,BR-SP,São Paulo",
    "s3,w,chrome,Mac OS,desktop,DE,,",
  );
  const { skipped } = await importFiles(site, UMAMI, { "website_event.csv": EVENTS, "session.csv": sessions });
  expect(skipped).toEqual([note("session.csv")]);
  expect(await citiesIn(site)).toEqual([
    ["Washington, D.C.", 1, 2],
    ["São Paulo", 1, 1],
    [null, 1, 1],
  ]);
  expect((await panelsOf(site)).regions).toEqual([]);
});

test("cities that stand in Umami's events are imported without sessions, and a visit without one is unknown", async () => {
  const site = await makeSite();
  const withPlaces = table(
    `${COLUMNS},country,region,city`,
    event("s1", 10, ",FR,FR-ARA,Lyon"),
    event("s1", 15, ",FR,,Lyon"),
  );
  const without = table(COLUMNS, event("s4", 15));
  const files = { "events-1.csv": withPlaces, "events-2.csv": without };
  expect((await importFiles(site, UMAMI, files)).skipped).toEqual([note("events-1.csv")]);
  expect(await citiesIn(site)).toEqual([
    ["Lyon", 1, 2],
    [null, 1, 1],
  ]);
});

test("tables of Umami without cities have no rows by city, and no note about regions", async () => {
  const site = await makeSite();
  const sessions = table(SESSION_COLUMNS, "s1,w,chrome,Mac OS,desktop,US", "s2,w,chrome,Mac OS,desktop,BR");
  const { skipped } = await importFiles(site, UMAMI, { "website_event.csv": EVENTS, "session.csv": sessions });
  expect(skipped).toEqual([]);
  expect(await citiesIn(site)).toEqual([]);
  expect((await panelsOf(site)).countries.length).toBe(3);
});
