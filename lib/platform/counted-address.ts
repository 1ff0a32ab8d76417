import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { boundedMap } from "@/lib/platform/bounded-map";

/** Parsing costs more than a look-up, and whoever sends much sends it from the same address. */
const known = boundedMap<string, string>("counted-addresses", { max: 10_000, ttl: 60_000 });

/**
 * An address as limits count it: an IPv4 address whole, also where it comes mapped into IPv6, an IPv6 address by its
 * first 64 bits, because whoever has one has all that share them. What is no address (`unknown`) counts as it is.
 */
export function countedAddress(address: string): string {
  if (!address.includes(":")) return address;
  const counted = known.get(address) ?? networkOf(address);
  known.set(address, counted);
  return counted;
}

/** The network of an address: /24 of IPv4, /64 of IPv6. What is no address counts as it is. */
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
