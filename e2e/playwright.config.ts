import { execFileSync } from "node:child_process";
import path from "node:path";
import { chromium, defineConfig, devices } from "@playwright/test";
import { zoneAtHour } from "@/lib/testing/zone";

const root = path.resolve(import.meta.dirname, "..");

const browser = process.env.CHROMIUM || chromium.executablePath();
const version = /\b(\d+)\./.exec(execFileSync(browser, ["--version"], { encoding: "utf8" }))?.[1];

/**
 * End-to-end tests in a browser against the built server. Two workers, each with its own server; a free worker takes
 * the next test of any file. `npm test` lists a test that passes only at its second try in FLAKY.md.
 */
export default defineConfig({
  testDir: import.meta.dirname,
  // Files named *.test.ts are run by Vitest.
  testMatch: "**/*.spec.ts",
  // Details, and variants of what another test guards: `npm run test:full` runs these too.
  ...(process.env.TIER !== "full" && { testIgnore: "**/*.full.spec.ts", grepInvert: /@full\b/ }),
  outputDir: path.join(root, "test-results/browser"),
  workers: 2,
  fullyParallel: true,
  retries: 1,
  // Only what never happens takes this long, on a slow and busy machine too: these tests do not measure speed.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["json", { outputFile: path.join(root, "test-results/playwright.json") }]],
  use: {
    browserName: "chromium",
    screenshot: "only-on-failure",
    // An element that never appears fails here, not at the timeout of the whole test.
    actionTimeout: 60_000,
    // It is noon in the browsers and on the sites of tests: no day, week or month ends during one.
    timezoneId: zoneAtHour(12),
    // Animations repaint pages that wait, and move what tests click.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      // A browser without a user interface takes a third of the processor time. If not set, Playwright's own.
      executablePath: process.env.HEADLESS_SHELL || process.env.CHROMIUM || undefined,
      args: [
        ...["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        // All *.example sites are served by this machine.
        "--host-resolver-rules=MAP *.example 127.0.0.1",
        // Hides navigator.webdriver, which classifies a browser as automated.
        "--disable-blink-features=AutomationControlled",
        // A headless user agent, or one that contradicts the client hints, is classified as suspicious. Set per browser
        // instead of per context, because requests that outlive their page do not use the context's user agent.
        `--user-agent=${devices["Desktop Chrome"].userAgent.replace(/Chrome\/[\d.]+/, `Chrome/${version}.0.0.0`)}`,
      ],
    },
  },
});
