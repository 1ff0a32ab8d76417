import { belongsTo } from "@/lib/platform/domain-names";
import { plausibleName } from "@/lib/platform/http/tracker-paths";
import type { Html, Tag } from "@/lib/platform/outbound/html";

/** A script tag that loads the tracker, or looks like it does. */
export interface Snippet {
  tag: Tag;
  /** Whose tag it is. */
  product: "footfall" | "plausible" | "umami";
  /** URL of the script. */
  source: URL;
  /** Value of `data-domain`; null without it. */
  domain: string | null;
  /**
   * `ours`: loaded from this service. `proxied`: loaded from a domain of the site. `foreign`: loaded from elsewhere.
   */
  from: "ours" | "proxied" | "foreign";
  /** The URL is in another attribute than `src`, so another script decides when to load it. */
  held: boolean;
}

const OUR_SCRIPTS = ["/script.js", "/script.full.js", "/umami.js"];

/** The tags that must be parsed to find snippets. */
export const READ_TAGS = ["script", "meta", "link", "base", "noscript"] as const;

/** Returns whether a URL is the tracker script of this service, under any of its names. */
const isOurScript = (url: URL, baseUrl: string): boolean =>
  url.origin === new URL(baseUrl).origin &&
  (OUR_SCRIPTS.includes(url.pathname) || plausibleName(url.pathname) !== null);

/** Names of scripts that need no attribute to be recognised: Plausible's with options of its own. */
const CONFIGURED = /\/pa-[\w.-]+\.js$/;

function productOf({ attributes }: Tag, { pathname }: URL): Snippet["product"] {
  if (attributes.has("data-website-id") && !attributes.has("data-domain")) return "umami";
  return plausibleName(pathname) !== null || CONFIGURED.test(pathname) ? "plausible" : "footfall";
}

/** Returns all tags of a page that load the tracker or look like it, including those in templates. */
export function snippetsIn(html: Html, pageUrl: string, baseUrl: string, domains: readonly string[]): Snippet[] {
  const base = baseOf(html, pageUrl);
  return html.tags.flatMap((tag): Snippet[] => {
    if (tag.name !== "script") return [];
    const domain = tag.attributes.get("data-domain") ?? null;
    for (const [name, value] of tag.attributes) {
      const source = value === "" ? null : addressIn(value, base);
      if (!source) continue;
      const held = name !== "src";
      const snippet = { tag, product: productOf(tag, source), source, domain, held };
      if (isOurScript(source, baseUrl)) return [{ ...snippet, from: "ours" }];
      if (held || !(domain !== null || snippet.product === "umami" || CONFIGURED.test(source.pathname))) continue;
      return [{ ...snippet, from: belongsTo(source.hostname, domains) ? "proxied" : "foreign" }];
    }
    return [];
  });
}

/** Every URL of a page is resolved against its base, so a huge base would make that slow. */
const MAX_BASE_LENGTH = 2048;

/** Returns the base URL of a page. */
function baseOf(html: Html, pageUrl: string): string {
  const href = html.tags.find(({ name }) => name === "base")?.attributes.get("href");
  return (href && href.length <= MAX_BASE_LENGTH && addressIn(href, pageUrl)?.href) || pageUrl;
}

export function addressIn(text: string, base: string): URL | null {
  try {
    const url = new URL(text, base);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
