import type { Tone } from "@/components/ui/badge";
import { ADDRESSES_FROM, type AddressFrom, type DebugOutcome } from "@/lib/ingest/debug/debug-record-text";
import type { TrackedHit } from "@/lib/sites/tracking-shape";

/** How hits are said on the page of a live test. */

export const OUTCOMES: Record<DebugOutcome, { label: string; tone: Tone }> = {
  stored: { label: "Counted", tone: "good" },
  duplicate: { label: "Repeated", tone: "plain" },
  filtered: { label: "Left out", tone: "warn" },
  invalid: { label: "Not understood", tone: "bad" },
  refused: { label: "Refused", tone: "bad" },
  error: { label: "Not stored", tone: "bad" },
};

export const CLASSES = { human: "Person", bot: "Bot", ai: "AI", spam: "Spam", suspicious: "Suspicious" } as const;

const TYPES: Record<NonNullable<TrackedHit["type"]>, string> = {
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

const VISITS = { new: "New visit", continued: "Continued", none: "None: the event belongs to no visit" } as const;

const KNOWN_BY = {
  user_id: "the sender's own user id",
  session_id: "the sender's own session id",
  address: "address and user agent, for this day",
  agent: "the user agent alone",
  none: null,
} as const;

const VERIFIED: Record<string, string> = {
  verified: "its address is its operator's",
  spoofed: "its address is not one of its operator's",
  claimed: "its operator publishes no addresses that we know",
};

/** What a hit was, in one line. */
export function titleOf({ type, name, page, events }: TrackedHit): string {
  if (events > 1) return `${events} events at once`;
  if (name === "pageview" || type === "screen") return page?.path ?? TYPES[type ?? "pageview"];
  const said = name ?? (type && TYPES[type]) ?? "An event";
  return page ? `${said} · ${page.path}` : said;
}

const listed = (...parts: (string | null | undefined | false)[]): string => parts.filter(Boolean).join(" · ");

interface Field {
  name: string;
  value: string;
  about?: string | undefined;
}

/** How each field was read: a name, what it is, and why. What does not apply is not in it. */
export function fieldsOf(hit: TrackedHit): Field[] {
  const { source, campaign, place, agent, visitor, revenue, engagement, page } = hit;
  const fields: (Field | null | "" | false | undefined)[] = [
    { name: "Came in by", value: hit.surface === "events_api" ? "Events API" : "Measurement Protocol" },
    hit.type && { name: "Event", value: listed(TYPES[hit.type], hit.name !== "pageview" && hit.name) },
    page && { name: "Page", value: `${page.hostname}${page.path}`, about: page.title ?? undefined },
    source && {
      name: "Came from",
      value: listed(source.source ?? "Nobody led here", source.channel),
      about: listed(source.because && `${source.channel}: ${source.because}`, source.referrer),
    },
    campaign && { name: "Campaign", value: listed(...Object.values(campaign)) },
    place && { name: "Place", value: [place.city, place.region, place.country].filter(Boolean).join(", ") },
    agent && { name: "Language", value: hit.language ?? "" },
    agent && {
      name: "Browser",
      value: listed(
        agent.browser && [agent.browser, agent.browser_version].filter(Boolean).join(" "),
        agent.os && [agent.os, agent.os_version].filter(Boolean).join(" "),
        agent.device,
      ),
      about: agent.screen ?? undefined,
    },
    classField(hit),
    hit.visit && { name: "Visit", value: VISITS[hit.visit] },
    visitor && {
      name: "Visitor",
      value: KNOWN_BY[visitor.known_by] ? `Told apart by ${KNOWN_BY[visitor.known_by]}` : "None: a server sent it",
      about: listed(
        addressWords(visitor.address_from),
        visitor.because && `What was passed on is not used: ${visitor.because}`,
      ),
    },
    revenue && { name: "Revenue", value: `${revenue.amount} ${revenue.currency}` },
    engagement && {
      name: "Attention",
      value: listed(
        `${Math.round(engagement.ms / 1000)} s`,
        engagement.scroll !== null && `scrolled to ${engagement.scroll} %`,
      ),
    },
  ];
  return fields.filter((field) => !!field);
}

function addressWords(from: AddressFrom): string {
  const words = ADDRESSES_FROM[from];
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function classField({ class: judged }: TrackedHit) {
  if (!judged) return null;
  const { traffic, because, bot, operator, verified } = judged;
  return {
    name: "Class",
    value: listed(CLASSES[traffic], bot, operator),
    about: listed(because ?? "Nothing speaks against a person.", verified && VERIFIED[verified]),
  };
}
