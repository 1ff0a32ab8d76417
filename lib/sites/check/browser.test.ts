import { chmodSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, type TestContext, test } from "vitest";
import { BROWSER_USER, Browser } from "@/lib/sites/check/browser";
import { temporaryDir } from "@/lib/testing/temporary-dir";

const IS_ROOT = process.getuid?.() === 0;

/**
 * Fake Chromium that reports its user, its environment and which of the paths it can read through the DevTools pipe.
 */
function probe(paths: readonly string[], { onTestFinished }: TestContext): string {
  const folder = temporaryDir(onTestFinished);
  chmodSync(folder, 0o755);
  const file = path.join(folder, "probe.sh");
  const seen = paths
    .map((one) => `if [ -r '${one}' ] || [ -x '${one}' ]; then seen="$seen,\\"${one}\\""; fi`)
    .join("\n");
  writeFileSync(
    file,
    `#!/bin/sh
${seen}
printf '{"method":"probe","params":{"uid":%s,"gid":%s,"groups":"%s","variables":"%s","profile":"%s","limits":"%s","seen":["-"%s]}}\\0' \\
  "$(id -u)" "$(id -g)" "$(id -G)" "$(env | cut -d= -f1 | sort | tr '\\n' ' ')" "$(stat -c '%a %u' "$HOME")" "$(cat /proc/self/oom_score_adj) $(nice) $(ulimit -c) $(ulimit -d)" "$seen" >&4
`,
  );
  chmodSync(file, 0o755);
  return file;
}

async function started(paths: readonly string[], context: TestContext): Promise<Record<string, unknown>> {
  const browser = await Browser.start(probe(paths, context), 9);
  const report = await new Promise<Record<string, unknown>>((resolve) => {
    browser.onEvent = (_, params) => resolve(params);
  });
  await browser.end();
  return report;
}

/** Folders of the embedded Postgres of the tests: the one with the database and its socket, and DATA_DIR above it. */
const home = new URL(inject("databaseUrl")).searchParams.get("host") ?? "";
const dataDir = path.dirname(home);

test.runIf(IS_ROOT)(
  "the browser runs as its own user, which cannot read the database, its socket or secrets",
  async (context) => {
    const secrets = ["postgres-password", "postgres-app-password", "postgres-reports-password"];
    const paths = [dataDir, home, path.join(home, ".s.PGSQL.5432"), ...secrets.map((name) => path.join(dataDir, name))];
    const report = await started([...paths, "/proc/self", `/proc/${process.pid}/environ`], context);
    expect(report).toMatchObject({ uid: BROWSER_USER, gid: BROWSER_USER, groups: `${BROWSER_USER}` });
    expect(report.seen).toEqual(["-", "/proc/self"]);
    expect(statSync(home).uid).not.toBe(BROWSER_USER);
  },
);

test("the browser does not inherit the environment, and its profile is private", async (context) => {
  const report = await started([], context);
  // Variables that the shell adds.
  const added = ["PWD", "OLDPWD", "SHLVL", "_"];
  const names = `${report.variables}`.split(" ").filter((name) => name !== "" && !added.includes(name));
  expect(names).toEqual(["HOME", "PATH", "TMPDIR"]);
  expect(report.profile).toBe(`700 ${IS_ROOT ? BROWSER_USER : process.getuid?.()}`);
});

test.runIf(process.platform === "linux")(
  "the machine ends the browser first when memory is short, and gives it the processor last",
  async (context) => {
    const { limits } = await started([], context);
    const [score, niceness, core, data] = `${limits}`.split(" ").map(Number);
    expect([score, core, data]).toEqual([1000, 0, 2 * 1024 * 1024]);
    expect(niceness).toBeGreaterThanOrEqual(15);
  },
);
