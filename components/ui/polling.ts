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
