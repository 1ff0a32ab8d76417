import { BYTE_ORDER_MARK } from "@/lib/platform/csv";
import { db } from "@/lib/platform/db";
import { asReport } from "@/lib/platform/report-queries";
import { exportShares } from "@/lib/platform/report-shares";
import { reportDeadlineMs, reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";
import { siteFor } from "@/lib/sites/access";
import { beginExport, type Export, type ExportCall } from "@/lib/transfer/export";
import { type ImportedTotal, lineOfTotal, TOTALS_HEADER } from "@/lib/transfer/footfall-totals";

/** Exports the daily totals that imports brought, which are no events. */

const PAGE_ROWS = 5_000;

/**
 * Starts an export of imported totals for a manager of the site, or their agent, and writes an audit entry.
 *
 * @param signal aborted when the client disconnects
 * @throws Refusal see `siteFor`
 */
export async function exportTotals(by: ExportCall, signal?: AbortSignal): Promise<Export> {
  const { domain } = await beginExport(by, { content: "imported", format: "csv" });
  const fileName = `${domain}-imported-${by.now.toISOString().slice(0, 10)}.csv`;
  return { chunks: chunksOf(by, signal), type: "text/csv; charset=utf-8", fileName };
}

async function* chunksOf(by: ExportCall, signal?: AbortSignal): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + TOTALS_HEADER;
  const bounds = { shares: exportShares(by.principal), overBudget: true, deadlineMs: reportDeadlineMs(), signal };
  let last: ImportedTotal | undefined;
  do {
    // Each page has its own deadline, concurrency slot and permission check.
    await siteFor(db(), by.principal, by.siteId, "manager");
    const before = last;
    const rows = await asReport(bounds, () => pageAfter(by.siteId, before));
    if (rows.length > 0) yield rows.map(lineOfTotal).join("");
    last = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
  } while (last);
}

/** Returns the next rows in the order of the primary key. */
async function pageAfter(siteId: number, last: ImportedTotal | undefined): Promise<ImportedTotal[]> {
  const { dimension = -1, day = "1970-01-01", value = "" } = last ?? {};
  const { rows } = await reports().query<ImportedTotal>(sql`
    SELECT day::text, dimension::int, value, visitors, visits, bounces, duration_ms::float8, pageviews, events, source
    FROM facts.imported WHERE site_id = ${siteId} AND (dimension, day, value) > (${dimension}::smallint, ${day}::date, ${value})
    ORDER BY dimension, imported.day, value LIMIT ${PAGE_ROWS}`);
  return rows;
}
