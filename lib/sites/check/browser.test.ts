import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, inject, type TestContext, test } from "vitest";
import { BROWSER_USER, Browser } from "@/lib/sites/check/browser";

const IS_ROOT = process.getuid?.() === 0;

/** Stands in for Chromium: it says through the pipe who it is, what its environment is and which paths it can read. */
function probe(paths: readonly string[], { onTestFinished }: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "footfall-probe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const file = path.join(folder, "probe.sh");
  const seen = paths
    .map((one) => `if [ -r '${one}' ] || [ -x '${one}' ]; then seen="$seen,\\"${one}\\""; fi`)
    .join("\n");
  writeFileSync(
    file,
    `#!/bin/sh
${seen}
printf '{"method":"probe","params":{"uid":%s,"gid":%s,"groups":"%s","variables":"%s","profile":"%s","seen":["-"%s]}}\\0' \\
  "$(id -u)" "$(id -g)" "$(id -G)" "$(env | cut -d= -f1 | sort | tr '\\n' ' ')" "$(stat -c '%a %u' "$HOME")" "$seen" >&4
`,
  );
  chmodSync(file, 0o755);
  return file;
}

async function started(paths: readonly string[], context: TestContext): Promise<Record<string, unknown>> {
  const browser = await Browser.start(probe(paths, context), 9);
  const said = await new Promise<Record<string, unknown>>((resolve) => {
    browser.onEvent = (_, params) => resolve(params);
  });
  await browser.end();
  return said;
}

/** The folders of the tests' own embedded Postgres: DATA_DIR, and what of it holds the database and its socket. */
const home = new URL(inject("databaseUrl")).searchParams.get("host") ?? "";
const dataDir = path.dirname(home);

test.runIf(IS_ROOT)(
  "the browser runs as a user of its own, who can read neither the database nor its socket nor secrets",
  async (context) => {
    const kept = ["postgres-password", "postgres-app-password", "postgres-reports-password"];
    const paths = [dataDir, home, path.join(home, ".s.PGSQL.5432"), ...kept.map((name) => path.join(dataDir, name))];
    const said = await started([...paths, "/proc/self", `/proc/${process.pid}/environ`], context);
    expect(said).toMatchObject({ uid: BROWSER_USER, gid: BROWSER_USER, groups: `${BROWSER_USER}` });
    expect(said.seen).toEqual(["-", "/proc/self"]);
    expect(statSync(home).uid).not.toBe(BROWSER_USER);
  },
);

test("the browser knows nothing of this process's environment, and its profile is closed to others", async (context) => {
  const said = await started([], context);
  // What the shell itself adds.
  const added = ["PWD", "OLDPWD", "SHLVL", "_"];
  const names = `${said.variables}`.split(" ").filter((name) => name !== "" && !added.includes(name));
  expect(names).toEqual(["HOME", "PATH", "TMPDIR"]);
  expect(said.profile).toBe(`700 ${IS_ROOT ? BROWSER_USER : process.getuid?.()}`);
});
