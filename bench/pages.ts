import { execFile } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { promisify } from "node:util";
import { chromium, request } from "playwright";
import { describeMachine, print } from "@/bench/support/bench-server";
import { type Demo, startDemo } from "@/e2e/support/demo";
import { forms } from "@/e2e/support/forms";

/**
 * `npm run bench pages [name [phone | desk]]`: Lighthouse scores (0 to 100) of the main pages, on a phone with a slow
 * connection and on a desktop, with demo data; below 95 also the audits that cost points. Reports the median of five
 * runs, as Lighthouse's docs/variability.md advises. `CHROMIUM` sets a browser other than Playwright's. Lighthouse is
 * installed on first use.
 *
 * Lighthouse assumes that a phone is four times slower than this machine, which is right for a `benchmarkIndex` of
 * 1500. A second line has the score calibrated to the measured index with Lighthouse's calculator.
 */
const [only, onlyScreen] = process.argv.slice(2);
/** The package with the Lighthouse version, and its install folder: nothing else needs its 200 packages. */
const LIGHTHOUSE_PACKAGE = "bench/lighthouse";
const LIGHTHOUSE = "node_modules/.cache/lighthouse";
const TARGET_SCORE = 95;
const RUNS = 5;
const PAGES = {
  landing: "/",
  "sign-in": "/login",
  docs: "/docs",
  "docs of the API": "/docs/api",
  dashboard: "/sites/1",
  sites: "/sites",
  campaigns: "/sites/1/reports/campaigns",
  journeys: "/sites/1/reports/journeys",
  commerce: "/sites/1/reports/commerce",
  settings: "/sites/1/settings/general",
};
const SCREENS = { phone: [], desk: ["--preset=desktop"] };
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
/** The main metrics of the performance score. */
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];

/** The parts of Lighthouse's report that are used; scores are fractions, null if unknown. */
interface LighthouseReport {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
  /** Measured speed of the machine. */
  environment: { benchmarkIndex: number };
}

/** What a request of the page carries besides. */
type Headers = Record<string, string>;

const execute = promisify(execFile);

describeMachine();
if (!existsSync(`${LIGHTHOUSE}/node_modules`)) {
  cpSync(LIGHTHOUSE_PACKAGE, LIGHTHOUSE, { recursive: true });
  await execute("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: LIGHTHOUSE });
}
const demo = await startDemo();
try {
  const session = { cookie: await signedIn(demo) };
  for (const [name, path] of Object.entries(PAGES)) {
    if (only && only !== name) continue;
    const headers = path.startsWith("/sites") ? session : {};
    // Warms up the page: the first request since the start is slower.
    await fetch(`${demo.url}${path}`, { headers });
    for (const [screen, flags] of Object.entries(SCREENS)) {
      if (onlyScreen && onlyScreen !== screen) continue;
      const runs: LighthouseReport[] = [];
      while (runs.length < RUNS) runs.push(await runLighthouse(path, headers, flags));
      const median = printMedian(`${name}, ${screen}`, runs);
      if (screen === "phone") await calibrate(path, headers, median.environment.benchmarkIndex);
    }
  }
} finally {
  await demo.stop();
}

/** Runs Lighthouse again with the slowdown that fits this machine. */
async function calibrate(path: string, headers: Headers, index: number): Promise<void> {
  const times = slowdown(index).toFixed(1);
  const { categories, audits } = await runLighthouse(path, headers, [`--throttling.cpuSlowdownMultiplier=${times}`]);
  const blocked = audits["total-blocking-time"]?.displayValue;
  print(
    `  calibrated, ${times} times slower: performance ${percent(categories.performance.score)}, blocked ${blocked}`,
  );
}

/**
 * Returns the slowdown from a machine with this index to a mid-range phone: linear between the points of the calculator
 * in Lighthouse's docs/throttling.md (150 is such a phone; 800, 1300 and 2000 are two, three and six times as fast).
 */
function slowdown(index: number): number {
  if (index >= 1300) return 3 + (index - 1300) / 233;
  return index >= 800 ? 2 + (index - 800) / 500 : Math.max(1, 1 + (index - 150) / 650);
}

/** Signs in. @returns the session cookies as a `Cookie` header. */
async function signedIn({ url, person }: Demo): Promise<string> {
  const context = await request.newContext({ baseURL: url });
  await forms(context, url).signIn(person);
  const { cookies } = await context.storageState();
  await context.dispose();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Runs Lighthouse, and once more if it reports NO_NAVSTART, for which it recommends a retry. */
async function runLighthouse(
  path: string,
  headers: Headers,
  flags: string[],
  mayRetry = true,
): Promise<LighthouseReport> {
  const lighthouse = execute(
    process.execPath,
    [
      `${LIGHTHOUSE}/node_modules/lighthouse/cli/index.js`,
      `${demo.url}${path}`,
      ...["--quiet", "--output=json", "--output-path=stdout", "--no-enable-error-reporting"],
      `--only-categories=${CATEGORIES.join(",")}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking",
      `--extra-headers=${JSON.stringify(headers)}`,
      ...flags,
    ],
    { maxBuffer: 1 << 27, env: { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? chromium.executablePath() } },
  );
  try {
    return JSON.parse((await lighthouse).stdout);
  } catch (error) {
    if (mayRetry && `${(error as { stderr?: string }).stderr}`.includes("NO_NAVSTART")) {
      return runLighthouse(path, headers, flags, false);
    }
    throw error;
  }
}

function percent(score: number | null): number | "unknown" {
  return score === null ? "unknown" : Math.round(score * 100);
}

/** Prints the run with the median performance, and the performance of all runs. @returns the median run. */
function printMedian(name: string, runs: LighthouseReport[]): LighthouseReport {
  const ordered = runs.toSorted((a, b) => performanceOf(a) - performanceOf(b));
  const median = ordered[Math.floor(ordered.length / 2)] as LighthouseReport;
  const { categories, audits, environment } = median;
  const scores = CATEGORIES.map((key) => `${key} ${percent(categories[key].score)}`).join(", ");
  print(`${name}: ${scores} (performance of all ${ordered.map((run) => percent(performanceOf(run))).join(", ")})`);
  const times = TIMES.map((id) => `${audits[id]?.title} ${audits[id]?.displayValue}`);
  print(`  ${times.join(", ")}; machine benchmarkIndex ${Math.round(environment.benchmarkIndex)}`);
  for (const key of CATEGORIES) {
    const { score, auditRefs } = categories[key];
    if ((score ?? 0) * 100 >= TARGET_SCORE) continue;
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) continue;
      print(`  ${key}: ${audit.title} ${audit.displayValue ?? ""} (${percent(audit.score)}, weight ${weight})`);
    }
  }
  return median;
}

function performanceOf({ categories }: LighthouseReport): number {
  return categories.performance.score ?? 0;
}
