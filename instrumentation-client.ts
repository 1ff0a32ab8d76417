// What a browser evaluates before anything of Next's. Next would evaluate React and its router and wake up the page in one
// go, in which a phone is deaf for a third of a second. Here React comes first, and the rest in a task of its own.
import "react-dom/client";

declare global {
  /** Next's list of scripts to run, each in a task, before the page is woken up: an address, or text. */
  var __next_s: [src: string | null, props: { children: string }][] | undefined;
}

// An empty one makes Next wait for its turn.
globalThis.__next_s = [...(globalThis.__next_s ?? []), [null, { children: "" }]];
