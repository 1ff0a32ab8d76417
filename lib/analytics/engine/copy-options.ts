import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";

/** SQL that makes anew what is derived from facts. */
export interface Derived {
  /** Of closed local days, from the first to the last. */
  rollUp(first: number, last: number): { sql: string; values: unknown[] }[];
  /** Of local days, from the first to the last. */
  moneyOf(first: number, last: number): { sql: string; values: unknown[] }[];
}

export interface CopyOptions {
  connection: DuckDBConnection;
  pool: pg.Pool;
  siteId: number;
  timezone: string;
  /** Names the database that files are copies of. */
  installation: string;
  /** A folder for files that are read at once and removed. */
  temporary: string;
  derived: Derived;
  /** The rollup is made of sites with so many events. */
  rollUpFrom: number;
  /** Called with the share that is copied, from 0 to 1, when the copy is not right until all is copied. */
  progress?: (share: number) => void;
}
