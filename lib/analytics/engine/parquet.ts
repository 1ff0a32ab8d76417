import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoted } from "@/lib/analytics/engine/files";

/** Parquet files, which DuckDB writes. */

/** The types of the columns of a table, by name and in order, as DuckDB calls them. */
export type Columns = Readonly<Record<string, string>>;

/**
 * Returns rows as a Parquet file with one row group. A number that its type cannot hold is null.
 *
 * @param folder where DuckDB may read and write
 * @param rows one JSON object a line
 */
export async function parquetOf(
  connection: DuckDBConnection,
  folder: string,
  columns: Columns,
  rows: string,
): Promise<Buffer> {
  const [from, to] = ["ndjson", "parquet"].map((ending) => path.join(folder, `${randomUUID()}.${ending}`)) as [
    string,
    string,
  ];
  // A decimal that is too large ends the reader of JSON, so decimals are read as text.
  const isDecimal = (type: string) => type.startsWith("DECIMAL");
  const read = Object.entries(columns).map(
    ([name, type]) => `${quoted(name)}: ${quoted(isDecimal(type) ? "VARCHAR" : type)}`,
  );
  const selected = Object.entries(columns).map(([name, type]) =>
    isDecimal(type) ? `try_cast("${name}" AS ${type}) AS "${name}"` : `"${name}"`,
  );
  try {
    await writeFile(from, rows, { mode: 0o600 });
    await connection.run(`
      COPY (SELECT ${selected.join(", ")}
            FROM read_json(${quoted(from)}, format = 'newline_delimited', columns = {${read.join(", ")}}))
      TO ${quoted(to)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${MOST_ROWS})`);
    return await readFile(to);
  } finally {
    await Promise.all([from, to].map((file) => rm(file, { force: true })));
  }
}

/** More rows are more than one row group. */
const MOST_ROWS = 122_880;
