import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { processWide } from "@/lib/platform/process-wide";

const signals = processWide("request-signal", () => new AsyncLocalStorage<AbortSignal>());

/** Runs `answer` with an AbortSignal that fires when the client disconnects before the response is finished. */
export function withRequestAbort<T>(response: ServerResponse, answer: () => T): T {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return signals.run(controller.signal, answer);
}

/** AbortSignal of the current HTTP request; undefined outside one. Next does not pass it to pages. */
export const requestSignal = (): AbortSignal | undefined => signals.getStore();
