import { createHash } from "node:crypto";
import { type FileHandle, readFile, rename, writeFile } from "node:fs/promises";
import type { LogPosition } from "@/lib/logs/import";
import { OperatorError } from "@/lib/platform/errors";

/** The position of the last import of a growing log, stored in a state file. */

const LOG_START: LogPosition = { lines: 0, offset: 0, next: 1 };
/** Maximum length of the first line. */
const HEAD_BYTES = 64 * 1024;

/**
 * Returns an id of a log and destination, from the inode and the first line, so that a rotated log has a new id. Null
 * for a log without a complete line.
 *
 * @throws OperatorError for a compressed log, which cannot be resumed.
 */
export async function identifyLog(log: FileHandle, destination: string): Promise<string | null> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) throw new OperatorError("--state needs an uncompressed log.");
  const end = buffer.subarray(0, bytesRead).indexOf("\n");
  if (end === -1 && bytesRead < HEAD_BYTES) return null;
  const first = buffer.subarray(0, end === -1 ? HEAD_BYTES : end);
  const { ino } = await log.stat();
  return createHash("sha256").update(`${destination}\n${ino}\n`).update(first).digest("base64url");
}

/** Returns where to resume in a log: its start when it is new, or was rotated or truncated. */
export async function readPosition(stateFile: string, log: FileHandle, id: string | null): Promise<LogPosition> {
  const text = await readFile(stateFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null || id === null) return LOG_START;
  const { log: known, lines, offset, next } = parse(text, stateFile);
  const isValid = known === id && offset <= (await log.stat()).size;
  return isValid ? { lines, offset, next } : LOG_START;
}

function parse(text: string, stateFile: string): LogPosition & { log: string } {
  let cause: unknown;
  try {
    const state = JSON.parse(text) as LogPosition & { log: string };
    if ([state.lines, state.offset, state.next].every((number) => Number.isSafeInteger(number))) return state;
  } catch (error) {
    cause = error;
  }
  throw new OperatorError(
    `${stateFile} is not a state file of an import. Use another file, or remove it to start again.`,
    { cause },
  );
}

/** Writes the position atomically. */
export async function writePosition(stateFile: string, id: string, place: LogPosition): Promise<void> {
  await writeFile(`${stateFile}.new`, `${JSON.stringify({ log: id, ...place })}\n`);
  await rename(`${stateFile}.new`, stateFile);
}
