import { belongsTo } from "@/lib/platform/domain-names";
import type { Html, Tag } from "@/lib/platform/outbound/html";

/** A script tag of a page that is ours, or that is made like ours. */
export interface Snippet {
  tag: Tag;
  /** The script's address. */
  source: URL;
  /** What `data-domain` says; null without it. */
  domain: string | null;
  /** `ours`: this service's own script. `proxied`: one below a domain of the site. `foreign`: somebody else's. */
  from: "ours" | "proxied" | "foreign";
  /** Its address stands in another attribute than `src`: some other program decides when it is loaded. */
  held: boolean;
}

const OUR_SCRIPTS = ["/script.js", "/script.full.js"];

/** The names that must be read from a page for what is looked for here. */
export const READ_TAGS = ["script", "meta", "link", "base", "noscript"] as const;

/** Whether an address is that of this service's script. */
export const isOurScript = (url: URL, baseUrl: string): boolean =>
  url.origin === new URL(baseUrl).origin && OUR_SCRIPTS.includes(url.pathname);

/** Every tag of a page that loads our script or looks as if it did, those in templates too. */
export function snippetsIn(html: Html, pageUrl: string, baseUrl: string, domains: readonly string[]): Snippet[] {
  const base = baseOf(html, pageUrl);
  return html.tags.flatMap((tag): Snippet[] => {
    if (tag.name !== "script") return [];
    const domain = tag.attributes.get("data-domain") ?? null;
    for (const [name, value] of tag.attributes) {
      const source = value === "" ? null : addressIn(value, base);
      if (!source) continue;
      const held = name !== "src";
      if (isOurScript(source, baseUrl)) return [{ tag, source, domain, from: "ours", held }];
      if (held || domain === null) continue;
      return [{ tag, source, domain, from: belongsTo(source.hostname, domains) ? "proxied" : "foreign", held }];
    }
    return [];
  });
}

/** Each address of a page is read together with its base: a longer one would cost that often what it is long. */
const LONGEST_BASE = 2048;

/** The address against which those of a page are read. */
function baseOf(html: Html, pageUrl: string): string {
  const href = html.tags.find(({ name }) => name === "base")?.attributes.get("href");
  return (href && href.length <= LONGEST_BASE && addressIn(href, pageUrl)?.href) || pageUrl;
}

export function addressIn(text: string, base: string): URL | null {
  try {
    const url = new URL(text, base);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
