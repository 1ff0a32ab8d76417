import type { FilterReason } from "@/lib/ingest/event-row";
import { addressRanges } from "@/lib/ingest/intervals";
import type { Exclusion, ExclusionKind } from "@/lib/sites/exclusions";

/** What is known of an event that a site's rules may leave out; null where something is unknown. */
export interface Excludable {
  address: string | null;
  hostname: string | null;
  /** As it was sent, whole, before anything is taken out of it. */
  path: string | null;
  /** Looked up only for a site that has rules about it. @returns the ISO 3166-1 code, or `''`. */
  country(): string;
}

/** A site's rules, read once and asked for every event. */
export interface Exclusions {
  /** The reason to leave an event out, if there is one. */
  excluded(event: Excludable): FilterReason | undefined;
}

const NONE: Exclusions = { excluded: () => undefined };

/** Makes a site's rules ready to be asked thousands of times. */
export function compileExclusions(rules: readonly Omit<Exclusion, "id">[]): Exclusions {
  if (rules.length === 0) return NONE;
  const of = (kind: ExclusionKind) => rules.filter((rule) => rule.kind === kind).map(({ pattern }) => pattern);
  const addresses = of("address");
  const isExcluded = addresses.length > 0 ? addressRanges(addresses) : () => false;
  const paths = of("path").map(readRule);
  const hosts = of("hostname");
  const countries = new Set(of("country"));
  return {
    excluded({ address, hostname, path, country }) {
      if (address !== null && isExcluded(address)) return "excluded_address";
      if (hostname !== null && hosts.some((pattern) => hostMatches(pattern, hostname))) return "excluded_hostname";
      if (path !== null && paths.length > 0) {
        const segments = path.split("/");
        if (paths.some((rule) => ruleFits(rule, segments))) return "excluded_path";
      }
      return countries.size > 0 && countries.has(country()) ? "excluded_country" : undefined;
    },
  };
}

/** `*.example.com` is every name below example.com, and not example.com itself. */
const hostMatches = (pattern: string, hostname: string): boolean =>
  pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;

/** One segment of a path rule: any number of whole segments, or the literals that stand between its stars. */
type SegmentRule = "**" | readonly string[];

/** `/a**` is `/a*` and everything below. */
const readRule = (pattern: string): SegmentRule[] =>
  pattern
    .replace(/([^/])\*\*$/, "$1*/**")
    .split("/")
    .map((segment) => (segment === "**" ? "**" : segment.split("*")));

/**
 * Whether a path fits a pattern: `*` is any part of one segment, `**` any number of whole segments, so that `/a/**` is
 * `/a` and everything below.
 */
export const pathMatches = (pattern: string, path: string): boolean => ruleFits(readRule(pattern), path.split("/"));

/** Of the places where a `**` may end, the last one counts: the time grows with segments times rule, whatever they hold. */
function ruleFits(rule: readonly SegmentRule[], segments: readonly string[]): boolean {
  let [at, segment, deep, from] = [0, 0, -1, 0];
  while (segment < segments.length) {
    const one = rule[at];
    if (one === "**") {
      [deep, from] = [at++, segment];
    } else if (one !== undefined && segmentFits(one, segments[segment] ?? "")) {
      at++;
      segment++;
    } else if (deep >= 0) {
      [at, segment] = [deep + 1, ++from];
    } else {
      return false;
    }
  }
  return rule.slice(at).every((one) => one === "**");
}

/** Literals in their order, the first at the beginning and the last at the end; each is looked for once. */
function segmentFits(literals: readonly string[], text: string): boolean {
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
