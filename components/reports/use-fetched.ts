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
  /** The problem is not the question: the same may be answered the next time. */
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
  const [state, setState] = useState<Omit<Fetched<T>, "waiting" | "retry">>({
    answer: null,
    problem: null,
    failed: false,
    of: known ? address : null,
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
        const problem = response.ok ? null : (body.error?.message ?? "That did not work. Try again.");
        setState({ answer: response.ok ? body : null, problem, failed: response.status >= 500, of: address });
      } catch {
        if (!stop.signal.aborted) {
          setState({ answer: null, problem: AWAY, failed: true, of: address });
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

  const retry = () => setState((before) => ({ ...before, of: null }));
  return { ...state, waiting: !isAnswered, retry };
}
