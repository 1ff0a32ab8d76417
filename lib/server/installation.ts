import type { PoolSizes } from "@/lib/platform/connections";
import { processWide } from "@/lib/platform/process-wide";
import type { DatabaseUrls } from "@/lib/server/database";

/** The result of `boot`. */
export interface Booted {
  urls: DatabaseUrls;
  /** The token that is required to create the first account from another machine; null when an account exists. */
  setupToken: string | null;
  /** Stops the jobs and writes pending data. */
  settle(): Promise<void>;
  /** Does the same and closes the database. */
  close(): Promise<void>;
}

/** State that the bundles of the server and of Next share in one process. */
export const installation = processWide<{
  /** The connections of this thread; the default is `SINGLE_THREAD`. */
  connections?: PoolSizes;
  /** The embedded Postgres, when `main.ts` has started it. */
  embedded?: DatabaseUrls;
  booted?: Promise<Booted>;
}>("installation", () => ({}));
