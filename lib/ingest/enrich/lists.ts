import { isIP } from "node:net";
import aiAgents from "@/lib/ingest/enrich/data/ai-agents.json";
import aiAgentsDocumented from "@/lib/ingest/enrich/data/ai-agents-documented.json";
import aiAssistants from "@/lib/ingest/enrich/data/ai-assistants.json";
import crawlerAddresses from "@/lib/ingest/enrich/data/crawler-addresses.json";
import crawlersDocumented from "@/lib/ingest/enrich/data/crawlers-documented.json";
import dataCentres from "@/lib/ingest/enrich/data/data-centres.json";
import referrerSpam from "@/lib/ingest/enrich/data/referrer-spam.json";
import referrerSpamMore from "@/lib/ingest/enrich/data/referrer-spam-more.json";
import searchEngines from "@/lib/ingest/enrich/data/search-engines.json";
import signatureAgents from "@/lib/ingest/enrich/data/signature-agents.json";
import socialNetworks from "@/lib/ingest/enrich/data/social-networks.json";
import sourceCategories from "@/lib/ingest/enrich/data/source-categories.json";
import trafficSources from "@/lib/ingest/enrich/data/traffic-sources.json";
import { ownLists } from "@/lib/ingest/enrich/own-lists";
import { DAY_MS } from "@/lib/platform/durations";
import { addressNumber, addressRanges, findInterval, intervalsOf, sortIntervals } from "@/lib/platform/networks";

/** A bundled list of what exists in the world, which becomes outdated. */
export interface List {
  /** The name of its file in `lib/ingest/enrich/data`. */
  name: string;
  title: string;
  source: string;
  licence: string;
  /** When it was downloaded or compiled, `YYYY-MM-DD`. */
  date: string;
  entries: number;
  /** What is computed from it. When a list that decides verdicts changes, stored visits are classified again. */
  decides: "verdicts" | "sources";
}

type Data = Pick<List, "source" | "licence" | "date"> & { entries: readonly unknown[] };

function list(
  name: string,
  title: string,
  { source, licence, date, entries }: Data,
  decides: List["decides"] = "verdicts",
): List {
  return { name, title, source, licence, date, entries: entries.length, decides };
}

export const LISTS: readonly List[] = [
  list("ai-agents", "AI agents", aiAgents),
  list("ai-agents-documented", "AI agents, as their operators document them", aiAgentsDocumented),
  list("crawlers-documented", "Crawlers, as their operators document them", crawlersDocumented),
  list("crawler-addresses", "Addresses of crawlers", crawlerAddresses),
  list("data-centres", "Data centres", dataCentres),
  list("referrer-spam", "Referrer spam", referrerSpam),
  list("referrer-spam-more", "More referrer spam", referrerSpamMore),
  list("signature-agents", "Agents that sign their requests", signatureAgents),
  // In the order of their precedence.
  list("traffic-sources", "Our own list of sources and apps", trafficSources, "sources"),
  list("source-categories", "Source categories of Google Analytics", sourceCategories, "sources"),
  list("ai-assistants", "AI assistants", aiAssistants, "sources"),
  list("social-networks", "Social networks", socialNetworks, "sources"),
  list("search-engines", "Search engines", searchEngines, "sources"),
];

/** Days after which a list is old enough to be wrong about the world. */
const OLD_DAYS = 365;

/** Whether a list is more than a year old. */
export const isOutdated = ({ date }: Pick<List, "date">, now: Date): boolean =>
  now.getTime() - Date.parse(date) > OLD_DAYS * DAY_MS;

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
