import { readDomain } from "@/lib/platform/domain-names";
import { readNetwork } from "@/lib/platform/networks";
import { type ReadPattern, readPath } from "@/lib/platform/path-patterns";

/** Patterns of what a site excludes, in the spelling in which events are compared with them. */

/** What a rule may be about. */
export const EXCLUSION_KINDS = ["address", "country", "path", "hostname"] as const;
export type ExclusionKind = (typeof EXCLUSION_KINDS)[number];

export interface Exclusion {
  id: number;
  kind: ExclusionKind;
  pattern: string;
}

const MAX_PATTERN_LENGTH = 253;

/** A pattern in the one spelling in which events are compared with it, or what is wrong with it. */
export function readPattern(kind: ExclusionKind, typed: string): ReadPattern {
  switch (kind) {
    case "address": {
      const read = readNetwork(typed);
      return "fault" in read ? read : { pattern: read.network };
    }
    case "country":
      return readCountry(typed.toUpperCase());
    case "path":
      return readPath(typed, MAX_PATTERN_LENGTH);
    case "hostname":
      return readHostname(typed);
  }
}

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** What the list of regions holds that is no country's code in ISO 3166-1. */
const NO_COUNTRY = ["EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"];

function readCountry(typed: string): ReadPattern {
  // UK is GB, as everyone means it.
  const code = /^[A-Z]{2}$/.test(typed) ? (new Intl.Locale(`und-${typed}`).region ?? "") : "";
  const known = code !== "" && !NO_COUNTRY.includes(code) && countries.of(code) !== undefined;
  return known ? { pattern: code } : { fault: "is not a country's two-letter code (ISO 3166-1) such as FR" };
}

/** The English name of a country by its code. */
export const countryName = (code: string): string => countries.of(code) ?? code;

function readHostname(typed: string): ReadPattern {
  const below = typed.startsWith("*.");
  const name = below ? typed.slice(2) : typed;
  // Events of www.example.com are counted as example.com: such a rule would leave out the whole site.
  if (/^www\./i.test(name))
    return { fault: "is counted together with the name without www; leave that out to mean both" };
  const read = readDomain(name);
  if ("fault" in read) return { fault: read.fault };
  return { pattern: below ? `*.${read.host}` : read.host };
}
