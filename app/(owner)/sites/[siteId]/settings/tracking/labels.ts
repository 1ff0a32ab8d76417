import type { Tone } from "@/components/ui/badge";
import { formatSeconds } from "@/lib/contract/numbers";
import { ADDRESSES_FROM, type DebugOutcome, SURFACES } from "@/lib/ingest/debug/debug-record-text";
import type { TrackedEvent } from "@/lib/sites/tracking-shape";
import { capitalise } from "@/lib/texts/capitalise";
import { msg, t } from "@/lib/texts/translate";

/** Labels of events on the live test page. */

export const OUTCOME_LABELS: Record<DebugOutcome, { label: string; inCounts: string; tone: Tone }> = {
  stored: { label: msg("Counted"), inCounts: msg("counted"), tone: "good" },
  duplicate: { label: msg("Duplicate"), inCounts: msg("duplicate"), tone: "plain" },
  filtered: { label: msg("Excluded"), inCounts: msg("excluded"), tone: "warn" },
  invalid: { label: msg("Invalid"), inCounts: msg("invalid"), tone: "bad" },
  refused: { label: msg("Refused"), inCounts: msg("refused"), tone: "bad" },
  error: { label: msg("Not stored"), inCounts: msg("not stored"), tone: "bad" },
};

export const CLASSES = {
  human: msg("Person"),
  bot: msg("Bot"),
  ai: msg("AI"),
  spam: msg("Spam"),
  suspicious: msg("Suspicious"),
} as const;

const TYPES: Record<NonNullable<TrackedEvent["type"]>, string> = {
  pageview: msg("Pageview"),
  event: msg("Event"),
  passive: msg("Passive event"),
  engagement: msg("Time and scrolling"),
  screen: msg("Screen"),
  identify: msg("Identify"),
  exposure: msg("Experiment"),
  commerce: msg("Commerce"),
  vitals: msg("Web vitals"),
};

const VISITS = { new: msg("New visit"), continued: msg("Continued"), none: msg("None") } as const;

const KNOWN_BY = {
  user_id: msg("user id of the sender"),
  session_id: msg("session id of the sender"),
  address: msg("IP address and user agent, for one day"),
  agent: msg("user agent only"),
  none: null,
} as const;

const VERIFIED: Record<string, string> = {
  verified: msg("IP address belongs to the operator"),
  spoofed: msg("IP address does not belong to the operator"),
  claimed: msg("the operator publishes no IP addresses"),
};

/** One-line summary of an event. */
export function eventTitle({ type, name, page, events }: TrackedEvent): string {
  if (events > 1) return t("{count, plural, one {# event} other {# events}} at once", { count: events });
  if (name === "pageview" || type === "screen") return page?.path ?? t(TYPES[type ?? "pageview"]);
  const label = name ?? t((type && TYPES[type]) ?? TYPES.event);
  return page ? `${label} · ${page.path}` : label;
}

const joinParts = (...parts: (string | null | undefined | false)[]): string => parts.filter(Boolean).join(" · ");

interface Field {
  name: string;
  value: string;
  about?: string | undefined;
}

/** The fields of an event with value and explanation. Fields that do not apply are omitted. */
export function factsOfEvent(event: TrackedEvent): Field[] {
  const { source, campaign, place, agent, visitor, revenue, engagement, page } = event;
  const knownBy = visitor && KNOWN_BY[visitor.known_by];
  const fields: (Field | null | "" | false | undefined)[] = [
    { name: t("Received by"), value: t(SURFACES[event.surface]) },
    event.type && { name: t("Event"), value: joinParts(t(TYPES[event.type]), event.name !== "pageview" && event.name) },
    page && { name: t("Page"), value: `${page.hostname}${page.path}`, about: page.title ?? undefined },
    source && {
      name: t("Source"),
      value: joinParts(source.source ?? t("Direct or unknown"), t(source.channel)),
      about: joinParts(source.because && `${t(source.channel)}: ${t(source.because)}`, source.referrer),
    },
    campaign && { name: t("Campaign"), value: joinParts(...Object.values(campaign)) },
    place && { name: t("Location"), value: [place.city, place.region, place.country].filter(Boolean).join(", ") },
    agent && { name: t("Language"), value: event.language ?? "" },
    agent && {
      name: t("Browser"),
      value: joinParts(
        agent.browser && [agent.browser, agent.browser_version].filter(Boolean).join(" "),
        agent.os && [agent.os, agent.os_version].filter(Boolean).join(" "),
        agent.device,
      ),
      about: agent.screen ?? undefined,
    },
    classField(event),
    event.visit && { name: t("Visit"), value: t(VISITS[event.visit]) },
    visitor && {
      name: t("Visitor"),
      value: knownBy ? t("Identified by {what}", { what: t(knownBy) }) : t("None: sent by a server"),
      about: joinParts(
        capitalise(t(ADDRESSES_FROM[visitor.address_from])),
        visitor.because && t("Forwarded address not used: {reason}", { reason: t(visitor.because) }),
      ),
    },
    revenue && { name: t("Revenue"), value: `${revenue.amount} ${revenue.currency}` },
    engagement && {
      name: t("Engagement"),
      value: joinParts(
        formatSeconds(engagement.ms / 1000),
        engagement.scroll !== null && t("scrolled to {percent} %", { percent: engagement.scroll }),
      ),
    },
  ];
  return fields.filter((field) => !!field);
}

function classField({ class: classification }: TrackedEvent) {
  if (!classification) return null;
  const { traffic, because, bot, operator, verified } = classification;
  return {
    name: t("Class"),
    value: joinParts(t(CLASSES[traffic]), bot, operator),
    about: joinParts(
      because === null ? t("No signs of automation.") : t(because),
      verified && t(VERIFIED[verified] ?? ""),
    ),
  };
}
