import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A range of addresses and what it stands for. Addresses are 128-bit numbers, IPv4 mapped into IPv6. */
export interface Interval<T> {
  first: bigint;
  last: bigint;
  value: T;
}

/** CIDR ranges such as `192.0.2.0/24` that stand for one thing. */
export function intervalsOf<T>(ranges: readonly string[], value: T): Interval<T>[] {
  return ranges.map((range) => {
    const [address, bits] = range.split("/") as [string, string];
    const size = 1n << BigInt((isIP(address) === 4 ? 32 : 128) - Number(bits));
    const first = numberOf(address);
    return { first, last: first + size - 1n, value };
  });
}

/** In the order that `findInterval` needs. */
export const sortIntervals = <T>(intervals: Interval<T>[]): Interval<T>[] =>
  intervals.sort((a, b) => (a.first < b.first ? -1 : 1));

/** An address (that is one) as a number. */
export function numberOf(address: string): bigint {
  const parsed = ipaddr.parse(address);
  const mapped = parsed.kind() === "ipv4" ? (parsed as ipaddr.IPv4).toIPv4MappedAddress() : parsed;
  return BigInt(`0x${Buffer.from(mapped.toByteArray()).toString("hex")}`);
}

/** Binary search for the interval that holds an address, among sorted ones that do not overlap. */
export function findInterval<T>(intervals: readonly Interval<T>[], address: bigint): Interval<T> | null {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle] as Interval<T>).first <= address) low = middle + 1;
    else high = middle;
  }
  const candidate = intervals[low - 1];
  return candidate !== undefined && address <= candidate.last ? candidate : null;
}
