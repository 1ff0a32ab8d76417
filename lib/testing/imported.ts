import { expect } from "vitest";
import explore from "@/lib/operations/analytics.explore";
import overview from "@/lib/operations/analytics.overview";
import { reportAsOwner } from "@/lib/testing/reports";
import { rowsOf } from "@/lib/testing/rows";
import { importFiles } from "@/lib/testing/transfer";
import { makeSite, type TestSite } from "@/lib/testing/world";
import type { Service } from "@/lib/transfer/daily-sums";

/** What reports show of an import of the first two days of March 2025. */

const NOW = "2025-03-20T12:00:00Z";
const RANGE = { from: "2025-03-01", to: "2025-03-02" };

/** Returns the totals. */
export const importedMetrics = async (site: TestSite) => (await reportAsOwner(overview, site, RANGE, NOW)).metrics;

/** Returns rows of a dimension value and metrics. @param metrics separated by commas */
export async function importedList(site: TestSite, dimension: string, metrics = "visits"): Promise<unknown[]> {
  const { rows } = await reportAsOwner(explore, site, { ...RANGE, dimensions: dimension, metrics }, NOW);
  return rows.map((row: { values: string[] }) => [
    row.values[0],
    ...metrics.split(",").map((metric) => (row as Record<string, unknown>)[metric]),
  ]);
}

/** Imports files that have to be refused without a trace. @returns the reason */
export async function refusedImport(service: Service, files: Record<string, string | Uint8Array>): Promise<string> {
  const site = await makeSite();
  const error = await importFiles(site, service, files).then(
    () => new Error("It was imported."),
    (reason: Error) => reason,
  );
  expect(await rowsOf`SELECT FROM facts.imported WHERE site_id = ${site.id}`).toEqual([]);
  return error.message;
}
