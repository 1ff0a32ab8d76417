import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure WireServer: ipaddr.js classifies it as public, but machines on Azure read secrets from it. */
const FORBIDDEN = ["168.63.129.16"];

/** The allocated part of IPv6; ipaddr.js classifies reserved ranges outside of it as unicast (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
const isAllocated = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === "ipv4" || address.match(GLOBAL_IPV6);

/**
 * Returns whether an untrusted name may resolve to this address: public unicast, or within a range (CIDR or single
 * address) that the operator allows. IPv6 forms that embed an IPv4 address (mapped, NAT64, 6to4) are always refused.
 */
export function isAllowedAddress(text: string, privateRanges: readonly string[]): boolean {
  // ipaddr.js also parses `0x7f.1`; resolvers always return the standard notation.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (privateRanges.some((range) => contains(range, address))) return true;
  return address.range() === "unicast" && isAllocated(address) && !FORBIDDEN.includes(address.toString());
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [network, bits] = range.includes("/")
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.parse(range), Number.POSITIVE_INFINITY] as const);
  if (network.kind() !== address.kind()) return false;
  return address.match(network, Math.min(bits, network.kind() === "ipv4" ? 32 : 128));
}
