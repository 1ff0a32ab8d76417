import { isIP } from "node:net";
import {
  type AddressInterval,
  addressNumber,
  findInterval,
  intervalsOf,
  sortIntervals,
} from "@/lib/ingest/enrich/intervals";
import anthropic from "@/lib/ingest/enrich/lists/ranges/anthropic.json";
import applebot from "@/lib/ingest/enrich/lists/ranges/applebot.json";
import bingbot from "@/lib/ingest/enrich/lists/ranges/bingbot.json";
import chatgptUser from "@/lib/ingest/enrich/lists/ranges/chatgpt-user.json";
import commoncrawl from "@/lib/ingest/enrich/lists/ranges/commoncrawl.json";
import duckduckbot from "@/lib/ingest/enrich/lists/ranges/duckduckbot.json";
import googleSpecial from "@/lib/ingest/enrich/lists/ranges/google-special.json";
import googlebot from "@/lib/ingest/enrich/lists/ranges/googlebot.json";
import gptbot from "@/lib/ingest/enrich/lists/ranges/gptbot.json";
import oaiSearchbot from "@/lib/ingest/enrich/lists/ranges/oai-searchbot.json";
import perplexitybot from "@/lib/ingest/enrich/lists/ranges/perplexitybot.json";

/**
 * Address ranges that operators publish for their crawlers, as of each file's date. From the collection
 * ipverse/bot-ip-blocks (CC0), which copies them daily and merges adjacent ranges.
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

/** The newest date of all lists. */
export const RANGES_DATE =
  RANGES.map(({ date }) => date)
    .sort()
    .at(-1) ?? "";

const BY_AGENT = new Map<string, readonly AddressInterval<true>[]>();
for (const { agents, ranges } of RANGES) {
  const intervals = sortIntervals(intervalsOf(ranges, true as const));
  for (const agent of agents) BY_AGENT.set(agent, intervals);
}

/** Whether the address is one that the crawler's operator publishes; null when no ranges are known. */
export function isOperatorAddress(agent: string, address: string): boolean | null {
  const intervals = BY_AGENT.get(agent);
  if (!intervals || isIP(address) === 0) return null;
  return findInterval(intervals, addressNumber(address)) !== null;
}
