import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { log } from "@/lib/platform/log";

/**
 * Returns the address of the client: the address of the connection or, when that is a trusted reverse proxy, the
 * nearest address in `X-Forwarded-For` that is not one. Null when it is unknown.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string | null {
  const peer = plain(request.socket.remoteAddress ?? "");
  if (peer === null) return null;
  if (!isTrusted(peer)) {
    if (request.headers["x-forwarded-for"] !== undefined) warnAboutProxy(peer);
    return peer;
  }
  const nearest = nearestUntrusted(`${request.headers["x-forwarded-for"] ?? ""}`, isTrusted);
  return nearest ? nearest.address : peer;
}

/** Returns whether a host name (without its port) always means this machine. */
export const isLoopbackName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Returns whether a request was sent on the machine of this server without a proxy: over loopback, to a loopback name,
 * while BASE_URL is a loopback name too. A local proxy that adds no header looks like a local browser, but its operator
 * has set a public BASE_URL.
 */
export function isFromThisMachine(request: IncomingMessage, baseUrl: URL): boolean {
  const { headers, socket } = request;
  const proxied = Object.keys(headers).some((name) => /^(x-forwarded-|forwarded$|via$|x-real-ip$)/.test(name));
  const peer = plain(socket.remoteAddress ?? "");
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  return (
    !proxied &&
    peer !== null &&
    ipaddr.parse(peer).range() === "loopback" &&
    isLoopbackName(host) &&
    isLoopbackName(baseUrl.hostname)
  );
}

/**
 * Returns the last entry of an `X-Forwarded-For` that is not a trusted proxy: `sent` is the original text, `address`
 * its normal form (null when it is not an address). Null when every entry is a trusted proxy. Empty entries are skipped
 * (RFC 9110 section 5.6.1).
 */
export function nearestUntrusted(
  forwarded: string,
  isTrusted: (address: string) => boolean,
): { sent: string; address: string | null } | null {
  const named = forwarded
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  for (const sent of named.length > 0 ? named.reverse() : [""]) {
    const address = plain(withoutPort(sent));
    if (address === null || !isTrusted(address)) return { sent, address };
  }
  return null;
}

/** Some proxies add the port: `192.0.2.1:443`, and for IPv6 `[2001:db8::1]:443` or the brackets alone. */
const withoutPort = (hop: string): string => (isIP(hop) !== 0 ? hop : withoutBrackets(hop));

const withoutBrackets = (hop: string): string =>
  /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;

let warned = false;

/** Warns once about a reverse proxy that is not configured: all visitors behind it share one address. */
function warnAboutProxy(peer: string): void {
  if (warned || !["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.parse(peer).range())) return;
  warned = true;
  log.warn(
    "requests come through a proxy that TRUSTED_PROXIES does not list: all of its clients count as one address. Set TRUSTED_PROXIES to the address of the proxy",
  );
}

/**
 * Returns the normal form of an address: `::ffff:192.0.2.1` becomes `192.0.2.1`, and a zone such as `%eth0` is removed.
 */
function plain(text: string): string | null {
  const [address = ""] = text.split("%", 1);
  switch (isIP(text)) {
    case 4:
      return text;
    case 6:
      return ipaddr.process(address).toString();
    default:
      return null;
  }
}
