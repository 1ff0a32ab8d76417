import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

/** The npm commands in a copy of the code with a changed lock file, and an npm that only records that it was called. */
function copyCode(withModules: boolean) {
  const root = mkdtempSync(path.join(os.tmpdir(), "footfall-commands-"));
  cpSync("lib", path.join(root, "lib"), { recursive: true });
  cpSync("tsconfig.json", path.join(root, "tsconfig.json"));
  cpSync("package.json", path.join(root, "package.json"));
  writeFileSync(path.join(root, "package-lock.json"), "{}");
  if (withModules) symlinkSync(path.resolve("node_modules"), path.join(root, "node_modules"));
  mkdirSync(path.join(root, "bin"));
  const npm = path.join(root, "bin", "npm");
  writeFileSync(npm, `#!/bin/sh\numask > "${root}/called"\nexit 1\n`);
  chmodSync(npm, 0o755);
  const called = path.join(root, "called");
  return {
    importLog: () => {
      const env = { ...process.env, PATH: `${root}/bin:${process.env.PATH}` };
      return spawnSync("sh", ["-c", "umask 077; exec node lib/cli/commands.mjs import-log"], { cwd: root, env });
    },
    umask: () => (existsSync(called) ? readFileSync(called, "utf8").trim() : null),
    exists: (file: string) => existsSync(path.join(root, file)),
    remove: () => rmSync(root, { recursive: true }),
  };
}

test("an import beside a live server installs nothing, leaves the server's files alone and says what to do", () => {
  const copy = copyCode(true);
  const { stderr } = copy.importLog();
  expect(`${stderr}`).toMatch(/dependencies have changed.*stop the server.*npm run import-log -- <file/s);
  expect([copy.umask(), copy.exists("build/import-log.mjs"), copy.exists("build/main.mjs")]).toEqual([
    null,
    true,
    false,
  ]);
  expect([copy.exists("public"), copy.exists("prisma")]).toEqual([false, false]);
  copy.remove();
});

test("installed files are readable by the user of the embedded PostgreSQL, whatever the umask", () => {
  const copy = copyCode(false);
  copy.importLog();
  expect(copy.umask()).toBe("0022");
  copy.remove();
});
