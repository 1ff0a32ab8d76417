import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ParquetPage, ParquetPages } from "@/lib/analytics/engine/parquet-pages";
import { temporaryDir } from "@/lib/testing/temporary-dir";

const folder = temporaryDir(afterAll);
const COLUMNS = { id: 'CAST("id" AS INTEGER)', text: 'CAST("text" AS VARCHAR)', more: 'CAST("more" AS JSON)' };

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create();
});
afterAll(() => instance.closeSync());

/** Writes a file with the rows of a query. @returns its path */
async function written(name: string, sql: string, options = "COMPRESSION zstd"): Promise<string> {
  const file = path.join(folder, `${name}.parquet`);
  const connection = await instance.connect();
  await connection.run(`COPY (${sql}) TO '${file}' (FORMAT parquet, ${options})`);
  connection.closeSync();
  return file;
}

const rowsOf = (page: ParquetPage) => ("rows" in page ? page.rows.map((row) => JSON.parse(row)) : []);

async function faultOf(file: string): Promise<string | null> {
  const pages = new ParquetPages();
  for (let from = 0; ; ) {
    const page = await pages.page(file, COLUMNS, from);
    if ("fault" in page) return page.fault;
    if (page.rows.length === 0) return null;
    from += page.rows.length;
  }
}

test("a Parquet file is read page by page, in any compression, and goes on after the reader was lost", async () => {
  const sql = `SELECT i::int AS id, CASE WHEN i % 3 > 0 THEN 'Zoë "' || i END AS text, ('{"level": ' || i || '}')::JSON AS more, 1 AS other
               FROM range(5000) t(i)`;
  for (const options of ["COMPRESSION zstd, ROW_GROUP_SIZE 2048", "COMPRESSION snappy", "COMPRESSION gzip"]) {
    const file = await written("whole", sql, options);
    let pages = new ParquetPages();
    const rows = [];
    for (let from = 0; ; from = rows.length) {
      const page = await pages.page(file, COLUMNS, from);
      expect(page).toMatchObject({ present: ["id", "text", "more"], total: 5_000 });
      if (rowsOf(page).length === 0) break;
      rows.push(...rowsOf(page));
      if (from === 2_000) pages = new ParquetPages();
    }
    expect(rows).toHaveLength(5_000);
    for (const [index, row] of rows.entries())
      expect(row).toEqual({ id: index, text: index % 3 > 0 ? `Zoë "${index}` : null, more: { level: index } });
  }
});

test("a small file whose rows would fill the memory is refused before they do", async () => {
  const long = await written("long", "SELECT i::int AS id, repeat('x', 70000) AS text FROM range(3000) t(i)");
  expect(await faultOf(long)).toBe("a row of it has more than 64 KiB of text");
  const json = await written("json", `SELECT 1 AS id, ('[' || repeat('1,', 40000) || '1]')::JSON AS more`);
  expect(await faultOf(json)).toBe("a row of it has more than 64 KiB of text");
  const nested = await written("nested", "SELECT 1 AS id, range(10000) AS text");
  expect(await faultOf(nested)).toBe("its column text has the type BIGINT[]");
  const page = await new ParquetPages().page(
    await written("many", "SELECT i::int AS id, repeat('x', 60000) AS text FROM range(3000) t(i)"),
    COLUMNS,
    0,
  );
  expect(rowsOf(page).length).toBeLessThan(100);
});

test("a file that is cut off, damaged or describes too much is refused with the reason, without its place on the server", async () => {
  const whole = readFileSync(await written("small", "SELECT i::int AS id, 'a' || i AS text FROM range(5000) t(i)"));
  const footer = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
  const tailOf = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([Buffer.from("PAR1"), bytes, length, Buffer.from("PAR1")]);
  };
  const longLength = Buffer.from(whole);
  longLength.writeUInt32LE(0xffffffff, whole.length - 8);
  const zeroed = Buffer.from(whole).fill(0xff, 4, footer);
  const list = (bytes: number[]) => tailOf(Buffer.from([0x29, ...bytes]));
  // A list of two million empty structs, and lists within lists.
  const structs = Buffer.concat([Buffer.from([0x29, 0xfc, 0x80, 0x89, 0x7a]), Buffer.alloc(2_000_002)]);
  const hostile: [string, Buffer, string][] = [
    ["empty", Buffer.from("PAR1"), "it is cut off"],
    ["cut", whole.subarray(0, -20), "it is cut off"],
    ["length", longLength, "its footer is damaged"],
    ["huge", tailOf(Buffer.alloc(9 * 1024 ** 2)), "its footer has more than 8 MiB"],
    ["claim", list([0xfc, 0xff, 0xff, 0x03]), "its footer is damaged"],
    ["claims", list([0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f]), "its footer describes too much"],
    ["structs", tailOf(structs), "its footer describes too much"],
    ["deep", tailOf(Buffer.alloc(100_000, 0x19)), "its footer describes too much"],
    ["zeros", tailOf(Buffer.alloc(100)), ""],
    ["pages", zeroed, ""],
  ];
  for (const [name, bytes, fault] of hostile) {
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    const found = await faultOf(file);
    expect([name, found]).toEqual([name, expect.stringContaining(fault)]);
    expect(found).not.toContain(folder);
  }
});
