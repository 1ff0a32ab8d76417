/**
 * A path as it may be logged: words that could be part of a route stay, everything else (ids, tokens, names)
 * becomes `:x`, and the query is gone.
 */
export function routePattern(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path
    .split("/")
    .slice(0, 8)
    .map((part) => (/^[a-z][a-z._-]{0,23}$/.test(part) || part === "" ? part : ":x"))
    .join("/");
}
