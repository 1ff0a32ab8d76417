import { type KnownAgent, languageOf, NO_AGENT, readAgent, screenClass } from "@/lib/ingest/enrich/agent";
import { anonymise } from "@/lib/ingest/enrich/anonymise";
import { judgeHit } from "@/lib/ingest/enrich/classify";
import { type ClientHints, refineAgent } from "@/lib/ingest/enrich/client-hints";
import { coarsen, findLocation, type Location, NOWHERE } from "@/lib/ingest/enrich/geo";
import { readCampaign, readClick, readReferrer } from "@/lib/ingest/enrich/referrer";
import { contradictionOf, opensTooMany, type PageHeaders } from "@/lib/ingest/enrich/suspicion";
import { type Props, scrub, scrubProps } from "@/lib/ingest/event/scrub";
import type { FilterReason, Page } from "@/lib/ingest/event/values";
import { returnerOf } from "@/lib/ingest/identity/returning";
import type { SiteSalts } from "@/lib/ingest/identity/salts";
import { type KnownVisitors, visitorsOf } from "@/lib/ingest/identity/visitor";
import { blankEventRow } from "@/lib/ingest/pipeline/blank-event";
import { type ReadEvent, typeOf } from "@/lib/ingest/pipeline/schema";
import { isServerEvent, UNKNOWN_REFERRER } from "@/lib/ingest/pipeline/server-event";
import type { IngestSite } from "@/lib/ingest/site/sites";
import { isPageId } from "@/lib/ingest/store/event-id";
import type { EventRow } from "@/lib/ingest/store/event-row";
import { countIntake } from "@/lib/ingest/store/stats/ingest-stats";
import { belongsTo } from "@/lib/platform/domain-names";
import { invalidInput } from "@/lib/platform/errors";
import { clip, clipPath, parseUrl } from "@/lib/platform/text";

/** Who sent it, as far as the request itself tells. */
export interface Sender {
  address: string | null;
  userAgent: string;
  gpc: boolean;
  /**
   * A server with a key speaks for somebody else: the address it passes on is a visitor's whatever the agent, and no
   * agent at all means that there was no browser, not that there was a robot.
   */
  vouched?: true;
  /** A server showed an ingest key of the site with its call to the Events API: nothing about it is suspicious. */
  keyed?: boolean;
  /** When the request is a page's own, sent by the visitor's browser. */
  page?: PageHeaders | null;
  /** What its browser says beside its user agent. */
  hints?: ClientHints | null;
  /** Who the other events of the same request may be from: those of one visitor are worked out once. */
  known?: KnownVisitors;
}

/** What an event is understood with. */
export interface Context {
  site: IngestSite;
  salts: SiteSalts;
  sender: Sender;
  /** When its request arrived. */
  now: Date;
  /** Its own place in the order of all events: see `reserveTimestamps`. */
  timestamp: number;
}

interface Draft extends Pick<Context, "site" | "sender" | "now"> {
  event: ReadEvent;
  url: URL | null;
  /** The whole path of the page as it was sent, in the one spelling of addresses; null when it has no page. */
  path: string | null;
  agent: KnownAgent;
  /** The visitor's, as exactly as the site wants it known; null when the sender is no browser. */
  address: string | null;
  location: Location | null;
  hit: EventRow;
}

/** Adds to the draft, or returns the rule of the site that leaves the event out. */
type Step = (draft: Draft) => FilterReason | undefined;

const steps: Step[] = [readPage, honourGpc, leaveOut, readSource, describeAgent, place, readDetails, classify];

/**
 * Understands one event: a list of steps, in order, without input or output, then who it may have been.
 *
 * @throws Refusal `invalid_input` for an address that is none or is not the site's.
 */
