import { clipPath } from "@/lib/platform/text";

/**
 * Path patterns of exclusions, goals and funnel steps: `*` is any part of one segment, `**` any number of whole
 * segments, so that `/a/**` is `/a` and everything below, and `/a**` is `/a*` and everything below.
 */

/** A pattern in the one spelling in which it is stored and compared, or what is wrong with it. */
export type ReadPattern = { pattern: string } | { fault: string };

/** A regular expression of a thousand takes 10 ms for each long path. */
const MOST_STARS = 100;

/** Reads a pattern that somebody typed. Without `*` it is cut as the paths of events are. */
export function readPath(typed: string, longest: number): ReadPattern {
  if (!typed.startsWith("/")) return { fault: "must begin with / such as /admin/**" };
  if (/[?#]/.test(typed)) return { fault: "must be a path alone, without ? and #" };
  // Written as the paths of events are: /café is /caf%C3%A9.
  const { pathname } = new URL(`http://site.invalid${typed}`);
  const pattern = pathname.includes("*") ? pathname : clipPath(pathname);
  if (pattern.length > longest) return { fault: `must have at most ${longest} characters, percent-encoded` };
  if (pattern.split("*").length > MOST_STARS + 1) return { fault: `must have at most ${MOST_STARS} times *` };
  if (/\*\*\*/.test(pattern) || /[^/]\*\*./.test(pattern) || /\*\*[^/]/.test(pattern)) {
    return { fault: "has ** only between two slashes or at its end; * stands for a part of one folder's name" };
  }
  return { pattern };
}

/** One segment of a pattern: any number of whole segments, or the literals between its stars. */
type Segment = "**" | readonly string[];

/** A pattern, segment by segment. */
export const compilePath = (pattern: string): Segment[] =>
  pattern
    .replace(/([^/])\*\*$/, "$1*/**")
    .split("/")
    .map((segment) => (segment === "**" ? "**" : segment.split("*")));

/** Whether a path matches a pattern. */
export const pathMatches = (pattern: string, path: string): boolean =>
  segmentsMatch(compilePath(pattern), path.split("/"));

/** Only the last `**` is tried again, so the time grows at most with the segments of the path times those of the pattern. */
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

/** Literals in their order, the first at the beginning and the last at the end; each is looked for once. */
function segmentMatches(literals: readonly string[], text: string): boolean {
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

/** The same as a regular expression, for databases. Adjacent `**` mean what one of them means. */
export function pathRegex(pattern: string): string {
  const segments = compilePath(pattern).slice(1);
  const distinct = segments.filter((segment, index) => segment !== "**" || segments[index - 1] !== "**");
  const escaped = (literal: string) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const parts = distinct.map((segment) => (segment === "**" ? "(/[^/]*)*" : `/${segment.map(escaped).join("[^/]*")}`));
  return `^${parts.join("")}$`;
}
