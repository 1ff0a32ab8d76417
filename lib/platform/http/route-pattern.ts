/** Segments that are followed by a token or a domain, even one that looks like a word. */
const BEFORE_NAMES = new Set(["confirm", "embed", "invite", "reset", "s", "share", "signup", "unsubscribe"]);

/**
 * Returns a path that is safe to log: words that can be part of a route are kept, everything else (ids, tokens, names)
 * becomes `:x`, and the query is removed.
 */
export function routePattern(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path
    .split("/")
    .slice(0, 8)
    .map((part, index, parts) => {
      const isWord = /^[a-z][a-z._-]{0,23}$/.test(part) && !BEFORE_NAMES.has(parts[index - 1] ?? "");
      return isWord || part === "" ? part : ":x";
    })
    .join("/");
}
