/** What follows a poll, if not the next one after the usual time. */
type Next = "at once" | "never" | undefined;

/**
 * Calls `poll` at an interval while the page is visible, and at once when it becomes visible. For effects.
 *
 * @param poll gets a signal that is aborted when the polling is stopped
 * @returns a function that stops it
 */
export function startPolling(everyMs: number, poll: (stopped: AbortSignal) => Promise<Next>): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer = setTimeout(run, everyMs);
  let isRunning = false;

  async function run() {
    if (isRunning) return;
    isRunning = true;
    clearTimeout(timer);
    const next = document.visibilityState === "visible" ? await poll(signal) : undefined;
    isRunning = false;
    if (next === "never") controller.abort();
    if (!signal.aborted) timer = setTimeout(run, next === "at once" ? 0 : everyMs);
  }

  document.addEventListener("visibilitychange", run, { signal });
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
