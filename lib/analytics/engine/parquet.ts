import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { quoted } from "@/lib/analytics/engine/files";

/** Parquet files, which DuckDB writes and reads. */

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

/**
 * Reads the rows of a Parquet file in bounded memory, in the order of the file.
 *
 * @param columns those that are read, each with SQL for its value; one that the file lacks is left out of a row
 * @throws Error when the file is damaged
 */
export async function* readParquet(file: string, columns: Columns): AsyncGenerator<Record<string, unknown>> {
  const instance = await DuckDBInstance.create(":memory:", {
    threads: "1",
    memory_limit: "256MB",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  try {
    const connection = await instance.connect();
    const whole = path.resolve(file);
    await connection.run(
      `SET allowed_paths = [${quoted(whole)}]; SET enable_external_access = false; SET lock_configuration = true`,
    );
    const described = await connection.runAndReadAll(`DESCRIBE FROM read_parquet(${quoted(whole)})`);
    const present = new Set(described.getRowsJson().map(([name]) => `${name}`));
    const names = Object.keys(columns).filter((name) => present.has(name));
    if (names.length === 0) return;
    const values = names.map((name) => `${columns[name]} AS "${name}"`).join(", ");
    const result = await connection.stream(`SELECT ${values} FROM read_parquet(${quoted(whole)})`);
    for await (const rows of result.yieldRowsJson()) {
      for (const row of rows) yield Object.fromEntries(names.map((name, index) => [name, row[index]]));
    }
  } finally {
    instance.closeSync();
  }
}
