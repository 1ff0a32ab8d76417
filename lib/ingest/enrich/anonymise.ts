import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns the network of an address: the first 24 bits of IPv4 or 48 of IPv6, the rest zero. */
export function anonymise(address: string): string {
  if (isIPv4(address)) return address.replace(/\d+$/, "0");
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return anonymise(parsed.toString());
  return new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString();
}
