import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { DuckDBInstance } from "@duckdb/node-api";
import { Fault } from "@/lib/platform/errors";

/** The files in a folder of copies: one for each site, and the lock. */

/** Another process uses the folder. */
export class FolderInUse extends Fault {}

export const fileOf = (folder: string, siteId: number): string => path.join(folder, `${siteId}.duckdb`);

/** The sites with files in a folder that are not in this list. */
export function othersIn(folder: string, siteIds: readonly number[]): number[] {
  const kept = new Set(siteIds);
  const found = readdirSync(folder).map((name) => Number(/^(\d+)\.duckdb(\.new)?$/.exec(name)?.[1] ?? Number.NaN));
  return found.filter((siteId) => Number.isInteger(siteId) && !kept.has(siteId));
}

/** The sites whose files were last written before this moment (epoch milliseconds). */
export function unusedIn(folder: string, since: number): number[] {
  const usedAt = (file: string) =>
    Math.max(...[file, `${file}.wal`].map((name) => statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  return othersIn(folder, []).filter((siteId) => usedAt(fileOf(folder, siteId)) < since);
}

/** Removes a file and its unfinished replacement. */
export function removeFile(file: string): void {
  for (const suffix of ["", ".wal", ".new", ".new.wal"]) rmSync(`${file}${suffix}`, { force: true });
}

/**
 * Locks a folder for this process. DuckDB locks the files it opens, and the lock ends with the process.
 *
 * @throws FolderInUse
 */
export async function lockFolder(instance: DuckDBInstance, folder: string): Promise<void> {
  const file = path.join(folder, "lock.duckdb");
  const connection = await instance.connect();
  const attach = () => connection.run(`ATTACH ${quoted(file)} AS lock`);
  try {
    await attach().catch(async (error) => {
      if (/Conflicting lock|Could not set lock/.test(error.message)) throw new FolderInUse(folder, { cause: error });
      removeFile(file);
      await attach();
    });
  } finally {
    connection.closeSync();
  }
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
