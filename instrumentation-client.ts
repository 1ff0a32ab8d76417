// What a browser evaluates before anything of Next's. Next would evaluate React and its router, read what came with the page
// and wake it up in one go, in which a phone is deaf for a third of a second. Here React and the router each have a task.
declare global {
  /** Next's list of scripts to run, each in a task, before the page is woken up: an address, or text. */
  var __next_s: [src: string | null, props: { children: string }][] | undefined;
}

// The router comes with links.
for (const evaluate of [
  () => require("react-dom/client"),
  () => require("next/link"),
  () => require("next/navigation"),
]) {
  setTimeout(evaluate);
}

// An empty one makes Next wait for its turn, after these.
globalThis.__next_s = [...(globalThis.__next_s ?? []), [null, { children: "" }]];

export {};
