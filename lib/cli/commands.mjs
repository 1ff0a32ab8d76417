// The commands of the npm scripts. Plain JavaScript without dependencies, because the first step on a fresh clone is to
// install them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { addCompileHints } from "./compile-hints.mjs";
import { begin, fail, run, say } from "./programs.mjs";
import {
  browserTests,
  countTests,
  findBrowsers,
  printFailures,
  printFlaky,
  quickTests,
  quickTestsOnNode24,
  stopwatch,
  unitTests,
} from "./tests.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
process.chdir(root);
process.env.NEXT_TELEMETRY_DISABLED = "1";
const BUILD_STAMP = "build/made-from";
/** Commands that may run beside a live server, and must not change its files. */
const RUNS_BESIDE_SERVER = new Set(["import-log", "import", "backup"]);

const [command = "start", ...rest] = process.argv.slice(2);
const commands = {
  start,
  dev,
  seed,
  build,
  lint,
  typecheck,
  format,
  screenshots,
  bench,
  test,
  "test:quick": testQuick,
  "test:e2e": testEndToEnd,
  "test:full": testFull,
  "test:protections": testProtections,
  fuzz,
  "import-log": importLog,
  import: importData,
  backup,
  restore,
  distribute,
  "update-lists": updateLists,
};
if (!Object.hasOwn(commands, command)) fail(`Unknown command ${command}; known: ${Object.keys(commands).join(", ")}`);
installDependencies();
if (!RUNS_BESIDE_SERVER.has(command)) generateClient();
await commands[command]();

async function start() {
  process.env.NODE_ENV ||= "production";
  await build();
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
  await besideServer("seed", "prisma/seed.ts", rest);
}

async function importLog() {
  await besideServer("import-log", "lib/cli/import-log.ts", rest);
}

async function backup() {
  await besideServer("backup", "lib/cli/backup.ts", ["backup", ...rest]);
}

async function restore() {
  await besideServer("backup", "lib/cli/backup.ts", ["restore", ...rest]);
}

async function distribute() {
  await besideServer("distribute", "lib/cli/distribute.ts", rest);
}

async function importData() {
  await besideServer("import", "lib/cli/import.ts", rest);
}

/** Rewrites the bundled lists from downloads of what others keep. */
async function updateLists() {
  const { bundleProgram } = await import("./bundle.mjs");
  await bundleProgram({ "update-lists": "lib/cli/update-lists.ts" });
  await runBundle("update-lists");
}

/** Runs a program beside a live server, whose files it leaves alone, or in an image that cannot build. */
async function besideServer(name, script, args) {
  const { bundleProgram } = isBuilt() ? {} : await import("./bundle.mjs");
  await bundleProgram?.({ [name]: script });
  await runBundle(name, args);
}

/** Sends 100,000 requests generated from /openapi.json with three seeds; arguments set other numbers. */
async function fuzz() {
  const [runs = "33334", seeds = "1,2,3"] = rest;
  run("npx", ["vitest", "run", "lib/api/fuzz.test.ts"], { env: { FUZZ_RUNS: runs, FUZZ_SEEDS: seeds } });
}

async function bench() {
  const script = `bench/${rest[0]}.ts`;
  if (!existsSync(script)) fail(`Unknown benchmark; known: ${readdirSync("bench").join(", ")}`);
  process.env.NODE_ENV ||= "production";
  await build();
  await bundle({ [`bench-${rest[0]}`]: script, "bench-prototype": "bench/support/prototype.ts" });
  await runBundle(`bench-${rest[0]}`, rest.slice(1));
}

