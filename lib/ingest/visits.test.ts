import { expect, test } from "vitest";
import { reports } from "@/lib/db";
import { makeSite, post, send, type TestSite } from "@/lib/testing/world";

interface VisitRow {
  pageviews: number;
  events: number;
  duration_ms: number;
  visitor_id: string;
}

const visitsOf = (site: TestSite) =>
  reports().$queryRaw<VisitRow[]>`
    SELECT pageviews, events, duration_ms, visitor_id::text FROM facts.visit WHERE site_id = ${site.id} ORDER BY started`;

test("a silence of 29:59 continues a visit, and one of 30:01 ends it", async () => {
  const site = await makeSite();
  await send(site, "/", { at: "2025-03-04T12:00:00Z" });
  await send(site, "/a", { at: "2025-03-04T12:29:59Z" });
  await send(site, "/b", { at: "2025-03-04T13:00:00Z" });
  expect(await visitsOf(site)).toMatchObject([
    { pageviews: 2, duration_ms: 1_799_000 },
    { pageviews: 1, duration_ms: 0 },
  ]);
});

test("a visit slides: an hour of activity with short silences is one visit", async () => {
  const site = await makeSite();
  for (const minute of ["00", "20", "40"]) await send(site, "/", { at: `2025-03-04T12:${minute}:00Z` });
  await send(site, "/", { at: "2025-03-04T13:00:00Z" });
  expect(await visitsOf(site)).toMatchObject([{ pageviews: 4, duration_ms: 3_600_000 }]);
});
