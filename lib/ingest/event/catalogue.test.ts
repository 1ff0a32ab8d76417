import { expect, test } from "vitest";
import { TABLES } from "@/lib/analytics/engine/schema";
import {
  columnsOfFacts,
  dictionaryColumns,
  dictionaryNames,
  exportedExtras,
  exportedFields,
  extraOf,
} from "@/lib/ingest/event/catalogue";
import { db } from "@/lib/platform/db";
import { COLUMNS } from "@/lib/transfer/line";

/** Returns the columns of a table of Postgres with their types. */
async function stored(table: string): Promise<Map<string, string>> {
  const rows = await db().$queryRaw<{ name: string; type: string }[]>`
    SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = ${`facts.${table}`}::regclass AND attnum > 0 AND NOT attisdropped`;
  return new Map(rows.map(({ name, type }) => [name, type]));
}

const TYPES: Record<string, string> = {
  timestamptz: "timestamp with time zone",
  int: "integer",
  text: "character",
};

test("the catalogue has each column of events and visits with its type, but for the site's id", async () => {
  for (const table of ["event", "visit"] as const) {
    const columns = new Map(columnsOfFacts(table).map(([name, { type }]) => [name, TYPES[type] ?? type]));
    expect(new Map([["site_id", "integer"], ...columns])).toEqual(await stored(table));
  }
});

test("the catalogue has each column of a dictionary that is part of its values", async () => {
  const ofRows = ["site_id", "id", "first_seen", "last_used", "retired"];
  for (const name of dictionaryNames) {
    const columns = [...ofRows, ...dictionaryColumns(name), ...extraOf(name)];
    expect([...(await stored(name)).keys()].sort(), name).toEqual(columns.sort());
  }
});

test("the catalogue has each column of returning visitors that holds ids", async () => {
  const columns = await stored("returning_visitor");
  const ids = columnsOfFacts("returning_visitor").map(([name]) => name);
  const others = ["site_id", "pseudonym", "month", "day", "traffic"];
  expect([...columns.keys()].sort()).toEqual([...ids, ...others].sort());
});

test("each column of a dictionary is a field of its own in an export, and each dictionary is in copies", () => {
  const fields = dictionaryNames.flatMap((name) => [...exportedFields(name), ...exportedExtras(name)]);
  expect(new Set(fields).size).toBe(fields.length);
  expect(COLUMNS).toEqual(expect.arrayContaining(fields));
  expect(dictionaryNames.filter((name) => !(name in TABLES))).toEqual([]);
});
