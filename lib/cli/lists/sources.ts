import { parse } from "yaml";
import { z } from "zod";
import type { ListEntry, ListSource } from "@/lib/cli/lists/list-source";

/** Lists of others that say which hosts and names are search engines, social networks and AI assistants. */

const MATOMO = "https://github.com/matomo-org/searchengine-and-social-list";
const engines = z.record(z.string(), z.array(z.object({ urls: z.array(z.string()) })));
const networks = z.record(z.string(), z.array(z.string()));
const CATEGORIES = ["SEARCH", "SOCIAL", "SHOPPING", "VIDEO"];

export const sourceLists: ListSource[] = [
  {
    name: "search-engines",
    download: "SearchEngines.yml",
    source: `${MATOMO}/blob/master/SearchEngines.yml`,
    licence: "CC0-1.0",
    convert: (text) =>
      entriesOf(
        Object.entries(parsed(engines, text)).map(([name, parts]) => [name, parts.flatMap(({ urls }) => urls)]),
      ),
  },
  {
    name: "social-networks",
    download: "Socials.yml",
    source: `${MATOMO}/blob/master/Socials.yml`,
    licence: "CC0-1.0",
    convert: (text) => entriesOf(Object.entries(parsed(networks, text))),
  },
  {
    name: "ai-assistants",
    download: "AIAssistants.yml",
    source: `${MATOMO}/blob/master/AIAssistants.yml`,
    licence: "CC0-1.0",
    convert: (text) => entriesOf(Object.entries(parsed(networks, text))),
  },
  {
    name: "source-categories",
    download: "ga4_source_categories.csv",
    source: "https://github.com/Velir/dbt-ga4/blob/main/seeds/ga4_source_categories.csv",
    licence: "MIT",
    convert: (text) => {
      const [header, ...lines] = text.trim().split(/\r?\n/);
      if (header !== "source,source_category") throw new Error("expected CSV with the header source,source_category");
      return lines.map((line) => {
        const [, source = "", category = ""] = /^(.+),SOURCE_CATEGORY_([A-Z]+)$/.exec(line) ?? [];
        if (!CATEGORIES.includes(category)) throw new Error(`expected a source and its category: ${line}`);
        return { source: source.toLowerCase(), kind: category.toLowerCase() };
      });
    },
  },
];

function parsed<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> {
  const read = shape.safeParse(parse(text));
  if (!read.success) throw new Error("expected YAML with the hosts of each name");
  return read.data;
}

/** Hosts are without `www.`; those with a path are left out, because referrers mostly have none, and so are apps. */
function entriesOf(lists: [name: string, urls: string[]][]): ListEntry[] {
  return lists.flatMap(([name, urls]) => {
    const hosts = urls
      .map((url) => url.toLowerCase().replace(/^www\./, ""))
      .filter((url) => !url.includes("/") && !/^(?:com|org)\.|\.android$/.test(url));
    return hosts.length > 0 ? [{ name: decodeURIComponent(name), hosts: [...new Set(hosts)].sort() }] : [];
  });
}
