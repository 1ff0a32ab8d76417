import type { PoolSizes } from "@/lib/platform/connections";
import { processWide } from "@/lib/platform/process-wide";
import type { DatabaseUrls } from "@/lib/server/database";

/** What `boot` has started. */
export interface Booted {
  urls: DatabaseUrls;
  /** What proves who makes the first account over the network; null once there is an account. */
  setupToken: string | null;
  /** Stops the jobs and writes what is pending. */
  settle(): Promise<void>;
  /** The same, and closes the database. */
  close(): Promise<void>;
}

/** What the bundle of the server and that of Next know of each other in one process. */
export const installation = processWide<{
  /** The connections of this thread; those of a process that does everything in one thread when not given. */
  connections?: PoolSizes;
  /** The embedded Postgres, where `main.ts` has started it. */
  embedded?: DatabaseUrls;
  booted?: Promise<Booted>;
}>("installation", () => ({}));
