import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The wire server of Azure: ipaddr.js takes it for anyone's, but every machine there reads its secrets from it. */
const NOT_FOR_STRANGERS = ["168.63.129.16"];

/** All that is given out of IPv6 so far; what ipaddr.js takes for unicast beside it is anything but (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");
const isAllocated = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === "ipv4" || address.match(GLOBAL_IPV6);

/**
 * Whether an address may be connected to because a stranger's name leads there: public unicast, or within one of the
 * ranges (CIDR or single addresses) that the operator has opened. Forms that wrap an IPv4 address (mapped, NAT64, 6to4)
 * are refused whatever is inside.
 */
export function isAllowedAddress(text: string, privateRanges: readonly string[]): boolean {
  // ipaddr.js also reads `0x7f.1`; what a resolver gives is always the plain spelling.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (privateRanges.some((range) => contains(range, address))) return true;
  return address.range() === "unicast" && isAllocated(address) && !NOT_FOR_STRANGERS.includes(address.toString());
}

function contains(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [network, bits] = range.includes("/")
    ? ipaddr.parseCIDR(range)
    : ([ipaddr.parse(range), Number.POSITIVE_INFINITY] as const);
  if (network.kind() !== address.kind()) return false;
  return address.match(network, Math.min(bits, network.kind() === "ipv4" ? 32 : 128));
}
