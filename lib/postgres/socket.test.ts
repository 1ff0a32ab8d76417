import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, type TestContext, test } from "vitest";
import { restrictDataDir } from "@/lib/platform/data-dir";
import { withConnection } from "@/lib/platform/pool";
import { chooseSocketDir, ensureSocketDir } from "@/lib/postgres/socket";
import { embeddedUrl, startPostgres } from "@/lib/postgres/start";
import type { Tools } from "@/lib/postgres/tools";
import { temporaryDir } from "@/lib/testing/temporary-dir";

type OnTestFinished = TestContext["onTestFinished"];

/** A path that is too long for a socket below it. */
const longPath = (onTestFinished: OnTestFinished): string =>
  path.join(temporaryDir(onTestFinished), "deep-".repeat(20), "data");

const socketIn = (url: string): string => new URL(url).searchParams.get("host") ?? "";

test("the socket of a long DATA_DIR is in a private folder with a random name, which is removed on stop", async ({
  onTestFinished,
}) => {
  const dataDir = longPath(onTestFinished);
  const folders: string[] = [];
  for (let starts = 0; starts < 2; starts++) {
    const { url, stop } = await startPostgres(dataDir);
    try {
      const folder = socketIn(url);
      folders.push(folder);
      expect(path.dirname(folder)).toBe(os.tmpdir());
      expect([lstatSync(folder).isDirectory(), statSync(folder).mode & 0o777]).toEqual([true, 0o700]);
      expect(statSync(folder).uid).toBe(statSync(path.join(dataDir, "postgres")).uid);
      // Commands that run alongside the server find it too.
      const result = await withConnection(embeddedUrl(dataDir, "app"), (client) => client.query("SELECT 1 AS one"));
      expect(result.rows).toEqual([{ one: 1 }]);
    } finally {
      await stop();
    }
  }
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
  expect(folders[0]).not.toBe(folders[1]);
});

const tools = (): Tools => ({
  run: async () => ({ code: 0, output: "" }),
  uid: process.getuid?.(),
  own: () => {},
});

test("a recorded socket folder that others can enter is not used", ({ onTestFinished }) => {
  const home = path.join(longPath(onTestFinished), "postgres");
  mkdirSync(home, { recursive: true });
  const record = (folder: string) => writeFileSync(path.join(home, "postmaster.pid"), `1\n${home}\n0\n0\n${folder}\n`);
  const mine = temporaryDir(onTestFinished);
  record(mine);
  expect(chooseSocketDir(home, tools())).toBe(mine);
  chmodSync(mine, 0o777);
  const other = chooseSocketDir(home, tools());
  expect([other === mine, statSync(other).mode & 0o777]).toEqual([false, 0o700]);
  expect(() => ensureSocketDir(mine, home, tools())).toThrow(/no longer a private folder/);
  rmSync(other, { recursive: true });
  // It is recreated when the temporary folder has been cleaned.
  ensureSocketDir(other, home, tools());
  expect(statSync(other).mode & 0o777).toBe(0o700);
  rmSync(other, { recursive: true });
});

test("other users of the machine cannot enter DATA_DIR", async ({ onTestFinished }) => {
  const dataDir = temporaryDir(onTestFinished);
  chmodSync(dataDir, 0o755);
  restrictDataDir(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o750);
  chmodSync(dataDir, 0o755);
  const { stop } = await startPostgres(dataDir);
  try {
    expect(statSync(dataDir).mode & 0o007).toBe(0);
    for (const name of ["postgres-password", "postgres-app-password", "postgres-reports-password"])
      expect(statSync(path.join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    expect(readFileSync(path.join(dataDir, "postgres-app-password"), "utf8")).not.toBe(
      readFileSync(path.join(dataDir, "postgres-password"), "utf8"),
    );
  } finally {
    await stop();
  }
});
