import { execFileSync } from "node:child_process";
import path from "node:path";
import { chromium, defineConfig, devices } from "@playwright/test";

const root = path.resolve(import.meta.dirname, "..");

const browser = process.env.CHROMIUM || chromium.executablePath();
const version = /\b(\d+)\./.exec(execFileSync(browser, ["--version"], { encoding: "utf8" }))?.[1];

/**
 * The stories only a browser can tell, against the built server: two at a time, each on a server of its own,
 * each told once. Whoever is done takes the next story, of whatever file: none waits for the longest file to end.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  // Files called *.test.ts are Vitest's.
  testMatch: "**/*.spec.ts",
  outputDir: path.join(root, "test-results/browser"),
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // Long enough for a machine that does much else: how fast a page is, no story tells.
  timeout: 240_000,
  expect: { timeout: 20_000 },
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
        // Nor does a browser of people's say that a program drives it.
        "--disable-blink-features=AutomationControlled",
        // A browser as people have it: a headless one calls itself that, and is suspicious for it, as is one whose
        // version is another than that of its client hints. A context's own user
        // agent would not do, because requests that outlive their page go out without it.
        `--user-agent=${devices["Desktop Chrome"].userAgent.replace(/Chrome\/[\d.]+/, `Chrome/${version}.0.0.0`)}`,
      ],
    },
  },
});
