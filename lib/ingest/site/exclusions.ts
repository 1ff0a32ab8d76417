import type { Exclusion, ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { addressRanges } from "@/lib/ingest/enrich/intervals";
import type { FilterReason } from "@/lib/ingest/event/values";
import { compilePath, segmentsMatch } from "@/lib/platform/path-patterns";

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
  const paths = of("path").map(compilePath);
  const hosts = of("hostname");
  const countries = new Set(of("country"));
  return {
    excluded({ address, hostname, path, country }) {
      if (address !== null && isExcluded(address)) return "excluded_address";
      if (hostname !== null && hosts.some((pattern) => hostMatches(pattern, hostname))) return "excluded_hostname";
      if (path !== null && paths.length > 0) {
        const segments = path.split("/");
        if (paths.some((compiled) => segmentsMatch(compiled, segments))) return "excluded_path";
      }
      return countries.size > 0 && countries.has(country()) ? "excluded_country" : undefined;
    },
  };
}

/** `*.example.com` is every name below example.com, and not example.com itself. */
const hostMatches = (pattern: string, hostname: string): boolean =>
  pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
