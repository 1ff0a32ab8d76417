import { parseUrl } from "@/lib/platform/text";

/** Redirect URIs: which an assistant may have, and which one a request may name. */

const MAX_LENGTH = 1000;
/** Schemes that run code, read files, or belong to browsers and other services. */
const UNSAFE_SCHEMES = [
  ...["javascript", "data", "vbscript", "blob", "file", "filesystem", "about", "view-source", "intent", "content"],
  ...["ws", "wss", "ftp", "ftps", "gopher", "mailto", "tel", "sms", "jar", "chrome", "chrome-extension", "resource"],
];
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
/** A loopback URI: everything before the port, and everything after it. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

/**
 * Whether an assistant may be answered at this URI: https, http on this person's own machine (RFC 8252 section 7.3), or the
 * scheme of an app (section 7.1). It must be written as a browser writes it, so that no two spellings mean one URI, and has no
 * fragment, user, wildcard or characters that look like others.
 */
export function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(uri) || /[#*\\@"<>^`{|}]/.test(uri)) return false;
  const url = parseUrl(uri);
  if (!url || (url.href !== uri && url.href !== withRootPath(uri))) return false;
  if (url.protocol === "https:") return url.hostname.includes(".") && !url.hostname.endsWith(".");
  if (url.protocol === "http:") return LOOPBACK_HOSTS.includes(url.hostname);
  const scheme = url.protocol.slice(0, -1);
  // A private scheme is followed by an authority, or is a reversed domain name.
  return !UNSAFE_SCHEMES.includes(scheme) && (url.host !== "" || scheme.includes("."));
}

/** `http://127.0.0.1:1234` and `http://127.0.0.1:1234?x` as a browser writes them. */
const withRootPath = (uri: string): string => uri.replace(/^(https?:\/\/[^/?]+)(?=\?|$)/, "$1/");

/**
 * Whether a request may name this URI: it is exactly one of the assistant's, except that any port of this person's own machine
 * may answer, because apps listen where a port is free (RFC 8252 section 7.3).
 */
export function matchesRedirect(own: readonly string[], asked: string): boolean {
  if (!isRedirectUri(asked)) return false;
  const loopback = withoutPort(asked);
  return own.some((uri) => uri === asked || (loopback !== null && withoutPort(uri) === loopback));
}

function withoutPort(uri: string): string | null {
  const match = LOOPBACK.exec(uri);
  return match && `${match[1]}${match[2]}`;
}

/** Whether only the person's own machine receives the answer. */
export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri);

/** Returns who receives the answer, for people: a host, this device, or the app of a scheme. */
export function describeRedirect(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (isLoopback(uri)) return `an app on this device (${host})`;
  return protocol === "https:" ? host : `the app that opens ${protocol} links on this device`;
}
