import { setTimeout } from "node:timers/promises";

/**
 * How long a page waits to be sent as a whole, in ms. A page that arrives in parts is laid out and painted for each
 * part, and in an open page React shows all parts with the last one anyway.
 */
export const FULL_PAGE_WAIT_MS = 400;

/**
 * Waits for a part as long as a page waits for its parts. @returns null if it is late. A failed part is late, too: React
 * sends the rest of the page only if the part is behind a skeleton.
 */
export const inTime = <T>(part: Promise<T>): Promise<{ value: T } | null> =>
  Promise.race([
    part.then(
      (value) => ({ value }),
      () => null,
    ),
    setTimeout(FULL_PAGE_WAIT_MS, null, { ref: false }),
  ]);
