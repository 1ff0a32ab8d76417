import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { differingZones } from "@/lib/server/zone-rules";

const NOW = new Date("2026-11-20T12:00:00Z");
const HOUR_MS = 3600_000;
const YEAR_HOURS = 365 * 24;

/** Whether the clocks of Node and Postgres show another time at any full hour of the three years that are compared. */
async function clocksDiffer(zone: string): Promise<boolean> {
  const first = NOW.getTime() - 2 * YEAR_HOURS * HOUR_MS;
  const rows = await db().$queryRaw<{ wall: string }[]>`
    SELECT to_char(moment AT TIME ZONE ${zone}, 'YYYY-MM-DD HH24:MI') AS wall
    FROM generate_series(0, ${3 * YEAR_HOURS - 1}::int) AS hour,
      LATERAL (SELECT to_timestamp(${first / 1000}::float8 + hour * 3600) AS moment) AS one ORDER BY hour`;
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  // Swedish is written as ISO 8601 is, but for the T.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, hourCycle: "h23", ...parts });
  return rows.some(({ wall }, hour) => wall !== format.format(first + hour * HOUR_MS));
}

test("the zones whose clocks differ between Node and Postgres are named, and no others", async () => {
  const named = await differingZones(NOW);
  // Two whose rules were changed lately, one with two changes around Ramadan, one with half an hour, one with none.
  const looked = ["America/Vancouver", "Europe/Chisinau", "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Tokyo"];
  for (const zone of looked) expect(named.includes(zone), zone).toBe(await clocksDiffer(zone));
}, 60_000);
