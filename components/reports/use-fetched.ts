"use client";

import { useEffect, useState } from "react";
import { AWAY } from "@/components/ui/toaster";

/** So long nothing is asked for while somebody types. */
const PAUSE_MS = 150;

interface Fetched<T> {
  /** The last answer, also while the next one is awaited; null before the first. */
  answer: T | null;
  /** Why there is none. */
  problem: string | null;
  /** The same request may succeed the next time. */
  failed: boolean;
  /** The address that this is the answer of. */
  of: string | null;
  waiting: boolean;
  /** Asks once more. */
  retry(): void;
}

interface Options {
  pauseMs?: number;
  /** The answer to the first address is there already: only others are asked for. */
  known?: boolean;
}

/**
 * Asks one of our own addresses for JSON whenever the address has changed and stays so; `null` asks for nothing. What
 * nobody waits for any more is broken off.
 */
export function useFetched<T>(address: string | null, { pauseMs = PAUSE_MS, known = false }: Options = {}): Fetched<T> {
  const [state, setState] = useState<State<T>>({
    answer: null,
    problem: null,
    failed: false,
    of: known ? address : null,
    retryAfterMs: null,
  });
  const isAnswered = address === null || state.of === address;

  useEffect(() => {
    if (isAnswered) return;
    const stop = new AbortController();
    const ask = async () => {
      try {
        const response = await fetch(address, { cache: "no-store", signal: stop.signal });
        if (response.status === 401) return window.location.reload();
        const body = await response.json();
        setState({ ...outcomeOf<T>(response, body), of: address });
      } catch {
        if (!stop.signal.aborted) {
          setState({ answer: null, problem: AWAY, failed: true, of: address, retryAfterMs: null });
        }
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (pauseMs > 0) timer = setTimeout(ask, pauseMs);
    else ask();
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [address, isAnswered, pauseMs]);

  const retry = () => setState((before) => ({ ...before, of: null, retryAfterMs: null }));
  const { retryAfterMs, ...fetched } = state;
  useEffect(() => {
    if (retryAfterMs === null) return;
    const timer = setTimeout(() => setState((before) => ({ ...before, of: null, retryAfterMs: null })), retryAfterMs);
    return () => clearTimeout(timer);
  }, [retryAfterMs]);
  return { ...fetched, waiting: !isAnswered, retry };
}

interface State<T> extends Omit<Fetched<T>, "waiting" | "retry"> {
  /** When the server allows the next request (Retry-After): it is sent then without being asked for. */
  retryAfterMs: number | null;
}

function outcomeOf<T>({ ok, status, headers }: Response, body: T & { error?: { message?: string } }) {
  if (ok) return { answer: body, problem: null, failed: false, retryAfterMs: null };
  const seconds = Number(headers.get("retry-after"));
  const problem = body.error?.message ?? "That did not work. Try again.";
  const isTemporary = status >= 500 || status === 429;
  return { answer: null, problem, failed: isTemporary, retryAfterMs: seconds > 0 ? seconds * 1000 : null };
}
