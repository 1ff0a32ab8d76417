import { canonicalPath, withoutPastedEnds, withoutTrailingSlashes } from "@/lib/platform/canonical";
import { clipPath } from "@/lib/platform/text";

/**
 * Path patterns of exclusions, goals and funnel steps: `*` matches within one segment, `**` any number of segments.
 * `/a/**` matches `/a` and everything below it, `/a**` the same as `/a*` and everything below. To reports, the query of
 * a page is a part of its last segment, and below the path without it.
 */

/** A normalised pattern, or what is wrong with it as the predicate of a sentence. */
export type ReadPattern = { pattern: string } | { fault: string };

/** A regular expression with a thousand stars takes 10 ms for each long path. */
const MAX_STARS = 100;

/** Normalises a typed pattern. Without `*` it is clipped like the paths of events. */
export function readPath(sent: string, longest: number): ReadPattern {
  const typed = withoutPastedEnds(sent);
  if (!typed.startsWith("/")) return { fault: "must begin with / such as /admin/**" };
  if (typed.includes("#")) return { fault: "must be a path without #" };
  const path = canonicalPath(typed);
  const pattern = path.includes("*") ? path : clipPath(path);
  if (pattern.length > longest) return { fault: `must have at most ${longest} characters, percent-encoded` };
  if (pattern.split("*").length > MAX_STARS + 1) return { fault: `must contain * at most ${MAX_STARS} times` };
  if (/\*\*\*/.test(pattern) || /[^/]\*\*./.test(pattern) || /\*\*[^/]/.test(pattern)) {
    return { fault: "may have ** only between two slashes or at its end; use * for a part of one segment" };
  }
  return { pattern };
}

/** One segment of a pattern: `**`, or the literals between its stars. */
type Segment = "**" | readonly string[];

/** Splits a pattern into segments. */
export const compilePath = (pattern: string): Segment[] =>
  pattern
    .replace(/([^/])\*\*$/, "$1*/**")
    .split("/")
    .map((segment) => (segment === "**" ? "**" : segment.split("*")));

/**
 * Returns a function that says whether a path matches one of the patterns, whatever its query.
 *
 * @param mergeSlashes whether slashes at the end of a path make no other page.
 */
export function pathMatcher(
  patterns: readonly string[],
  { mergeSlashes }: { mergeSlashes: boolean },
): (path: string) => boolean {
  const compared = (path: string) => (mergeSlashes ? withoutTrailingSlashes(path) : path);
  const compiled = patterns.map((pattern) => compilePath(compared(pattern)));
  return (path) => {
    if (compiled.length === 0) return false;
    const [alone = ""] = path.split("?", 1);
    const segments = compared(alone).split("/");
    return compiled.some((pattern) => segmentsMatch(pattern, segments));
  };
}

/**
 * Returns whether the segments of a path match a pattern. Backtracks to the last `**` only, so the time is at most path
 * segments times pattern segments.
 */
export function segmentsMatch(pattern: readonly Segment[], path: readonly string[]): boolean {
  let [at, place, deep, from] = [0, 0, -1, 0];
  while (place < path.length) {
    const segment = pattern[at];
    if (segment === "**") {
      [deep, from] = [at++, place];
    } else if (segment !== undefined && segmentMatches(segment, path[place] ?? "")) {
      at++;
      place++;
    } else if (deep >= 0) {
      [at, place] = [deep + 1, ++from];
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((segment) => segment === "**");
}

/** Returns whether the literals stand in a text in order, the first at its start, the last at its end, with one search for each. */
export function segmentMatches(literals: readonly string[], text: string): boolean {
  const [first = "", ...rest] = literals;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const literal of rest) {
    const found = text.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return at <= text.length - last.length;
}

/** Returns the pattern as a regular expression for databases. Adjacent `**` are merged. */
export function pathRegex(pattern: string): string {
  const segments = compilePath(pattern).slice(1);
  const distinct = segments.filter((segment, index) => segment !== "**" || segments[index - 1] !== "**");
  const escaped = (literal: string) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const parts = distinct.map((segment, index) => {
    if (segment !== "**") return `/${segment.map(escaped).join("[^/]*")}`;
    return index < distinct.length - 1 ? "(/[^/]*)*" : "([/?].*)?";
  });
  return `^${parts.join("")}$`;
}
