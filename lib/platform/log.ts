import { isatty } from "node:tty";
import pino from "pino";
import pretty from "pino-pretty";
import { processWide } from "@/lib/platform/process-wide";

/**
 * The process's log. Callers pass an allow-list of plain facts (method, route pattern, status, ms, request id,
 * error code), never headers, bodies, query strings or addresses.
 */
export const log = processWide("log", () => pino({ level: "info", base: undefined }, destination()));

function destination() {
  return isatty(1)
    ? pretty({ sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
    : pino.destination({ sync: true });
}

/** What of an unexpected error may be logged: its kind and code, and where it came from. */
export function describeError(error: unknown): { error: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = (error as { code?: unknown }).code;
  return {
    error: error.name,
    ...(typeof code === "string" ? { code } : {}),
    at: error.stack
      ?.split("\n")
      .filter((line) => line.startsWith("    at "))
      .slice(0, 6)
      .map((line) => line.trim())
      .join(" < "),
  };
}

/**
 * Next prints whatever it catches with `console.error`, an error's message and values included. In production that
 * goes through the log instead, as the few facts that may stand there.
 */
export function quietConsole(): void {
  console.error = (...printed: unknown[]) => {
    const [error = new Error("reported by the framework")] = printed.filter((item) => item instanceof Error);
    if (isClientAbort(error)) log.debug("a client disconnected before the end of its request body");
    else log.error(describeError(error), "the framework reported an error");
  };
}

/** Node reports a client that disconnects in the middle of its body like this. A reset of one of our connections reads otherwise. */
const isClientAbort = (error: NodeJS.ErrnoException) => error.code === "ECONNRESET" && error.message === "aborted";
