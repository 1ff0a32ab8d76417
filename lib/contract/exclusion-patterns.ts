import { withoutPastedEnds } from "@/lib/platform/canonical";
import { readSiteDomain } from "@/lib/platform/domain-names";
import { readNetwork } from "@/lib/platform/networks";
import { type ReadPattern, readPath } from "@/lib/platform/path-patterns";

/** Exclusion patterns of a site, normalised for the comparison with events. */

/** What an exclusion can match. */
export const EXCLUSION_KINDS = ["address", "country", "path", "hostname"] as const;
export type ExclusionKind = (typeof EXCLUSION_KINDS)[number];

export interface Exclusion {
  id: number;
  kind: ExclusionKind;
  pattern: string;
}

const MAX_PATTERN_LENGTH = 253;

/** Returns the normalised pattern, or the fault. */
export function readPattern(kind: ExclusionKind, typed: string): ReadPattern {
  switch (kind) {
    case "address": {
      const read = readNetwork(typed);
      return "fault" in read ? read : { pattern: read.network };
    }
    case "country":
      return readCountry(typed.toUpperCase());
    case "path":
      if (typed.includes("?")) return { fault: "must be a path without ?: it excludes the page with any query" };
      return readPath(typed, MAX_PATTERN_LENGTH);
    case "hostname":
      return readHostname(typed);
  }
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Region codes known to Intl that are not country codes in ISO 3166-1. */
const NO_COUNTRY = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"];

function readCountry(typed: string): ReadPattern {
  // Intl maps UK to GB.
  const code = /^[A-Z]{2}$/.test(typed) ? (new Intl.Locale(`und-${typed}`).region ?? "") : "";
  const known = code !== "" && !NO_COUNTRY.includes(code) && countries.of(code) !== undefined;
  return known ? { pattern: code } : { fault: "must be a two-letter country code (ISO 3166-1) such as FR" };
}

function readHostname(sent: string): ReadPattern {
  const typed = withoutPastedEnds(sent);
  const below = typed.startsWith("*.");
  const name = below ? typed.slice(2) : typed;
  // Events of www.example.com are counted as example.com, so this rule would exclude the whole site.
  if (/^www\./i.test(name)) return { fault: "is counted as the same name without www; leave out www. to exclude both" };
  const read = readSiteDomain(name);
  if ("fault" in read) return { fault: read.fault };
  return { pattern: below ? `*.${read.host}` : read.host };
}
