import type { Derived } from "@/lib/analytics/engine/copy-options";

export interface EngineOptions {
  /** The folder of the sites' files. */
  folder: string;
  databaseUrl: string;
  memoryMegabytes: number;
  threads: number;
  derived: Derived;
  /** Sites with fewer events have no rollup. */
  rollUpFrom?: number;
  /** How old a copy may be when a query reads it, in milliseconds. */
  maxAgeMs?: number;
  /** How long a query waits for a copy that is being made, in milliseconds. */
  waitForCopyMs?: number;
  /** A site's file is closed after this many milliseconds without a query. */
  idleMs?: number;
  /** Connections to Postgres. */
  connections?: number;
  /** How long a query waits for one of them, in milliseconds. */
  connectWithinMs?: number;
}

export interface SiteOfCopy {
  siteId: number;
  timezone: string;
  /** Whether slashes at the end of a path make no other page, so that the copy leaves them out; false when not given. */
  mergeSlashes?: boolean;
}
