/** What follows is a token or a domain, also where it looks like a word. */
const BEFORE_NAMES = new Set(["confirm", "invite", "reset", "share", "signup", "unsubscribe"]);

/**
 * A path as it may be logged: words that could be part of a route stay, everything else (ids, tokens, names)
 * becomes `:x`, and the query is gone.
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
