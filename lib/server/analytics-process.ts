import os from "node:os";
import path from "node:path";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import { CONNECTIONS } from "@/lib/platform/connections";
import { db } from "@/lib/platform/db";
import type { Env } from "@/lib/platform/env";

const LEAST_MEGABYTES = 256;
const MAX_MEGABYTES = 4_096;
const SHARE_OF_MEMORY = 1 / 4;

/** The analytics process of this server. It is not started yet. */
export function analyticsProcess({ DATA_DIR, LOG_LEVEL }: Env, reportsUrl: string): AnalyticsProcess {
  return new AnalyticsProcess({
    // Beside Next and the server alike, which are in different bundles.
    program: path.resolve("build", "analytics.mjs"),
    open: {
      root: path.join(DATA_DIR, "analytics"),
      databaseUrl: reportsUrl,
      connections: CONNECTIONS.analytics,
      memoryMegabytes: memoryMegabytes(),
      threads: os.availableParallelism(),
      logLevel: LOG_LEVEL,
    },
    siteIds: async () => (await db().site.findMany({ select: { id: true } })).map(({ id }) => id),
  });
}

/** The limit of DuckDB. The memory of a container may be less than that of its machine. */
function memoryMegabytes(total = os.totalmem(), limit = process.constrainedMemory()): number {
  const available = limit > 0 ? Math.min(total, limit) : total;
  const share = Math.floor((available * SHARE_OF_MEMORY) / 2 ** 20);
  return Math.min(MAX_MEGABYTES, Math.max(LEAST_MEGABYTES, share));
}
