/** No URL of ours has this origin: what resolves to it was a path. */
const BASE = new URL("http://path.invalid");

/** Longer addresses do not fit into the head of a request. */
const LONGEST = 8_000;

/**
 * A path of this service that a browser may be sent to, as the URL parser normalises it.
 *
 * @param next where the caller asks to go: anything at all.
 * @returns `next` normalised, or `otherwise` when following it could leave this origin. The normalised path is what
 *   counts: dot segments can leave `//host` behind, and a proxy may decode `%2F`.
 */
export function ownPath(next: unknown, otherwise = "/sites"): string {
  if (typeof next !== "string" || next.length > LONGEST || !/^\/(?![/\\])/.test(next)) return otherwise;
  if (!URL.canParse(next, BASE)) return otherwise;
  const { origin, pathname, search, hash } = new URL(next, BASE);
  if (origin !== BASE.origin || /^\/(?:[/\\]|%2f|%5c)/i.test(pathname)) return otherwise;
  return pathname + search + hash;
}
