/** Where to go after signing in: a path of ours, never someone else's address. */
export function ownPath(next: unknown, otherwise = "/sites"): string {
  if (typeof next !== "string" || !/^\/(?![/\\])/.test(next)) return otherwise;
  const here = new URL("http://here");
  const target = URL.canParse(next, here) ? new URL(next, here) : null;
  if (!target || target.host !== here.host) return otherwise;
  return target.pathname + target.search + target.hash;
}
