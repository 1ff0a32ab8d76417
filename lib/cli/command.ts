import { type ParseArgsConfig, parseArgs } from "node:util";
import { OperatorError } from "@/lib/platform/errors";
import { explainError } from "@/lib/platform/explain-error";

/** Wrong arguments of a command. The message says which, or is the usage. */
export class UsageError extends OperatorError {}

/** Parses the arguments of this process. @throws UsageError with `usage` for an unknown or incomplete option. */
export function parseArguments<const Options extends NonNullable<ParseArgsConfig["options"]>>(
  usage: string,
  options: Options,
) {
  try {
    return parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
  } catch (error) {
    const [reason] = (error as Error).message.split(". ");
    throw new UsageError(`${reason}.\n${usage}`);
  }
}

/** Runs a command. An error is explained on stderr and makes the exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

const PROGRESS_MS = 5_000;

/** Returns a function that prints progress to stderr every few seconds, because large files take a while. */
export function progressPrinter<Sums>(format: (sums: Sums) => string): (sums: Sums) => void {
  let printedAt = Date.now();
  return (sums) => {
    if (Date.now() - printedAt < PROGRESS_MS) return;
    printedAt = Date.now();
    process.stderr.write(`${format(sums)} …\n`);
  };
}
