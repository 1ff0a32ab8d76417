import { type KnownAgent, languageOf, NO_AGENT, readAgent, screenClass } from "@/lib/ingest/enrich/agent";
import { anonymise } from "@/lib/ingest/enrich/anonymise";
import { classifyEvent } from "@/lib/ingest/enrich/classify";
import { type ClientHints, refineAgent } from "@/lib/ingest/enrich/client-hints";
import { coarsen, findLocation, type Location, UNKNOWN_LOCATION } from "@/lib/ingest/enrich/geo";
import { readCampaign, readClick, readReferrer } from "@/lib/ingest/enrich/referrer";
import { contradictionOf, opensTooMany, type PageHeaders } from "@/lib/ingest/enrich/suspicion";
import type { DecidedEvent, EventPage, FilterReason } from "@/lib/ingest/event/decided-event";
import { type Props, scrub, scrubProps } from "@/lib/ingest/event/scrub";
import { type SentEvent, typeOfEvent } from "@/lib/ingest/event/sent-event";
import { returningVisitorOf } from "@/lib/ingest/identity/returning";
import type { SiteSalts } from "@/lib/ingest/identity/salts";
import { type IdentityCache, visitorsOf } from "@/lib/ingest/identity/visitor";
import { blankEventRow } from "@/lib/ingest/pipeline/blank-event";
import { eventKeys } from "@/lib/ingest/pipeline/event-keys";
import { isAnonymous, isServerEvent, UNKNOWN_REFERRER } from "@/lib/ingest/pipeline/sender";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { isPageId } from "@/lib/ingest/store/event-id";
import { countOutcome } from "@/lib/ingest/store/stats/ingest-stats";
import { canonicalEncoding, canonicalHost, canonicalPath, pathOfUrl } from "@/lib/platform/canonical";
import { belongsTo } from "@/lib/platform/domain-names";
import { invalidInput } from "@/lib/platform/errors";
import { clip, clipPath, parseUrl } from "@/lib/platform/text";

/** The sender of an event, as far as the request shows. */
export interface Sender {
  address: string | null;
  userAgent: string;
  gpc: boolean;
  /**
   * A server with a key sends events of its visitors: the address it forwards is a visitor's whatever the user agent,
   * and no user agent means that there was no browser, not that there was a robot.
   */
  vouched?: true;
  /** The request carries an ingest key of the site: nothing about it is suspicious. */
  keyed?: boolean;
  /** Headers of a request that the visitor's browser sent from a page. */
  page?: PageHeaders | null;
  /** User-Agent Client Hints of the browser. */
  hints?: ClientHints | null;
  /** Identities already computed for other events of the same request. */
  known?: IdentityCache;
}

/** What processing an event needs besides the event. */
export interface Context {
  site: IngestSite;
  salts: SiteSalts;
  sender: Sender;
  now: Date;
  /** Its position in the order of all events: see `reserveTimestamps`. */
  timestamp: number;
}

interface Draft extends Pick<Context, "site" | "sender" | "now"> {
  event: SentEvent;
  url: URL | null;
  /** The normalised full path of the page, with the query that belongs to it; null when the event has no page. */
  path: string | null;
  agent: KnownAgent;
  /** Whether the event has no visitor, and so no visit. */
  anonymous: boolean;
  /** The visitor's address at the site's precision; null when the sender is not a browser. */
  address: string | null;
  location: Location | null;
  row: DecidedEvent;
}

/** Fills in the draft, or returns the reason to filter the event. */
type Step = (draft: Draft) => FilterReason | undefined;

const steps: Step[] = [
  readPage,
  honourGpc,
  applyExclusions,
  readSource,
  describeAgent,
  readPlace,
  readDetails,
  classify,
];

/**
 * Turns an event into a row ready to be stored, or returns why it is filtered. A list of steps, in order, without I/O;
 * then the sender is identified.
 *
 * @throws Refusal `invalid_input` for a URL that is malformed or not on the site.
 */
