import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
    const width = isIP(address) === 4 ? 32 : 128;
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
