import type { Exclusion, ExclusionKind } from "@/lib/contract/exclusion-patterns";
import type { FilterReason } from "@/lib/ingest/event/decided-event";
import { addressRanges } from "@/lib/platform/networks";
import { pathMatcher } from "@/lib/platform/path-patterns";

/** The fields of an event that exclusion rules match; null where unknown. */
interface Excludable {
  address: string | null;
  hostname: string | null;
  /** The full path as it was sent, before personal data is removed. Rules match it without its query. */
  path: string | null;
  /** Called only for a site with country rules. @returns the ISO 3166-1 code, or `''`. */
  country(): string;
}

/** A site's compiled exclusion rules. */
export interface Exclusions {
  /** Returns the reason to exclude an event, or undefined. */
  excluded(event: Excludable): FilterReason | undefined;
}

const NONE: Exclusions = { excluded: () => undefined };

/** Compiles a site's exclusion rules. @param mergeSlashes whether slashes at the end of a path make no other page. */
export function compileExclusions(
  rules: readonly Omit<Exclusion, "id">[],
  { mergeSlashes }: { mergeSlashes: boolean },
): Exclusions {
  if (rules.length === 0) return NONE;
  const of = (kind: ExclusionKind) => rules.filter((rule) => rule.kind === kind).map(({ pattern }) => pattern);
  const addresses = of("address");
  const isExcluded = addresses.length > 0 ? addressRanges(addresses) : () => false;
  const isExcludedPath = pathMatcher(of("path"), { mergeSlashes });
  const hosts = of("hostname");
  const countries = new Set(of("country"));
  return {
    excluded({ address, hostname, path, country }) {
      if (address !== null && isExcluded(address)) return "excluded_address";
      if (hostname !== null && hosts.some((pattern) => hostMatches(pattern, hostname))) return "excluded_hostname";
      if (path !== null && isExcludedPath(path)) return "excluded_path";
      return countries.size > 0 && countries.has(country()) ? "excluded_country" : undefined;
    },
  };
}

/** `*.example.com` matches every subdomain of example.com, but not example.com itself. */
const hostMatches = (pattern: string, hostname: string): boolean =>
  pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
