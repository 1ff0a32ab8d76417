import path from "node:path";
import type { TestError } from "vitest";
import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/reporters";

const isFull = process.env.TIER === "full";

function printFailures(what: string, errors: readonly TestError[] = []): void {
  for (const error of errors)
    for (let one: TestError | undefined = error; one; one = one.cause as TestError | undefined)
      process.stdout.write(`\nFAILED ${what}\n${one.stack ?? one.message}\n${one.diff ?? ""}\n`);
}

/** Prints each failure at once, for runs that are interrupted; the default reporter does at the end. */
const failuresAtOnce: Reporter = {
  onTestCaseResult: (test) => printFailures(`${test.module.relativeModuleId}: ${test.fullName}`, test.result().errors),
  onTestModuleEnd: (file) => printFailures(file.relativeModuleId, file.errors()),
};

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    include: ["{app,components,e2e,lib}/**/*.test.ts"],
    // What takes long and guards what a cheaper test guards too: only `npm run test:full` runs these.
    exclude: isFull ? [] : ["**/*.full.test.ts"],
    tags: [{ name: "full", skip: !isFull }],
    globalSetup: "lib/testing/global.ts",
    setupFiles: "lib/testing/setup.ts",
    pool: "forks",
    // Most objects of a test are short-lived: with more room for them, collecting garbage takes a twelfth less of all CPU time.
    execArgv: ["--max-semi-space-size=64"],
    // One more than the cores of a small machine: while a test waits, another one works.
    maxWorkers: 3,
    isolate: false,
    sequence: { concurrent: true },
    // Only a fault reaches it, also on a machine of half the speed with two busy processes beside.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // What was transformed is kept for the next run, such as that on Node 24.
    experimental: { fsModuleCache: true },
    reporters: [
      "default",
      failuresAtOnce,
      ["json", { outputFile: `test-results/${process.env.RESULTS ?? "vitest"}.json` }],
    ],
  },
});
