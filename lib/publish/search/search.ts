import MiniSearch from "minisearch";
import { OPERATIONS } from "@/lib/operations/index";
import { allArticles } from "@/lib/publish/articles/all";
import type { Article, Block } from "@/lib/publish/articles/article";
import { operationPage } from "@/lib/publish/llms/index-text";

/** The search over the docs: an index in memory of the parts of all articles and of all operations. */

export interface Found {
  href: string;
  /** The article, and the part of it where it is not its beginning. */
  title: string;
  section: string;
  /** The text around the first word that matches. */
  excerpt: string;
}

interface Entry extends Omit<Found, "excerpt"> {
  id: number;
  text: string;
}

/** Longer queries are cut: a sentence has fewer words that matter. */
export const LONGEST_QUERY = 100;
const MOST_FOUND = 20;
const EXCERPT = 180;

/** Where nothing matches, words with a mistake in every five letters do. */
const SIMILAR = { fuzzy: (term: string) => (term.length > 4 ? 0.2 : false), maxFuzzy: 2 };

let built: { index: MiniSearch<Entry>; entries: readonly Entry[] } | undefined;

/**
 * Returns what matches all words of a query, the best first; words match from their beginning. Small mistakes
 * are forgiven where nothing matches otherwise.
 */
export function searchDocs(query: string, base: string): Found[] {
  built ??= build(base);
  const { index, entries } = built;
  const asked = query.normalize("NFC").slice(0, LONGEST_QUERY);
  const exact = index.search(asked);
  const found = exact.length > 0 ? exact : index.search(asked, SIMILAR);
  return found.slice(0, MOST_FOUND).flatMap(({ id, terms }) => {
    const entry = entries[id as number];
    if (!entry) return [];
    const { href, title, section, text } = entry;
    return [{ href, title, section, excerpt: excerptOf(text, terms) }];
  });
}

function build(base: string) {
  const entries = [...allArticles(base).flatMap(entriesOf), ...operationEntries()].map((entry, id) => ({
    ...entry,
    id,
  }));
  const index = new MiniSearch<Entry>({
    fields: ["title", "section", "text"],
    searchOptions: {
      boost: { title: 4, section: 3 },
      // People search here: what explains comes before what is called.
      boostDocument: (id) => (entries[id as number]?.href.startsWith("/docs/api/") ? 0.3 : 1),
      combineWith: "AND",
      prefix: (term) => term.length > 2,
    },
  });
  index.addAll(entries);
  return { index, entries };
}

const entriesOf = ({ slug, title, lead, parts }: Article): Omit<Entry, "id">[] => [
  { href: `/docs/${slug}`, title, section: "", text: plain(lead) },
  ...parts.map((part) => ({
    href: `/docs/${slug}#${part.id}`,
    title,
    section: part.title,
    text: plain(part.blocks.map(textOf).join(" ")),
  })),
];

const operationEntries = (): Omit<Entry, "id">[] =>
  [...OPERATIONS.values()].map(({ id, title, about }) => ({
    href: operationPage(id),
    title,
    section: id,
    text: plain(about),
  }));

function textOf(block: Block): string {
  switch (block.kind) {
    case "text":
    case "heading":
    case "code":
      return block.text;
    case "terms":
      return block.rows.map(([term, about]) => `${term}: ${about}`).join(" ");
    case "steps":
    case "list":
      return block.items.join(" ");
    case "fields":
      return block.fields.map(({ name, about }) => `${name}: ${about}`).join(" ");
    case "slot":
      return block.instead.map(textOf).join(" ");
  }
}

/** Removes the notation of articles: backticks, and the addresses of links. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)\s]+\)/g, "$1")
    .replaceAll("`", "")
    .replace(/\s+/g, " ")
    .trim();

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 60);
  const start = first === 0 ? 0 : text.indexOf(" ", first) + 1;
  const end = start + EXCERPT < text.length ? text.lastIndexOf(" ", start + EXCERPT) : text.length;
  return `${start > 0 ? "… " : ""}${text.slice(start, end > start ? end : start + EXCERPT)}${end < text.length ? " …" : ""}`;
}
