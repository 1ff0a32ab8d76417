import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { test as concurrent, expect, onTestFinished } from "vitest";

/** Sequential, because each test waits for a process of its own. */
const test = concurrent.sequential;
const FOLDER = `test-results/uncaught-${process.pid}`;

/** Runs a program with the policy. @returns its exit code and its output */
async function runProgram(name: string, work: string) {
  const program = path.resolve(FOLDER, `${name}.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  onTestFinished(() => rmSync(program, { force: true }));
  const contents = `
    import { setTimeout } from "node:timers/promises";
    import { requestLocales } from "@/lib/platform/request-locale";
    import { exitOnUncaughtErrors } from "@/lib/platform/uncaught-errors";
    exitOnUncaughtErrors(async () => {
      await setTimeout(50);
      console.log("finished");
    });
    const later = () => console.log("went on");
    ${work}`;
  const alias = { "@": path.resolve(".") };
  const stdin = { contents, resolveDir: path.resolve("."), loader: "ts" } as const;
  await build({ stdin, alias, bundle: true, platform: "node", format: "esm", packages: "external", outfile: program });
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  const lines = stdout.split("\n").filter(Boolean);
  const logged = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return { status, logged, printed: lines.filter((line) => !line.startsWith("{")) };
}

const CASES = {
  "an exception": "process.nextTick(() => { throw new TypeError('isRunning is not a function'); });",
  "a rejection": "Promise.reject(new TypeError('isRunning is not a function'));",
  "several at once": "for (let n = 0; n < 3; n++) Promise.reject(new TypeError('isRunning is not a function'));",
};

test.each(Object.entries(CASES))(
  "%s that nothing caught is logged, and the process exits with 1 once it has finished its work",
  async (name, work) => {
    const { status, logged, printed } = await runProgram(name, `${work}; setInterval(later, 60_000);`);
    expect([status, printed]).toEqual([1, ["finished"]]);
    expect(logged[0]).toMatchObject({ level: 60, error: "TypeError", message: "isRunning is not a function" });
  },
);

test("a rejection that belongs to a request is logged and ends nothing else", async () => {
  const work = `requestLocales.run("en", async () => { await setTimeout(1); throw new Error("gone"); });
    setTimeout(50).then(later);`;
  const { status, logged, printed } = await runProgram("request", work);
  expect([status, printed]).toEqual([0, ["went on"]]);
  expect(logged).toMatchObject([{ level: 50, error: "Error" }]);
});

test("work that fails to finish does not keep the process alive", async () => {
  const work = `exitOnUncaughtErrors(() => Promise.reject(new Error("no database")));
    Promise.reject(new Error("gone")); setInterval(later, 60_000);`;
  const { status } = await runProgram("unfinished", work);
  expect(status).toBe(1);
});