export function processEvent(
  event: SentEvent,
  context: Context,
): DecidedEvent | { filtered: FilterReason; page: EventPage | null } {
  const { site, salts, sender, now, timestamp } = context;
  const sent = agentOf(sender);
  const agent = isServerEvent(sender, sent) ? NO_AGENT : sent;
  const address = addressOf(sender, site, agent);
  const anonymous = isAnonymous(event, sender, { address, agent: sent });
  const row = blankEventRow(site, timestamp);
  // Without a spread, which makes an object whose fields are slow to read.
  const draft: Draft = {
    event,
    site,
    sender,
    url: null,
    path: null,
    agent,
    anonymous,
    address,
    location: null,
    now,
    row,
  };
  for (const step of steps) {
    const filtered = step(draft);
    if (filtered) return { filtered, page: row.page };
  }
  for (const kind of row.scrubbed) countOutcome(site.id, now, "scrubbed", kind);
  const { event_id: eventId, user_id: userId = null, session_id: sessionId = null } = event;
  const isBot = row.traffic === "bot" || row.traffic === "ai";
  const identity = { address, userAgent: sender.userAgent, isBot, userId, sessionId };
  if (!anonymous) {
    const { visitors, userHash } = visitorsOf(site, salts.day, identity, sender.known);
    row.visitors = visitors;
    row.userHash = userHash;
  }
  if (eventId !== undefined) {
    // Only requests from pages have an Origin; a server may choose any event id.
    row.isPageKey = Boolean(sender.page) && isPageId(eventId);
    row.keys = eventKeys(eventId, sender, site, row);
  }
  row.returningVisitor = salts.month && returningVisitorOf(site, salts.month, identity, now);
  return row;
}

/** Returns a function that removes personal data from text and counts what it removed. */
const clean = (draft: Draft) => (text: string) => scrub(text, (kind) => draft.row.scrubbed.push(kind));

/** Returns the agent that the sender's user agent and client hints describe. */
export function agentOf({ vouched, userAgent, hints }: Sender): KnownAgent {
  if (vouched && userAgent === "") return NO_AGENT;
  return refineAgent(readAgent(userAgent), userAgent, hints ?? null);
}

function addressOf({ address, vouched }: Sender, site: IngestSite, agent: KnownAgent): string | null {
  if (address === null || !(agent.isBrowser || vouched)) return null;
  return site.anonymiseIp ? anonymise(address) : address;
}

function readPage(draft: Draft): undefined {
  const { event, site } = draft;
  if (event.url !== undefined) {
    draft.url = pageUrl(event.url);
    if (draft.url.hostname.length > 253 || !belongsTo(draft.url.hostname, site.domains)) {
      throw invalidInput([
        { path: "url", message: `is not on ${site.domains.join(" or ")}; add its domain to the site` },
      ]);
    }
  }
  draft.path = pathOf(event, draft.url, site.pageQuery);
  draft.row.page = pageOf(draft, clean(draft));
}

function pageUrl(text: string): URL {
  const url = parseUrl(text);
  if (!url) throw invalidInput([{ path: "url", message: "must be a full address such as https://example.com/page" }]);
  if (/^https?:$/.test(url.protocol)) return url;
  throw invalidInput([{ path: "url", message: "must begin with http:// or https://" }]);
}

/**
 * Normalises the path of a page. Of a URL's query, only what makes a page is kept; a path that was sent as such keeps its
 * own. A screen's path is its name, so `..` in it is not resolved.
 */
function pathOf(event: SentEvent, url: URL | null, pageQuery: readonly string[]): string | null {
  if (event.path === undefined) return url && pathOfUrl(url, pageQuery);
  return event.type === "screen" ? canonicalEncoding(event.path) : canonicalPath(event.path);
}

function pageOf({ event, url, path, site }: Draft, cleaned: (text: string) => string): EventPage | null {
  if (path === null) return null;
  return {
    hostname: url ? canonicalHost(url.hostname) : (site.domains[0] ?? ""),
    path: clipPath(cleaned(path)),
    title: event.title ? clip(cleaned(event.title), 1000) : null,
  };
}

function honourGpc({ site, sender }: Draft): FilterReason | undefined {
  return site.honourGpc && sender.gpc ? "gpc" : undefined;
}

/** Applies the site's exclusion rules to the full address and path, however little of them is stored. */
function applyExclusions(draft: Draft): FilterReason | undefined {
  const { event, site, sender, path, row } = draft;
  if (event.own) return "own_traffic";
  const hostname = row.page?.hostname ?? null;
  const country = () => locationOf(draft).country;
  return site.exclusions.excluded({ address: sender.address, hostname, path, country });
}

