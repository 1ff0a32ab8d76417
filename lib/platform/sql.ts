import type pg from "pg";
import type { Sql } from "sql-template-tag";

/**
 * SQL with bound values, for Postgres and DuckDB: what is put into a template is a value or more SQL, never text of the
 * statement. `raw` gets only names of our own code.
 */
export { default as sql, empty, join, raw, Sql } from "sql-template-tag";

/** What runs statements: a pool, a connection with a transaction, or `queriesIn` a transaction of control data. */
export interface Queries {
  query<Row extends pg.QueryResultRow>(statement: Sql): Promise<{ rows: Row[] }>;
}

/** Returns a statement that may take this long, for a connection of a pool. */
export const withTimeout = (
  ms: number,
  { text, values }: Pick<Sql, "text" | "values">,
): pg.QueryConfig & { query_timeout: number } => ({
  text,
  values,
  query_timeout: ms,
});
