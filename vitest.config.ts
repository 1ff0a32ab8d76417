import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    include: ["{app,components,e2e,lib}/**/*.test.ts"],
    // Faults, load and soak: `npm run test:full` runs these too.
    exclude: process.env.TIER === "full" ? [] : ["**/*.full.test.ts"],
    globalSetup: "lib/testing/global.ts",
    setupFiles: "lib/testing/setup.ts",
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    sequence: { concurrent: true },
    // Only a fault reaches it, also on a machine of half the speed with two busy processes beside.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    reporters: ["default", ["json", { outputFile: `test-results/${process.env.RESULTS ?? "vitest"}.json` }]],
  },
});
