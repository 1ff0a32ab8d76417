// Runs the tests of `npm test` and reports their results. Plain JavaScript, like everything that npm scripts start.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { begin, run } from "./programs.mjs";

/** A third of the processor time of a program with normal priority: with less, unit tests wait too long for Postgres. */
const LOW = 5;

/** Tests that start, stop and break servers. They wait for half of their time. */
const SERVERS = ["e2e/", "lib/cli/", "lib/jobs/", "lib/postgres/", "lib/server/"];
const REPORTS = ["lib/analytics/", "lib/operations/"];
const ORACLE = ["lib/testing/oracle/"];

/** The runs of Vitest, by the names of their result files. */
const UNIT_TESTS = {
  servers: SERVERS,
  reports: REPORTS,
  oracle: ORACLE,
  others: [...SERVERS, ...REPORTS, ...ORACLE].flatMap((folder) => ["--exclude", `${folder}**`]),
};

/**
 * Runs all tests so that two processors are always busy: the end-to-end tests beside most unit tests, then the tests of
 * reports. Each run of Vitest has its own Postgres and a lower priority than the end-to-end tests, because slow pages fail
 * these.
 *
 * @param files runs these files of unit tests instead of all.
 * @returns whether all passed.
 */
export async function allTests(files) {
  const env = { CHROMIUM: findBrowser() };
  const endToEnd = () => begin("npx", ["playwright", "test", "--config", "e2e/playwright.config.ts"], { env });
  if (files.length > 0) {
    const named = await begin("npx", ["vitest", "run", ...files]);
    return (await endToEnd()) && named;
  }
  const beside = ["servers", "others"].map(vitest);
  const passed = await endToEnd();
  return (await all([...beside, ...["oracle", "reports"].map(vitest)])) && passed;
}

/**
 * Runs the unit tests that need no built server, browser or database: files that import nothing from lib/testing and use
 * nothing of Vitest's set-up.
 *
 * @returns whether all passed.
 */
export function quickTests() {
  const files = ["app", "components", "lib"]
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith(".test.ts") && !SERVERS.some((folder) => file.startsWith(folder)))
    .filter((file) => !/@\/lib\/testing\/|\binject\(|node:child_process/.test(readFileSync(file, "utf8")));
  return begin("npx", ["vitest", "run", ...files]);
}

/** @returns whether all of these runs passed. */
const all = async (runs) => (await Promise.all(runs)).every(Boolean);

/** Runs Vitest with results in `test-results/<name>.json`. Its output is printed when it ends. */
const vitest = (name) =>
  begin("npx", ["vitest", "run", ...UNIT_TESTS[name]], { env: { RESULTS: name }, print: "ends", priority: LOW });

/** The results of the runs of Vitest that ended. */
function unitReports() {
  return ["vitest", ...Object.keys(UNIT_TESTS)]
    .map((name) => `test-results/${name}.json`)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** Prints the failed tests again, last, because logs are often cut from the top. */
export function printFailures() {
  for (const { file, title, error } of failedEndToEndTests())
    process.stdout.write(`\nFAILED ${file}: ${title}\n${error}\n`);
  for (const { name, message, assertionResults } of unitReports().flatMap((report) => report.testResults)) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) process.stdout.write(`\nFAILED ${name}: ${test.fullName}\n${test.failureMessages[0]}\n`);
    if (message && failed.length === 0) process.stdout.write(`\nFAILED ${name}: ${message}\n`);
  }
}

const PLAYWRIGHT_REPORT = "test-results/playwright.json";

/** @returns the failed end-to-end tests with the message of their first error. */
function failedEndToEndTests() {
  if (!existsSync(PLAYWRIGHT_REPORT)) return [];
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  const { suites } = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, "utf8"));
  return suites
    .flatMap(specsOf)
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => ({
      file: `e2e/${file}:${line}`,
      title,
      error: tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message ?? "did not run",
    }));
}

/** The numbers of passed and failed tests, end-to-end tests included. */
export function countTests() {
  const sum = { passed: 0, failed: 0 };
  for (const report of unitReports()) {
    sum.passed += report.numPassedTests;
    sum.failed += report.numFailedTests;
  }
  if (existsSync(PLAYWRIGHT_REPORT)) {
    const { stats } = JSON.parse(readFileSync(PLAYWRIGHT_REPORT, "utf8"));
    sum.passed += stats.expected;
    sum.failed += stats.unexpected + stats.flaky;
  }
  return sum;
}

/** Takes screenshots of all pages. @returns whether all were taken. */
export function takeScreenshots() {
  const env = { CHROMIUM: findBrowser() };
  return run("npx", ["playwright", "test", "--config", "e2e/screenshots/playwright.config.ts"], { mayFail: true, env });
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
