import { isIP } from "node:net";
import {
  type AddressInterval,
  addressNumber,
  findInterval,
  intervalsOf,
  sortIntervals,
} from "@/lib/ingest/enrich/intervals";
import alibaba from "@/lib/ingest/enrich/lists/networks/alibaba.json";
import contabo from "@/lib/ingest/enrich/lists/networks/contabo.json";
import digitalocean from "@/lib/ingest/enrich/lists/networks/digitalocean.json";
import hetzner from "@/lib/ingest/enrich/lists/networks/hetzner.json";
import ovh from "@/lib/ingest/enrich/lists/networks/ovh.json";
import tencent from "@/lib/ingest/enrich/lists/networks/tencent.json";
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

/** Which addresses belong to hosting networks and to operators of crawlers, by bundled lists. */

/**
 * Hosting networks, where no people browse: the announced ranges of /18 and wider, because narrower ones are often
 * leased to others. From the collection ipverse/as-ip-blocks (CC0), which is updated daily from BGP; each file has the
 * date and source version it was read from.
 *
 * People do browse from the networks of Amazon, Microsoft and Google (cloud desktops, company gateways), Akamai,
 * Cloudflare and Fastly (Private Relay, WARP) and of hosters of VPNs (M247, Datacamp, Leaseweb, Vultr): these are left
 * out on purpose.
 */
export const NETWORKS = [alibaba, contabo, digitalocean, hetzner, ovh, tencent];

export const NETWORKS_DATE = newestDate(NETWORKS);

const INTERVALS = sortIntervals(NETWORKS.flatMap(({ ranges, name }) => intervalsOf(ranges, name)));

/** Returns the hosting network that an address belongs to, or null. */
export const dataCentreOf = (address: string): string | null =>
  isIP(address) === 0 ? null : (findInterval(INTERVALS, addressNumber(address))?.value ?? null);

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

export const RANGES_DATE = newestDate(RANGES);

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

/** Returns the newest date of lists. */
function newestDate(lists: readonly { date: string }[]): string {
  const dates = lists.map(({ date }) => date).sort();
  return dates.at(-1) ?? "";
}
