import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import type { AddressFrom } from "@/lib/ingest/debug/debug-record-text";
import { channelRuleOf } from "@/lib/ingest/enrich/channels";
import { REASONS } from "@/lib/ingest/enrich/verdict";
import { scrub } from "@/lib/ingest/event/scrub";
import { FILTER_REASONS, type FilterReason, type Page } from "@/lib/ingest/event/values";
import { agentOf, type Sender } from "@/lib/ingest/pipeline/pipeline";
import { type ReadEvent, typeOf } from "@/lib/ingest/pipeline/schema";
import { CLIENT_IP_REASONS, type ClientIpReason } from "@/lib/ingest/site/client-ip";
import type { EventRow, Outcome } from "@/lib/ingest/store/event-row";
import { Refusal } from "@/lib/platform/errors";
import { clip, clipPath, parseUrl } from "@/lib/platform/text";

export type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";

/** How a hit is told to the owner of its site: what would be stored of it, and nothing that would not. */

/** Bytes of one text, and properties of one hit. */
const LONGEST = 300;
const MOST_PROPERTIES = 30;

/** Where a hit came in, and what its sender's address was taken from. */
export interface Arrival {
  surface: EventDebugRecord["surface"];
  from: AddressFrom;
  /** Why an address that was passed on is not used. */
  unused?: ClientIpReason | undefined;
}

const BLANK: Omit<EventDebugRecord, "surface" | "outcome"> = {
  events: 1,
  reason: null,
  because: null,
  issues: [],
  type: null,
  name: null,
  page: null,
  source: null,
  campaign: null,
  place: null,
  language: null,
  agent: null,
  class: null,
  visit: null,
  visitor: null,
  revenue: null,
  engagement: null,
  properties: null,
  properties_left_out: 0,
  scrubbed: [],
};

/** A hit that was read whole, with what the writer made of it. */
export function describeEvent(
  hit: EventRow,
  outcome: Outcome,
  by: { event: ReadEvent; sender: Sender; arrival: Arrival },
): EventDebugRecord {
  const { surface } = by.arrival;
  const filtered = outcome.status === "filtered" ? outcome.reason : null;
  return {
    ...BLANK,
    ...contentOf(hit),
    surface,
    outcome: outcome.status,
    reason: filtered,
    because: filtered && FILTER_REASONS[filtered],
    class: classOf(hit, outcome),
    visit: outcome.status === "stored" ? outcome.visit : null,
    visitor: visitorOf(hit, by),
  };
}

/** A hit that a rule of the site left out before it was read whole. Of who asks not to be tracked nothing is told. */
export function describeFiltered(
  { filtered, page }: { filtered: FilterReason; page: Page | null },
  event: ReadEvent,
  { surface }: Arrival,
): EventDebugRecord {
  const because = FILTER_REASONS[filtered];
  const told = { ...BLANK, surface, outcome: "filtered", reason: filtered, because, type: typeOf(event) } as const;
  return filtered === "gpc" ? told : { ...told, name: cleaned(event.name), page: pageOf(page) };
}

/** An event whose id of ours says that it is stored: it was not read again. */
export const describeDuplicate = ({ surface }: Arrival): EventDebugRecord => ({
  ...BLANK,
  surface,
  outcome: "duplicate",
});

/** What was refused, with what its sender is told. Of what was sent only its name and page are shown. */
export function describeRefused(
  error: unknown,
  surface: EventDebugRecord["surface"],
  sent: unknown,
  events = 1,
): EventDebugRecord {
  const { code, message, details } = error instanceof Refusal ? error : UNKNOWN;
  const issues = (details?.issues ?? []) as { path: string; message: string }[];
  return {
    ...BLANK,
    surface,
    events,
    outcome: OUTCOMES[code] ?? "error",
    reason: code,
    because: cleaned(message),
    issues: issues.map((issue) => ({ path: cleaned(issue.path), message: cleaned(issue.message) })),
    ...sketchOf(sent),
  };
}

const UNKNOWN = { code: "internal", message: "The service failed; it is in its log.", details: undefined };

const OUTCOMES: Record<string, EventDebugRecord["outcome"]> = {
  invalid_input: "invalid",
  malformed_json: "invalid",
  payload_too_large: "invalid",
  unsupported_media_type: "invalid",
  rate_limited: "refused",
  quota_exceeded: "refused",
  invalid_token: "refused",
  unauthenticated: "refused",
};

