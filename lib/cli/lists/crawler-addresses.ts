import { z } from "zod";
import type { ListSource } from "@/lib/cli/lists/list-source";

const Services = z.object({
  services: z.record(
    z.string(),
    z.object({
      source_url: z.string(),
      last_changed_at: z.iso.datetime(),
      user_agent_patterns: z.array(z.string()),
      ip_list_authoritative: z.boolean(),
      ipv4: z.array(z.cidrv4()),
      ipv6: z.array(z.cidrv6()),
    }),
  ),
});

/** Address ranges that operators publish for their crawlers, by the tokens of the crawlers. */
export const crawlerAddresses: ListSource = {
  name: "crawler-addresses",
  download: "crawlers.json",
  source: "https://github.com/ipverse/bot-ip-blocks/blob/master/crawlers.json",
  licence: "CC0-1.0",
  convert(text) {
    const services = Object.values(Services.parse(JSON.parse(text)).services);
    return services
      .filter(({ ip_list_authoritative, ipv4, ipv6 }) => ip_list_authoritative && ipv4.length + ipv6.length > 0)
      .map(({ source_url, last_changed_at, user_agent_patterns, ipv4, ipv6 }) => {
        const agents = user_agent_patterns.map((pattern) => pattern.replaceAll("*", ""));
        return {
          source: source_url,
          date: last_changed_at.slice(0, 10),
          agents: [...agents.filter((agent) => !OTHER_ADDRESSES.has(agent)), ...(ALSO[source_url] ?? [])],
          ranges: [...ipv4, ...ipv6],
        };
      });
  },
};

/** Perplexity-User fetches from addresses of a list of its own. */
const OTHER_ADDRESSES: ReadonlySet<string> = new Set(["Perplexity-User"]);
/** Crawlers that Google documents to come from the same addresses. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  "https://developers.google.com/static/crawling/ipranges/common-crawlers.json": [
    "Google-InspectionTool",
    "Google-CloudVertexBot",
  ],
};
