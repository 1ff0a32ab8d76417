import type { Page } from "@playwright/test";

/** A part of the page that a layout shift moved. */
interface Moved {
  node: Element | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

/**
 * Notes what layout shifts move in the pages that are opened from now on.
 *
 * @returns reads what has moved in the open page: from where, to where, and its HTML
 */
export async function noteMoves(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shown = window as unknown as { moved: string[] };
    shown.moved = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as unknown as { sources: Moved[] };
        for (const { node, previousRect: from, currentRect: to } of sources)
          shown.moved.push(
            `${from.x},${from.y} to ${to.x},${to.y}: ${node?.outerHTML?.slice(0, 300) ?? node?.textContent ?? "removed"}`,
          );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate("moved");
}
