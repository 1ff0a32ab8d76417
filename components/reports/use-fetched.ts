"use client";

import { useEffect, useState } from "react";

/** So long nothing is asked for while somebody types. */
const PAUSE_MS = 150;

interface Fetched<T> {
  /** The last answer, also while the next one is awaited; null before the first. */
  answer: T | null;
  /** Why there is none. */
  problem: string | null;
  waiting: boolean;
}

/** Asks one of our own addresses for JSON whenever the address has changed and stays so; `null` asks for nothing. */
export function useFetched<T>(address: string | null): Fetched<T> {
  const [state, setState] = useState<Fetched<T> & { of: string | null }>({
    answer: null,
    problem: null,
    waiting: false,
    of: null,
  });

  useEffect(() => {
    if (address === null) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(address, { cache: "no-store", signal: stop.signal });
        if (response.status === 401) return window.location.reload();
        const body = await response.json();
        const problem = response.ok ? null : (body.error?.message ?? "That did not work. Try again.");
        setState({ answer: response.ok ? body : null, problem, waiting: false, of: address });
      } catch {
        if (!stop.signal.aborted) {
          setState({ answer: null, problem: "The server could not be reached.", waiting: false, of: address });
        }
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [address]);

  return { ...state, waiting: address !== null && state.of !== address };
}
