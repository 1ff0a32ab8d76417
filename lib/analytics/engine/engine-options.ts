import type { Derived } from "@/lib/analytics/engine/copy-options";

export interface EngineOptions {
  /** Where files of sites are. */
  folder: string;
  databaseUrl: string;
  memoryMegabytes: number;
  threads: number;
  derived: Derived;
  /** Sites with fewer events have no rollup. */
  rollUpFrom?: number;
  /** How old a copy may be when a question reads it, in milliseconds. */
  maxAgeMs?: number;
  /** How long a question waits for a copy that is being made, in milliseconds. */
  waitForCopyMs?: number;
  /** After so many milliseconds without a question a site's file is closed. */
  idleMs?: number;
  /** Connections to Postgres. */
  connections?: number;
  /** How long a query waits for one of them, in milliseconds. */
  connectWithinMs?: number;
}

export interface SiteOfCopy {
  siteId: number;
  timezone: string;
}
