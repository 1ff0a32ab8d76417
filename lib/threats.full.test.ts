import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { prepareReportsRole } from "@/lib/server/reports-role";
import { migratedDatabase } from "@/lib/testing/database";
import { SHARED_DATABASES } from "@/lib/testing/global";
import { PROTECTIONS } from "@/lib/testing/protections/all";
import type { Protection, Removal } from "@/lib/testing/protections/protection";
import { FRESH_SEED } from "@/lib/testing/tier";

/**
 * Removes protections in a copy of the working tree, each by itself, and expects that its test then fails. The full tier takes a
 * part of them, another one for each seed; `npm run test:protections` all, `npm run test:protections -- -t "case 36 "` one.
 */

const PARTS = 6;
const CHOSEN = PROTECTIONS.filter(
  (_, index) => process.env.PROTECTIONS === "all" || (index + FRESH_SEED) % PARTS === 0,
);

/** As many tests run at once as there are copies. */
const COPIES = 2;

/** A copy of the working tree with a process that runs its tests (lib/testing/protections/runner.mjs). */
interface Copy {
  folder: string;
  runner: ChildProcess;
  /** Rejects when the process ends. */
  end: Promise<never>;
}
interface TestReport {
  /** Its title after those of the groups that it is in. */
  fullName: string;
  state: "passed" | "failed" | "pending";
  failures: string[];
}
interface Report {
  tests: TestReport[];
  /** Why a file could not be run. */
  errors: string[];
}

const made: Copy[] = [];
/** Those that nothing uses now. */
const free: Copy[] = [];
const oneAtATime = pLimit(COPIES);

beforeAll(async () => {
  for (let n = 0; n < COPIES; n++) free.push(await makeCopy());
});
afterAll(async () => {
  for (const { folder, runner, end } of made) {
    if (runner.connected) runner.disconnect();
    await end.catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
});

async function makeCopy(): Promise<Copy> {
  const folder = copyWorkingTree();
  const runner = fork("lib/testing/protections/runner.mjs", {
    cwd: folder,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...environment(), [SHARED_DATABASES]: await ownDatabases() },
  });
  const end = once(runner, "exit").then(([code]) => Promise.reject(new Error(`Vitest ended with ${code}`)));
  const copy = { folder, runner, end };
  made.push(copy);
  await Promise.race([once(runner, "message"), end]);
  return copy;
}

/** Copies all files that git does not ignore, and the Prisma client. */
function copyWorkingTree(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-protections-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  for (const file of [...listed.split("\0").filter(Boolean), "prisma/client"])
    if (existsSync(file)) cpSync(file, path.join(folder, file), { recursive: true });
  // A folder of its own, in which Vitest caches the modules of the copy.
  mkdirSync(path.join(folder, "node_modules"));
  for (const name of readdirSync("node_modules").filter((entry) => entry === ".bin" || !entry.startsWith(".")))
    symlinkSync(path.resolve("node_modules", name), path.join(folder, "node_modules", name));
  return folder;
}

/** Without a protection a test may write what no other one expects, so it gets a database that no other test uses. */
async function ownDatabases(): Promise<string> {
  const databaseUrl = await migratedDatabase();
  const { pathname } = new URL(databaseUrl);
  const reportsUrl = Object.assign(new URL(inject("reportsUrl")), { pathname }).href;
  await prepareReportsRole(databaseUrl, reportsUrl);
  return JSON.stringify({ databaseUrl, reportsUrl, adminUrl: inject("adminUrl") });
}

/** Calls `work` with a copy that nothing else uses meanwhile. */
const inCopy = <T>(work: (copy: Copy) => Promise<T>): Promise<T> =>
  oneAtATime(async () => {
    const copy = free.pop() ?? (await makeCopy());
    try {
      return await work(copy);
    } finally {
      if (copy.runner.connected) free.push(copy);
    }
  });

/** Runs the tests of these files whose titles contain one of the texts. @returns the reports of those that ran. */
async function runTests(
  { runner, end }: Copy,
  files: string[],
  titles: string[],
  changed: string[] = [],
): Promise<Report> {
  const answer = once(runner, "message");
  runner.send({ changed, files, titles });
  const [report] = await Promise.race([answer, end]);
  return report;
}

/** The environment of this process without what Vitest adds for its workers, and in the quick tier. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|DEV$|PROD$|MODE$|TIER$|LUCK$)/.test(name)),
  ) as NodeJS.ProcessEnv;

/** Removes the protection. @returns a function that restores the files. */
function remove(folder: string, removals: readonly Removal[]): () => void {
  const before = new Map<string, string>();
  for (const { file, find, replace } of removals) {
    const target = path.join(folder, file);
    const content = readFileSync(target, "utf8");
    if (!before.has(target)) before.set(target, content);
    writeFileSync(target, content.split(find).join(replace));
  }
  return () => {
    for (const [target, content] of before) writeFileSync(target, content);
  };
}

/** The second is how `expect(…).rejects` and `expect(…).resolves` fail, the third how `expect.poll` does. */
const ASSERTION = /^(AssertionError|Error: promise (resolved|rejected) |Error: expected .* to be )/;

/** Returns how the test ended: only an assertion shows that it holds the protection. */
function endOf({ tests, errors }: Report): string {
  if (tests.length === 0) return `did not run: ${errors.join("\n")}`;
  const failures = tests.filter(({ state }) => state === "failed").flatMap((failed) => failed.failures);
  if (failures.length === 0) return "passes";
  const other = failures.find((message) => !ASSERTION.test(message));
  return other === undefined ? "fails by an assertion" : `fails otherwise: ${other}`;
}

const nameOf = ({ case: number, file, test: { title } }: Protection) => `${number} in ${file} is held by "${title}"`;

test.each(CHOSEN.map((protection) => [nameOf(protection), protection] as const))(
  "case %s",
  async (_, { test, also = [], ...protection }) => {
    const end = await inCopy(async (copy) => {
      const removals = [protection, ...also];
      const restore = remove(copy.folder, removals);
      try {
        const changed = removals.map(({ file }) => file);
        return endOf(await runTests(copy, [test.file], [test.title], changed));
      } finally {
        restore();
      }
    });
    expect(end).toBe("fails by an assertion");
  },
);

test("with all protections each of these tests passes in a copy, so that only the removal makes it fail", async () => {
  const tests = CHOSEN.map(({ test }) => test);
  const files = [...new Set(tests.map(({ file }) => file))];
  const report = await inCopy((copy) =>
    runTests(
      copy,
      files,
      tests.map(({ title }) => title),
    ),
  );
  expect(report.errors).toEqual([]);
  expect(report.tests.filter(({ state }) => state === "failed")).toEqual([]);
  const absent = tests.filter(({ title }) => !report.tests.some(({ fullName }) => fullName.includes(title)));
  expect(absent).toEqual([]);
});
