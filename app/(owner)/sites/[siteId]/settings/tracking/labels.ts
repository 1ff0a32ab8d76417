import type { Tone } from "@/components/ui/badge";
import { capitalise } from "@/components/ui/capitalise";
import { ADDRESSES_FROM, type DebugOutcome, SURFACES } from "@/lib/ingest/debug/debug-record-text";
import type { TrackedEvent } from "@/lib/sites/tracking-shape";

/** Labels of events on the live test page. */

export const OUTCOMES: Record<DebugOutcome, { label: string; tone: Tone }> = {
  stored: { label: "Counted", tone: "good" },
  duplicate: { label: "Duplicate", tone: "plain" },
  filtered: { label: "Excluded", tone: "warn" },
  invalid: { label: "Invalid", tone: "bad" },
  refused: { label: "Refused", tone: "bad" },
  error: { label: "Not stored", tone: "bad" },
};

export const CLASSES = { human: "Person", bot: "Bot", ai: "AI", spam: "Spam", suspicious: "Suspicious" } as const;

const TYPES: Record<NonNullable<TrackedEvent["type"]>, string> = {
  pageview: "Pageview",
  event: "Event",
  passive: "Passive event",
  engagement: "Time and scrolling",
  screen: "Screen",
  identify: "Identify",
  exposure: "Experiment",
  commerce: "Commerce",
  vitals: "Web vitals",
};

const VISITS = { new: "New visit", continued: "Continued", none: "None" } as const;

const KNOWN_BY = {
  user_id: "user id of the sender",
  session_id: "session id of the sender",
  address: "IP address and user agent, for one day",
  agent: "user agent only",
  none: null,
} as const;

const VERIFIED: Record<string, string> = {
  verified: "IP address belongs to the operator",
  spoofed: "IP address does not belong to the operator",
  claimed: "the operator publishes no IP addresses",
};

/** One-line summary of an event. */
export function titleOf({ type, name, page, events }: TrackedEvent): string {
  if (events > 1) return `${events} events at once`;
  if (name === "pageview" || type === "screen") return page?.path ?? TYPES[type ?? "pageview"];
  const label = name ?? (type && TYPES[type]) ?? "Event";
  return page ? `${label} · ${page.path}` : label;
}

const joinParts = (...parts: (string | null | undefined | false)[]): string => parts.filter(Boolean).join(" · ");

interface Field {
  name: string;
  value: string;
  about?: string | undefined;
}

/** The fields of an event with value and explanation. Fields that do not apply are omitted. */
export function fieldsOf(event: TrackedEvent): Field[] {
  const { source, campaign, place, agent, visitor, revenue, engagement, page } = event;
  const fields: (Field | null | "" | false | undefined)[] = [
    { name: "Received by", value: SURFACES[event.surface] },
    event.type && { name: "Event", value: joinParts(TYPES[event.type], event.name !== "pageview" && event.name) },
    page && { name: "Page", value: `${page.hostname}${page.path}`, about: page.title ?? undefined },
    source && {
      name: "Source",
      value: joinParts(source.source ?? "Direct or unknown", source.channel),
      about: joinParts(source.because && `${source.channel}: ${source.because}`, source.referrer),
    },
    campaign && { name: "Campaign", value: joinParts(...Object.values(campaign)) },
    place && { name: "Location", value: [place.city, place.region, place.country].filter(Boolean).join(", ") },
    agent && { name: "Language", value: event.language ?? "" },
    agent && {
      name: "Browser",
      value: joinParts(
        agent.browser && [agent.browser, agent.browser_version].filter(Boolean).join(" "),
        agent.os && [agent.os, agent.os_version].filter(Boolean).join(" "),
        agent.device,
      ),
      about: agent.screen ?? undefined,
    },
    classField(event),
    event.visit && { name: "Visit", value: VISITS[event.visit] },
    visitor && {
      name: "Visitor",
      value: KNOWN_BY[visitor.known_by] ? `Identified by ${KNOWN_BY[visitor.known_by]}` : "None: sent by a server",
      about: joinParts(
        capitalise(ADDRESSES_FROM[visitor.address_from]),
        visitor.because && `Forwarded address not used: ${visitor.because}`,
      ),
    },
    revenue && { name: "Revenue", value: `${revenue.amount} ${revenue.currency}` },
    engagement && {
      name: "Engagement",
      value: joinParts(
        `${Math.round(engagement.ms / 1000)} s`,
        engagement.scroll !== null && `scrolled to ${engagement.scroll} %`,
      ),
    },
  ];
  return fields.filter((field) => !!field);
}

function classField({ class: classification }: TrackedEvent) {
  if (!classification) return null;
  const { traffic, because, bot, operator, verified } = classification;
  return {
    name: "Class",
    value: joinParts(CLASSES[traffic], bot, operator),
    about: joinParts(because ?? "No signs of automation.", verified && VERIFIED[verified]),
  };
}
