import path from "node:path";
import { type DuckDBDataChunk, DuckDBInstance, type DuckDBResult } from "@duckdb/node-api";
import { isOutOfMemory } from "@/lib/analytics/engine/failure";
import { quoted } from "@/lib/analytics/engine/files";
import type { Columns } from "@/lib/analytics/engine/parquet";
import { checkFooter } from "@/lib/analytics/engine/parquet-footer";
import { OperatorError } from "@/lib/platform/errors";

/** Reads Parquet files of unknown origin in bounded memory. */

const MEMORY = "256MB";
/** The rows of a page, which are checked in one turn of the event loop, and what they may have together before it ends. */
const PAGE_ROWS = 250;
const PAGE_CHARACTERS = 4 * 1024 ** 2;
/** Bytes of text in a row. DuckDB copies 2,048 rows at once, which no limit of it counts, and a file of 10 KB can have millions. */
const MOST_ROW_BYTES = 64 * 1024;
/** A nested value can become any number of characters. */
const PLAIN = /^(VARCHAR|JSON|TIMESTAMP.*|U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))$/;

/** What a file has of the columns that were asked for. */
interface ParquetHead {
  present: string[];
  rows: number;
}

/** An open file. */
export class ParquetFile {
  #chunk: DuckDBDataChunk | null = null;
  /** The next row of the chunk. */
  #at = 0;
  readonly #columns: readonly { key: string; isJson: boolean; index: number }[];

  private constructor(
    readonly path: string,
    private readonly instance: DuckDBInstance,
    private readonly result: DuckDBResult | null,
    readonly head: ParquetHead,
  ) {
    this.#columns = head.present.map((name, index) => ({
      key: JSON.stringify(name),
      isJson: result?.columnType(index).alias === "JSON",
      index,
    }));
  }

  /**
   * @param columns those that are read, each with SQL for its value
   * @throws OperatorError with the reason, to follow the name of the file
   */
  static async open(file: string, columns: Columns): Promise<ParquetFile> {
    await checkFooter(file);
    const instance = await DuckDBInstance.create(":memory:", {
      threads: "1",
      memory_limit: MEMORY,
      temp_directory: "",
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
    });
    try {
      return await withReason(file, () => ParquetFile.#open(instance, file, columns));
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  static async #open(instance: DuckDBInstance, file: string, columns: Columns): Promise<ParquetFile> {
    const connection = await instance.connect();
    const whole = quoted(path.resolve(file));
    await connection.run(
      `SET allowed_paths = [${whole}]; SET enable_external_access = false; SET streaming_buffer_size = '1KB'; SET lock_configuration = true`,
    );
    const source = `read_parquet(${whole})`;
    const described = await connection.runAndReadAll(`DESCRIBE FROM ${source}`);
    const types = new Map(described.getRowsJson().map(([name, type]) => [`${name}`, `${type}`]));
    const present = Object.keys(columns).filter((name) => types.has(name));
    const counted = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${whole})`);
    const rows = Number(counted.getRowsJson()[0]?.[0]);
    if (present.length === 0) return new ParquetFile(file, instance, null, { present, rows });
    refuseNested(types, present);
    const values = present.map((name) => `${columns[name]} AS "${name}"`).join(", ");
    const result = await connection.stream(`SELECT ${values} FROM ${source} WHERE ${whereShort(types, present)}`);
    return new ParquetFile(file, instance, result, { present, rows });
  }

  /**
   * Returns the next rows, each as a JSON object; none at the end.
   *
   * @throws OperatorError as `open`
   */
  async read(): Promise<string[]> {
    const texts: string[] = [];
    let characters = 0;
    while (texts.length < PAGE_ROWS && characters < PAGE_CHARACTERS && (await this.#more())) {
      const text = this.#row();
      characters += text.length;
      texts.push(text);
    }
    return texts;
  }

  /** Leaves out rows. */
  async skip(rows: number): Promise<void> {
    for (let left = rows; left > 0 && (await this.#more()); ) {
      const skipped = Math.min(left, (this.#chunk?.rowCount ?? 0) - this.#at);
      this.#at += skipped;
      left -= skipped;
    }
  }

  close(): void {
    this.#chunk?.reset();
    this.#chunk = null;
    this.instance.closeSync();
  }

  /** @returns whether there is another row */
  async #more(): Promise<boolean> {
    if (this.#chunk && this.#at < this.#chunk.rowCount) return true;
    this.#at = 0;
    // Otherwise its texts stay until the next garbage collection, which knows nothing of them.
    this.#chunk?.reset();
    this.#chunk = (await withReason(this.path, async () => this.result?.fetchChunk())) ?? null;
    return this.#chunk !== null && this.#chunk.rowCount > 0;
  }

  /** A value of the type JSON stands in its row as it is. */
  #row(): string {
    const fields: string[] = [];
    const at = this.#at++;
    for (const { key, isJson, index } of this.#columns) {
      const value = this.#chunk?.getColumnVector(index).getItem(at) ?? null;
      fields.push(`${key}:${isJson && value !== null ? `${value}` : JSON.stringify(value)}`);
    }
    return `{${fields.join(",")}}`;
  }
}

/** @throws OperatorError for a type whose values have no limit */
function refuseNested(types: ReadonlyMap<string, string>, columns: readonly string[]): void {
  for (const name of columns) {
    const type = types.get(name) ?? "";
    if (!PLAIN.test(type)) throw new OperatorError(`its column ${name} has the type ${type.slice(0, 100)}`);
  }
}

/** Returns a condition that is true, or ends the query with a refusal. */
function whereShort(types: ReadonlyMap<string, string>, columns: readonly string[]): string {
  const texts = columns.filter((name) => /^(VARCHAR|JSON)$/.test(types.get(name) ?? ""));
  const lengths = ["0", ...texts.map((name) => `coalesce(strlen("${name}"), 0)`)];
  const refusal = quoted(`${OWN}a row of it has more than ${MOST_ROW_BYTES / 1024} KiB of text`);
  return `CASE WHEN ${lengths.join(" + ")} > ${MOST_ROW_BYTES} THEN error(${refusal}) ELSE true END`;
}

/** Marks a sentence of ours among those of DuckDB. */
const OWN = "footfall: ";

/** Turns errors of DuckDB into reasons, without the place of the file. */
async function withReason<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const [line = ""] = (error as Error).message.split("\n");
    if (isOutOfMemory(error)) throw new OperatorError(`a page of it needs more than ${MEMORY}`);
    const own = line.indexOf(OWN);
    throw new OperatorError(own < 0 ? line.replaceAll(path.resolve(file), "it") : line.slice(own + OWN.length));
  }
}
