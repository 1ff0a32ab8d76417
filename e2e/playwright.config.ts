import path from "node:path";
import { defineConfig, devices } from "@playwright/test";

const root = path.resolve(import.meta.dirname, "..");

/** The stories only a browser can tell, against the built server: one after the other, each told once. */
export default defineConfig({
  testDir: import.meta.dirname,
  outputDir: path.join(root, "test-results/browser"),
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: path.join(root, "test-results/playwright.json") }]],
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    launchOptions: {
      // Empty: Playwright's own.
      executablePath: process.env.CHROMIUM || undefined,
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        // Every site of a story lives on this machine, under a name like that of a real one.
        "--host-resolver-rules=MAP *.example 127.0.0.1",
        // A browser as people have it: a headless one calls itself that, and is a bot for it. A context's own user
        // agent would not do, because requests that outlive their page go out without it.
        `--user-agent=${devices["Desktop Chrome"].userAgent}`,
      ],
    },
  },
});
