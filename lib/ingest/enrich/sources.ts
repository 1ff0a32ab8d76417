import assistants from "@/lib/ingest/enrich/data/ai-assistants.json";
import engines from "@/lib/ingest/enrich/data/search-engines.json";
import networks from "@/lib/ingest/enrich/data/social-networks.json";
import categories from "@/lib/ingest/enrich/data/source-categories.json";
import own from "@/lib/ingest/enrich/data/traffic-sources.json";
import { canonicalTypedHost } from "@/lib/platform/canonical";

/**
 * Traffic sources by host, by the id of an app, and by the names that campaigns use. Our own list comes first: it has
 * the names that reports show, and the hosts that other lists are wrong about. Then follow the sources that Google
 * Analytics publishes, because owners compare channels with it, and then public lists.
 */

export type SourceKind = "search" | "social" | "video" | "shopping" | "email" | "ai";

export interface TrafficSource {
  name: string;
  kind: SourceKind;
}

/** In hosts, `{}` is `com` or the suffix of any country, such as `de` or `co.uk`; in front, its code. */
interface OwnEntry {
  name: string;
  /** `none` for hosts that other lists name wrongly. */
  kind: string;
  /** With all hosts below them. */
  hosts?: string[];
  /** Without the hosts below them: `google.com`, but not `docs.google.com`. */
  exact?: string[];
  /** Lower case, without spaces, hyphens and underscores. */
  names?: string[];
  /** Ids of Android packages, and of iOS apps in the App Store. */
  apps?: string[];
}

/** Hosts that are sources alone; null for those that are none. */
const EXACT = new Map<string, TrafficSource | null>();
/** Hosts that are sources with all hosts below them. */
const BELOW = new Map<string, TrafficSource>();
/** No host of `BELOW` has more labels. */
const MOST_LABELS = 5;
const APPS = new Map<string, TrafficSource>();
const NAMES = new Map<string, TrafficSource>();

/**
 * `{}` stands for `com`, a country's code, and one of these before a country's code. Other suffixes, such as `.cloud` or
 * `.jobs`, are of other services or other owners.
 */
const SECOND_LEVEL = new Set(["com", "co", "net", "org", "ne", "or"]);
/** `de.bing.com` is `{}.bing.com`. */
const COUNTRY_BEFORE = /^[a-z]{2}\.(?=[^.]+\.)/;
const SAME_SITE = /^(?:www\d*|m|mobile|wap|touch|amp)\.(?=[^.]+\.)/;

addOwn(own.entries);
addCategories();
addPublicLists();

function addOwn(entries: readonly OwnEntry[]): void {
  for (const { name, kind, hosts = [], exact = [], names = [], apps = [] } of entries) {
    const source = kind === "none" ? null : { name, kind: kind as SourceKind };
    for (const host of exact) EXACT.set(host, source);
    if (!source) continue;
    for (const host of hosts) BELOW.set(host, source);
    for (const app of apps) APPS.set(app, source);
    for (const one of names) NAMES.set(one, source);
  }
}

/** Adds the sources of Google Analytics: a name that is the first label of a listed host is another name of that host. */
function addCategories(): void {
  const proper = new Map(
    [...networks.entries, ...engines.entries].flatMap(({ name, hosts }) => hosts.map((host) => [host, name])),
  );
  const entries = categories.entries.map(({ source, kind }) => ({ source, kind: kind as SourceKind }));
  const byLabel = new Map<string, TrafficSource>();
  for (const { source: host, kind } of entries.filter(({ source }) => source.includes("."))) {
    if (find(host) === undefined) EXACT.set(host, { name: proper.get(host) ?? host, kind });
    const found = find(host);
    const label = host.slice(0, host.indexOf("."));
    if (found && !byLabel.has(label)) byLabel.set(label, found);
  }
  for (const { source: name, kind } of entries.filter(({ source }) => !source.includes("."))) {
    const key = nameKey(name);
    const sameLabel = byLabel.get(name);
    if (!NAMES.has(key)) NAMES.set(key, sameLabel?.kind === kind ? sameLabel : { name, kind });
  }
}

function addPublicLists(): void {
  const below = [
    { kind: "ai", entries: assistants.entries },
    { kind: "social", entries: networks.entries },
  ] as const;
  for (const { kind, entries } of below) {
    for (const { name, hosts } of entries) {
      for (const host of hosts) if (find(host) === undefined) BELOW.set(host, { name, kind });
    }
  }
  for (const { name, hosts } of engines.entries) {
    for (const host of hosts) if (find(host) === undefined) EXACT.set(host, { name, kind: "search" });
  }
}

/** Returns the source of a host; null if the host is known to be none, undefined if it is unknown. */
function find(host: string): TrafficSource | null | undefined {
  let exact = findExact(host);
  if (exact !== undefined) return exact;
  const bare = host.replace(SAME_SITE, "");
  if (bare !== host) exact = findExact(bare);
  if (exact === undefined && bare[2] === ".") exact = findExact(bare.replace(COUNTRY_BEFORE, "{}."));
  if (exact !== undefined) return exact;
  const labels = bare.split(".").slice(-MOST_LABELS);
  for (; labels.length > 1; labels.shift()) {
    const name = labels.join(".");
    const below = BELOW.get(name) ?? BELOW.get(ofAnyCountry(name));
    if (below) return below;
  }
  return undefined;
}

function findExact(host: string): TrafficSource | null | undefined {
  const exact = EXACT.get(host);
  return exact === undefined ? EXACT.get(ofAnyCountry(host)) : exact;
}

/** Returns a host with `{}` in place of its suffix: `google.{}` for `google.co.uk`. */
function ofAnyCountry(host: string): string {
  const last = host.lastIndexOf(".");
  const suffix = host.slice(last + 1);
  if (suffix === "com") return `${host.slice(0, last)}.{}`;
  if (suffix.length !== 2) return host;
  const before = host.lastIndexOf(".", last - 1);
  const isSecondLevel = before > 0 && SECOND_LEVEL.has(host.slice(before + 1, last));
  return `${host.slice(0, isSecondLevel ? before : last)}.{}`;
}

/**
 * Returns the source of a host. Only whole labels match: neither `notgoogle.com` nor `google.com.example.org` is
 * Google, and of the hosts of a search engine or shop only those that search or sell.
 *
 * @param host lower-case ASCII.
 */
export const knownSource = (host: string): TrafficSource | undefined => find(host) ?? undefined;

/** Returns the source of an app, by its Android package or its id in the App Store. */
export const knownApp = (id: string): TrafficSource | undefined => APPS.get(id.toLowerCase());

/** Returns the source that a `utm_source` means: a name, a common short form, a host or an address. */
export const namedSource = (typed: string): TrafficSource | undefined =>
  NAMES.get(nameKey(typed)) ?? knownSource(canonicalTypedHost(typed)) ?? knownApp(typed.trim());

function nameKey(typed: string): string {
  return typed
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}
