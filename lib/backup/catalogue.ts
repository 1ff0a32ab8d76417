import type pg from "pg";
import { Fault } from "@/lib/platform/errors";
import type { Migration } from "@/lib/server/migrate";

/** Reads tables, sequences and migrations from the catalogue of Postgres, so that new tables are included automatically. */

type Schema = "public" | "facts";

/** A table, or the partition of one month. */
export interface Table {
  schema: Schema;
  name: string;
  /** All columns except generated ones. */
  columns: string[];
}

/** The state of a sequence. */
export interface Sequence {
  schema: Schema;
  name: string;
  /** The last value, a 64-bit integer, in decimal. */
  last: string;
  called: boolean;
}

/** Returns all tables, referenced tables before the tables that refer to them: the order for restoring. */
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
    if (ready.length === 0) throw new Fault("Tables have circular references");
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

/** Returns the state of all sequences. */
export async function sequencesOf(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    SELECT schemaname AS schema, sequencename AS name, coalesce(last_value, start_value)::text AS last,
      last_value IS NOT NULL AS called
    FROM pg_sequences WHERE schemaname IN ('public', 'facts') ORDER BY 1, 2`);
  return rows;
}

/** Returns the applied migrations of a database in order; empty when it is not a Footfall database. */
export async function migrationsOf(client: pg.ClientBase): Promise<Migration[]> {
  const { rows } = await client.query("SELECT to_regclass('public.migration') IS NOT NULL AS ours");
  if (!rows[0].ours) return [];
  return (await client.query<Migration>("SELECT name, checksum FROM public.migration ORDER BY name")).rows;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns the quoted SQL name of a table or sequence. */
export const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`;

/** Returns the column list of a table for COPY. */
export const copyColumns = ({ columns }: Table): string => columns.map(quoted).join(", ");
