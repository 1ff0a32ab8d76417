// Runs the tests of `npm test` and reports their results. Plain JavaScript, like everything that npm scripts start.
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findNode24, isNode24 } from "./node-24.mjs";
import { begin, run } from "./programs.mjs";

const PLAYWRIGHT_REPORT = "test-results/playwright.json";
const FLAKY_LOG = "e2e/FLAKY.md";

/** Runs Vitest on these files, or on all. @returns whether all passed. */
export const unitTests = (files = [], { node = process.execPath, results = "vitest" } = {}) =>
  begin(node, ["node_modules/vitest/vitest.mjs", "run", ...files], { env: { RESULTS: results } });

/** Runs the tests in a browser. @param only names of files @returns whether all passed, at the second try at the latest. */
export async function browserTests(only = []) {
  const args = ["playwright", "test", "--config", "e2e/playwright.config.ts", ...only];
  const passed = await begin("npx", args, { env: findBrowsers() });
  reportFlaky();
  return passed;
}

/** Runs the unit tests that need no built server and no browser, on this Node. @returns whether all passed. */
export const quickTests = () => unitTests(quickFiles());

/** Runs the quick tests on Node 24, unless this is Node 24. @returns whether all passed. */
export async function quickTestsOnNode24() {
  return isNode24 || unitTests(quickFiles(), { node: findNode24(), results: "node-24" });
}

/** The unit tests that neither start processes nor use the database. */
function quickFiles() {
  return ["app", "components", "lib"]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => path.posix.join(folder, name)))
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith(".full.test.ts"))
    .filter(
      (file) => !/@\/lib\/testing\/(?!tier"|patience")|\binject\(|node:child_process/.test(readFileSync(file, "utf8")),
    );
}

/** The results of the runs of Vitest that ended. */
function unitReports() {
  return ["vitest", "node-24"]
    .map((name) => `test-results/${name}.json`)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** Prints the failed tests and first tries again, last, because logs are often cut from the top. */
export function printFailures() {
  for (const { file, title, error } of browserResults("flaky"))
    process.stdout.write(`\nPASSED AT THE SECOND TRY ${file}: ${title}\n${error}\n`);
  for (const { file, title, error } of browserResults("unexpected"))
    process.stdout.write(`\nFAILED ${file}: ${title}\n${error}\n`);
  for (const { name, message, assertionResults } of unitReports().flatMap((report) => report.testResults)) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) process.stdout.write(`\nFAILED ${name}: ${test.fullName}\n${test.failureMessages[0]}\n`);
    if (message && failed.length === 0) process.stdout.write(`\nFAILED ${name}: ${message}\n`);
  }
}

/** Prints the tests that passed at their second try. */
export function printFlaky() {
  for (const { title } of browserResults("flaky")) process.stdout.write(`FLAKY ${title}\n`);
}

/** Adds the tests that passed at their second try to the list of those whose cause is to be found. */
function reportFlaky() {
  const today = new Date().toISOString().slice(0, 10);
  for (const { file, title, error } of browserResults("flaky")) {
    appendFileSync(FLAKY_LOG, `- [ ] ${today} ${file} "${title}": ${error.split("\n", 1)[0]}\n`);
  }
}

/** @returns the browser tests with this outcome, each with the message of its first error. */
function browserResults(outcome) {
  if (!existsSync(PLAYWRIGHT_REPORT)) return [];
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  const { suites } = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, "utf8"));
  return suites
    .flatMap(specsOf)
    .flatMap(({ tests, ...spec }) => tests.map((test) => ({ ...spec, ...test })))
    .filter(({ status }) => status === outcome)
    .map(({ file, line, title, results }) => ({
      file: `e2e/${file}:${line}`,
      title,
      error: stripVTControlCharacters(results.find(({ error }) => error)?.error.message ?? "did not run"),
    }));
}

/** The numbers of passed and failed tests, of all runs. */
export function countTests() {
  const sum = { passed: 0, failed: 0 };
  for (const report of unitReports()) {
    sum.passed += report.numPassedTests;
    sum.failed += report.numFailedTests;
  }
  if (existsSync(PLAYWRIGHT_REPORT)) {
    const { stats } = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, "utf8"));
    sum.passed += stats.expected + stats.flaky;
    sum.failed += stats.unexpected;
  }
  return sum;
}

/** @returns a function that runs a phase by its name, and one that prints how long each took and how busy the machine was. */
export function stopwatch() {
  const rows = [];
  const busySeconds = () =>
    os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
  const timed = async (name, work) => {
    const [began, busy] = [performance.now(), busySeconds()];
    const result = await work();
    rows.push([name, (performance.now() - began) / 1000, busySeconds() - busy]);
    return result;
  };
  const print = () => {
    const total = ["total", ...[1, 2].map((column) => rows.reduce((sum, row) => sum + row[column], 0))];
    process.stdout.write(`\n${"phase".padEnd(28)}${"seconds".padStart(8)}${"CPU seconds".padStart(13)}\n`);
    for (const [name, wall, busy] of [...rows, total])
      process.stdout.write(`${name.padEnd(28)}${wall.toFixed(0).padStart(8)}${busy.toFixed(0).padStart(13)}\n`);
  };
  return { timed, print };
}

const CHROMIUM = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const HEADLESS_SHELL = [process.env.HEADLESS_SHELL, "/usr/bin/chromium-headless-shell"];

/**
 * Finds the browser of visitors and the faster one without a user interface, and installs what is missing.
 *
 * @returns their paths as variables for Playwright; an empty path stands for Playwright's own browser.
 */
export function findBrowsers() {
  const found = (places) => places.find((file) => file && existsSync(file)) ?? "";
  const isComplete = () => found(CHROMIUM) && found(HEADLESS_SHELL);
  if (!isComplete() && existsSync("/usr/bin/apt-get") && process.getuid?.() === 0) {
    run("apt-get", ["update", "-qq"], { mayFail: true });
    // One at a time: older releases have no headless shell.
    for (const name of ["chromium", "chromium-headless-shell"])
      run("apt-get", ["install", "-y", "-qq", name], { mayFail: true });
  }
  if (!found(CHROMIUM)) run("npx", ["playwright", "install", "chromium"]);
  return { CHROMIUM: found(CHROMIUM), HEADLESS_SHELL: found(HEADLESS_SHELL) };
}
