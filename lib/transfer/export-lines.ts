import { readRows } from "@/lib/transfer/csv-rows";
import { ImportRefused } from "@/lib/transfer/import";
import type { ExportedLine } from "@/lib/transfer/import-events";
import { COLUMNS, lineOfCsv } from "@/lib/transfer/line";

/** Reads the text of an export, which is recognised by how it begins. */

export const PARQUET_MAGIC = "PAR1";

/** Returns the lines of NDJSON or CSV. @throws ImportRefused when it is no export */
export async function* readExport(lines: AsyncIterable<{ text: string }>): AsyncGenerator<ExportedLine> {
  const rest = lines[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) return;
  const text = first.value.text.replace(/^\ufeff/, "");
  if (text.startsWith(PARQUET_MAGIC)) {
    throw new ImportRefused("A Parquet file must not be compressed as a whole: unpack it, then import it again.");
  }
  const all = (async function* () {
    yield { text };
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
  if (text.startsWith("{") || text === "") yield* all;
  else yield* fromCsv(all);
}

async function* fromCsv(lines: AsyncIterable<{ text: string }>): AsyncGenerator<ExportedLine> {
  let header: string[] | null = null;
  for await (const { line, fields } of readRows(lines)) {
    if (header) {
      yield { text: lineOfCsv(header, fields), line };
      continue;
    }
    header = fields;
    refuseMissing(
      fields,
      (columns) =>
        `The file is no export of Footfall: its first line lacks the columns ${columns}. The rest of a continued download is appended to its beginning.`,
    );
  }
}

/** The columns that a refusal names. */
const MAX_NAMED = 5;

/**
 * Refuses a file without the columns of an export.
 *
 * @param refusal says which columns are missing, and what to do
 */
export function refuseMissing(columns: readonly string[], refusal: (missing: string) => string): void {
  const missing = COLUMNS.filter((column) => column !== "status" && !columns.includes(column));
  if (missing.length === 0) return;
  const named = `${missing.slice(0, MAX_NAMED).join(", ")}${missing.length > MAX_NAMED ? " …" : ""}`;
  throw new ImportRefused(refusal(named));
}
