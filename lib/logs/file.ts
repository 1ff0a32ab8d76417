import { open } from "node:fs/promises";
import { type ImportOptions, type ImportResult, ImportStopped, importLog } from "@/lib/logs/import";
import { readLines } from "@/lib/logs/lines";
import { identifyLog, readPosition, writePosition } from "@/lib/logs/state";

/**
 * Imports a log, from where the last import of it ended when that is remembered.
 *
 * @param file its path, or - for stdin.
 * @param state the path of the file that remembers; undefined to read all.
 * @throws as `importLog` does, and Error for what cannot be read or be remembered.
 */
export async function importFile(
  file: string,
  state: string | undefined,
  options: Omit<ImportOptions, "skipped">,
): Promise<ImportResult> {
  if (file === "-") return importLog(readLines(process.stdin), options);
  const log = await open(file);
  if (state === undefined) return importLog(readLines(log.createReadStream()), options);
  const id = await identifyLog(log, `${options.site} ${options.to}`);
  const { next, ...skipped } = await readPosition(state, log, id);
  const remember = async ({ lines, offset, next }: ImportResult) => {
    if (id !== null) await writePosition(state, id, { lines, offset, next });
  };
  const source = log.createReadStream({ start: skipped.offset });
  try {
    const sums = await importLog(readLines(source), { ...options, from: next, skipped });
    await remember(sums);
    return sums;
  } catch (error) {
    if (error instanceof ImportStopped) await remember(error.sums);
    throw error;
  }
}
