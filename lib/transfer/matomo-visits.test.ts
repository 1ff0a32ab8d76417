import { expect, test } from "vitest";
import { importedList, importedMetrics, refusedImport } from "@/lib/testing/imported";
import { rowsOf } from "@/lib/testing/rows";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite } from "@/lib/testing/world";
import { MATOMO } from "@/lib/transfer/matomo";

const json = (answer: unknown) => JSON.stringify(answer);
const refused = (files: Record<string, string>) => refusedImport(MATOMO, files);

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
  expect(await importedMetrics(site)).toMatchObject({
    visitors: 2,
    visits: 2,
    pageviews: 3,
    events: 1,
    bounce_rate: 0.5,
    visit_duration: 60,
  });
  expect(await importedList(site, "page", "visits,pageviews")).toEqual(
    expect.arrayContaining([
      ["/", 1, 1],
      ["/a", 1, 1],
      ["/b", 1, 1],
    ]),
  );
  expect(await importedList(site, "channel")).toEqual(
    expect.arrayContaining([
      ["Organic Search", 1],
      ["Direct", 1],
    ]),
  );
  expect(await importedList(site, "device")).toEqual(
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
  expect(
    await refused({
      "visits.json": json(log),
      "summary.json": json({ "2025-03-01": { nb_uniq_visitors: 1, nb_visits: 1 } }),
    }),
  ).toMatch(/both single events and daily sums, which would count twice/);
  expect(await refused({ "v.json": json([visit(1, "ann", [{ type: "action", timestamp: "soon" }])]) })).toMatch(
    /^v\.json, record 1: actionDetails\.0\.timestamp:/,
  );
});
