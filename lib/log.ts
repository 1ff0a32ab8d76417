import pino from "pino";
import pretty from "pino-pretty";
import { processWide } from "@/lib/process-wide";

/**
 * The process's log. Callers pass an allow-list of plain facts (method, route pattern, status, ms, request id,
 * error code), never headers, bodies, query strings or addresses.
 */
export const log = processWide("log", () => pino({ level: "info", base: undefined }, destination()));

function destination() {
  return process.stdout.isTTY
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
