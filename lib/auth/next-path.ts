/** A placeholder origin. A value that resolves to it was a path. */
const BASE = new URL("http://path.invalid");

/** Longer paths do not fit into the request line. */
const MAX_LENGTH = 8_000;
const DEFAULT = "/sites";

/**
 * Returns a safe redirect path within this service. Prevents open redirects.
 *
 * @param next the requested path; untrusted, of any type.
 * @returns `next` normalised by the URL parser, or `/sites` when it could leave this origin. The check is on the
 *   normalised path: dot segments can resolve to `//host`, and a proxy may decode `%2F`.
 */
export function ownPath(next: unknown): string {
  if (typeof next !== "string" || next.length > MAX_LENGTH || !/^\/(?![/\\])/.test(next)) return DEFAULT;
  if (!URL.canParse(next, BASE)) return DEFAULT;
  const { origin, pathname, search, hash } = new URL(next, BASE);
  if (origin !== BASE.origin || /^\/(?:[/\\]|%2f|%5c)/i.test(pathname)) return DEFAULT;
  const path = pathname + search + hash;
  return path.length > MAX_LENGTH ? DEFAULT : path;
}

/** Returns the page to open after sign-in for a requested path and query: itself, and for a download the page it is on. */
export const pageToReturnTo = (address: string): string => address.replace(/\/(?:export|download)(?=\?|$)/, "");
