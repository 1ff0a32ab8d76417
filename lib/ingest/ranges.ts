import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import anthropic from "@/lib/ingest/lists/ranges/anthropic.json";
import applebot from "@/lib/ingest/lists/ranges/applebot.json";
import bingbot from "@/lib/ingest/lists/ranges/bingbot.json";
import chatgptUser from "@/lib/ingest/lists/ranges/chatgpt-user.json";
import commoncrawl from "@/lib/ingest/lists/ranges/commoncrawl.json";
import duckduckbot from "@/lib/ingest/lists/ranges/duckduckbot.json";
import googleSpecial from "@/lib/ingest/lists/ranges/google-special.json";
import googlebot from "@/lib/ingest/lists/ranges/googlebot.json";
import gptbot from "@/lib/ingest/lists/ranges/gptbot.json";
import oaiSearchbot from "@/lib/ingest/lists/ranges/oai-searchbot.json";
import perplexitybot from "@/lib/ingest/lists/ranges/perplexitybot.json";

/**
 * The addresses that operators publish for their crawlers, as they were at each file's date at its source; read from
 * the collection ipverse/bot-ip-blocks (CC0), which copies them daily and joins neighbours.
 */
export const RANGES = [
  anthropic,
  applebot,
  bingbot,
  chatgptUser,
  commoncrawl,
  duckduckbot,
  googleSpecial,
  googlebot,
  gptbot,
  oaiSearchbot,
  perplexitybot,
];

/** The newest date of them all. */
export const RANGES_DATE =
  RANGES.map(({ date }) => date)
    .sort()
    .at(-1) ?? "";

/** Ranges that do not overlap, by their beginning. Addresses are 128-bit numbers, IPv4 mapped into IPv6. */
type Interval = readonly [first: bigint, last: bigint];

const BY_AGENT = new Map<string, readonly Interval[]>();
for (const { agents, ranges } of RANGES) {
  const intervals = ranges.map(intervalOf).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const agent of agents) BY_AGENT.set(agent, intervals);
}

function intervalOf(range: string): Interval {
  const [address, bits] = range.split("/") as [string, string];
  const size = 1n << BigInt((isIP(address) === 4 ? 32 : 128) - Number(bits));
  const first = numberOf(address);
  return [first, first + size - 1n];
}

function numberOf(address: string): bigint {
  const parsed = ipaddr.parse(address);
  const mapped = parsed.kind() === "ipv4" ? (parsed as ipaddr.IPv4).toIPv4MappedAddress() : parsed;
  return BigInt(`0x${Buffer.from(mapped.toByteArray()).toString("hex")}`);
}

const known = new LRUCache<string, boolean>({ max: 10_000 });

/** Whether a crawler came from where its operator says it comes from; null when no ranges of it are known here. */
export function comesFromItsOperator(agent: string, address: string): boolean | null {
  const intervals = BY_AGENT.get(agent);
  if (!intervals || isIP(address) === 0) return null;
  const key = `${agent}|${address}`;
  const within = known.get(key) ?? isWithin(intervals, numberOf(address));
  known.set(key, within);
  return within;
}

/** Binary search for the last range that begins at or before the address. */
function isWithin(intervals: readonly Interval[], address: bigint): boolean {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle] as Interval)[0] <= address) low = middle + 1;
    else high = middle;
  }
  const candidate = intervals[low - 1];
  return candidate !== undefined && address <= candidate[1];
}
