import { expect, test } from "vitest";
import { columnsOfFacts, dictionaryNames, extraOf } from "@/lib/ingest/event/catalogue";
import { STORED } from "@/lib/sites/record/stored-fields";
import { rowsOf } from "@/lib/testing/rows";

/** Tables of facts that hold nothing of visitors. */
const BOOKKEEPING_TABLES = ["change", "reclassified", "site_sequence"];
/** Columns by which rows are found and cleaned up. */
const BOOKKEEPING = ["site_id", "id", "first_seen", "last_used", "retired"];
/** Tables of control data that concern visitors. */
const CONTROL = ["site_salt", "site_month_salt"];

test("every column of the tables of visitors' data has a text, and no text is of a column that does not exist", async () => {
  const columns = await rowsOf<{ table_name: string; column_name: string }[]>`
    SELECT c.relname AS table_name, a.attname AS column_name
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND (n.nspname = 'facts' OR (n.nspname = 'public' AND c.relname = ANY(${CONTROL})))`;
  const own = columns.filter(
    ({ table_name, column_name }) => !BOOKKEEPING_TABLES.includes(table_name) && !BOOKKEEPING.includes(column_name),
  );
  const inDatabase = own.map(({ table_name, column_name }) => `${groupOf(table_name)}: ${column_name}`);
  const described = STORED.flatMap(({ title, fields }) => Object.keys(fields).map((name) => `${title}: ${name}`));
  expect([...new Set(inDatabase)].sort()).toEqual(described.sort());
  expect(described.length).toBeGreaterThan(80);
});

const groupOf = (table: string): string => STORED.find(({ tables }) => tables.includes(table))?.title ?? table;

test("the catalogue and the texts have the same columns", () => {
  const fieldsOf = (table: string) => Object.keys(STORED.find(({ tables }) => tables.includes(table))?.fields ?? {});
  for (const table of ["event", "visit"] as const)
    expect(fieldsOf(table).sort()).toEqual(
      columnsOfFacts(table)
        .map(([name]) => name)
        .sort(),
    );
  for (const name of dictionaryNames) expect(fieldsOf(name)).toEqual(expect.arrayContaining([...extraOf(name)]));
});
