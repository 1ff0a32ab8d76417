import { expect, test } from "vitest";
import { reportAsAgent } from "@/lib/testing/reports";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** Hours of the week in the site's time zone on days with a clock change. */

const NOW = new Date("2025-10-26T20:00:00Z");

interface Cell {
  weekday: number;
  hour: number;
  hours: number;
  visitors: number;
  visits: number;
}

const fetchReport = (site: TestSite, input: object): Promise<{ cells: Cell[]; comparison: Cell[] | null }> =>
  reportAsAgent("analytics.heatmap", site, input, NOW);

const cell = (cells: Cell[], weekday: number, hour: number) =>
  cells.find((one) => one.weekday === weekday && one.hour === hour);

test("an hour that a clock change repeats counts twice in its cell, with the visits of both", async () => {
  const site = await makeSite({ timezone: "Europe/Berlin" });
  // Both are at 2:30 local time: the clock goes back at 3:00.
  await send(site, "/", { at: "2025-10-26T00:30:00Z" });
  await send(site, "/", { at: "2025-10-26T01:30:00Z" });
  await send(site, "/", { at: "2025-10-26T02:30:00Z" });
  const { cells } = await fetchReport(site, { period: "today" });
  expect(cells).toHaveLength(168);
  expect(cell(cells, 7, 2)).toEqual({ weekday: 7, hour: 2, hours: 2, visitors: 2, visits: 2 });
  expect(cell(cells, 7, 3)).toEqual({ weekday: 7, hour: 3, hours: 1, visitors: 1, visits: 1 });
});

test("a comparison range may start before 1970", async () => {
  const { comparison } = await fetchReport(await makeSite(), {
    from: "1970-01-01",
    to: "1970-01-07",
    compare: "previous_period",
  });
  expect(comparison?.every(({ hours, visits }) => hours === 1 && visits === 0)).toBe(true);
});
