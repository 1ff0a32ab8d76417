import os from "node:os";
import path from "node:path";
import { AnalyticsProcess } from "@/lib/analytics/engine/client";
import { CONNECTIONS } from "@/lib/platform/connections";
import { db } from "@/lib/platform/db";
import type { Env } from "@/lib/platform/env";

const MIN_MEGABYTES = 256;
const MAX_MEGABYTES = 4_096;
const SHARE_OF_MEMORY = 1 / 4;

/** Creates the analytics process of this server without starting it. */
export function analyticsProcess({ DATA_DIR, LOG_LEVEL }: Env, reportsUrl: string): AnalyticsProcess {
  return new AnalyticsProcess({
    // Relative to the working directory, because the bundles of Next and of the server are in different folders.
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

/** Returns the memory limit of DuckDB in MiB: a quarter of the memory of the machine or container, within bounds. */
function memoryMegabytes(): number {
  const limit = process.constrainedMemory();
  const available = limit > 0 ? Math.min(os.totalmem(), limit) : os.totalmem();
  const share = Math.floor((available * SHARE_OF_MEMORY) / 2 ** 20);
  return Math.min(MAX_MEGABYTES, Math.max(MIN_MEGABYTES, share));
}
