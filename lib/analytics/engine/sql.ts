/** SQL with bound values, for DuckDB: what is put into a template is a value or more SQL, never text of the statement. */
export { default as sql, empty, join, raw, Sql } from "sql-template-tag";
