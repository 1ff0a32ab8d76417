import ipaddr from "ipaddr.js";
import type { Issue } from "@/lib/platform/errors";

/** The widest allowed ranges, as prefix lengths: every client in a trusted range can forge the address of a visitor. */
const WIDEST = { ipv4: 8, ipv6: 16 } as const;
/** Bits in front of the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96;
const MAPPED_BLOCK = ipaddr.IPv6.parse("::ffff:0:0");

/**
 * Normalises addresses and CIDR ranges of proxies: networks without host bits, IPv6 compressed (RFC 5952), IPv4-mapped
 * IPv6 as IPv4, a range of one address as that address.
 *
 * @returns `proxies` in the given order, and the issues by index.
 */
export function readProxies(typed: readonly string[]): { proxies: string[]; issues: Issue[] } {
  const proxies: string[] = [];
  const issues: Issue[] = [];
  for (const [index, text] of typed.entries()) {
    const read = readNetwork(text);
    const repeated = "network" in read && proxies.includes(read.network);
    if ("fault" in read) issues.push({ path: `${index}`, message: read.fault });
    else if (repeated) issues.push({ path: `${index}`, message: `repeats ${read.network}; list each once` });
    else proxies.push(read.network);
  }
  return { proxies, issues };
}

/** Normalises one address or CIDR range; `fault` is the predicate of a sentence. */
export function readNetwork(text: string): { network: string } | { fault: string } {
  const [typedAddress = "", typedBits, ...rest] = text.split("/");
  const address = readAddress(typedAddress);
  const most = address?.kind() === "ipv4" ? 32 : 128;
  const bits = typedBits === undefined ? most : readBits(typedBits);
  if (!address || bits === null || bits > most || rest.length > 0) {
    return { fault: "is not an IP address or a CIDR range such as 192.0.2.0/24 or 2001:db8::/32" };
  }
  return readRange(address, bits);
}

function readRange(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): { network: string } | { fault: string } {
  if (address instanceof ipaddr.IPv6) {
    if (address.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
      return readRange(address.toIPv4Address(), bits - MAPPED_BITS);
    }
    const holdsAllOfIpv4 = bits < MAPPED_BITS && MAPPED_BLOCK.match(address, bits);
    if (holdsAllOfIpv4) return { fault: "contains every IPv4 address; use narrower ranges" };
  }
  const widest = WIDEST[address.kind()];
  if (bits < widest) return { fault: `is wider than /${widest}; use narrower ranges` };
  const bytes = address.toByteArray();
  if (bits === bytes.length * 8) return { network: address.toString() };
  return { network: `${ipaddr.fromByteArray(networkOf(bytes, bits))}/${bits}` };
}

/** Parses standard notation only: `127.1`, `0x7f.1`, `010.0.0.1` and zones such as `fe80::1%eth0` are ambiguous. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return /^[0-9a-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
}

const readBits = (text: string): number | null => (/^(0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null);

/** Returns the address with all bits after the first `bits` cleared. */
const networkOf = (bytes: number[], bits: number): number[] =>
  bytes.map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))) & 0xff);

/** Which range an address is in. */

/** An address range and its value. Addresses are 128-bit numbers, with IPv4 mapped into IPv6. */
interface AddressInterval<T> {
  first: bigint;
  last: bigint;
  value: T;
}

/** Converts addresses and CIDR ranges such as `192.0.2.0/24` to intervals with one value. */
export function intervalsOf<T>(ranges: readonly string[], value: T): AddressInterval<T>[] {
  return ranges.map((range) => {
    const [address, bits] = range.split("/") as [string, string?];
    const width = address.includes(":") ? 128 : 32;
    const size = 1n << BigInt(width - Number(bits ?? width));
    const number = addressNumber(address);
    const first = number - (number % size);
    return { first, last: first + size - 1n, value };
  });
}

/**
 * Returns a function that checks whether a valid address is in one of these addresses and CIDR ranges, which may
 * overlap.
 */
export function addressRanges(ranges: readonly string[]): (address: string) => boolean {
  const merged: AddressInterval<true>[] = [];
  for (const interval of sortIntervals(intervalsOf(ranges, true as const))) {
    const last = merged.at(-1);
    if (!last || interval.first > last.last) merged.push(interval);
    else if (interval.last > last.last) last.last = interval.last;
  }
  return (address) => findInterval(merged, addressNumber(address)) !== null;
}

/** Sorts intervals as `findInterval` requires. */
export const sortIntervals = <T>(intervals: AddressInterval<T>[]): AddressInterval<T>[] =>
  intervals.sort((a, b) => (a.first < b.first ? -1 : 1));

/** `::ffff:0.0.0.0`, the first mapped IPv4 address. */
const MAPPED = 0xffff_0000_0000;

/** Converts a valid address to a number. */
export function addressNumber(address: string): bigint {
  if (address.includes(":")) return BigInt(`0x${Buffer.from(ipaddr.parse(address).toByteArray()).toString("hex")}`);
  return BigInt(address.split(".").reduce((number, byte) => number * 256 + Number(byte), 0) + MAPPED);
}

/** Binary search for the interval that contains an address, in sorted intervals that do not overlap. */
export function findInterval<T>(intervals: readonly AddressInterval<T>[], address: bigint): AddressInterval<T> | null {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle] as AddressInterval<T>).first <= address) low = middle + 1;
    else high = middle;
  }
  const candidate = intervals[low - 1];
  return candidate !== undefined && address <= candidate.last ? candidate : null;
}
