import type { ParquetPages } from "@/lib/analytics/engine/parquet-pages";
import type { ParquetLines } from "@/lib/transfer/archive";
import { refuseMissing } from "@/lib/transfer/export-lines";
import { ImportRefused } from "@/lib/transfer/import";
import { PARQUET_VALUES } from "@/lib/transfer/line";

/** Reads Parquet files of Footfall's own export. */

/**
 * Returns a function that reads a file as lines of JSON, and throws ImportRefused naming the file if it is damaged or no export.
 *
 * @param pageOf reads a page of it, in this process or in another
 */
export const parquetLines = (pageOf: ParquetPages["page"]): ParquetLines =>
  async function* ({ name, path }, onShare) {
    for (let from = 0; ; ) {
      const page = await pageOf(path, PARQUET_VALUES, from);
      if ("fault" in page) throw unreadable(name, page.fault);
      refuseMissing(
        page.present,
        (columns) =>
          `${name} is no export of Footfall: it lacks the columns ${columns}. Choose the export of all events under Settings, Data.`,
      );
      if (page.rows.length === 0) return;
      for (const text of page.rows) yield { text };
      from += page.rows.length;
      onShare(page.rows.length / Math.max(page.total, page.rows.length));
    }
  };

/** @param why follows the name of the file */
const unreadable = (name: string, why: string): ImportRefused =>
  new ImportRefused(
    `${name} cannot be read as Parquet: ${why}. Download the export again, or export it as NDJSON or CSV.`,
  );
