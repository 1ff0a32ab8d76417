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
import { DAY_MS } from "@/lib/platform/durations";

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
