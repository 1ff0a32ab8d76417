import { expect, test } from "vitest";
import eventsReport from "@/lib/operations/analytics.events";
import overview from "@/lib/operations/analytics.overview";
import { reportAsOwner } from "@/lib/testing/reports";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import { PLAUSIBLE } from "@/lib/transfer/plausible";

/** What Plausible's export has and daily sums cannot, which the preview names. */

const NOW = "2025-03-20T12:00:00Z";
const P = (table: string) => `imported_${table}_20250301_20250310.csv`;
const TOTALS =
  "date,visitors,pageviews,bounces,visits,visit_duration\n2025-03-01,10,30,4,12,600\n2025-03-02,20,50,5,25,1500\n";
const DAYS = { from: "2025-02-20", to: "2025-03-19" };
const queryOverview = (site: TestSite) => reportAsOwner(overview, site, DAYS, NOW);

test("engagement that Plausible exports among its events is skipped with a note, and events of like names are not", async () => {
  const custom = (rows: readonly string[]) =>
    `date,name,link_url,path,visitors,events\n${rows.map((row) => `${row}\n`).join("")}`;
  const engagement = ["2025-03-01,engagement,,,9,40", "2025-03-02,engagement,,,15,90"];
  const kept = ["2025-03-01,Engagement ring,,,2,3", "2025-03-02,engagements,,,1,1", "2025-03-02,Signup,,,4,6"];
  const note = (rows: number) =>
    `${P("custom_events")}: ${rows} rows skipped: engagement, which is how long pages were read, not an event.`;
  for (const [rows, sum, names, skipped] of [
    [[...engagement, ...kept], 10, ["Signup", "Engagement ring", "engagements"], [note(2)]],
    [kept, 10, ["Signup", "Engagement ring", "engagements"], []],
    [engagement.slice(1), 0, [], [note(1)]],
  ] as const) {
    const site = await makeSite();
    const files = { [P("visitors")]: TOTALS, [P("custom_events")]: custom(rows) };
    expect((await importFiles(site, PLAUSIBLE, files)).skipped).toEqual(skipped);
    expect((await queryOverview(site)).metrics.events).toBe(sum);
    const { events } = await reportAsOwner(eventsReport, site, DAYS, NOW);
    expect(events.map(({ event }: { event: string }) => event)).toEqual(names);
  }
});

test("regions and cities of Plausible, which are codes and numbers, are skipped with a note where the export has them", async () => {
  const regions = "regions are skipped, because Plausible only has codes for them, such as US-CA";
  const cities = "cities are skipped, because Plausible only has GeoNames numbers for them";
  for (const [columns, places, notes] of [
    ["country,region,city", ["US,US-CA,5368361", "US,US-TX,4685737", "DE,,0"], [regions, cities]],
    ["country,city", ["US,5368361", "DE,2950159"], [cities]],
    ["country", ["US", "DE"], []],
  ] as const) {
    const site = await makeSite();
    const rows = places.map((place) => `2025-03-01,${place},2,2,10,1,3\n`).join("");
    const locations = `date,${columns},visitors,visits,visit_duration,bounces,pageviews\n${rows}`;
    const { skipped } = await importFiles(site, PLAUSIBLE, { [P("visitors")]: TOTALS, [P("locations")]: locations });
    expect(skipped).toEqual(notes.length > 0 ? [`${P("locations")}: ${notes.join("; ")}.`] : []);
    const { panels } = await queryOverview(site);
    expect(panels.countries.map(({ value }: { value: string }) => value).sort()).toEqual(["DE", "US"]);
    expect([panels.regions, panels.cities]).toEqual([[], []]);
  }
});
