import { execFile } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { promisify } from "node:util";
import { chromium, request } from "@playwright/test";
import { describeMachine, print } from "@/bench/support/stage";
import { type Demo, startDemo } from "@/e2e/support/demo";
import { forms } from "@/e2e/support/forms";

/**
 * `npm run bench pages [name [phone | desk]]`: what Lighthouse says of the pages that people meet first, on a phone with a slow line and
 * on a desk, with the demo's visits: scores from 0 to 100, and below 95 what cost them. Of five runs the one in the middle is
 * told, as Lighthouse's docs/variability.md advises. `CHROMIUM` names the browser where it is not Playwright's own.
 * Lighthouse is installed beside the rest the first time.
 *
 * A phone is taken for four times slower than this machine, which is right for one whose `benchmarkIndex` is 1500. A second
 * line tells the score as Lighthouse's calculator would have it calibrated to the index that was found.
 */
const [only, onlyScreen] = process.argv.slice(2);
/** Which Lighthouse, and where it is put: nobody else needs its 200 packages. */
const WANTED = "bench/lighthouse";
const LIGHTHOUSE = "node_modules/.cache/lighthouse";
const AIM = 95;
const RUNS = 5;
const PAGES = {
  ...{ landing: "/", "sign-in": "/login", docs: "/docs", "docs of the API": "/docs/api" },
  ...{ dashboard: "/sites/1", sites: "/sites" },
};
const SCREENS = { phone: [], desk: ["--preset=desktop"] };
const CATEGORIES = ["performance", "accessibility", "best-practices"] as const;
/** What performance is made of, by far the most. */
const TIMES = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];

/** What is read of Lighthouse's answer; scores are fractions, null where something could not be told. */
interface LighthouseReport {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
  /** How fast it found the machine. */
  environment: { benchmarkIndex: number };
}

/** What a request of the page carries besides. */
type Headers = Record<string, string>;

const execute = promisify(execFile);

describeMachine();
if (!existsSync(`${LIGHTHOUSE}/node_modules`)) {
  cpSync(WANTED, LIGHTHOUSE, { recursive: true });
  await execute("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: LIGHTHOUSE });
}
const demo = await startDemo();
try {
  const signed = { cookie: await signedIn(demo) };
  for (const [name, path] of Object.entries(PAGES)) {
    if (only && only !== name) continue;
    const headers = path.startsWith("/sites") ? signed : {};
    // Once before, as pages that nobody has opened yet since the start are made more slowly.
    await fetch(`${demo.url}${path}`, { headers });
    for (const [screen, flags] of Object.entries(SCREENS)) {
      if (onlyScreen && onlyScreen !== screen) continue;
      const runs: LighthouseReport[] = [];
      while (runs.length < RUNS) runs.push(await judge(path, headers, flags));
      const middle = tell(`${name}, ${screen}`, runs);
      if (screen === "phone") await calibrate(path, headers, middle.environment.benchmarkIndex);
    }
  }
} finally {
  await demo.stop();
}

/** Judges a page once more, on a phone as slow as this machine's index makes it. */
async function calibrate(path: string, headers: Headers, index: number): Promise<void> {
  const times = slowdown(index).toFixed(1);
  const { categories, audits } = await judge(path, headers, [`--throttling.cpuSlowdownMultiplier=${times}`]);
  const blocked = audits["total-blocking-time"]?.displayValue;
  print(
    `  calibrated, ${times} times slower: performance ${hundredth(categories.performance.score)}, blocked ${blocked}`,
  );
}

/**
 * How many times slower than a machine of this index a phone of the middle is: lines between the points of the calculator that
 * Lighthouse's docs/throttling.md names (150 is such a phone, 800 twice, 1300 three, 2000 six times as fast).
 */
function slowdown(index: number): number {
  if (index >= 1300) return 3 + (index - 1300) / 233;
  return index >= 800 ? 2 + (index - 800) / 500 : Math.max(1, 1 + (index - 150) / 650);
}

/** @returns the cookies of someone who has signed in, as a browser sends them */
async function signedIn({ url, person }: Demo): Promise<string> {
  const context = await request.newContext({ baseURL: url });
  await forms(context, url).signIn(person);
  const { cookies } = await context.storageState();
  await context.dispose();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

/** Asks Lighthouse, once more where it lost the beginning of its recording, for which it asks to be run again. */
async function judge(path: string, headers: Headers, flags: string[], again = true): Promise<LighthouseReport> {
  const asked = execute(
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
    return JSON.parse((await asked).stdout);
  } catch (error) {
    if (again && `${(error as { stderr?: string }).stderr}`.includes("NO_NAVSTART")) {
      return judge(path, headers, flags, false);
    }
    throw error;
  }
}

function hundredth(score: number | null): number | "unknown" {
  return score === null ? "unknown" : Math.round(score * 100);
}

/** @returns the run whose performance is in the middle, which is told, with what the others' was */
function tell(name: string, runs: LighthouseReport[]): LighthouseReport {
  const ordered = runs.toSorted((a, b) => performanceOf(a) - performanceOf(b));
  const middle = ordered[Math.floor(ordered.length / 2)] as LighthouseReport;
  const { categories, audits, environment } = middle;
  const scores = CATEGORIES.map((key) => `${key} ${hundredth(categories[key].score)}`).join(", ");
  print(`${name}: ${scores} (performance of all ${ordered.map((run) => hundredth(performanceOf(run))).join(", ")})`);
  const times = TIMES.map((id) => `${audits[id]?.title} ${audits[id]?.displayValue}`);
  print(`  ${times.join(", ")}; speed of the machine ${Math.round(environment.benchmarkIndex)}`);
  for (const key of CATEGORIES) {
    const { score, auditRefs } = categories[key];
    if ((score ?? 0) * 100 >= AIM) continue;
    for (const { id, weight } of auditRefs) {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) continue;
      print(`  ${key}: ${audit.title} ${audit.displayValue ?? ""} (${hundredth(audit.score)}, weighs ${weight})`);
    }
  }
  return middle;
}

function performanceOf({ categories }: LighthouseReport): number {
  return categories.performance.score ?? 0;
}