export function understand(
  event: ReadEvent,
  context: Context,
): EventRow | { filtered: FilterReason; page: Page | null } {
  const { site, salts, sender, now, timestamp } = context;
  const sent = agentOf(sender);
  const ofServer = isServerEvent(sender, sent);
  const agent = ofServer ? NO_AGENT : sent;
  const address = addressOf(sender, site, agent);
  const hit = blankEventRow(site, timestamp, ofServer);
  // Written out: a spread makes an object whose fields are slow to read.
  const draft: Draft = { event, site, sender, url: null, path: null, agent, address, location: null, now, hit };
  for (const step of steps) {
    const filtered = step(draft);
    if (filtered) return { filtered, page: hit.page };
  }
  for (const kind of hit.scrubbed) countIntake(site.id, now, "scrubbed", kind);
  const { event_id: key = null, user_id: userId = null, session_id: sessionId = null } = event;
  const isBot = hit.traffic === "bot" || hit.traffic === "ai";
  const who = { address, userAgent: sender.userAgent, isBot, userId, sessionId };
  const { visitors, userHash } = visitorsOf(site, salts.day, who, sender.known);
  hit.visitors = ofServer ? [userHash].filter((user) => user !== null) : visitors;
  hit.userHash = userHash;
  hit.key = key;
  // Only a page's own request has an Origin; what a server names so it has chosen.
  hit.ofPage = key !== null && Boolean(sender.page) && isPageId(key);
  hit.returner = ofServer ? null : salts.month && returnerOf(site, salts.month, who, now);
  return hit;
}

/** Text as it may be stored. */
const clean = (draft: Draft) => (text: string) => scrub(text, (kind) => draft.hit.scrubbed.push(kind));

/** What the sender's own words tell of its agent. */
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
    draft.url = addressOfPage(event.url);
    if (draft.url.hostname.length > 253 || !belongsTo(draft.url.hostname, site.domains)) {
      throw invalidInput([
        { path: "url", message: `is not on ${site.domains.join(" or ")}; add its domain to the site` },
      ]);
    }
  }
  draft.path = pathOf(event, draft.url);
  draft.hit.page = pageOf(draft, clean(draft));
}

function addressOfPage(text: string): URL {
  const url = parseUrl(text);
  if (!url) throw invalidInput([{ path: "url", message: "must be a full address such as https://example.com/page" }]);
  if (/^https?:$/.test(url.protocol)) return url;
  throw invalidInput([{ path: "url", message: "must begin with http:// or https://" }]);
}

/** One page has one path, however it was written. A screen's is its name, and no address: `..` leads nowhere. */
function pathOf(event: ReadEvent, url: URL | null): string | null {
  if (event.path === undefined) return url?.pathname ?? null;
  return event.type === "screen" ? event.path : new URL(`http://site.invalid${event.path}`).pathname;
}

function pageOf({ event, url, path, site }: Draft, cleaned: (text: string) => string): Page | null {
  if (path === null) return null;
  return {
    hostname: url ? url.hostname.replace(/^www\./, "").replace(/\.$/, "") : (site.domains[0] ?? ""),
    path: clipPath(cleaned(path)),
    title: event.title ? clip(cleaned(event.title), 1000) : null,
  };
}

function honourGpc({ site, sender }: Draft): FilterReason | undefined {
  return site.honourGpc && sender.gpc ? "gpc" : undefined;
}

/** What the site's owner does not want counted. Address and path are known whole here, however little of them is kept. */
function leaveOut(draft: Draft): FilterReason | undefined {
  const { event, site, sender, path, hit } = draft;
  if (event.own) return "own_traffic";
  const hostname = hit.page?.hostname ?? null;
  const country = () => locationOf(draft).country;
  return site.exclusions.excluded({ address: sender.address, hostname, path, country });
}