const cut = (text: string): string => clip(text, LONGEST);
const known = (text: string): string | null => (text === "" ? null : cut(text));
const cleaned = (text: string): string => cut(scrub(text, () => {}));
/** The same fields, each cut, and null where it is unknown. */
const eachKnown = <Key extends string>(fields: Record<Key, string>) =>
  Object.fromEntries(Object.entries<string>(fields).map(([key, text]) => [key, known(text)])) as Record<
    Key,
    string | null
  >;

function contentOf(hit: EventRow): Partial<EventDebugRecord> {
  const { source, channel, rule, url } = hit.referrer;
  const { country, region, city, language } = hit.place;
  const { bot: _, ...agent } = hit.agent;
  return {
    type: hit.type,
    name: hit.name && cut(hit.name),
    page: pageOf(hit.page),
    source: {
      source: known(source),
      channel: cut(channel),
      rule,
      because: channelRuleOf(rule)?.when ?? null,
      referrer: known(url),
    },
    campaign: hit.campaign && eachKnown({ ...hit.campaign }),
    place: eachKnown({ country, region, city }),
    language: known(language),
    agent: eachKnown(agent),
    revenue: hit.revenue === null ? null : { amount: hit.revenue, currency: hit.currency ?? "" },
    engagement: hit.engagementMs === null ? null : { ms: hit.engagementMs, scroll: hit.scroll },
    ...propertiesOf(hit.props),
    scrubbed: [...new Set(hit.scrubbed)],
  };
}

const pageOf = (page: Page | null): EventDebugRecord["page"] =>
  page && { hostname: cut(page.hostname), path: cut(page.path), title: page.title && cut(page.title) };

function propertiesOf(props: string | null): Pick<EventDebugRecord, "properties" | "properties_left_out"> {
  if (props === null) return { properties: null, properties_left_out: 0 };
  const entries = Object.entries<unknown>(JSON.parse(props));
  const told = entries.slice(0, MOST_PROPERTIES).map(([key, value]) => {
    return [cut(key), cut(typeof value === "string" ? value : JSON.stringify(value))];
  });
  return { properties: Object.fromEntries(told), properties_left_out: entries.length - told.length };
}

function classOf({ verdict, traffic }: EventRow, outcome: Outcome): EventDebugRecord["class"] {
  const none = { reason: null, because: null, bot: null, operator: null, purpose: null, verified: null };
  if (verdict) {
    const { reason, bot, operator, purpose, verified } = verdict;
    return { ...eachKnown({ bot, operator, purpose, verified }), traffic, reason, because: REASONS[reason].about };
  }
  if (outcome.status !== "stored" || outcome.traffic === traffic) return { ...none, traffic };
  return { ...none, traffic: outcome.traffic, reason: "suspicious_visit", because: OF_ITS_VISIT };
}

const OF_ITS_VISIT = "Something earlier in this visit was suspicious, and so is what follows in it.";

function visitorOf(
  hit: EventRow,
  { event, sender, arrival }: { event: ReadEvent; sender: Sender; arrival: Arrival },
): EventDebugRecord["visitor"] {
  const isVisitors = sender.address !== null && (sender.vouched === true || agentOf(sender).isBrowser);
  const otherwise = hit.ofServer ? "none" : isVisitors ? "address" : "agent";
  return {
    known_by: event.user_id ? "user_id" : event.session_id ? "session_id" : otherwise,
    address_from: isVisitors ? arrival.from : "none",
    because: arrival.unused ? CLIENT_IP_REASONS[arrival.unused] : null,
  };
}

/** The name and page of what may be anything. */
function sketchOf(sent: unknown): Pick<EventDebugRecord, "name" | "page"> {
  const { name, url, context } = (typeof sent === "object" && sent !== null ? sent : {}) as Record<string, unknown>;
  const address = url ?? (context as { page?: { url?: unknown } } | null | undefined)?.page?.url;
  const page = typeof address === "string" && address.length <= 4096 ? parseUrl(address) : null;
  return {
    name: typeof name === "string" ? cleaned(name.slice(0, 1000)) : null,
    page: page && { hostname: cut(page.hostname), path: cleaned(clipPath(page.pathname)), title: null },
  };
}
