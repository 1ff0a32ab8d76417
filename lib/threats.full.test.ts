import { execFileSync, spawn } from "node:child_process";
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
import { text } from "node:stream/consumers";
import pLimit from "p-limit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { prepareReportsRole } from "@/lib/server/reports-role";
import { migratedDatabase } from "@/lib/testing/database";
import { SHARED_DATABASES } from "@/lib/testing/global";
import { PROTECTIONS } from "@/lib/testing/protections/all";
import type { Protection, Removal } from "@/lib/testing/protections/protection";

/**
 * Removes each protection in a copy of the working tree, and expects that its test then fails. To check one case:
 * `TIER=full npx vitest run lib/threats.full.test.ts -t "case 36 "`.
 */

/** As many tests run at once as there are copies. */
const COPIES = 2;
const RESULTS = "without-protection";

interface Copy {
  folder: string;
  /** The databases of its tests, as JSON. */
  databases: string;
}
interface TestReport {
  /** Its title after those of the groups that it is in. */
  fullName: string;
  status: "passed" | "failed" | "skipped" | "pending" | "todo";
  failureMessages: string[];
}
interface FileReport {
  /** Why the file could not be run. */
  message: string;
  assertionResults: TestReport[];
}

const copies: Copy[] = [];
const oneAtATime = pLimit(COPIES);

beforeAll(async () => {
  for (let n = 0; n < COPIES; n++) copies.push({ folder: copyWorkingTree(), databases: await ownDatabases() });
});
afterAll(() => {
  for (const { folder } of copies) rmSync(folder, { recursive: true, force: true });
});

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
    const copy = copies.pop() as Copy;
    try {
      return await work(copy);
    } finally {
      copies.push(copy);
    }
  });

/** Runs the tests of these files whose titles contain one of the texts. @returns the reports of those that ran. */
async function runTests({ folder, databases }: Copy, files: string[], titles: string[]): Promise<FileReport[]> {
  // Where vitest.config.ts writes the report.
  const result = path.join(folder, "test-results", `${RESULTS}.json`);
  rmSync(result, { force: true });
  const pattern = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)).join("|");
  const options = ["--maxWorkers=1", "--experimental.fsModuleCache"];
  const vitest = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...files, "-t", pattern, ...options],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...environment(), RESULTS, [SHARED_DATABASES]: databases },
    },
  );
  const [message] = await Promise.all([text(vitest.stderr), once(vitest, "exit")]);
  if (!existsSync(result)) return [{ message, assertionResults: [] }];
  const { testResults } = JSON.parse(readFileSync(result, "utf8")) as { testResults: FileReport[] };
  return testResults.map(({ assertionResults, ...file }) => ({
    ...file,
    assertionResults: assertionResults.filter(({ status }) => status === "passed" || status === "failed"),
  }));
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
function endOf(reports: FileReport[]): string {
  const results = reports.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) return `did not run: ${reports.map(({ message }) => message).join("\n")}`;
  const failures = results.filter(({ status }) => status === "failed").flatMap((result) => result.failureMessages);
  if (failures.length === 0) return "passes";
  const other = failures.find((message) => !ASSERTION.test(message));
  return other === undefined ? "fails by an assertion" : `fails otherwise: ${other}`;
}

const nameOf = ({ case: number, file, test: { title } }: Protection) => `${number} in ${file} is held by "${title}"`;

test.each(PROTECTIONS.map((protection) => [nameOf(protection), protection] as const))(
  "case %s",
  async (_, { test, also = [], ...protection }) => {
    const end = await inCopy(async (copy) => {
      const restore = remove(copy.folder, [protection, ...also]);
      try {
        return endOf(await runTests(copy, [test.file], [test.title]));
      } finally {
        restore();
      }
    });
    expect(end).toBe("fails by an assertion");
  },
);

test("with all protections each of these tests passes in a copy, so that only the removal makes it fail", async () => {
  const tests = PROTECTIONS.map(({ test }) => test);
  const files = [...new Set(tests.map(({ file }) => file))];
  const reports = await inCopy((copy) =>
    runTests(
      copy,
      files,
      tests.map(({ title }) => title),
    ),
  );
  const results = reports.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status === "failed").map(({ failureMessages }) => failureMessages)).toEqual([]);
  const absent = tests.filter(({ title }) => !results.some((result) => result.fullName.includes(title)));
  expect(absent).toEqual([]);
});
