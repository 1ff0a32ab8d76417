import { analytics } from "@/lib/analytics/engine/analytics";
import { refuseMissing } from "@/lib/transfer/export-lines";
import { ImportRefused } from "@/lib/transfer/import";
import { PARQUET_VALUES } from "@/lib/transfer/line";

/** Reads uploaded Parquet files of Footfall's own export, in the analytics process. */

/**
 * Returns the rows of a file as lines of JSON.
 *
 * @param onShare called with the share of the rows that was read since the last call
 * @throws ImportRefused naming the file, if it is damaged or no export
 */
export async function* parquetLines(
  { name, path }: { name: string; path: string },
  onShare: (share: number) => void,
): AsyncGenerator<{ text: string }> {
  for (let from = 0; ; ) {
    const page = await analytics().parquetPage(path, PARQUET_VALUES, from);
    if ("fault" in page) throw unreadable(name, page.fault);
    refuseMissing(page.present, `${name} is no export of Footfall: it`);
    if (page.rows.length === 0) return;
    for (const text of page.rows) yield { text };
    from += page.rows.length;
    onShare(page.rows.length / Math.max(page.total, page.rows.length));
  }
}

/** @param why follows the name of the file */
export const unreadable = (name: string, why: string): ImportRefused =>
  new ImportRefused(
    `${name} cannot be read as Parquet: ${why}. Download the export again, or export it as NDJSON or CSV.`,
  );
