import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Tools } from "@/lib/postgres/tools";

/** Bytes. The path of a socket may hold 107; its name takes up to 20 of them. */
const LONGEST_FOLDER = 85;

const fits = (folder: string): boolean => Buffer.byteLength(folder) <= LONGEST_FOLDER;

/**
 * The folder of the running server's socket: the data folder itself, or for a long path the folder that Postgres has
 * recorded in `postmaster.pid`.
 */
export function socketDirOf(home: string): string {
  return fits(home) ? home : (recordedDir(home) ?? home);
}

/**
 * The folder to serve from. For a long data folder it is a new one with a random name in the system's temporary folder,
 * or the one of a server that an earlier process left running.
 */
export function chooseSocketDir(home: string, tools: Tools): string {
  if (fits(home)) return home;
  const recorded = recordedDir(home);
  if (recorded && isPrivate(recorded, tools)) return recorded;
  const fresh = mkdtempSync(path.join(os.tmpdir(), "footfall-postgres-"));
  tools.own(fresh);
  return fresh;
}

/** Makes the folder again if something has removed it. @throws when another user has taken its name. */
export function ensureSocketDir(folder: string, home: string, tools: Tools): void {
  if (folder === home) return;
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    tools.own(folder);
    chmodSync(folder, 0o700);
  }
  if (!isPrivate(folder, tools))
    throw new Error(`${folder} is not a private folder of PostgreSQL's any more; remove it and start Footfall again.`);
}

/** Removes the folder of a server that has stopped. */
export function removeSocketDir(folder: string, home: string): void {
  if (folder !== home) rmSync(folder, { recursive: true, force: true });
}

/** Nobody else can enter it or has made it: anyone may write into the system's temporary folder. */
function isPrivate(folder: string, { uid }: Tools): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (stats.mode & 0o777) === 0o700 && (uid === undefined || stats.uid === uid);
}

/** The fifth line of `postmaster.pid` names the folder of the server's first socket. */
function recordedDir(home: string): string | null {
  const file = path.join(home, "postmaster.pid");
  if (!existsSync(file)) return null;
  return readFileSync(file, "utf8").split("\n")[4] || null;
}
