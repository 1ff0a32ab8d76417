import { Fault, Refusal } from "@/lib/platform/errors";
import { isDatabaseUnavailable } from "@/lib/platform/pool";

/** Failures of the engine's queries and the errors that callers get, in one process or across two. */

/** The site's first copy is not complete. */
export class StillCopying extends Fault {
  constructor(
    /** The copied share, from 0 to 1. */
    readonly progress: number,
  ) {
    super("The site's facts are being copied");
  }
}

/** A failure as a message between processes. */
export type Failure =
  | { kind: "copying"; progress: number }
  | { kind: "memory" | "disk" | "database" | "aborted" | "broken" }
  | { kind: "failed"; message: string; code: string };

const OUT_OF_MEMORY = /^Out of Memory Error|bad_alloc|Cannot allocate memory/;
const DISK_FULL = /No space left on device|ENOSPC/;
/** DuckDB accepts nothing more after such an error. */
const BROKEN = /^FATAL Error|database has been invalidated/;
const DAMAGED =
  /not a valid DuckDB database file|Corrupt database file|Could not read enough bytes|^Serialization Error|replaying WAL/;

const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether a site's file cannot be read and must be built again. */
export const isDamaged = (error: unknown): boolean => DAMAGED.test(messageOfError(error)) || isBroken(error);

/** Whether the disk is full. */
export const isDiskFull = (error: unknown): boolean => DISK_FULL.test(messageOfError(error));

export const isOutOfMemory = (error: unknown): boolean => OUT_OF_MEMORY.test(messageOfError(error));

/** Whether a file that was closed is still open for a transaction that has not ended. */
export const isStillOpen = (error: unknown): boolean => /in the process of being detached/.test(messageOfError(error));

/** What DuckDB has against a regular expression; null for any other error. */
export const patternFaultOf = (error: unknown): string | null =>
  /^Invalid Input Error: (.*)/s.exec(messageOfError(error))?.[1] ?? null;

/** Whether the DuckDB of this process has stopped working. */
export const isBroken = (error: unknown): boolean => BROKEN.test(messageOfError(error));

export function failureOf(error: unknown, signal?: AbortSignal): Failure {
  const message = messageOfError(error);
  if (signal?.aborted) return { kind: "aborted" };
  if (error instanceof StillCopying) return { kind: "copying", progress: error.progress };
  if (isOutOfMemory(error)) return { kind: "memory" };
  if (isDiskFull(error)) return { kind: "disk" };
  if (isBroken(error)) return { kind: "broken" };
  if (isDatabaseUnavailable(error)) return { kind: "database" };
  return { kind: "failed", message, code: /^[\w ]{1,40} Error(?=:)/.exec(message)?.[0] ?? "" };
}

const RETRY_AFTER_SECONDS = 2;
const SENTENCES = {
  copying: "The site's events are being prepared for reports; repeat the call after the time in Retry-After.",
  memory:
    "This report needs more memory than there is; ask for a shorter range, fewer dimensions or a narrower filter.",
  disk: "The disk of the server is full, so that reports cannot be prepared; repeat the call later.",
  database: "The database cannot be reached just now; repeat the same call soon.",
  broken: "Reports are being restarted; repeat the call after the time in Retry-After.",
};

/** The error that the caller of a report gets. */
export function errorOf(failure: Failure, signal?: AbortSignal): unknown {
  const { kind } = failure;
  if (kind === "aborted") return signal?.reason ?? new Error("The query was aborted");
  if (kind === "failed") return Object.assign(new Error(failure.message), { code: failure.code });
  const details = kind === "copying" ? { progress: Math.round(failure.progress * 100) / 100 } : undefined;
  return new Refusal("unavailable", SENTENCES[kind], details, RETRY_AFTER_SECONDS);
}

/** The analytics process ended while it worked on a query. */
export const restarting = (): unknown => errorOf({ kind: "broken" });
