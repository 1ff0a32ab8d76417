import { expect, test } from "vitest";
import { countOutcome, flushIngestStats } from "@/lib/ingest/store/stats/ingest-stats";
import { readIngestStats } from "@/lib/sites/ingest-stats";
import { makeSite, post } from "@/lib/testing/world";

const NOW = new Date("2025-03-04T12:00:00Z");

test("ingest stats count events by outcome and reason, for today and the last 30 days", async () => {
  const site = await makeSite();
  for (const day of ["2025-02-02", "2025-02-03", "2025-03-03"]) {
    countOutcome(site.id, new Date(day), "refused", "invalid_input:name", 5);
  }
  for (let i = 0; i < 37; i++) await post(site, { name: i }, { at: NOW });
  await post(site, { name: "a" }, { at: NOW });
  await flushIngestStats();
  expect(await readIngestStats(site.id, NOW)).toEqual([
    { outcome: "refused", reason: "invalid_input:name", hits: 47, today: 37 },
    { outcome: "stored", reason: "", hits: 1, today: 1 },
  ]);
});
