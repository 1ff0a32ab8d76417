import type { Analytics } from "@/lib/analytics/engine/analytics";
import { Engine, type EngineOptions } from "@/lib/analytics/engine/engine";
import { errorOf, failureOf } from "@/lib/analytics/engine/failure";

/** The engine in the process of a test, opened by the first query, with the errors that callers get. */
export function inProcess(options: EngineOptions): Analytics {
  let opened: Promise<Engine> | undefined;
  const engine = () => (opened ??= Engine.open(options));
  return {
    async query(site, statements, signal) {
      try {
        return await (await engine()).query(site, statements, signal);
      } catch (error) {
        throw errorOf(failureOf(error, signal), signal);
      }
    },
    patternFault: async (pattern) => (await engine()).patternFault(pattern),
    parquet: async (columns, rows) => (await engine()).parquet(columns, rows),
    parquetPage: async (file, columns, from) => (await engine()).parquetPage(file, columns, from),
    forget: async (siteId) => (await engine()).forget(siteId),
    close: async () => (await opened)?.close(),
  };
}
