import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { readParquet } from "@/lib/analytics/engine/parquet";
import { readLines } from "@/lib/logs/lines";
import { readRows } from "@/lib/transfer/csv-rows";
import { ImportRefused } from "@/lib/transfer/import";
import type { ExportedLine } from "@/lib/transfer/import-events";
import { COLUMNS, lineOfCsv, PARQUET_VALUES } from "@/lib/transfer/line";

/** Reads the files of an export, which are recognised by how they begin. */

const PARQUET_MAGIC = "PAR1";
/** Maximum bytes of a line: the properties of an event in their longest encoding, and its dimension values. */
const MAX_LINE_BYTES = 1024 * 1024;

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
    const missing = COLUMNS.filter((column) => column !== "status" && !fields.includes(column));
    if (missing.length === 0) continue;
    throw new ImportRefused(
      `The file is no export of Footfall: its first line lacks the columns ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? " …" : ""}. The rest of a continued download is appended to its beginning.`,
    );
  }
}

/**
 * Returns the lines of an exported file in any of its formats; NDJSON and CSV may be gzipped.
 *
 * @throws ImportRefused when it is no export
 */
export async function* readExportFile(file: string): AsyncGenerator<ExportedLine> {
  if (await isParquet(file)) yield* readParquetExport(file);
  else yield* readExport(readLines(createReadStream(file), MAX_LINE_BYTES));
}

async function isParquet(file: string): Promise<boolean> {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1", 0, bytesRead) === PARQUET_MAGIC;
  } finally {
    await opened.close();
  }
}

/** Returns the lines of a Parquet file. @throws ImportRefused when it is damaged */
export async function* readParquetExport(file: string): AsyncGenerator<ExportedLine> {
  try {
    for await (const row of readParquet(file, PARQUET_VALUES)) {
      const props = typeof row.props === "string" ? JSON.parse(row.props) : null;
      yield { text: JSON.stringify({ ...row, props }) };
    }
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new ImportRefused(`The Parquet file cannot be read (${reason}); download it again.`);
  }
}
