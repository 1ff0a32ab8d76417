import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/**
 * Creates a folder that is deleted after the test.
 *
 * @param after registers the deletion: `afterAll` for a folder of all tests of a file, and the `onTestFinished` of its
 *   own context in a test that runs concurrently
 */
export function temporaryDir(after: (remove: () => void) => unknown = onTestFinished): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "footfall-test-"));
  after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
