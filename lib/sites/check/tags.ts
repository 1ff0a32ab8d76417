import { belongsTo } from "@/lib/platform/domain-names";
import type { Html } from "@/lib/platform/outbound/html";
import { type Finding, finding } from "@/lib/sites/check/findings";
import { addressIn, type Snippet } from "@/lib/sites/snippet";

/** What each product's tag says: which site it is about, and where it sends its events. */

/** What the checks of a tag need to know of its page and site. */
export interface TagContext {
  html: Html;
  url: URL;
  /** The domains of the site, primary first. */
  domains: readonly string[];
  /** Website ids of another product that are mapped to the site. */
  websiteIds: readonly string[];
  baseUrl: string;
  /** The tag of our own. */
  snippet: string;
}

/** Options in `plausible.init({…})`. Text is all that is read of a page's programs. */
const INIT = /plausible\.init\s*\(([^)]{0,2000})/;
const OPTION = {
  domain: /\bdomain["']?\s*:\s*["'`]([^"'`]{1,300})/,
  endpoint: /\bendpoint["']?\s*:\s*["'`]([^"'`]{1,300})/,
};

/** Returns the options of Plausible's script on a page; null if no program in the page starts it. */
function plausibleOptions(html: Html): { domain: string | null; endpoint: string | null } | null {
  for (const { name, text, inert } of html.tags) {
    const [, options] = (name === "script" && !inert && INIT.exec(text)) || [];
    if (options !== undefined)
      return { domain: OPTION.domain.exec(options)?.[1] ?? null, endpoint: OPTION.endpoint.exec(options)?.[1] ?? null };
  }
  return null;
}

const isConfigured = ({ product, source }: Snippet): boolean =>
  product === "plausible" && /\/pa-[^/]*$/.test(source.pathname);

/** Returns where the events of a tag go. */
export function apiOf(snippet: Snippet, { html, url }: Pick<TagContext, "html" | "url">): URL {
  const { tag, product, source } = snippet;
  const host = tag.attributes.get("data-host-url");
  if (product === "umami") {
    const base = (host && addressIn(`${host.replace(/\/$/, "")}/`, url.href)) || new URL(".", source);
    return new URL("api/send", base);
  }
  const own = (isConfigured(snippet) && plausibleOptions(html)?.endpoint) || tag.attributes.get("data-api");
  const path = product === "plausible" ? "/api/event" : "api/event";
  return (own && addressIn(own, url.href)) || new URL(path, source);
}

const bare = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^www\./, "")
    .replace(/\.$/, "");

/** Returns what is wrong with what a tag says of its site and of where its events go. */
export function tagFaults(snippet: Snippet, written: string, context: TagContext): Finding[] {
  const { url, domains, baseUrl } = context;
  const faults = siteFaults(snippet, written, context);
  const api = apiOf(snippet, context);
  if (api.origin !== new URL(baseUrl).origin && !belongsTo(api.hostname, domains)) {
    const fix = `Let it send to ${baseUrl}, or to a proxy on ${domains[0]}.`;
    faults.push(finding("events_elsewhere", api.href, fix));
  }
  const allowed = snippet.product === "umami" ? snippet.tag.attributes.get("data-domains") : undefined;
  if (allowed && !allowed.split(",").some((name) => name.trim() === url.hostname))
    faults.push(finding("domains_exclude", `data-domains="${allowed}"`, `Add ${url.hostname} to data-domains.`));
  const manual = manualIn(snippet);
  if (manual !== null) faults.push(finding("manual", written, manual));
  return faults;
}

function siteFaults(snippet: Snippet, written: string, context: TagContext): Finding[] {
  const { domain, product, tag } = snippet;
  const { domains, html, snippet: ours } = context;
  if (product === "umami") return websiteFaults(tag.attributes.get("data-website-id") ?? "", written, context);
  const options = isConfigured(snippet) ? plausibleOptions(html) : null;
  const named = options?.domain ?? domain;
  if (product === "footfall" && !named) return [finding("domain_missing", written, `Use ${ours}`)];
  const faults: Finding[] = [];
  // Without a domain, Plausible's script counts for that of the page. Several domains are separated by commas.
  if (named && !named.split(",").some((one) => domains.includes(bare(one)))) {
    const evidence = options?.domain ? `domain: "${named}"` : `data-domain="${named}"`;
    const fix = product === "plausible" ? `Name ${domains[0]} there.` : `Use ${ours}`;
    faults.push(finding("wrong_domain", evidence, fix));
  }
  if (isConfigured(snippet) && options === null) {
    const fix = "Keep the call of plausible.init() that came with the script, after its tag.";
    faults.push(finding("not_started", written, fix));
  }
  return faults;
}

function websiteFaults(id: string, written: string, { domains, websiteIds, snippet }: TagContext): Finding[] {
  if (id === "") return [finding("domain_missing", written, `Fill in data-website-id, or use ${snippet}`)];
  if (domains.includes(bare(id)) || websiteIds.includes(id.toLowerCase())) return [];
  const fix = `Enter this website id on the installation page of the site, under Coming from Umami, or write data-website-id="${domains[0]}".`;
  return [finding("website_unmapped", `data-website-id="${id}"`, fix)];
}

/** Returns how a tag that counts no pageviews by itself is made to; null for any other. */
function manualIn({ product, tag, source }: Snippet): string | null {
  if (product === "umami")
    return tag.attributes.get("data-auto-track") === "false"
      ? "Remove data-auto-track, or call umami.track() for each page."
      : null;
  if (product === "plausible")
    return source.pathname.includes(".manual.")
      ? 'Remove .manual from the name of the script, or call plausible("pageview").'
      : null;
  return tag.attributes.has("data-manual") ? 'Remove data-manual, or call footfall("pageview").' : null;
}

const SEGMENT = /cdn\.segment\.com\/(?:analytics\.js|analytics-next)|\banalytics\.load\s*\(/;
/** The format of our ingest keys. */
const KEY = /\bffk_[A-Za-z0-9_-]{43}/;

/** Returns what the programs of a page show of Segment's snippet, and of keys that only servers may have. */
export function programFindings({ tags }: Html): Finding[] {
  const programs = tags.filter(({ name, inert }) => name === "script" && !inert);
  const hasSegment = programs.some(
    ({ text, attributes }) => SEGMENT.test(text) || SEGMENT.test(attributes.get("src") ?? ""),
  );
  const hasKey = tags.some(
    ({ text, attributes }) => KEY.test(text) || [...attributes.values()].some((value) => KEY.test(value)),
  );
  return [
    ...(hasSegment ? [finding("segment_in_page", "analytics.load()", SEGMENT_FIX)] : []),
    ...(hasKey ? [finding("key_in_page", null, KEY_FIX)] : []),
  ];
}

const SEGMENT_FIX =
  "Add the snippet of this page for visitors. Segment’s libraries on servers can send here with an ingest key: see /docs/from-segment.";
const KEY_FIX =
  "Revoke the key in the settings of the site, under Measurement Protocol, and create another one for your servers only.";
