import { type KnownAgent, languageTag, NO_AGENT, screenClass } from "@/lib/ingest/enrich/agent";
import { classifyEvent, contradictionOf, opensTooMany } from "@/lib/ingest/enrich/classify";
import { coarsen, findLocation, type Location, UNKNOWN_LOCATION } from "@/lib/ingest/enrich/geo";
import { DIRECT_REFERRER, readCampaign, readClick, readReferrer, UNKNOWN_REFERRER } from "@/lib/ingest/enrich/referrer";
import {
  checkSignature,
  type RequestSignature,
  type SignedAgent,
  signatureKeysOf,
} from "@/lib/ingest/enrich/web-bot-auth";
import { unknownValue } from "@/lib/ingest/event/catalogue";
import type { Campaign, DecidedEvent, EventPage, FilterReason } from "@/lib/ingest/event/decided-event";
import { type SentEvent, typeOfEvent } from "@/lib/ingest/event/sent-event";
import type { SiteSalts } from "@/lib/ingest/identity/salts";
import { returningVisitorOf, visitorsOf } from "@/lib/ingest/identity/visitor";
import {
  agentOf,
  eventKeys,
  isAnonymous,
  isServerEvent,
  type Sender,
  visitorAddress,
} from "@/lib/ingest/pipeline/sender";
import type { ScrubbedPiece, ScrubbedPlace } from "@/lib/ingest/scrubbing/kinds";
import { type Props, type ScrubContext, scrub, scrubProps } from "@/lib/ingest/scrubbing/scrub";
import { hasPagesOn, type IngestSite } from "@/lib/ingest/site/sites";
import { millisecondOf } from "@/lib/ingest/store/arrival-time";
import { isPageId } from "@/lib/ingest/store/event-id";
import { countPiece } from "@/lib/ingest/store/ingest-stats";
import { canonicalEncoding, canonicalHost, canonicalPath, pathOfUrl } from "@/lib/platform/canonical";
import { env } from "@/lib/platform/env";
import { invalidInput } from "@/lib/platform/errors";
import { clip, clipPath, parseUrl } from "@/lib/platform/text";

/** The steps that decide an event, in order. A step fills in the draft, or returns the reason to filter the event. */
const steps: ((draft: Draft) => FilterReason | undefined)[] = [
  recogniseSender,
  readAddress,
  honourGpc,
  applyExclusions,
  readSource,
  describeAgent,
  readPlace,
  readDetails,
  classify,
  noteScrubbed,
  identifyVisitor,
  reserveEventId,
  recogniseReturningVisitor,
];

/** What processing an event needs besides the event. */
export interface Context {
  site: IngestSite;
  salts: SiteSalts;
  sender: Sender;
  now: Date;
  /** Its position in the order of all events, in epoch microseconds: see `reserveTimestamps` and `timesOf`. */
  timestamp: number;
  /** The sender gave that time. */
  isTimed?: boolean;
}

/** What was sent, what is decided of it so far, and what later steps need of earlier ones. */
interface Draft extends Context {
  sent: SentEvent;
  decided: DecidedEvent;
  agent: KnownAgent;
  /** The visitor's address at the site's precision; null when the sender is not a browser. */
  address: string | null;
  /** Whether the event has no visitor, and so no visit. */
  anonymous: boolean;
  url: URL | null;
  /** The normalised full path of the page, with the query that belongs to it; null when the event has no page. */
  path: string | null;
  location: Location | null;
  /** The properties as they are stored. */
  props: Props;
}

/**
 * Decides an event that was sent, without I/O, or returns why it is filtered.
 *
 * @throws Refusal `invalid_input` for a URL that is malformed or not on the site.
 */
export function decideEvent(
  sent: SentEvent,
  context: Context,
): DecidedEvent | { filtered: FilterReason; page: EventPage | null } {
  const decided = undecided(context);
  const { site, salts, sender, now, timestamp } = context;
  // Without a spread, which makes an object whose fields are slow to read.
  const draft: Draft = {
    site,
    salts,
    sender,
    now,
    timestamp,
    sent,
    decided,
    agent: NO_AGENT,
    address: null,
    anonymous: false,
    url: null,
    path: null,
    location: null,
    props: NO_PROPS,
  };
  for (const step of steps) {
    const filtered = step(draft);
    if (filtered) return { filtered, page: decided.page };
  }
  return decided;
}

const NO_PROPS: Props = {};

/** Returns an event of which nothing is decided yet. */
const undecided = ({ site, timestamp, isTimed = false }: Context): DecidedEvent => ({
  siteId: site.id,
  timezone: site.timezone,
  timestamp,
  isTimed,
  keys: [],
  isPageKey: false,
  type: "event",
  name: null,
  page: null,
  referrer: DIRECT_REFERRER,
  campaign: null,
  place: unknownValue("place"),
  agent: unknownValue("agent"),
  traffic: "human",
  verdict: null,
  visitors: [],
  userHash: null,
  returningVisitor: null,
  engagementMs: null,
  scroll: null,
  revenue: null,
  currency: null,
  props: null,
  status: null,
  scrubbed: [],
});

