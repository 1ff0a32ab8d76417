import { createHash } from "node:crypto";
import { type FileHandle, readFile, rename, writeFile } from "node:fs/promises";
import type { LogPosition } from "@/lib/logs/import";

/** Where the last import of a growing log ended, in a file beside it. */

export const LOG_START: LogPosition = { lines: 0, offset: 0, next: 1 };
/** No line is longer. */
const HEAD_BYTES = 64 * 1024;

/**
 * What makes a log itself, for a destination: its inode and its first line. After a rotation it is another. Null for a
 * log without a whole line.
 *
 * @throws Error for a packed log, in which no place can be found again.
 */
export async function identifyLog(log: FileHandle, destination: string): Promise<string | null> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  if (buffer[0] === 0x1f && buffer[1] === 0x8b)
    throw new Error("--state needs a log as it is written, not a packed one.");
  const end = buffer.subarray(0, bytesRead).indexOf("\n");
  if (end === -1 && bytesRead < HEAD_BYTES) return null;
  const first = buffer.subarray(0, end === -1 ? HEAD_BYTES : end);
  const { ino } = await log.stat();
  return createHash("sha256").update(`${destination}\n${ino}\n`).update(first).digest("base64url");
}

/** Where to go on in a log: at its beginning when it is new, was rotated or was cut. */
export async function readPosition(stateFile: string, log: FileHandle, id: string | null): Promise<LogPosition> {
  const text = await readFile(stateFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null || id === null) return LOG_START;
  const { log: known, lines, offset, next } = parse(text, stateFile);
  const isThere = known === id && offset <= (await log.stat()).size;
  return isThere ? { lines, offset, next } : LOG_START;
}

function parse(text: string, stateFile: string): LogPosition & { log: string } {
  try {
    const state = JSON.parse(text) as LogPosition & { log: string };
    if ([state.lines, state.offset, state.next].every((number) => Number.isSafeInteger(number))) return state;
  } catch {}
  throw new Error(`${stateFile} does not hold what an import remembers; remove it to begin anew.`);
}

/** Remembers a place, whole or not at all. */
export async function writePosition(stateFile: string, id: string, place: LogPosition): Promise<void> {
  await writeFile(`${stateFile}.new`, `${JSON.stringify({ log: id, ...place })}\n`);
  await rename(`${stateFile}.new`, stateFile);
}
