import type { EventDebugRecord } from "@/lib/ingest/debug/debug-record-schema";
import type { AddressFrom } from "@/lib/ingest/debug/debug-record-text";
import { channelRuleOf } from "@/lib/ingest/enrich/channels";
import {
  type DecidedEvent,
  type EventPage,
  FILTER_REASONS,
  type FilterReason,
  type Outcome,
} from "@/lib/ingest/event/decided-event";
import { type SentEvent, typeOfEvent } from "@/lib/ingest/event/sent-event";
import { REASONS } from "@/lib/ingest/event/verdict";
import { agentOf, type Sender } from "@/lib/ingest/pipeline/sender";
import { scrub } from "@/lib/ingest/scrubbing/scrub";
import { NO_RULES, type ScrubRules } from "@/lib/ingest/scrubbing/site-rules";
import { CLIENT_IP_REASONS, type ClientIpReason } from "@/lib/ingest/site/forwarded-address";
import { storedPath } from "@/lib/platform/canonical";
import { Refusal } from "@/lib/platform/errors";
import { clip, parseUrl } from "@/lib/platform/text";

/** Describes an event for the live window: what is stored of it, and nothing that is not. */

/** Limits of one record: bytes of a text, and number of properties. */
const MAX_TEXT_BYTES = 300;
const MAX_PROPERTIES = 30;