/** Sets the traffic class. The only step with state: it counts the pages that an address opened within the minute. */
function classify({ event, agent, sender, site, now, row }: Draft): undefined {
  const opens = row.type === "pageview" || row.type === "screen";
  const own = sender.page || sender.vouched ? sender.address : null;
  // A server may send a whole hour of events at once, so its pace says nothing about a visitor.
  const pageAddress = opens && sender.page ? sender.address : null;
  const tooMany = pageAddress !== null && opensTooMany(site.id, pageAddress, sender.userAgent, now);
  const verdict = classifyEvent({
    byAgent: agent.verdict,
    from: row.referrer.url,
    address: own,
    isBrowser: agent.isBrowser,
    contradiction:
      (sender.page && contradictionOf(sender.userAgent, sender.page)) || (event.automated ? "automated" : null),
    tooMany,
  });
  row.verdict = sender.keyed && verdict?.traffic === "suspicious" ? null : verdict;
  row.traffic = row.verdict?.traffic ?? "human";
}

function readSource(draft: Draft): undefined {
  const { event, site, url, anonymous, row } = draft;
  // Most URLs have no query, and reading an empty one costs as much as reading a full one.
  const searchParams = url && url.search !== "" ? url.searchParams : null;
  const query = event.campaign ? utmOf(event.campaign) : searchParams;
  row.campaign = query && readCampaign(query, clean(draft));
  const click = searchParams && readClick(searchParams);
  const origin = { referrer: event.referrer ?? null, campaign: row.campaign, click };
  const isUnknown = anonymous && !origin.referrer && !origin.campaign && !click;
  row.referrer = isUnknown
    ? UNKNOWN_REFERRER
    : readReferrer(origin, (host) => belongsTo(host, site.domains), clean(draft));
}

const utmOf = (campaign: NonNullable<SentEvent["campaign"]>): URLSearchParams =>
  new URLSearchParams(Object.entries(campaign).map(([name, value]) => [`utm_${name}`, value]));

function describeAgent({ event, agent, row }: Draft): undefined {
  const { browser, browser_version, os, os_version, device, bot } = agent;
  row.agent = { browser, browser_version, os, os_version, device, screen: screenClass(event.screen ?? undefined), bot };
}

function readPlace(draft: Draft): undefined {
  const { event, site, row } = draft;
  const location = site.geoPrecision === "none" ? null : locationOf(draft);
  const { country, region, city } = location ? coarsen(location, site.geoPrecision) : UNKNOWN_LOCATION;
  row.place = { country, region, city, language: languageOf(event.language ?? undefined) };
}

function locationOf(draft: Draft): Location {
  draft.location ??= findLocation(draft.address ?? "");
  return draft.location;
}

function readDetails(draft: Draft): undefined {
  const { event, row } = draft;
  const type = typeOfEvent(event);
  row.type = type === "event" && event.interactive === false ? "passive" : type;
  const name = nameOf(event, type);
  row.name = name === null ? null : clip(clean(draft)(name), 1020);
  row.engagementMs = event.engagement?.ms ?? null;
  row.scroll = event.engagement?.scroll ?? null;
  row.revenue = event.revenue ? String(event.revenue.amount) : null;
  row.currency = event.revenue?.currency ?? null;
  const sent = propsOf(event, type);
  const props = sent ? scrubProps(sent, (kind) => row.scrubbed.push(kind)) : {};
  row.props = Object.keys(props).length > 0 ? JSON.stringify(props) : null;
}

function nameOf(event: SentEvent, type: ReturnType<typeof typeOfEvent>): string | null {
  if (type === "event" || type === "commerce") return event.name;
  return type === "exposure" && event.exposure ? event.exposure.experiment : null;
}

/**
 * Vitals are stored as properties, and so is the variant of an exposure. A page view may report its vitals several
 * times and only the last report counts: readers take, for each metric, the last row (by `ts`) of every visit and
 * `view` (each row without one is its own view), and only then average or rank.
 */
function propsOf(event: SentEvent, type: ReturnType<typeof typeOfEvent>): Props | null | undefined {
  if (type === "vitals") return event.vitals;
  if (type === "exposure" && event.exposure) return { ...event.props, variant: event.exposure.variant };
  return event.props;
}
