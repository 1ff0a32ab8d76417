// What `npm test` runs, and what came of it. Plain JavaScript, as all that npm scripts begin with.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { run } from "./programs.mjs";

const { PRIORITY_NORMAL: NORMAL, PRIORITY_BELOW_NORMAL: LOW } = os.constants.priority;

/** Folders of tests that start servers, and stop and break them: these wait for half of their time. */
const SERVERS = ["e2e/", "lib/cli/", "lib/jobs/", "lib/postgres/", "lib/server/"];
const REPORTS = ["lib/analytics/", "lib/operations/", "lib/testing/oracle/"];

/** The runs of Vitest, by the names of their results. */
const UNIT_TESTS = {
  servers: SERVERS,
  reports: REPORTS,
  others: [...SERVERS, ...REPORTS].flatMap((folder) => ["--exclude", `${folder}**`]),
};

/**
 * All tests, in three lanes, so that no processor waits: the browser's stories and then the reports'; the servers', which
 * wait for half of their time; and all other unit tests. Each run of Vitest has a Postgres of its own, and the stories go
 * first: in a browser somebody waits, and the process that prepares reports has a low priority of its own.
 * Where files are named, one run of these comes instead of all unit tests.
 *
 * @returns whether all passed.
 */
export async function allTests(files) {
  const env = { CHROMIUM: findBrowser() };
  const stories = () => begin("npx", ["playwright", "test", "--config", "e2e/playwright.config.ts"], { env });
  if (files.length > 0) {
    const named = await begin("npx", ["vitest", "run", ...files]);
    return (await stories()) && named;
  }
  const lanes = [[stories, () => vitest("reports")], [() => vitest("servers")], [() => vitest("others")]];
  return (await Promise.all(lanes.map(inTurn))).every(Boolean);
}

/**
 * The unit tests that need no built server, no browser and no tables of their own: their files import nothing of
 * lib/testing and take nothing of Vitest's set-up.
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

/** One after the other, also after one that failed. @returns whether all ended well. */
async function inTurn(runs) {
  let passed = true;
  for (const run of runs) passed = (await run()) && passed;
  return passed;
}

/** One run of Vitest, whose results go to `test-results/<name>.json`. What it prints is printed when it has ended. */
const vitest = (name) =>
  begin("npx", ["vitest", "run", ...UNIT_TESTS[name]], { env: { RESULTS: name }, together: true, priority: LOW });

/** Runs a program beside others. @returns whether it ended well; what it prints is printed as it comes, or together. */
function begin(program, args, { env = {}, together = false, priority = NORMAL } = {}) {
  const child = spawn(program, args, {
    stdio: ["ignore", ...(together ? ["pipe", "pipe"] : ["inherit", "inherit"])],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  if (child.pid) os.setPriority(child.pid, priority);
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk));
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

/** The failed unit tests once more, because much has been told since, and logs are cut from the top. */
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

/** Pictures of all pages. @returns whether all could be made. */
export function picturePages() {
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
