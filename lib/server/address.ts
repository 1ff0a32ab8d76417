import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Reads addresses and CIDR ranges such as `10.0.0.0/8` or `::1`. */
export function addressRanges(list: readonly string[]): (address: string) => boolean {
  const ranges = list.map((item): [Address, number] => {
    if (ipaddr.isValidCIDR(item)) return ipaddr.parseCIDR(item);
    const single = ipaddr.process(item);
    return [single, single.kind() === "ipv4" ? 32 : 128];
  });
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  };
}

/**
 * The address a request came from: the connection's own, or, when that is a trusted reverse proxy, the nearest
 * address in `X-Forwarded-For` that is not one. Null when it cannot be told.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string | null {
  const peer = plain(request.socket.remoteAddress ?? "");
  if (peer === null || !isTrusted(peer)) return peer;
  const hops = `${request.headers["x-forwarded-for"] ?? ""}`.split(",").reverse();
  for (const hop of hops) {
    const address = plain(hop.trim());
    if (address === null) return null;
    if (!isTrusted(address)) return address;
  }
  return peer;
}

/** One spelling for one address: `::ffff:192.0.2.1` is `192.0.2.1`. */
function plain(text: string): string | null {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}
