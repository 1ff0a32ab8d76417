import { open } from "node:fs/promises";
import { type ImportOptions, type ImportResult, ImportStopped, importLog } from "@/lib/logs/import";
import { readLines } from "@/lib/logs/lines";
import { identifyLog, readPosition, writePosition } from "@/lib/logs/state";

/**
 * Imports a log file, continuing after the last import if a state file is given.
 *
 * @param file its path, or - for stdin.
 * @param state path of the state file; undefined to read the whole log.
 * @throws like `importLog`, and Error when a file cannot be read or written.
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
  const savePosition = async ({ lines, offset, next }: ImportResult) => {
    if (id !== null) await writePosition(state, id, { lines, offset, next });
  };
  const source = log.createReadStream({ start: skipped.offset });
  try {
    const sums = await importLog(readLines(source), { ...options, from: next, skipped });
    await savePosition(sums);
    return sums;
  } catch (error) {
    if (error instanceof ImportStopped) await savePosition(error.sums);
    throw error;
  }
}
