import { isIP } from "node:net";
import crawlerAddresses from "@/lib/ingest/enrich/data/crawler-addresses.json";
import dataCentres from "@/lib/ingest/enrich/data/data-centres.json";
import { addressNumber, addressRanges, findInterval, intervalsOf, sortIntervals } from "@/lib/ingest/enrich/intervals";
import { ownLists } from "@/lib/ingest/enrich/own-lists";

/** Which addresses belong to hosting networks and to operators of crawlers, by bundled lists. */

/**
 * Hosting networks, where no people browse: `lib/cli/lists/data-centres.ts` says which, and why gateways of people are
 * not among them.
 */
export const HOSTING_NETWORKS = dataCentres.entries;

const INTERVALS = sortIntervals(HOSTING_NETWORKS.flatMap(({ ranges, network }) => intervalsOf(ranges, network)));

/** Returns the hosting network that an address belongs to, or null. */
export const dataCentreOf = (address: string): string | null =>
  isIP(address) === 0
    ? null
    : (findInterval(INTERVALS, addressNumber(address))?.value ?? ownLists().networkOf(address));

/** Address ranges that operators publish for their crawlers, as of each entry's date. */
export const CRAWLER_RANGES = crawlerAddresses.entries;

/** An operator may publish several lists for one crawler. */
const BY_AGENT = new Map(
  [...new Set(CRAWLER_RANGES.flatMap(({ agents }) => agents))].map((agent) => {
    const lists = CRAWLER_RANGES.filter(({ agents }) => agents.includes(agent));
    return [agent, addressRanges(lists.flatMap(({ ranges }) => ranges))];
  }),
);

/** Whether the address is one that the crawler's operator publishes; null when no ranges are known. */
export function isOperatorAddress(agent: string, address: string): boolean | null {
  const contains = ownLists().addresses.get(agent) ?? BY_AGENT.get(agent);
  return contains === undefined || isIP(address) === 0 ? null : contains(address);
}
