import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { whileAwaited } from "@/lib/asker";
import { prepareDecoy } from "@/lib/auth/password";
import type { Env } from "@/lib/env";
import { describeError, log } from "@/lib/log";
import type { Family } from "@/lib/metrics/registry";
import { routePattern } from "@/lib/server/headers";
import { JOBS } from "@/lib/server/jobs";
import { managementLane } from "@/lib/server/management-lane";
import { setReady } from "@/lib/server/ready";
import { startJobs } from "@/lib/server/scheduler";
import { warnOfZoneDifferences } from "@/lib/server/zone-rules";

/** Pages and the API, which Next answers. */
export interface Pages {
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Lets health say that this process is about to stop. */
  leave(): void;
  /** What the thread counts that they run in, if it is another than the one that asks. */
  metrics(): Promise<Family[]>;
  close(): Promise<void>;
}

/** Next in this thread, with the jobs that run beside it. */
export async function pagesHere(server: Server, env: Env): Promise<Pages> {
  const dev = env.NODE_ENV === "development";
  // Not even loaded where another thread has it.
  const { default: next } = await import("next");
  const pages = next({ dev, hostname: env.HOST, port: env.PORT, httpServer: server });
  await pages.prepare();
  const answer = pages.getRequestHandler();
  const stopJobs = startJobs(JOBS);
  warnOfZoneDifferences(new Date()).catch((error) => log.warn(describeError(error), "time zones were not compared"));
  setReady(true);
  prepareDecoy().catch((error) => log.error(describeError(error), "no decoy for passwords"));
  return {
    answer(request, response) {
      if (!dev && whileAwaited(response, () => managementLane(request, response))) return;
      whileAwaited(response, () => answer(request, response)).catch((error) => {
        log.error({ route: routePattern(request.url ?? ""), ...describeError(error) }, "a page failed");
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    },
    leave: () => setReady(false),
    metrics: async () => [],
    async close() {
      await stopJobs();
      await pages.close();
    },
  };
}