/** The one step that remembers anything: how many pages an address opened within the minute. */
function classify({ event, agent, sender, site, now, hit }: Draft): undefined {
  const opens = hit.type === "pageview" || hit.type === "screen";
  const own = sender.page || sender.vouched ? sender.address : null;
  // A server may send at once what it kept for an hour: that pace is its own, and no visitor's.
  const paced = opens && sender.page ? sender.address : null;
  const tooMany = paced !== null && opensTooMany(site.id, paced, sender.userAgent, now);
  const verdict = judgeHit({
    byAgent: agent.verdict,
    from: hit.referrer.url,
    address: own,
    isBrowser: agent.isBrowser,
    contradiction:
      (sender.page && contradictionOf(sender.userAgent, sender.page)) || (event.automated ? "automated" : null),
    tooMany,
  });
  hit.verdict = sender.keyed && verdict?.traffic === "suspicious" ? null : verdict;
  hit.traffic = hit.verdict?.traffic ?? "human";
}

function readSource(draft: Draft): undefined {
  const { event, site, url, hit } = draft;
  // Most addresses have no query, and reading none costs as much as reading one.
  const asked = url && url.search !== "" ? url.searchParams : null;
  const query = event.campaign ? utmOf(event.campaign) : asked;
  hit.campaign = query && readCampaign(query, clean(draft));
  const click = asked && readClick(asked);
  const trail = { referrer: event.referrer ?? null, campaign: hit.campaign, click };
  const isUnknown = hit.ofServer && !trail.referrer && !trail.campaign && !click;
  hit.referrer = isUnknown
    ? UNKNOWN_REFERRER
    : readReferrer(trail, (host) => belongsTo(host, site.domains), clean(draft));
}

const utmOf = (campaign: NonNullable<ReadEvent["campaign"]>): URLSearchParams =>
  new URLSearchParams(Object.entries(campaign).map(([name, value]) => [`utm_${name}`, value]));

function describeAgent({ event, agent, hit }: Draft): undefined {
  const { browser, browser_version, os, os_version, device, bot } = agent;
  hit.agent = { browser, browser_version, os, os_version, device, screen: screenClass(event.screen ?? undefined), bot };
}

function place(draft: Draft): undefined {
  const { event, site, hit } = draft;
  const kept = site.geoPrecision === "none" ? null : locationOf(draft);
  const { country, region, city } = kept ? coarsen(kept, site.geoPrecision) : NOWHERE;
  hit.place = { country, region, city, language: languageOf(event.language ?? undefined) };
}

function locationOf(draft: Draft): Location {
  draft.location ??= findLocation(draft.address ?? "");
  return draft.location;
}

function readDetails(draft: Draft): undefined {
  const { event, hit } = draft;
  const type = typeOf(event);
  hit.type = type === "event" && event.interactive === false ? "passive" : type;
  const name = nameOf(event, type);
  hit.name = name === null ? null : clip(clean(draft)(name), 1020);
  hit.engagementMs = event.engagement?.ms ?? null;
  hit.scroll = event.engagement?.scroll ?? null;
  hit.revenue = event.revenue ? String(event.revenue.amount) : null;
  hit.currency = event.revenue?.currency ?? null;
  const sent = propsOf(event, type);
  const props = sent ? scrubProps(sent, (kind) => hit.scrubbed.push(kind)) : {};
  hit.props = Object.keys(props).length > 0 ? JSON.stringify(props) : null;
}

function nameOf(event: ReadEvent, type: ReturnType<typeof typeOf>): string | null {
  if (type === "event" || type === "commerce") return event.name;
  return type === "exposure" && event.exposure ? event.exposure.experiment : null;
}

/**
 * Vitals are stored as properties, and so is the variant that a visitor was shown. One view of a page may report its
 * vitals several times, and only its last report counts: whoever reads them takes, for each metric, the last row (by
 * `ts`) of every visit and `view` (of rows without one, each is a view), and only then averages or ranks.
 */
function propsOf(event: ReadEvent, type: ReturnType<typeof typeOf>): Props | null | undefined {
  if (type === "vitals") return event.vitals;
  if (type === "exposure" && event.exposure) return { ...event.props, variant: event.exposure.variant };
  return event.props;
}
