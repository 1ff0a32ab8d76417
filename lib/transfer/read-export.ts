import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { ParquetPages } from "@/lib/analytics/engine/parquet-pages";
import { readLines } from "@/lib/logs/lines";
import { PARQUET_MAGIC, readExport } from "@/lib/transfer/export-lines";
import type { ExportedLine } from "@/lib/transfer/import-events";
import { parquetLines } from "@/lib/transfer/parquet-lines";

/** Reads the files of an export, which are recognised by how they begin. */

/** Maximum bytes of a line: the properties of an event in their longest encoding, and its dimension values. */
const MAX_LINE_BYTES = 1024 * 1024;

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

async function* readParquetExport(file: string): AsyncGenerator<ExportedLine> {
  const pages = new ParquetPages();
  try {
    const lines = parquetLines((...asked) => pages.page(...asked));
    yield* lines({ name: path.basename(file), path: file }, () => {});
  } finally {
    pages.close();
  }
}