/** Returns a function that removes personal data from text and notes what it removed. */
const clean = (draft: Draft, place: ScrubbedPlace) => (text: string) =>
  scrub(text, (kind) => draft.decided.scrubbed.push({ kind, place, name: "" }), contextOf(draft));

const contextOf = (draft: Draft): ScrubContext => ({
  rules: draft.site.scrubRules,
  country: () => locationOf(draft).country,
});

function recogniseSender(draft: Draft): undefined {
  const { sent, site, sender } = draft;
  const agent = agentOf(sender);
  draft.agent = isServerEvent(sender, agent) ? NO_AGENT : agent;
  draft.address = visitorAddress(sender, site, draft.agent);
  draft.anonymous = isAnonymous(sent, sender, { address: draft.address, agent });
}

function readAddress(draft: Draft): undefined {
  const { sent, site } = draft;
  if (sent.url !== undefined) {
    draft.url = pageUrl(sent.url);
    if (draft.url.hostname.length > 253 || !hasPagesOn(site, draft.url.hostname)) {
      throw invalidInput([
        { path: "url", message: `is not on ${site.domains.join(" or ")}; add its domain to the site` },
      ]);
    }
  }
  draft.path = pagePath(sent, draft.url, site.pageQuery);
  draft.decided.page = decidedPage(draft);
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
function pagePath(sent: SentEvent, url: URL | null, pageQuery: readonly string[]): string | null {
  if (sent.path === undefined) return url && pathOfUrl(url, pageQuery);
  return sent.type === "screen" ? canonicalEncoding(sent.path) : canonicalPath(sent.path);
}

function decidedPage(draft: Draft): EventPage | null {
  const { sent, url, path, site } = draft;
  if (path === null) return null;
  return {
    hostname: url ? canonicalHost(url.hostname) : (site.domains[0] ?? ""),
    path: clipPath(site.scrubRules.keepsPath(path) ? path : clean(draft, "path")(path)),
    title: sent.title ? clip(clean(draft, "title")(sent.title), 1000) : null,
  };
}

function honourGpc({ site, sender }: Draft): FilterReason | undefined {
  return site.honourGpc && sender.gpc ? "gpc" : undefined;
}

/** Applies the site's exclusion rules to the full address and path, however little of them is stored. */
function applyExclusions(draft: Draft): FilterReason | undefined {
  const { sent, site, sender, path, decided } = draft;
  if (sent.own) return "own_traffic";
  const hostname = decided.page?.hostname ?? null;
  const country = () => locationOf(draft).country;
  return site.exclusions.excluded({ address: sender.address, hostname, path, country });
}

function readSource(draft: Draft): undefined {
  const { sent, site, url, anonymous, decided } = draft;
  const query = sent.campaign ? utmOf(sent.campaign) : url?.searchParams;
  const campaign = query ? readCampaign(query, clean(draft, "campaign")) : null;
  const click = url && readClick(url.searchParams);
  const origin = { referrer: sent.referrer ?? null, campaign, click };
  const isUnknown = anonymous && !origin.referrer && !campaign && !click;
  const isOwn = (host: string) => hasPagesOn(site, host);
  decided.campaign = campaign;
  decided.referrer = isUnknown ? UNKNOWN_REFERRER : readReferrer(origin, isOwn, clean(draft, "referrer"));
}

const utmOf = (campaign: NonNullable<SentEvent["campaign"]>): URLSearchParams =>
  new URLSearchParams(Object.entries(campaign).map(([name, value]) => [`utm_${name}`, value]));

function describeAgent({ sent, agent, decided }: Draft): undefined {
  const { verdict: _, isBrowser: __, ...known } = agent;
  decided.agent = { ...known, screen: screenClass(sent.screen ?? undefined) };
}

function readPlace(draft: Draft): undefined {
  const { sent, site, decided } = draft;
  const location = site.geoPrecision === "none" ? UNKNOWN_LOCATION : coarsen(locationOf(draft), site.geoPrecision);
  decided.place = { ...location, language: languageTag(sent.language ?? undefined) };
}

function locationOf(draft: Draft): Location {
  draft.location ??= findLocation(draft.address ?? "");
  return draft.location;
}

function readDetails(draft: Draft): undefined {
  const { sent, decided } = draft;
  const type = typeOfEvent(sent);
  decided.type = type === "event" && sent.interactive === false ? "passive" : type;
  const name = nameOf(sent, type);
  decided.name = name === null ? null : clip(clean(draft, "event_name")(name), 1020);
  decided.engagementMs = sent.engagement?.ms ?? null;
  decided.scroll = sent.engagement?.scroll ?? null;
  decided.status = sent.status ?? null;
  decided.revenue = sent.revenue ? String(sent.revenue.amount) : null;
  decided.currency = sent.revenue?.currency ?? null;
  const note = (kind: ScrubbedPiece["kind"], name: string) => decided.scrubbed.push({ kind, place: "property", name });
  draft.props = scrubProps(propsToStore(sent, type) ?? NO_PROPS, note, contextOf(draft));
  decided.props = Object.keys(draft.props).length > 0 ? JSON.stringify(draft.props) : null;
}

function nameOf(sent: SentEvent, type: ReturnType<typeof typeOfEvent>): string | null {
  if (type === "event" || type === "commerce") return sent.name;
  return type === "exposure" && sent.exposure ? sent.exposure.experiment : null;
}

/**
 * Vitals are stored as properties, and so is the variant of an exposure. A page view may report its vitals several
 * times and only the last report counts: readers take, for each metric, the last row (by `ts`) of every visit and
 * `view` (each row without one is its own view), and only then average or rank.
 */
function propsToStore(sent: SentEvent, type: ReturnType<typeof typeOfEvent>): Props | null | undefined {
  if (type === "vitals") return sent.vitals;
  if (type === "exposure" && sent.exposure) return { ...sent.props, variant: sent.exposure.variant };
  return sent.props;
}

/** Sets the traffic class. The only step with state: it counts the pages that an address opened within the minute. */
function classify({ sent, agent, sender, site, now, decided }: Draft): undefined {
  const opens = decided.type === "pageview" || decided.type === "screen";
  const own = sender.page || sender.vouched ? sender.address : null;
  // A server may send a whole hour of events at once, so its pace says nothing about a visitor.
  const pageAddress = opens && sender.page ? sender.address : null;
  const tooMany = pageAddress !== null && opensTooMany(site.id, pageAddress, sender.userAgent, now);
  const verdict = classifyEvent({
    byAgent: agent.verdict,
    from: decided.referrer.url,
    address: own,
    isBrowser: agent.isBrowser,
    contradiction:
      (sender.page && contradictionOf(sender.userAgent, sender.page)) || (sent.automated ? "automated" : null),
    tooMany,
    signed: sender.signature ? signedAgentOf(sender.signature, site, now) : null,
  });
  decided.verdict = sender.keyed && verdict?.traffic === "suspicious" ? null : verdict;
  decided.traffic = decided.verdict?.traffic ?? "human";
}

/** Returns the agent that signed a request, at the service itself or at the site, whose proxy may have forwarded it. */
const signedAgentOf = (signature: RequestSignature, site: IngestSite, now: Date): SignedAgent | null =>
  checkSignature(signature, {
    method: "POST",
    authorities: [new URL(env().BASE_URL).host, ...site.domains.slice(0, MAX_AUTHORITIES)],
    now,
    keysOf: (host) => signatureKeysOf(host, now),
  });
/** Each costs a verification when the signature is wrong. */
const MAX_AUTHORITIES = 5;

function noteScrubbed({ site, now, decided, props }: Draft): undefined {
  for (const piece of decided.scrubbed) countPiece(site.id, now, piece, resultOf(piece, decided, props));
}

/** Returns the text that is stored with a replaced piece. */
function resultOf({ kind, place, name }: ScrubbedPiece, decided: DecidedEvent, props: Props): string {
  const { page, referrer, campaign } = decided;
  switch (place) {
    case "path":
      return page?.path ?? "";
    case "title":
      return page?.title ?? "";
    case "referrer":
      return referrer.url;
    case "campaign":
      return fieldWith(`(${kind})`, campaign);
    case "event_name":
      return decided.name ?? "";
    case "property":
      return name === "" ? `(${kind})` : textOfProperty(props[name]);
  }
}

const fieldWith = (text: string, campaign: Campaign | null): string =>
  Object.values(campaign ?? {}).find((field: string) => field.includes(text)) ?? "";
const textOfProperty = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function identifyVisitor(draft: Draft): undefined {
  const { site, salts, sender, decided } = draft;
  if (draft.anonymous) return;
  const { visitors, userHash } = visitorsOf(site, salts.day, identifiersOf(draft), sender.known);
  decided.visitors = visitors;
  decided.userHash = userHash;
}

function reserveEventId({ sent, site, sender, decided }: Draft): undefined {
  if (sent.event_id === undefined) return;
  // Only requests from pages have an Origin; a server may choose any event id.
  decided.isPageKey = Boolean(sender.page) && isPageId(sent.event_id);
  decided.keys = eventKeys(sent.event_id, sender, site, decided);
}

function recogniseReturningVisitor(draft: Draft): undefined {
  const { site, salts, timestamp, decided } = draft;
  const at = new Date(millisecondOf(timestamp));
  decided.returningVisitor = salts.month && returningVisitorOf(site, salts.month, identifiersOf(draft), at);
}

/** Returns what the sender may be recognised by. */
function identifiersOf({ sent, sender, address, decided }: Draft) {
  const { user_id: userId = null, session_id: sessionId = null } = sent;
  const isBot = decided.traffic === "bot" || decided.traffic === "ai";
  return { address, userAgent: sender.userAgent, isBot, userId, sessionId };
}
