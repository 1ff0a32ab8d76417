import { useEffect, useRef, useState } from "react";

/** What follows a poll, if not the next one after a longer pause than before. */
type Next = "news" | "at once" | "never" | undefined;

interface Pauses {
  /** Pause after a poll with news, and before the first one if it has no pause of its own. */
  everyMs: number;
  firstMs?: number;
  /** Pause at most, when poll after poll brings no news; by default the pauses do not grow. */
  idleMs?: number;
}

const GROWTH = 1.5;
/** Signed out, no longer a member of the site, or no longer public: further requests would be refused too. */
const REFUSED = [401, 403, 404];

/**
 * Calls `poll` while the page is visible: at once when it becomes visible or gets the focus, then with pauses that grow
 * until there is news. For effects.
 *
 * @param poll gets a signal that is aborted when the polling is stopped
 * @returns a function that stops it
 */
export function startPolling(
  { everyMs, firstMs = everyMs, idleMs = everyMs }: Pauses,
  poll: (stopped: AbortSignal) => Promise<Next>,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let pauseMs = everyMs;
  let timer = setTimeout(run, firstMs);
  let isRunning = false;

  async function run() {
    // A hidden page waits for `wake`.
    if (isRunning || document.visibilityState !== "visible") return;
    isRunning = true;
    clearTimeout(timer);
    const next = await poll(signal);
    isRunning = false;
    if (next === "never") controller.abort();
    pauseMs = next === "news" ? everyMs : Math.min(pauseMs * GROWTH, idleMs);
    if (!signal.aborted) timer = setTimeout(run, next === "at once" ? 0 : pauseMs);
  }

  function wake() {
    pauseMs = everyMs;
    run();
  }

  document.addEventListener("visibilitychange", wake, { signal });
  window.addEventListener("focus", wake, { signal });
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

/**
 * Polls an address whose answers are JSON until it is refused; `take` gets each.
 *
 * @param address is asked for before each request
 */
export const pollJson = <T>(
  pauses: Pauses,
  address: () => string,
  take: (answer: T) => Next | Promise<Next>,
): (() => void) =>
  startPolling(pauses, async (signal) => {
    const response = await fetch(address(), { cache: "no-store", signal }).catch(() => null);
    if (response && REFUSED.includes(response.status)) return "never";
    const answer: T | null = response?.ok ? await response.json().catch(() => null) : null;
    return answer === null || signal.aborted ? undefined : take(answer);
  });

/**
 * Returns the latest answer of an address that is polled while the page is visible.
 *
 * @param address null while there is nothing to poll
 * @param first what was rendered with the page; another one replaces what was polled before
 */
export function usePolled<T>(pauses: Pauses, address: string | null, first: T): T {
  const known = JSON.stringify(first);
  const [state, setState] = useState({ known, latest: first });
  if (state.known !== known) setState({ known, latest: first });
  const shown = useRef(known);
  const { everyMs, idleMs } = pauses;

  useEffect(() => {
    shown.current = known;
    if (address === null) return;
    return pollJson<T>(
      { everyMs, idleMs },
      () => address,
      (latest) => {
        if (JSON.stringify(latest) === shown.current) return undefined;
        shown.current = JSON.stringify(latest);
        setState({ known, latest });
        return "news";
      },
    );
  }, [address, known, everyMs, idleMs]);

  return state.latest;
}
