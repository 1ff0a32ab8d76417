import { domainToASCII } from "node:url";
import { clipPath, parseUrl } from "@/lib/platform/text";

/**
 * The one spelling of paths and hosts, for what is stored and for every value that anybody types. Paths are normalised
 * by RFC 3986 section 6.2.2: dot segments are resolved, unreserved characters stand for themselves, all others that a
 * path cannot hold are percent-encoded as UTF-8 with capital hex digits. Letters with marks are composed (Unicode's NFC),
 * as RFC 3987 section 5.3.2.2 allows. Case and reserved characters keep their meaning.
 * A query belongs to the path where it makes a page: its parameters are sorted by name, and have no `=` without a value.
 */

/** Characters of a path that need no encoding (RFC 3986 section 3.3). Most paths have no other. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;
const NOT_PLAIN = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu;
const ENCODED_OR_NOT_PLAIN = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Characters that mean the same in a query, encoded or not: forms encode slashes, links do not. */
const SAME_IN_QUERY = /[A-Za-z0-9\-._~!$'()*,;:@/]/;

/** Normalises the percent-encoding of a path or a part of one. A `%` that encodes nothing becomes `%25`. */
export const canonicalEncoding = (text: string): string => encoded(text, UNRESERVED);

/** Normalises the percent-encoding of a part of a query, in which forms write a space as `+`. */
const canonicalQueryPart = (text: string): string => encoded(text.replaceAll("+", "%20"), SAME_IN_QUERY);

/** @param same characters that stand for themselves even if they are encoded. */
function encoded(text: string, same: RegExp): string {
  if (PLAIN.test(text)) return text;
  const normalised = text.toWellFormed().replace(ENCODED_OR_NOT_PLAIN, (piece) => {
    if (!/^%../.test(piece)) return encodeURIComponent(piece);
    const character = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
    return same.test(character) ? character : piece.toUpperCase();
  });
  return /%[C-F]/.test(normalised) ? normalised.replace(TEXT_OR_ENCODED, composed) : normalised;
}

/** Text whose encoded characters are all beyond ASCII, or else one encoded byte. */
const TEXT_OR_ENCODED =
  /(?:%[CD][0-9A-F]%[89AB][0-9A-F]|%E[0-9A-F](?:%[89AB][0-9A-F]){2}|%F[0-4](?:%[89AB][0-9A-F]){3}|[^%])+|%[0-9A-F]{2}/g;

/** No text has so many marks on one letter (UAX 15, stream-safe), and to sort them takes time by their square. */
const TOO_MANY_MARKS = /\p{M}{31}/u;

function composed(piece: string): string {
  if (!piece.includes("%") || /^%[0-9A-F]{2}$/.test(piece)) return piece;
  try {
    const text = decodeURIComponent(piece);
    return TOO_MANY_MARKS.test(text) ? piece : text.normalize("NFC").replace(NOT_PLAIN, encodeURIComponent);
  } catch {
    return piece;
  }
}

/**
 * Normalises a query.
 *
 * @param query without its `?`.
 * @param names the parameters to keep, of which `/` stands for all that begin with a slash; all when not given.
 * @returns the query with its `?`; empty when nothing is left of it.
 */
function canonicalQuery(query: string, names?: readonly string[]): string {
  if (query === "" || names?.length === 0) return "";
  const parameters = query.split("&").flatMap((sent) => {
    const [name = "", value = ""] = (/^([^=]*)=?(.*)$/s.exec(sent) ?? []).slice(1).map(canonicalQueryPart);
    const isKept = sent !== "=" && sent !== "" && (!names || names.includes(name[0] === "/" ? "/" : name));
    return isKept ? [{ name, text: value === "" ? name : `${name}=${value}` }] : [];
  });
  parameters.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  return parameters.length > 0 ? `?${parameters.map(({ text }) => text).join("&")}` : "";
}

const canonicalAddress = (path: string, query: string, names?: readonly string[]): string =>
  canonicalEncoding(path) + canonicalQuery(query, names);

/**
 * Returns a path as it is stored, without a look at dot segments: encoded, and cut to the longest stored one.
 *
 * @param pageQuery the parameters of its query that make a page; all when not given.
 */
export function storedPath(path: string, pageQuery?: readonly string[]): string {
  const [, before = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  return clipPath(canonicalAddress(before, query, pageQuery));
}

/** @param path a path that begins with a slash, with the query that belongs to it; `#` ends it. */
export function canonicalPath(path: string): string {
  const { pathname, search } = new URL(`http://site.invalid${path}`);
  return canonicalAddress(pathname, search.slice(1));
}

/** Returns the path of an address, with those of its query's parameters that make a page. */
export const pathOfUrl = ({ pathname, search }: URL, pageQuery: readonly string[]): string =>
  canonicalAddress(pathname, search.slice(1), pageQuery);

/** Normalises a part of a path, which may begin or end within an encoded character. */
export function canonicalPathPart(part: string): string {
  const [cut = ""] = /%[0-9A-Fa-f]?$/.exec(part) ?? [];
  const [, path = "", mark = "", query = ""] =
    /^([^?]*)(\??)(.*)$/s.exec(part.slice(0, part.length - cut.length)) ?? [];
  return canonicalEncoding(path) + mark + canonicalQueryPart(query) + cut.toUpperCase();
}

/** The slashes at the end of a path, as a regular expression of JavaScript and RE2; the path before them is `\1`. */
export const TRAILING_SLASHES = "^([^?]*[^?/])/+(\\?|$)";
const trailingSlashes = new RegExp(TRAILING_SLASHES);

/** Returns a path, or a pattern of paths, without the slashes at its end, for sites where they make no other page. */
export const withoutTrailingSlashes = (path: string): string => path.replace(trailingSlashes, "$1$2");

/**
 * Returns the host of a parsed URL as reports name it: without `www.` and without the dot of the root, in lower case,
 * which the id of an app may not be.
 */
export const canonicalHost = (hostname: string): string =>
  hostname
    .replace(/^www\./, "")
    .replace(/\.$/, "")
    .toLowerCase();

/** Returns a typed host, or whole labels of one, in lower-case ASCII (UTS 46); unchanged when it is none. */
export function canonicalHostPart(typed: string): string {
  // `domainToASCII` reads numbers as IP addresses.
  if (/^[ -~]*$/.test(typed)) return typed.toLowerCase();
  return domainToASCII(typed.normalize("NFC")) || typed;
}

/** White space and marks without width at the ends of pasted text; those of right-to-left pages often have some. */
const PASTED_ENDS =
  /^[ \t\r\n\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+|[ \t\r\n\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+$/g;

/** Returns typed text without spaces and invisible marks at its ends. */
export const withoutPastedEnds = (typed: string): string => typed.replace(PASTED_ENDS, "");

/** A typed address in parts: host without scheme, user and port; path; query and fragment. */
const ADDRESS =
  /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/)?(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#]*?)(?::\d*)?(?![^/?#])([^?#]*)(.*)$/is;

/** Returns a typed host, or that of a typed address, as reports name it; unchanged when it is none. */
export function canonicalTypedHost(typed: string): string {
  const [, host = ""] = ADDRESS.exec(withoutPastedEnds(typed)) ?? [];
  return canonicalHost(canonicalHostPart(host)) || typed;
}

/** Returns a typed referrer, which is a host and a path, without scheme and query, as it is stored. */
export function canonicalTypedReferrer(typed: string): string {
  const [, host = "", path = ""] = ADDRESS.exec(withoutPastedEnds(typed)) ?? [];
  return canonicalTypedHost(host) + (path === "/" ? "" : canonicalEncoding(path));
}

/**
 * Returns a typed path, or the path of a typed address, as it is stored; unchanged when it is none.
 *
 * @param pageQuery the parameters that make a page in addresses of the site.
 */
export function canonicalTypedPath(typed: string, pageQuery: readonly string[] = []): string {
  const path = withoutPastedEnds(typed);
  if (path.startsWith("/")) return canonicalPath(path);
  const url = /^https?:\/\//i.test(path) ? parseUrl(path) : null;
  return url ? pathOfUrl(url, pageQuery) : typed;
}

/** Returns the path of a typed address without a scheme, such as `example.com/pricing`; null when it is none. */
export function pathOfBareAddress(typed: string, pageQuery: readonly string[] = []): string | null {
  const address = withoutPastedEnds(typed);
  const url = /^[^\s/?#:@]+\.[^\s/?#:@]+(?::\d+)?\//.test(address) ? parseUrl(`https://${address}`) : null;
  return url && pathOfUrl(url, pageQuery);
}
