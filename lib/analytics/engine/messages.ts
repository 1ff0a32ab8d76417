import type { EngineOptions, SiteOfCopy } from "@/lib/analytics/engine/engine";
import type { Failure } from "@/lib/analytics/engine/failure";
import type { Columns } from "@/lib/analytics/engine/parquet";
import type { Statement } from "@/lib/analytics/engine/statement";

/** The messages between a server process and its analytics process. Each request gets one reply with its id. */

export type Open = Omit<EngineOptions, "folder" | "derived"> & {
  /** Holds a numbered folder for each analytics process that uses it. */
  root: string;
  logLevel: string;
};

export type Work =
  | { query: { site: SiteOfCopy; statements: readonly Statement[] } }
  | { pattern: string }
  | { parquet: { columns: Columns; rows: string } }
  | { parquetPage: { file: string; columns: Columns; from: number } }
  | { forget: number }
  /** Removes the copies of all other sites. */
  | { keep: readonly number[] }
  | { metrics: true }
  /** Answered once the engine is open. */
  | { ping: true };

export type ToProcess = { open: Open } | { id: number; work: Work } | { cancel: number };

export type Reply = { id: number } & ({ value: unknown } | { error: Failure });
