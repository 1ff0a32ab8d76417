import { isatty } from "node:tty";
import pino from "pino";
import pretty from "pino-pretty";
import { processWide } from "@/lib/platform/process-wide";

/**
 * The log of this process. Log only method, route pattern, status, milliseconds, request id and error code; never
 * headers, bodies, query strings or IP addresses.
 */
export const log = processWide("log", () => pino({ level: "info", base: undefined }, destination()));

function destination() {
  return isatty(1)
    ? pretty({ sync: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
    : pino.destination({ sync: true });
}

/** Returns the parts of an unexpected error that are safe to log: name, code and stack, without the message. */
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
 * Redirects `console.error` to the log. Next prints the errors that it catches with their messages, which can contain
 * values; the log gets only what `describeError` returns.
 */
export function quietConsole(): void {
  console.error = (...printed: unknown[]) => {
    const [error = new Error("reported by the framework")] = printed.filter((item) => item instanceof Error);
    if (isClientAbort(error)) log.debug("a client disconnected before the end of its request body");
    else log.error(describeError(error), "the framework reported an error");
  };
}

/**
 * How Node reports a client that disconnects during its body. A reset of an outgoing connection has another message.
 */
const isClientAbort = (error: NodeJS.ErrnoException) => error.code === "ECONNRESET" && error.message === "aborted";
