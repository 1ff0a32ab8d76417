import type { SiteOfCopy } from "@/lib/analytics/engine/engine";
import type { Columns } from "@/lib/analytics/engine/parquet";
import type { ParquetPage } from "@/lib/analytics/engine/parquet-pages";
import type { Row, Statement } from "@/lib/analytics/engine/statement";
import { Fault } from "@/lib/platform/errors";
import { processWide } from "@/lib/platform/process-wide";

/** What answers the queries of reports: the engine in its own process, or in this one. */
export interface Analytics {
  /** As `Engine.query`. @throws Refusal `unavailable` while the site is being copied and when it cannot be answered. */
  query(site: SiteOfCopy, statements: readonly Statement[], signal?: AbortSignal): Promise<Row[][]>;
  /** Returns what DuckDB has against a regular expression; null when it takes it. */
  patternFault(pattern: string): Promise<string | null>;
  /** Returns rows, one JSON object a line, as a Parquet file of one row group. */
  parquet(columns: Columns, rows: string): Promise<Uint8Array>;
  /** As `ParquetPages.page`. */
  parquetPage(file: string, columns: Columns, from: number): Promise<ParquetPage>;
  forget(siteId: number): Promise<void>;
  close(): Promise<void>;
}

const current = processWide<{ analytics?: Analytics }>("analytics", () => ({}));

/** Sets what answers the queries of this process. */
export function setAnalytics(analytics: Analytics | null): void {
  if (analytics) current.analytics = analytics;
  else delete current.analytics;
}

export function analytics(): Analytics {
  if (!current.analytics) throw new Fault("setAnalytics() has not run in this process");
  return current.analytics;
}
