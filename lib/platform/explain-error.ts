import { OperatorError, Refusal } from "@/lib/platform/errors";
import { isDatabaseUnavailable } from "@/lib/platform/pool";

/**
 * Returns what a command prints about the error that ended it: a sentence about what its user can act on, and the stack
 * of anything else, which is a bug.
 */
export function explainError(error: unknown): string {
  if (error instanceof OperatorError || error instanceof Refusal) return error.message;
  if (!(error instanceof Error)) return `${error}`;
  const { code = "", syscall } = error as NodeJS.ErrnoException;
  if (code.startsWith("Z_")) return `The compressed file is damaged (${error.message}).`;
  // Such as "ENOSPC: no space left on device, write".
  if (syscall && syscall !== "connect") return `${error.message}.`;
  if (isDatabaseUnavailable(error)) {
    return `The database is unavailable (${error.message || code}): run the command again once it answers.`;
  }
  return error.stack ?? error.message;
}
