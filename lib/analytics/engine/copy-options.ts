import type { DuckDBConnection } from "@duckdb/node-api";
import type pg from "pg";

/** Local days, from the first to the last. */
export type Days = readonly [first: number, last: number];

/** Events of local days, or those after a number. */
export type Money = { days: Days } | { after: number };

/** SQL that rebuilds what is derived from facts, and what else the copy does not know of reports. */
export interface Derived {
  /** The numbers of the dimensions of imported sums whose values are paths. */
  pageDimensions: readonly number[];
  /** Of closed local days. */
  rollUp(parts: readonly Days[]): { sql: string; values: unknown[] }[];
  moneyOf(those: Money): { sql: string; values: unknown[] }[];
}

export interface CopyOptions {
  connection: DuckDBConnection;
  pool: pg.Pool;
  siteId: number;
  timezone: string;
  /** Whether paths are copied without the slashes at their end. */
  mergeSlashes: boolean;
  /** The id of the database that the files are copies of. */
  installation: string;
  /** A folder for temporary files. */
  temporary: string;
  derived: Derived;
  /** Sites with at least this many events get a rollup. */
  rollUpFrom: number;
  /** A part of a first copy ends with the day that reaches so many events. */
  partEvents?: number;
  /** Called while the copy is incomplete, with the copied share, 0 to 1; with null when copying takes only a moment. */
  progress?: (share: number | null) => void;
  /** Calls the work when it is the turn of the site's account, alone of all long copies; at once when not given. */
  inTurn?: (<Result>(work: () => Promise<Result>) => Promise<Result>) | undefined;
  /** Called before each part of a long copy. @throws when the copy is of no use any more. */
  mayContinue?: () => Promise<unknown>;
}
