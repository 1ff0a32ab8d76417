import { domainToASCII } from "node:url";
import { clipPath, parseUrl } from "@/lib/platform/text";

/**
 * The one spelling of paths and hosts, for what is stored and for every value that anybody types. Paths are normalised
 * by RFC 3986 section 6.2.2: dot segments are resolved, unreserved characters stand for themselves, all others that a
 * path cannot hold are percent-encoded as UTF-8 with capital hex digits. Case and reserved characters keep their meaning.
 */

/** Characters of a path that need no encoding (RFC 3986 section 3.3). Most paths have no other. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/;
const ENCODED_OR_NOT_PLAIN = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Normalises the percent-encoding of a path or a part of one. A `%` that encodes nothing becomes `%25`. */
export const canonicalEncoding = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(ENCODED_OR_NOT_PLAIN, canonicalPiece);

function canonicalPiece(piece: string): string {
  if (!/^%../.test(piece)) return encodeURIComponent(piece);
  const character = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
  return UNRESERVED.test(character) ? character : piece.toUpperCase();
}

/** Returns a path as it is stored, without a look at dot segments: encoded, and cut to the longest stored one. */
export const storedPath = (path: string): string => clipPath(canonicalEncoding(path));

/** @param path a path that begins with a slash; `?` and `#` end it. */
export const canonicalPath = (path: string): string =>
  canonicalEncoding(new URL(`http://site.invalid${path}`).pathname);

/** Normalises a part of a path, which may begin or end within an encoded character. */
export function canonicalPathPart(part: string): string {
  const [cut = ""] = /%[0-9A-Fa-f]?$/.exec(part) ?? [];
  return canonicalEncoding(part.slice(0, part.length - cut.length)) + cut.toUpperCase();
}

/** Returns the host of a parsed URL as reports name it: without `www.` and without the dot of the root. */
export const canonicalHost = (hostname: string): string => hostname.replace(/^www\./, "").replace(/\.$/, "");

/** Returns a typed host, or whole labels of one, in lower-case ASCII (UTS 46); unchanged when it is none. */
export function canonicalHostPart(typed: string): string {
  // `domainToASCII` reads numbers as IP addresses.
  if (/^[ -~]*$/.test(typed)) return typed.toLowerCase();
  return domainToASCII(typed.normalize("NFC")) || typed;
}

/** Returns a typed host, or that of a typed address, as reports name it; unchanged when it is none. */
export function canonicalTypedHost(typed: string): string {
  const [host = ""] = typed
    .trim()
    .replace(/^https?:\/\//i, "")
    .split("/");
  return canonicalHost(canonicalHostPart(host)) || typed;
}

/** Returns a typed path, or the path of a typed address, as it is stored; unchanged when it is none. */
export function canonicalTypedPath(typed: string): string {
  const path = typed.replace(/^[ \t]+|[ \t]+$/g, "");
  if (path.startsWith("/")) return canonicalPath(path);
  const url = /^https?:\/\//i.test(path) ? parseUrl(path) : null;
  return url ? canonicalEncoding(url.pathname) : typed;
}
