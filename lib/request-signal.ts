import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { processWide } from "@/lib/process-wide";

const gone = processWide("asker", () => new AsyncLocalStorage<AbortSignal>());

/** Answers a request; all that this asks for learns by `requestSignal` when nobody waits for the answer any more. */
export function withRequestAbort<T>(response: ServerResponse, answer: () => T): T {
  const leaving = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort();
  });
  return gone.run(leaving.signal, answer);
}

/** Aborted when whoever asked for what is being answered has gone; undefined where nobody asked. Next tells pages nothing of it. */
export const requestSignal = (): AbortSignal | undefined => gone.getStore();
