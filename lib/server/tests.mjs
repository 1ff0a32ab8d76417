// What `npm test` runs, and what came of it. Plain JavaScript, as all that npm scripts begin with.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { run } from "./programs.mjs";

/** The runs of Vitest, by the names of their results. */
const UNIT_TESTS = {
  // They start servers, and stop and break them: mostly they wait.
  servers: ["lib/server/"],
  // Their Postgres works while they wait.
  reports: ["lib/analytics/", "lib/operations/"],
  others: ["server", "analytics", "operations"].flatMap((room) => ["--exclude", `lib/${room}/**`]),
};

/**
 * Vitest, in runs side by side, each with a Postgres of its own; one run of some files where these are named.
 *
 * @returns whether all passed.
 */
export async function unitTests(files) {
  if (files.length > 0) return run("npx", ["vitest", "run", ...files], { mayFail: true });
  const runs = Object.entries(UNIT_TESTS).map(([name, args]) => vitest(name, args));
  return (await Promise.all(runs)).every(Boolean);
}

/** One run of Vitest, whose results go to `test-results/<name>.json`. What it prints is printed when it has ended. */
function vitest(name, args) {
  const child = spawn("npx", ["vitest", "run", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, RESULTS: name },
    shell: process.platform === "win32",
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });
}

/** What Vitest wrote of the runs that have ended. */
function unitReports() {
  return ["vitest", ...Object.keys(UNIT_TESTS)]
    .map((name) => `test-results/${name}.json`)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** The failed unit tests once more, because the browser's stories have been told since, and logs are cut from the top. */
export function tellFailures() {
  for (const { name, message, assertionResults } of unitReports().flatMap((report) => report.testResults)) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) process.stdout.write(`\nFAILED ${name}: ${test.fullName}\n${test.failureMessages[0]}\n`);
    if (message && failed.length === 0) process.stdout.write(`\nFAILED ${name}: ${message}\n`);
  }
}

/** How many tests passed and failed, the browser's stories among them. */
export function countTests() {
  const sum = { passed: 0, failed: 0 };
  for (const report of unitReports()) {
    sum.passed += report.numPassedTests;
    sum.failed += report.numFailedTests;
  }
  if (existsSync("test-results/playwright.json")) {
    const { stats } = JSON.parse(readFileSync("test-results/playwright.json", "utf8"));
    sum.passed += stats.expected;
    sum.failed += stats.unexpected + stats.flaky;
  }
  return sum;
}

/** The stories, in the browser that is there. @returns whether all passed. */
export const browserTests = () => playwright("e2e/playwright.config.ts");

/** Pictures of all pages. @returns whether all could be made. */
export const picturePages = () => playwright("e2e/screenshots/playwright.config.ts");

function playwright(config) {
  process.env.CHROMIUM = findBrowser();
  return run("npx", ["playwright", "test", "--config", config], { mayFail: true });
}

function findBrowser() {
  const known = [
    process.env.CHROMIUM,
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  const found = () => known.find((file) => file && existsSync(file));
  if (found()) return found();
  if (existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    run("apt-get", ["update", "-qq"], { mayFail: true });
    run("apt-get", ["install", "-y", "-qq", "chromium"], { mayFail: true });
    if (found()) return found();
  }
  run("npx", ["playwright", "install", "chromium"]);
  return "";
}
