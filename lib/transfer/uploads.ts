import { constants } from "node:fs";
import { mkdir, open, readdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { type Db, db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";

/**
 * Files that were uploaded for an import. They lie in DATA_DIR/uploads under their ids, never under the name that was
 * sent, and are deleted once they are imported, or after a day.
 */

const MIB = 1024 ** 2;
export const UPLOAD_LIMITS = {
  /** Bytes of a part, which arrives within the time limit of a request also on a slow line. */
  partBytes: 8 * MIB,
  fileBytes: 512 * MIB,
  siteBytes: 1024 * MIB,
  siteFiles: 200,
  /** Of all sites. */
  totalBytes: 8 * 1024 * MIB,
  /** Bytes that stay free on the disk. */
  freeBytes: 1024 * MIB,
  keptMs: DAY_MS,
} as const;

export const MAX_NAME_LENGTH = 255;

/** An uploaded file. */
export interface Upload {
  file_id: string;
  name: string;
  size: number;
  /** Bytes that have arrived. */
  arrived: number;
}

const folder = (): string => path.join(env().DATA_DIR, "uploads");

/** Creates the folder of uploads. */
export async function prepareFolder(): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
}

/** Returns where the file of an upload lies. */
export const pathOf = (id: string): string => path.join(folder(), id);

type Row = { id: string; name: string; sizeBytes: bigint; arrivedBytes: bigint };

const uploadOf = ({ id, name, sizeBytes, arrivedBytes }: Row): Upload => ({
  file_id: id,
  name,
  size: Number(sizeBytes),
  arrived: Number(arrivedBytes),
});

/**
 * Announces a file of a site. Runs with the lock of the site, so that two calls cannot pass its limit together.
 *
 * @throws Refusal `invalid_input` for a file that is too large, `quota_exceeded` if the site or the server has no room
 */
export async function announceUpload(
  on: Db,
  siteId: number,
  { name, size }: { name: string; size: number },
  now: Date,
): Promise<Upload> {
  const { fileBytes, siteBytes, siteFiles, totalBytes, freeBytes, keptMs } = UPLOAD_LIMITS;
  if (size > fileBytes)
    throw invalidInput([
      {
        path: "size",
        message: `is more than ${fileBytes / MIB} MiB; compress the file with gzip, or split it, such as by year`,
      },
    ]);
  const kept = { createdAt: { gt: new Date(now.getTime() - keptMs) } };
  const held = await on.importFile.aggregate({ where: { siteId, ...kept }, _sum: { sizeBytes: true }, _count: true });
  if (held._count >= siteFiles || Number(held._sum.sizeBytes ?? 0) + size > siteBytes) {
    throw new Refusal(
      "quota_exceeded",
      `A site may have ${siteFiles} uploaded files of ${siteBytes / MIB} MiB together. Start an import of those that were uploaded, or wait: they are deleted after a day.`,
    );
  }
  const all = await on.importFile.aggregate({ where: kept, _sum: { sizeBytes: true } });
  await prepareFolder();
  const { bavail, bsize } = await statfs(folder());
  if (Number(all._sum.sizeBytes ?? 0) + size > totalBytes || bavail * bsize < freeBytes + size) {
    throw new Refusal("quota_exceeded", "The server has no room for more uploads now. Try again in a few hours.");
  }
  const row = await on.importFile.create({
    data: { siteId, name: plainText(name), sizeBytes: BigInt(size), createdAt: now },
  });
  return uploadOf(row);
}

/** Returns the site of an upload. @throws Refusal `not_found` */
export async function siteOfUpload(id: string, now: Date): Promise<number> {
  return (await existing(id, now)).siteId;
}

/**
 * Stores a part of an upload. A part that was stored before changes nothing, so it can be sent again.
 *
 * @param offset where the part begins
 * @throws Refusal `invalid_input` if the part begins behind what has arrived, or the file becomes longer than announced
 */
export async function storePart(id: string, offset: number, bytes: Uint8Array, now: Date): Promise<Upload> {
  const row = await existing(id, now);
  const [size, arrived] = [Number(row.sizeBytes), Number(row.arrivedBytes)];
  if (offset > arrived)
    throw invalidInput([{ path: "offset", message: `must be ${arrived}, where the file ends so far` }]);
  const end = offset + bytes.length;
  if (end > size) throw invalidInput([{ path: "offset", message: `makes the file longer than its ${size} bytes` }]);
  if (end <= arrived) return uploadOf(row);
  await prepareFolder();
  const file = await open(pathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    await file.write(bytes, 0, bytes.length, offset);
  } finally {
    await file.close();
  }
  await db().importFile.updateMany({ where: { id, arrivedBytes: { lt: end } }, data: { arrivedBytes: BigInt(end) } });
  return uploadOf({ ...row, arrivedBytes: BigInt(end) });
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function existing(id: string, now: Date) {
  const since = new Date(now.getTime() - UPLOAD_LIMITS.keptMs);
  const row = ID.test(id) ? await db().importFile.findFirst({ where: { id, createdAt: { gt: since } } }) : null;
  if (!row)
    throw new Refusal("not_found", "The upload does not exist any more: uploads are deleted after a day. Start again.");
  return row;
}

/** Deletes uploads, with their files. */
export async function deleteUploads(ids: readonly string[]): Promise<void> {
  await db().importFile.deleteMany({ where: { id: { in: [...ids] } } });
  for (const id of ids) await rm(pathOf(id), { force: true });
}

/** Deletes uploads after a day, and the files of deleted sites. */
export async function sweepUploads(now: Date): Promise<void> {
  await db().importFile.deleteMany({ where: { createdAt: { lte: new Date(now.getTime() - UPLOAD_LIMITS.keptMs) } } });
  const names = await readdir(folder()).catch(noneIfMissing);
  if (names.length === 0) return;
  const rows = await db().importFile.findMany({ select: { id: true } });
  const kept = new Set(rows.map(({ id }) => id));
  // A file is written only once its row is committed.
  for (const name of names) if (!kept.has(name)) await rm(path.join(folder(), name), { force: true });
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
