import type pg from "pg";

/** What a database holds of ours, as its own catalogue tells: nothing has to be remembered when a table is added. */

type Schema = "public" | "facts";

/** A table with rows of its own, or one month of the facts. */
export interface Table {
  schema: Schema;
  name: string;
  /** Those that are written; what Postgres works out by itself is not. */
  columns: string[];
}

/** Where a sequence stands. */
export interface Sequence {
  schema: Schema;
  name: string;
  /** As a decimal: a 64-bit integer. */
  last: string;
  called: boolean;
}

/** Which migrations have made a database what it is. */
export interface Migration {
  name: string;
  checksum: string;
}

/** Every table, those first that others refer to: so can they be filled in this order. */
export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const [{ rows: tables }, { rows: references }] = [
    await client.query<Table & { oid: string }>(TABLES),
    await client.query<{ child: string; parent: string }>(REFERENCES),
  ];
  const ordered: (Table & { oid: string })[] = [];
  const placed = new Set<string>();
  const waits = ({ oid }: { oid: string }) =>
    references.some(({ child, parent }) => child === oid && !placed.has(parent));
  while (ordered.length < tables.length) {
    const ready = tables.filter((table) => !placed.has(table.oid) && !waits(table));
    if (ready.length === 0) throw new Error("Tables refer to each other in a circle");
    for (const table of ready) placed.add(table.oid);
    ordered.push(...ready);
  }
  return ordered.map(({ oid: _, ...table }) => table);
}

const TABLES = `
  SELECT c.oid::text, n.nspname AS schema, c.relname AS name,
    array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND n.nspname IN ('public', 'facts') AND c.relpersistence = 'p'
    AND (n.nspname, c.relname) <> ('public', 'migration')
  GROUP BY 1, 2, 3 ORDER BY 2, 3`;

const REFERENCES = `
  SELECT conrelid::text AS child, confrelid::text AS parent FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`;

/** Where every sequence stands. */
export async function sequencesOf(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    SELECT schemaname AS schema, sequencename AS name, coalesce(last_value, start_value)::text AS last,
      last_value IS NOT NULL AS called
    FROM pg_sequences WHERE schemaname IN ('public', 'facts') ORDER BY 1, 2`);
  return rows;
}

/** The migrations of a database in their order; none where it is no database of ours. */
export async function migrationsOf(client: pg.ClientBase): Promise<Migration[]> {
  const { rows } = await client.query("SELECT to_regclass('public.migration') IS NOT NULL AS ours");
  if (!rows[0].ours) return [];
  return (await client.query<Migration>("SELECT name, checksum FROM public.migration ORDER BY name")).rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A name as SQL takes it. */
export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`;

/** A table's columns as COPY takes them. */
export const columnsOf = ({ columns }: Table): string => columns.map(quoted).join(", ");
