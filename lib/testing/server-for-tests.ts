import { afterAll, beforeAll } from "vitest";
import { databaseForTests } from "@/lib/testing/database";
import { openedUrl } from "@/lib/testing/opened-url";
import { type RunningServer, startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { TEST_SECRETS } from "@/lib/testing/world";

/**
 * Starts one server for all tests of a file, which must not affect each other. The file has its own database, because the
 * jobs of the server would do the work of other tests, such as sending their email. Call it at the top of the file.
 *
 * @returns the server once it runs, and a function that starts another one beside it, which the test has to end.
 */
export function serverForTests(env: Record<string, string> = {}) {
  databaseForTests();
  const dataDir = temporaryDir(afterAll);
  const start = async (more: Record<string, string> = {}): Promise<RunningServer> =>
    startServer({ DATABASE_URL: await openedUrl(), APP_SECRETS: TEST_SECRETS, DATA_DIR: dataDir, ...env, ...more });
  let started: Promise<RunningServer>;
  beforeAll(() => {
    started = start();
  });
  afterAll(async () => void (await (await started).end("SIGTERM")));
  return { started: () => started, start };
}
