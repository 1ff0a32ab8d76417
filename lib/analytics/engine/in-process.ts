import type { Analytics } from "@/lib/analytics/engine/analytics";
import { Engine, type EngineOptions } from "@/lib/analytics/engine/engine";
import { errorOf, failureOf } from "@/lib/analytics/engine/failure";

/** Opens an engine on first use, and again after a failure. */
export function openedWhenNeeded(open: () => Promise<Engine>) {
  let opened: Promise<Engine> | null = null;
  return {
    get(): Promise<Engine> {
      opened ??= open().catch((error) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}

/** The engine in this process, for tests and commands. */
export function inProcess(options: EngineOptions): Analytics {
  const engine = openedWhenNeeded(() => Engine.open(options));
  return {
    async query(site, statements, signal) {
      try {
        return await (await engine.get()).query(site, statements, signal);
      } catch (error) {
        throw errorOf(failureOf(error, signal), signal);
      }
    },
    patternFault: async (pattern) => (await engine.get()).patternFault(pattern),
    parquet: async (columns, rows) => (await engine.get()).parquet(columns, rows),
    forget: async (siteId) => (await engine.get()).forget(siteId),
    close: engine.close,
  };
}
