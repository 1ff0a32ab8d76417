import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { boundedMap } from "@/lib/platform/bounded-map";

/** Parsing costs more than a lookup, and busy clients keep their address. */
const known = boundedMap<string, string>("counted-addresses", { max: 10_000, ttl: 60_000 });

/**
 * Returns the key under which rate limits count an address: IPv4 addresses whole (also IPv4-mapped IPv6), IPv6
 * addresses by their /64, because a subscriber owns all addresses of it. Any other text, such as `unknown`, is returned
 * unchanged.
 */
export function countedAddress(address: string): string {
  if (!address.includes(":")) return address;
  const counted = known.get(address) ?? networkOf(address);
  known.set(address, counted);
  return counted;
}

/** Returns the network of an address: /24 of IPv4, /64 of IPv6. Any other text is returned unchanged. */
export function countedNetwork(address: string): string {
  const counted = countedAddress(address);
  return isIP(counted) === 4 ? counted.replace(/\d+$/, "0/24") : counted;
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
