import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { log } from "@/lib/platform/log";

/**
 * The address a request came from: the connection's own, or, when that is a trusted reverse proxy, the nearest
 * address in `X-Forwarded-For` that is not one. Null when it cannot be told.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string | null {
  const peer = plain(request.socket.remoteAddress ?? "");
  if (peer === null) return null;
  if (!isTrusted(peer)) {
    if (request.headers["x-forwarded-for"] !== undefined) warnOfProxy(peer);
    return peer;
  }
  const nearest = nearestStranger(`${request.headers["x-forwarded-for"] ?? ""}`, isTrusted);
  return nearest ? nearest.address : peer;
}

/** Whether a host name (without its port) can only be this machine. */
export const isLoopbackName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Whether a request was made on the machine that this server runs on, with no proxy in between: over loopback, to a
 * loopback name, while the public address is one too. A proxy on this machine that adds no header cannot be told from a
 * browser here, but its operator has set a public BASE_URL.
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
 * The last entry of an `X-Forwarded-For` that is no trusted proxy: `sent` as it stands there, `address` in its one
 * spelling, null when it is no address. Null when every entry is a trusted proxy. Empty entries among others count for
 * nothing (RFC 9110 section 5.6.1).
 */
export function nearestStranger(
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

/** A reverse proxy nobody told us of makes all visitors look like one; its owner should hear of it, once. */
function warnOfProxy(peer: string): void {
  if (warned || !["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.parse(peer).range())) return;
  warned = true;
  log.warn(
    "requests come through a proxy that TRUSTED_PROXIES does not name: all of its callers count as one address. Set TRUSTED_PROXIES to the proxy's address",
  );
}

/** One spelling for one address: `::ffff:192.0.2.1` is `192.0.2.1`, and a zone such as `%eth0` is the sender's own affair. */
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
