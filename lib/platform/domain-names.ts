import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { parse } from "tldts";
import { withoutPastedEnds } from "@/lib/platform/canonical";
import { invalidInput } from "@/lib/platform/errors";

/** Why a text is not a valid domain, as the predicate of a sentence. */
type DomainFault = string;

/**
 * Normalises the domain that a person or an agent typed: `https://www.Example.com./shop` becomes `example.com`.
 * Scheme, path, port, a leading `www.` and a trailing dot are removed; international names become ASCII (UTS 46).
 * IP addresses in any spelling, single labels and public suffixes are refused.
 *
 * @throws Refusal `invalid_input` naming `domain`.
 */
export const normalDomain = (typed: string): string => hostOrThrow(readDomain(typed));

/** The same for the domain of a site, which may also be `localhost` or `127.0.0.1`. */
export const normalSiteDomain = (typed: string): string => hostOrThrow(readSiteDomain(typed));

function hostOrThrow(read: ReadDomain): string {
  if ("fault" in read) throw invalidInput([{ path: "domain", message: read.fault }]);
  return read.host;
}

type ReadDomain = { host: string } | { fault: DomainFault };

/** Like `normalSiteDomain`, but returns the fault instead of throwing. */
export function readSiteDomain(typed: string): ReadDomain {
  const host = authorityOf(typed)
    .toLowerCase()
    .replace(/\.?(?::\d{1,5})?$/, "");
  return host === "localhost" || host === "127.0.0.1" ? { host } : readDomain(typed);
}

const authorityOf = (typed: string): string =>
  withoutPastedEnds(typed)
    .trim()
    .replace(/^https?:\/\//i, "")
    .split(/[/?#]/)[0] ?? "";

/** Like `normalDomain`, but returns the fault instead of throwing. */
function readDomain(typed: string): ReadDomain {
  const authority = authorityOf(typed);
  if (authority.includes("@")) return { fault: "contains an @; enter only the domain, such as example.com" };
  const named = authority.replace(/:\d{1,5}$/, "");
  if (named.startsWith("[") || ipaddr.isValid(named) || ipaddr.isValid(authority))
    return { fault: "is an IP address; enter a domain name" };
  const host = hostOf(named);
  if (host === null) return { fault: "is not a domain such as example.com" };
  if (ipaddr.isValid(host)) return { fault: "is an IP address; enter a domain name" };
  const bare = host.startsWith("www.") && host.split(".").length > 2 ? host.slice(4) : host;
  if (!bare.includes(".")) return { fault: "has only one part; a site needs a full domain such as shop.example.com" };
  const { publicSuffix, isIcann, isPrivate } = parse(bare, { allowPrivateDomains: true });
  if (publicSuffix === bare && (isIcann || isPrivate)) {
    return { fault: "is a public suffix, below which anyone can register names; enter a domain below it" };
  }
  return { host: bare };
}

/** Returns a host name in lower-case ASCII without a trailing dot; null when it is invalid. */
function hostOf(name: string): string | null {
  const ascii = domainToASCII(name.normalize("NFC")).replace(/\.$/, "");
  if (ascii === "" || ascii.length > 253) return null;
  const labels = ascii.split(".");
  return labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) ? ascii : null;
}

/** Returns whether the host of a parsed URL is one of the domains of a site or a subdomain of one. */
export function belongsTo(hostname: string, domains: readonly string[]): boolean {
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
