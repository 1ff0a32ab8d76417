import { readdir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { outboxFolder } from "@/lib/email/mailer";
import { env } from "@/lib/platform/env";

/** What the service has on the disk beside the database, in bytes. */
export interface Disk {
  /** The copies of events that reports read. They can be deleted, and are made again. */
  copies: number;
  /** Uploaded files that wait to be imported. */
  uploads: number;
  /** Emails that no mail server delivers. */
  outbox: number;
  /** Files of `npm run backup` in the data folder, newest first. */
  backups: { name: string; bytes: number; at: Date }[];
  /** What is free on the disk of the data folder. */
  free: number;
}

/** Returns the sizes of the folders in `DATA_DIR`. */
export async function readDisk(): Promise<Disk> {
  const folder = env().DATA_DIR;
  const [copies, uploads, outbox, files, disk] = await Promise.all([
    sizeOf(path.join(folder, "analytics")),
    sizeOf(path.join(folder, "uploads")),
    sizeOf(outboxFolder()),
    filesIn(folder),
    statfs(folder).catch(orGone(null)),
  ]);
  const backups = files
    .filter(({ name }) => name.endsWith(".backup"))
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  return { copies, uploads, outbox, backups, free: disk === null ? 0 : disk.bavail * disk.bsize };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(orGone([]));
  const sizes = await Promise.all(names.map(async (name) => (await fileAt(folder, name))?.bytes ?? 0));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

async function filesIn(folder: string) {
  const names = await readdir(folder).catch(orGone([]));
  return (await Promise.all(names.map((name) => fileAt(folder, name)))).filter((file) => file !== null);
}

/** @returns null for a folder, and for a file that was deleted meanwhile */
async function fileAt(folder: string, name: string) {
  const found = await stat(path.join(folder, name)).catch(orGone(null));
  return found?.isFile() ? { name, bytes: found.size, at: found.mtime } : null;
}

const orGone =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code !== "ENOENT") throw error;
    return instead;
  };
