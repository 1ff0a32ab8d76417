import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";

/** SQL that makes the rollup of some local days anew. */
export type RollUp = (first: number, last: number) => { sql: string; values: unknown[] }[];

export interface CopyOptions {
  connection: DuckDBConnection;
  pool: pg.Pool;
  siteId: number;
  timezone: string;
  /** Names the database that files are copies of. */
  installation: string;
  /** A folder for files that are read at once and removed. */
  temporary: string;
  rollUp: RollUp;
  /** The rollup is made of sites with so many events. */
  rollUpFrom: number;
  /** Called with the share that is copied, from 0 to 1. */
  progress?: (share: number) => void;
}