/** The API an event arrived through, and where its sender's address was taken from. */
export interface Arrival {
  surface: EventDebugRecord["surface"];
  from: AddressFrom;
  /** Why a forwarded address is not used. */
  rejected?: ClientIpReason | undefined;
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

/** Describes a decided event and what the writer did with it. */
export function describeEvent(
  decided: DecidedEvent,
  outcome: Outcome,
  by: { sent: SentEvent; sender: Sender; arrival: Arrival },
): EventDebugRecord {
  const { surface } = by.arrival;
  const filtered = outcome.status === "filtered" ? outcome.reason : null;
  return {
    ...BLANK,
    ...contentOf(decided),
    surface,
    outcome: outcome.status,
    reason: filtered,
    because: filtered && FILTER_REASONS[filtered],
    class: classOf(decided, outcome),
    visit: outcome.status === "stored" ? outcome.visit : null,
    visitor: describeVisitor(decided, by),
  };
}

/**
 * Describes an event that was filtered before it was decided whole. Nothing else is reported of a visitor who opted
 * out by GPC.
 */
export function describeFiltered(
  { filtered, page }: { filtered: FilterReason; page: EventPage | null },
  sent: SentEvent,
  { surface }: Arrival,
  rules: ScrubRules,
): EventDebugRecord {
  const because = FILTER_REASONS[filtered];
  const base = { ...BLANK, surface, outcome: "filtered", reason: filtered, because, type: typeOfEvent(sent) } as const;
  return filtered === "gpc" ? base : { ...base, name: cleaned(sent.name, rules), page: pageInRecord(page) };
}

/** Describes a repeated event, which is not decided again. */
export const describeDuplicate = ({ surface }: Arrival): EventDebugRecord => ({
  ...BLANK,
  surface,
  outcome: "duplicate",
});

/**
 * Describes a refused event with the error that its sender received. Of the event itself, only name and page are shown.
 */
export function describeRefused(
  error: unknown,
  surface: EventDebugRecord["surface"],
  sent: unknown,
  events = 1,
): EventDebugRecord {
  const { code, message, details } = error instanceof Refusal ? error : INTERNAL_ERROR;
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

const INTERNAL_ERROR = {
  code: "internal",
  message: "The service failed; its log has the details.",
  details: undefined,
};

const OUTCOMES: Record<string, EventDebugRecord["outcome"]> = {
  invalid_input: "invalid",
  malformed_json: "invalid",
  payload_too_large: "invalid",
  unsupported_media_type: "invalid",
  rate_limited: "refused",
  quota_exceeded: "refused",
  site_not_granted: "refused",
  invalid_token: "refused",
  unauthenticated: "refused",
};

const clipped = (text: string): string => clip(text, MAX_TEXT_BYTES);
const orNull = (text: string): string | null => (text === "" ? null : clipped(text));
const cleaned = (text: string, rules = NO_RULES): string =>
  clipped(scrub(text, () => {}, { rules, country: () => "" }));
/** Returns the same fields, each cut, and null where unknown. */
const eachOrNull = <Key extends string>(fields: Record<Key, string>) =>
  Object.fromEntries(Object.entries<string>(fields).map(([key, text]) => [key, orNull(text)])) as Record<
    Key,
    string | null
  >;

function contentOf(decided: DecidedEvent): Partial<EventDebugRecord> {
  const { source, channel, rule, url } = decided.referrer;
  const { country, region, city, language } = decided.place;
  const { bot: _, ...agent } = decided.agent;
  return {
    type: decided.type,
    name: decided.name && clipped(decided.name),
    page: pageInRecord(decided.page),
    source: {
      source: orNull(source),
      channel: clipped(channel),
      rule,
      because: channelRuleOf(rule)?.when ?? null,
      referrer: orNull(url),
    },
    campaign: decided.campaign && eachOrNull({ ...decided.campaign }),
    place: eachOrNull({ country, region, city }),
    language: orNull(language),
    agent: eachOrNull(agent),
    revenue: decided.revenue === null ? null : { amount: decided.revenue, currency: decided.currency ?? "" },
    engagement: decided.engagementMs === null ? null : { ms: decided.engagementMs, scroll: decided.scroll },
    ...propertiesOf(decided.props),
    scrubbed: [...new Set(decided.scrubbed.map(({ kind }) => kind))],
  };
}

const pageInRecord = (page: EventPage | null): EventDebugRecord["page"] =>
  page && { hostname: clipped(page.hostname), path: clipped(page.path), title: page.title && clipped(page.title) };

function propertiesOf(props: string | null): Pick<EventDebugRecord, "properties" | "properties_left_out"> {
  if (props === null) return { properties: null, properties_left_out: 0 };
  const entries = Object.entries<unknown>(JSON.parse(props));
  const shown = entries.slice(0, MAX_PROPERTIES).map(([key, value]) => {
    return [clipped(key), clipped(typeof value === "string" ? value : JSON.stringify(value))];
  });
  return { properties: Object.fromEntries(shown), properties_left_out: entries.length - shown.length };
}

function classOf({ verdict, traffic }: DecidedEvent, outcome: Outcome): EventDebugRecord["class"] {
  const none = { reason: null, because: null, bot: null, operator: null, purpose: null, verified: null };
  if (verdict) {
    const { reason, bot, operator, purpose, verified } = verdict;
    return { ...eachOrNull({ bot, operator, purpose, verified }), traffic, reason, because: REASONS[reason].about };
  }
  if (outcome.status !== "stored" || outcome.traffic === traffic) return { ...none, traffic };
  return { ...none, traffic: outcome.traffic, reason: "suspicious_visit", because: SUSPICIOUS_VISIT };
}

const SUSPICIOUS_VISIT = "An earlier event of this visit was suspicious, so all later ones are too.";

function describeVisitor(
  decided: DecidedEvent,
  { sent, sender, arrival }: { sent: SentEvent; sender: Sender; arrival: Arrival },
): EventDebugRecord["visitor"] {
  const isVisitorAddress = sender.address !== null && (sender.vouched === true || agentOf(sender).isBrowser);
  const fallback = decided.visitors.length === 0 ? "none" : isVisitorAddress ? "address" : "agent";
  return {
    known_by: sent.user_id ? "user_id" : sent.session_id ? "session_id" : fallback,
    address_from: isVisitorAddress ? arrival.from : "none",
    because: arrival.rejected ? CLIENT_IP_REASONS[arrival.rejected] : null,
  };
}

/** Reads the name and page of untrusted input. */
function sketchOf(sent: unknown): Pick<EventDebugRecord, "name" | "page"> {
  const { name, url, context } = (typeof sent === "object" && sent !== null ? sent : {}) as Record<string, unknown>;
  const address = url ?? (context as { page?: { url?: unknown } } | null | undefined)?.page?.url;
  const page = typeof address === "string" && address.length <= 4096 ? parseUrl(address) : null;
  return {
    name: typeof name === "string" ? cleaned(name.slice(0, 1000)) : null,
    page: page && {
      hostname: clipped(page.hostname),
      path: cleaned(storedPath(page.pathname)),
      title: null,
    },
  };
}
