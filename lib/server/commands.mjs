// What the npm scripts run. Plain JavaScript without dependencies, because the first thing it does on a
// fresh clone is to install them.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** The runs of Vitest, by the names of their results. */
const UNIT_TESTS = {
  // They start servers, and stop and break them: mostly they wait.
  servers: ["lib/server/"],
  // Their Postgres works while they wait.
  reports: ["lib/analytics/", "lib/operations/"],
  others: ["server", "analytics", "operations"].flatMap((room) => ["--exclude", `lib/${room}/**`]),
};

const [command = "start", ...rest] = process.argv.slice(2);
const commands = { start, dev, seed, test, bench, "import-log": importLog };
if (!Object.hasOwn(commands, command)) fail(`Unknown command ${command}; known: ${Object.keys(commands).join(", ")}`);
installDependencies();
if (command !== "import-log") generateClient();
await commands[command]();

async function start() {
  process.env.NODE_ENV ||= "production";
  build();
  stopWithNpm();
  await runBundle("main");
}

async function dev() {
  process.env.NODE_ENV = "development";
  await bundle();
  stopWithNpm();
  await runBundle("main");
}

async function seed() {
  process.env.NODE_ENV ||= "production";
  await bundle();
  await runBundle("seed");
}

/** Runs beside a live server, from cron too, and so leaves alone all that a server is made of. */
async function importLog() {
  const { bundleProgram } = await import("./bundle.mjs");
  await bundleProgram({ "import-log": "lib/logs/main.ts" });
  await runBundle("import-log");
}

async function bench() {
  const script = `bench/${rest[0]}.ts`;
  if (!existsSync(script)) fail(`Which benchmark? One of: ${readdirSync("bench").join(", ")}`);
  process.env.NODE_ENV ||= "production";
  build();
  await bundle({ [`bench-${rest[0]}`]: script });
  await runBundle(`bench-${rest[0]}`, rest.slice(1));
}

/** Types, lint, unit and integration tests, then the browser's stories; the last line counts them all. */
async function test() {
  run("npx", ["tsc", "--noEmit"]);
  run("npx", ["biome", "ci", "--error-on-warnings", "."]);
  build();
  await bundle();
  rmSync("test-results", { recursive: true, force: true });
  mkdirSync("test-results");
  const unit = await unitTests();
  process.env.CHROMIUM = findBrowser();
  const browser = run("npx", ["playwright", "test", "--config", "e2e/playwright.config.ts"], { mayFail: true });
  tellFailures();
  const sum = countTests();
  process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`);
  process.exit(unit && browser && sum.failed === 0 && sum.passed > 0 ? 0 : 1);
}

/**
 * Vitest, in runs side by side, each with a Postgres of its own.
 *
 * @returns whether all passed.
 */
async function unitTests() {
  if (rest.length > 0) return run("npx", ["vitest", "run", ...rest], { mayFail: true });
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
function tellFailures() {
  for (const { name, message, assertionResults } of unitReports().flatMap((report) => report.testResults)) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) process.stdout.write(`\nFAILED ${name}: ${test.fullName}\n${test.failureMessages[0]}\n`);
    if (message && failed.length === 0) process.stdout.write(`\nFAILED ${name}: ${message}\n`);
  }
}

function countTests() {
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

function installDependencies() {
  const stamp = "node_modules/.footfall-installed";
  const wanted = digestOf(["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  if (command === "import-log" && existsSync("node_modules")) {
    const words = "The dependencies have changed: stop the server and start it again, which installs them.";
    process.stderr.write(`${words} Until then this goes on with those that are there.\n`);
    return;
  }
  say("Installing dependencies");
  // The embedded PostgreSQL may run as another user, who must be able to read its programs.
  const umask = process.umask(0o022);
  run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { quiet: true });
  process.umask(umask);
  writeFileSync(stamp, wanted);
}

function generateClient() {
  const stamp = "prisma/client/.made-from";
  const wanted = digestOf(["prisma/schema.prisma", "package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  run("npx", ["prisma", "generate", "--config", "prisma/config.ts"], { quiet: true });
  writeFileSync(stamp, wanted);
}

/** The production build, made again only when something it is made from has changed. */
function build() {
  const stamp = "build/made-from";
  const wanted = digestOf([
    "app",
    "components",
    "lib",
    "prisma",
    "next.config.mjs",
    "tsconfig.json",
    "package-lock.json",
  ]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("Building (once; later starts take seconds)");
  rmSync(stamp, { force: true });
  run("node", ["lib/server/bundle.mjs"], { quiet: true });
  run("npx", ["next", "build"], { quiet: true, env: { NODE_ENV: "production" } });
  writeFileSync(stamp, wanted);
}

/** Told to stop, npm ends only the shell between itself and us: when that is gone, it was us who were meant. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, "SIGTERM"), 250).unref();
}

async function bundle(extra) {
  const { bundleServer } = await import("./bundle.mjs");
  await bundleServer(extra);
}

async function runBundle(name, given = rest) {
  // The program finds what it was given where it would be had it been started by itself.
  process.argv.splice(1, process.argv.length, `build/${name}.mjs`, ...given);
  await import(pathToFileURL(path.resolve(`build/${name}.mjs`)).href);
}

function digestOf(places) {
  const hash = createHash("sha256");
  const visit = (place) => {
    if (!existsSync(place)) return;
    if (statSync(place).isDirectory()) {
      if (place === "prisma/client") return;
      for (const name of readdirSync(place).sort()) visit(`${place}/${name}`);
    } else {
      hash.update(`${place}\n`).update(readFileSync(place));
    }
  };
  for (const place of places) visit(place);
  return hash.digest("hex");
}

/** Runs a program to its end. Without `mayFail` a failure stops everything, and shows what a quiet one printed. */
function run(program, args, { quiet = false, mayFail = false, env = {} } = {}) {
  const result = spawnSync(program, args, {
    stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
    maxBuffer: 1 << 28,
  });
  if (result.status === 0) return true;
  if (quiet) process.stderr.write(`${result.stdout ?? ""}${result.stderr ?? ""}`);
  if (!mayFail) fail(`${program} ${args.join(" ")} failed${result.error ? `: ${result.error.message}` : ""}`);
  return false;
}

function say(text) {
  process.stdout.write(`${text} …\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
