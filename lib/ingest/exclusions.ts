import type { FilterReason } from "@/lib/ingest/hit";
import { addressRanges } from "@/lib/server/address";
import type { Exclusion, ExclusionKind } from "@/lib/sites/exclusions";

/** What is known of an event that a site's rules may leave out; null where something is unknown. */
export interface Excludable {
  address: string | null;
  hostname: string | null;
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
  const paths = of("path");
  const hosts = of("hostname");
  const countries = new Set(of("country"));
  return {
    excluded({ address, hostname, path, country }) {
      if (address !== null && isExcluded(address)) return "excluded_address";
      if (hostname !== null && hosts.some((pattern) => hostMatches(pattern, hostname))) return "excluded_hostname";
      if (path !== null && paths.some((pattern) => pathMatches(pattern, path))) return "excluded_path";
      return countries.size > 0 && countries.has(country()) ? "excluded_country" : undefined;
    },
  };
}

/** `*.example.com` is every name below example.com, and not example.com itself. */
const hostMatches = (pattern: string, hostname: string): boolean =>
  pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;

/**
 * Whether a path fits a pattern: `*` is any part of one segment, `**` any number of whole segments, so that `/a/**` is
 * `/a` and everything below. Walks instead of a regular expression: its time grows with path times pattern at worst,
 * whatever either of them holds.
 */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern.endsWith("/**") && pathMatches(pattern.slice(0, -3), path)) return true;
  let [p, i] = [0, 0];
  // Where to go on when what follows a star does not fit: behind the star, with the star holding one more character.
  let [star, starEnd, deep, deepEnd] = [-1, 0, -1, 0];
  while (i < path.length) {
    if (pattern.startsWith("**", p)) {
      if (p + 2 === pattern.length) return true;
      [deep, deepEnd, star] = [p + 3, i, -1];
      p = deep;
    } else if (pattern[p] === "*") {
      [star, starEnd] = [p + 1, i];
      p = star;
    } else if (pattern[p] === path[i]) {
      p++;
      i++;
    } else if (star >= 0 && path[starEnd] !== "/") {
      i = ++starEnd;
      p = star;
    } else {
      deepEnd = path.indexOf("/", deepEnd) + 1;
      if (deep < 0 || deepEnd === 0) return false;
      [i, p, star] = [deepEnd, deep, -1];
    }
  }
  return /^(\*\*\/)*\**$/.test(pattern.slice(p));
}
