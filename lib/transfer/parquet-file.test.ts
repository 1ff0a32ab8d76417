import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, type TestContext, test } from "vitest";
import { analytics } from "@/lib/analytics/engine/analytics";
import { makeSite, send } from "@/lib/testing/world";
import { exportEvents } from "@/lib/transfer/export";
import { COLUMNS, eventLine, PARQUET_COLUMNS } from "@/lib/transfer/line";
import { joinedParquet } from "@/lib/transfer/parquet-file";

const TYPES = {
  at: "TIMESTAMP WITH TIME ZONE",
  id: "BIGINT",
  amount: "DECIMAL(38, 18)",
  what: "VARCHAR",
  more: "JSON",
};

/** Answers questions of DuckDB about a file. */
async function asked({ onTestFinished }: Pick<TestContext, "onTestFinished">, file: Uint8Array) {
  const folder = mkdtempSync(path.join(tmpdir(), "footfall-parquet-"));
  const name = path.join(folder, "it's.parquet");
  writeFileSync(name, file);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  onTestFinished(() => {
    instance.closeSync();
    rmSync(folder, { recursive: true });
  });
  const quoted = `'${name.replaceAll("'", "''")}'`;
  return async (sql: string) =>
    (await connection.runAndReadAll(sql.replaceAll("$file", quoted))).getRowObjectsJson() as Record<string, unknown>[];
}

async function joined(groups: readonly (readonly object[])[]): Promise<Buffer> {
  const parts = (async function* () {
    for (const rows of groups) yield analytics().parquet(TYPES, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  })();
  const chunks: Uint8Array[] = [];
  for await (const chunk of joinedParquet(parts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const row = (index: number) => ({
  at: `2026-11-22T09:30:00.${`${index}`.padStart(6, "0")}Z`,
  id: `${-(2n ** 63n) + BigInt(index)}`,
  amount: index % 3 === 0 ? null : `${index}.000000000000000001`,
  what: `Zoë 東京 ${index % 7}`,
  more: index % 2 === 0 ? { level: index, of: ["a", { b: null }] } : null,
});

test("row groups that are joined are one Parquet file with all rows, exact values and statistics that filters can use", async (context) => {
  const rows = Array.from({ length: 1_300 }, (_, index) => row(index));
  const groups = Array.from({ length: 130 }, (_, index) => rows.slice(index * 10, index * 10 + 10));
  const ask = await asked(context, await joined(groups));
  const read = await ask('SELECT *, epoch_us("at") AS us FROM $file');
  expect(read).toHaveLength(1_300);
  for (const [index, { id, what, amount, more, us }] of read.entries()) {
    const sent = row(index);
    const number = amount === null ? null : `${amount}`.replace(/^(\d+\.\d{18})$/, "$1");
    expect({ id: `${id}`, what, amount: number, more: more && JSON.parse(`${more}`) }).toEqual({
      id: sent.id,
      what: sent.what,
      amount: sent.amount,
      more: sent.more,
    });
    expect(Number(us) % 1_000_000).toBe(index);
  }
  expect(
    await ask("SELECT num_row_groups::int AS groups, num_rows::int AS rows FROM parquet_file_metadata($file)"),
  ).toEqual([{ groups: 130, rows: 1_300 }]);
  const [{ least } = {}] = await ask(
    "SELECT min(stats_min_value) AS least FROM parquet_metadata($file) WHERE path_in_schema = 'id' AND row_group_id = 77",
  );
  expect(least).toBe(row(770).id);
  expect(
    await ask(`SELECT count(*)::int AS found FROM $file WHERE id = ${row(777).id} AND what = 'Zoë 東京 0'`),
  ).toEqual([{ found: 1 }]);
});

test("an amount that Parquet cannot hold is null, and the other rows and columns stay", async (context) => {
  const file = joined([[{ ...row(1), amount: `1${"0".repeat(29)}` }, row(2)]]);
  await expect(file).resolves.toBeInstanceOf(Uint8Array);
  const ask = await asked(context, await file);
  expect(await ask("SELECT amount, what FROM $file")).toEqual([
    { amount: null, what: "Zoë 東京 1" },
    { amount: "2.000000000000000001", what: "Zoë 東京 2" },
  ]);
});

test("the Parquet file of a site has the columns of a line with their types, also when it has no events", async (context) => {
  const site = await makeSite();
  const now = new Date("2026-01-10T12:00:00Z");
  const by = { principal: { kind: "owner", personId: site.ownerId } as const, siteId: site.id, requestId: "test", now };
  const fileOf = async () => {
    const chunks: (string | Uint8Array)[] = [];
    for await (const chunk of (await exportEvents(by, { format: "parquet", after: null })).chunks) chunks.push(chunk);
    return Buffer.concat(chunks as Uint8Array[]);
  };
  const described = [{ rows: 0 }, Object.entries(PARQUET_COLUMNS)];
  const empty = await asked(context, await fileOf());
  const columnsOf = async (ask: typeof empty) =>
    (await ask("DESCRIBE FROM $file")).map(({ column_name, column_type }) => [column_name, `${column_type}`]);
  expect([(await empty("SELECT count(*)::int AS rows FROM $file"))[0], await columnsOf(empty)]).toEqual(
    described.map((one) => (Array.isArray(one) ? one.map(([name, type]) => [name, type.replace(", ", ",")]) : one)),
  );
  await send(site, "/a", { at: "2026-01-09T12:00:00Z" });
  const full = await asked(context, await fileOf());
  expect(await columnsOf(full)).toEqual(await columnsOf(empty));
  expect(await full("SELECT path, epoch_ms(time)::double AS at FROM $file")).toEqual([
    { path: "/a", at: Date.parse("2026-01-09T12:00:00Z") },
  ]);
});

test("each column of a line that is not text has a type of its own in Parquet", () => {
  const { shape } = eventLine;
  const isWhole = (column: (typeof COLUMNS)[number]) => shape[column].safeParse(1).success;
  for (const column of COLUMNS)
    expect([column, PARQUET_COLUMNS[column] === "INTEGER"]).toEqual([column, isWhole(column) || column === "status"]);
});