/** Checks types and lint, then runs unit, integration and browser tests; the last line is the total. */
async function test() {
  const { timed, print } = stopwatch();
  rmSync("test-results", { recursive: true, force: true });
  mkdirSync("test-results");
  const [, isClean] = await timed("build, types and lint", () => Promise.all([build(), checkCode()]));
  if (!isClean) fail("Types or lint are wrong.");
  await bundle();
  // One after the other, because each keeps two processors busy, and slow pages fail browser tests.
  const passed = [
    await timed("unit and integration tests", () => unitTests(rest)),
    await timed("browser tests", () => browserTests()),
    await timed("quick tests on Node 24", quickTestsOnNode24),
  ].every(Boolean);
  printFailures();
  print();
  printFlaky();
  const sum = countTests();
  // `process.exit` would cut off what a pipe has not taken yet.
  await new Promise((resolve) => process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`, resolve));
  process.exit(passed && sum.failed === 0 && sum.passed > 0 ? 0 : 1);
}

/** The tests of `npm test`, and those that only the full tier runs, also in the browser. */
async function testFull() {
  process.env.TIER = "full";
  await test();
}

/** Removes each protection in a copy, where its test must fail; arguments choose cases, such as `-t "case 36 "`. */
async function testProtections() {
  Object.assign(process.env, { TIER: "full", PROTECTIONS: "all" });
  process.exit((await unitTests(["lib/threats.full.test.ts", ...rest])) ? 0 : 1);
}

/** Runs the browser tests alone; arguments choose files. */
async function testEndToEnd() {
  await build();
  await bundle();
  const passed = await browserTests(rest);
  printFlaky();
  process.exit(passed ? 0 : 1);
}

async function lint() {
  process.exit((await biome("ci", "--error-on-warnings")) ? 0 : 1);
}

async function typecheck() {
  process.exit((await checkTypes()) ? 0 : 1);
}

async function format() {
  process.exit((await biome("check", "--write")) ? 0 : 1);
}

function biome(...args) {
  return begin("npx", ["biome", ...args, "."], { print: "fails" });
}

function checkTypes() {
  return begin("npx", ["tsc", "--noEmit"], { print: "fails" });
}

/** @returns whether types and lint are right. */
async function checkCode() {
  return (await Promise.all([checkTypes(), biome("ci", "--error-on-warnings")])).every(Boolean);
}

/** Checks types and lint, and runs the unit tests that need neither a server nor a browser. */
async function testQuick() {
  if (!(await checkCode())) fail("Types or lint are wrong.");
  process.exit((await quickTests()) ? 0 : 1);
}

/** Takes screenshots of every page into `screenshots/`, and updates those of the README. */
async function screenshots() {
  process.env.NODE_ENV ||= "production";
  Object.assign(process.env, findBrowsers());
  await build();
  await bundle({ screenshots: "e2e/screenshots/pages.ts" });
  await runBundle("screenshots");
}

function installDependencies() {
  const stamp = "node_modules/.footfall-installed";
  const wanted = digestOf(["package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  if (RUNS_BESIDE_SERVER.has(command) && existsSync("node_modules")) {
    const message = "The dependencies have changed: stop the server and start it again, which installs them.";
    process.stderr.write(`${message} Until then, the installed ones are used.\n`);
    return;
  }
  say("Installing dependencies");
  // The embedded PostgreSQL may run as another user, who must be able to read its binaries.
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

/** Creates the production build, unless its inputs are unchanged. */
async function build() {
  if (isBuilt()) return;
  say("Building (once; later starts take seconds; npm run typecheck checks types)");
  rmSync(BUILD_STAMP, { force: true });
  // `next build` removes these too, but types may be checked beside it.
  rmSync(".next/types", { recursive: true, force: true });
  await bundle();
  const isDone = await begin("npx", ["next", "build"], { print: "fails", env: { NODE_ENV: "production" } });
  if (!isDone) fail("The build failed.");
  addCompileHints();
  writeFileSync(BUILD_STAMP, builtFrom());
}

function isBuilt() {
  return existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, "utf8") === builtFrom();
}

function builtFrom() {
  const settings = ["next.config.mjs", "proxy.ts", "tsconfig.json", "package-lock.json"];
  return digestOf(["app", "assets", "components", "lib", "prisma", ...settings]);
}

/** Stops the server when npm stops: npm ends only the shell between itself and this process. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, "SIGTERM"), 250).unref();
}

async function bundle(extra) {
  const { bundleServer } = await import("./bundle.mjs");
  await bundleServer(extra);
}

async function runBundle(name, args = rest) {
  // Sets the arguments as if the program had been started directly.
  process.argv.splice(1, process.argv.length, `build/${name}.mjs`, ...args);
  await import(pathToFileURL(path.resolve(`build/${name}.mjs`)).href);
}

function digestOf(paths) {
  const hash = createHash("sha256");
  const visit = (entry) => {
    // The image has no tests, and a changed test needs no new build.
    if (!existsSync(entry) || entry.endsWith(".test.ts") || entry === "lib/testing") return;
    if (statSync(entry).isDirectory()) {
      if (entry === "prisma/client") return;
      for (const name of readdirSync(entry).sort()) visit(`${entry}/${name}`);
    } else {
      hash.update(`${entry}\n`).update(readFileSync(entry));
    }
  };
  for (const entry of paths) visit(entry);
  return hash.digest("hex");
}
