import type { Analytics } from "@/lib/analytics/engine/analytics";
import { Engine, type EngineOptions } from "@/lib/analytics/engine/engine";

/** The engine in this process, for tests and commands: it is opened when it is first asked. */
export function inProcess(options: EngineOptions): Analytics {
  let opened: Promise<Engine> | null = null;
  const engine = () => {
    opened ??= Engine.open(options);
    return opened;
  };
  return {
    ask: async (...question) => (await engine()).ask(...question),
    forget: async (siteId) => (await engine()).forget(siteId),
    close: async () => (await opened)?.close(),
  };
}
