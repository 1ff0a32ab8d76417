import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { OperatorError } from "@/lib/platform/errors";
import type { Tools } from "@/lib/postgres/tools";

/** In bytes. The path of a socket may have 107, of which its name takes up to 20. */
const LONGEST_FOLDER = 85;

const fits = (folder: string): boolean => Buffer.byteLength(folder) <= LONGEST_FOLDER;

/**
 * Returns the socket folder of the running server: the data folder or, when its path is too long, the folder that
 * Postgres has recorded in `postmaster.pid`.
 */
export function socketDirOf(home: string): string {
  return fits(home) ? home : (recordedDir(home) ?? home);
}

/**
 * Returns the socket folder for starting the server. When the path of the data folder is too long, it is a new folder
 * with a random name in the temporary folder, or the folder of a server that an earlier process left running.
 */
export function chooseSocketDir(home: string, tools: Tools): string {
  if (fits(home)) return home;
  const recorded = recordedDir(home);
  if (recorded && isPrivate(recorded, tools)) return recorded;
  const fresh = mkdtempSync(path.join(os.tmpdir(), "footfall-postgres-"));
  tools.own(fresh);
  return fresh;
}

/** Recreates the folder when it was removed. @throws when another user has taken its name. */
export function ensureSocketDir(folder: string, home: string, tools: Tools): void {
  if (folder === home) return;
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    tools.own(folder);
    chmodSync(folder, 0o700);
  }
  if (!isPrivate(folder, tools))
    throw new OperatorError(
      `${folder} is no longer a private folder of PostgreSQL; remove it and start Footfall again.`,
    );
}

/** Removes the folder of a server that has stopped. */
export function removeSocketDir(folder: string, home: string): void {
  if (folder !== home) rmSync(folder, { recursive: true, force: true });
}

/** Returns whether only this user owns and can enter the folder: anyone may write into the temporary folder. */
function isPrivate(folder: string, { uid }: Tools): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (stats.mode & 0o777) === 0o700 && (uid === undefined || stats.uid === uid);
}

/** Reads the fifth line of `postmaster.pid`, the folder of the first socket of the server. */
function recordedDir(home: string): string | null {
  const file = path.join(home, "postmaster.pid");
  if (!existsSync(file)) return null;
  return readFileSync(file, "utf8").split("\n")[4] || null;
}
