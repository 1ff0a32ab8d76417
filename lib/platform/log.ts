import { isatty } from "node:tty";
import pino from "pino";
import pretty from "pino-pretty";
import { Fault } from "@/lib/platform/errors";
import { type LoggableMessage, loggableMessage } from "@/lib/platform/loggable-message";
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

/** What the log says about an error. */
export interface Described extends LoggableMessage {
  error: string;
  code?: string;
  /** The id that Next gives the error, which its error page shows. */
  digest?: string;
  at?: string;
  cause?: Described;
}

const MAX_CAUSES = 3;
/** Class names and codes: one word, or a few. */
const NAME = /^[\w$. -]{1,64}$/;

/**
 * Returns the parts of an unexpected error that are safe to log: name, code, stack and causes, and of its message what
 * cannot hold data of visitors.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): Described {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code, digest, name, cause } = error as Error & { code?: unknown; digest?: unknown };
  return {
    error: NAME.test(name) ? name : "Error",
    ...(typeof code === "string" && NAME.test(code) ? { code } : {}),
    ...(typeof digest === "string" && DIGEST.test(digest) ? { digest } : {}),
    ...loggableMessage(error),
    ...stackOf(error),
    ...(cause instanceof Error && causes > 0 ? { cause: describeError(cause, causes - 1) } : {}),
  };
}

/** Next's hash of an error, in some cases with the number of a message. */
const DIGEST = /^\d{1,20}(@\w{1,20})?$/;

/** The stack begins with the message, which can contain lines that look like frames. */
function stackOf({ stack = "", message }: Error): { at?: string } {
  const start = stack.indexOf(message);
  const frames = stack.slice(start === -1 ? stack.length : start + message.length).split("\n");
  const at = frames.filter((line) => line.startsWith("    at ")).slice(0, 6);
  return at.length > 0 ? { at: at.map((line) => line.trim()).join(" < ") } : {};
}

/**
 * Redirects `console.error` to the log. Next prints the errors that it catches with their messages, which can contain
 * values; the log gets only what `describeError` returns.
 */
export function quietConsole(): void {
  console.error = (...printed: unknown[]) => {
    const [error = new Fault("an error without an Error object")] = printed.filter((item) => item instanceof Error);
    if (isClientAbort(error)) log.debug("a client disconnected before the end of its request body");
    else log.error(describeError(error), "the framework reported an error");
  };
}

/**
 * How Node reports a client that disconnects during its body. A reset of an outgoing connection has another message.
 */
const isClientAbort = (error: NodeJS.ErrnoException) => error.code === "ECONNRESET" && error.message === "aborted";
