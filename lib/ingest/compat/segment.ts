import { createHash } from "node:crypto";
import { commerceKindOf } from "@/lib/contract/commerce";
import { foreignStatus, isMissing, type Sent } from "@/lib/ingest/compat/sent";
import type { Answer } from "@/lib/platform/http/http";
import { isObject } from "@/lib/platform/json";

/** Reads the calls of Segment's HTTP API as events of our Measurement Protocol, and answers in their form. */

const SEGMENT_CALLS = ["track", "page", "screen", "identify", "alias", "group"] as const;
export type SegmentCall = (typeof SEGMENT_CALLS)[number];

/** A call, read: an event still to be validated, what is wrong with it, or why there is nothing to store. */
export type FromSegment = { messageId: string | null } & (
  | { event: Record<string, unknown>; ip: string | null; warnings: { path: string; message: string }[] }
  | { fault: { path: string[]; message: string } }
  | { note: string }
);

const NOTES = {
  alias: "is not stored: visitors have no profiles that could be merged",
  group: "is not stored: visitors have no profiles that could belong to a group",
  identify: "is not stored without a userId: visitors have no profiles",
};

/**
 * Reads one call.
 *
 * @param type the call, where its path names it. @param sentAt of its batch, which dates the sender's clock.
 */
export function readSegment(
  sent: unknown,
  { type, sentAt, now }: { type: SegmentCall | null; sentAt: unknown; now: Date },
): FromSegment {
  if (!isObject(sent))
    return { messageId: null, fault: { path: [], message: "must be an object such as {type, event, userId}" } };
  const messageId = typeof sent.messageId === "string" && sent.messageId !== "" ? sent.messageId.slice(0, 1000) : null;
  const fault = (path: string[], message: string): FromSegment => ({ messageId, fault: { path, message } });
  const call = type ?? sent.type;
  if (!isCall(call)) return fault(["type"], `must be one of ${SEGMENT_CALLS.join(", ")}`);
  if (messageId === null && !isMissing(sent.messageId)) return fault(["messageId"], "must be text");
  const { context = {}, userId, anonymousId } = sent;
  if (!isObject(context)) return fault(["context"], "must be an object");
  for (const field of ["properties", "traits"])
    if (!isMissing(sent[field]) && !isObject(sent[field]))
      return fault([field], "must be an object of names and values");
  if (call === "alias" || call === "group") return { messageId, note: NOTES[call] };
  if (call === "identify" && isMissing(userId)) return { messageId, note: NOTES.identify };
  const time = timeByOurClock(sent, sent.sentAt ?? sentAt, now);
  if (typeof time === "string")
    return fault(inSegmentNames([time], sent, call), "must be a time such as 2026-11-27T09:30:00Z");
  const { ip, userAgent, locale, campaign, screen } = context;
  const { context: pageContext, ...fields } = eventOf(call, sent, context);
  const event = {
    ...fields,
    ...(messageId === null ? {} : { event_id: eventIdOf(messageId) }),
    user_id: isMissing(userId) ? undefined : userId,
  };
  const shared = {
    session_id: isMissing(anonymousId) ? undefined : anonymousId,
    user_agent: isMissing(userAgent) ? undefined : userAgent,
    locale: isMissing(locale) ? undefined : locale,
    campaign: isObject(campaign) ? campaignOf(campaign) : undefined,
    screen: screenOf(screen),
    timestamp: time ?? undefined,
  };
  const warnings =
    isObject(sent.traits) && Object.keys(sent.traits).length > 0 ? [{ path: "traits", message: "are not stored" }] : [];
  return {
    messageId,
    event: { ...event, context: { ...(pageContext as object), ...shared } },
    ip: typeof ip === "string" ? ip : null,
    warnings,
  };
}

const isCall = (call: unknown): call is SegmentCall => (SEGMENT_CALLS as readonly unknown[]).includes(call);

function eventOf(call: SegmentCall, sent: Sent, context: Sent): Record<string, unknown> {
  const { properties: given, event: name, name: title, category } = sent;
  const properties = (given ?? {}) as Sent;
  const page = isObject(context.page) ? context.page : {};
  if (call === "identify") return { type: "identify", context: { page: sentPageOf(page) } };
  if (call === "track") {
    const isExperiment = name === "Experiment Viewed";
    const type = isExperiment ? "experiment" : typeof name === "string" && commerceKindOf(name) ? "commerce" : "event";
    return { type, ...(isExperiment ? {} : { name }), properties, context: { page: sentPageOf(page) } };
  }
  const { url, path, referrer, title: shown, search: _, ...others } = properties;
  const own = { url, path, referrer, title: shown };
  const merged = { ...page, ...Object.fromEntries(Object.entries(own).filter(([, value]) => !isMissing(value))) };
  if (call === "screen")
    return { type: "screen", name: title ?? category, properties: others, context: { page: sentPageOf(page) } };
  const named = sentPageOf(merged);
  // A server that names its pages sends no address.
  if (named === undefined || (named.url === undefined && named.path === undefined))
    return isMissing(title)
      ? { type: "page", properties: others, context: { page: {} } }
      : { type: "screen", name: title, properties: others, context: {} };
  return {
    type: "page",
    properties: others,
    context: { page: { title: isMissing(title) ? undefined : title, ...named } },
  };
}

/** Their path lacks the query and the hash that the address has. */
function sentPageOf({ url, path, title, referrer }: Sent): Record<string, unknown> | undefined {
  const page = Object.fromEntries(
    Object.entries({ url, path: isMissing(url) ? path : undefined, title, referrer }).filter(
      ([, value]) => !isMissing(value),
    ),
  );
  return Object.keys(page).length > 0 ? page : undefined;
}

/** Other fields of a campaign have no place in reports. */
function campaignOf({ name, source, medium, term, content }: Sent): object {
  return { name, source, medium, term, content };
}

function screenOf(screen: unknown): string | undefined {
  if (!isObject(screen)) return undefined;
  const [width, height] = [Number(screen.width), Number(screen.height)];
  if (!(width >= 1 && width < 1e5)) return undefined;
  return height >= 1 && height < 1e5 ? `${Math.round(width)}x${Math.round(height)}` : `${Math.round(width)}`;
}

/**
 * Returns when an event happened by our clock, in epoch milliseconds: as long before its arrival as it happened before it was
 * sent, by the sender's clock (https://segment.com/docs/connections/spec/common/#timestamps). Null without a time, or the name
 * of the field that is no time.
 */
function timeByOurClock(
  { timestamp, originalTimestamp }: Sent,
  sentAt: unknown,
  now: Date,
): number | null | "timestamp" | "sentAt" {
  const original = originalTimestamp ?? timestamp;
  if (isMissing(original)) return null;
  const at = millisecondsOf(original);
  if (at === null) return "timestamp";
  if (isMissing(sentAt)) return at;
  const sent = millisecondsOf(sentAt);
  return sent === null ? "sentAt" : now.getTime() - (sent - at);
}

function millisecondsOf(time: unknown): number | null {
  if (typeof time === "number")
    return time >= 0 && time <= 8.64e15 ? Math.round(time < 1e11 ? time * 1000 : time) : null;
  if (typeof time !== "string" || !/^\d{4}-\d\d-\d\d([T ]|$)/.test(time)) return null;
  const at = Date.parse(time);
  return Number.isFinite(at) ? Math.max(0, at) : null;
}

/** Our ids have at most 32 characters. The digest of a longer one is as unique. */
function eventIdOf(messageId: string): string {
  if (/^[A-Za-z0-9_-]{12,32}$/.test(messageId)) return messageId;
  return `sg_${createHash("sha256").update(messageId).digest("base64url").slice(0, 29)}`;
}

/** Fields of our Measurement Protocol, by their path in a call. */
const NAMES: readonly [ours: string, theirs: string][] = [
  ["event_id", "messageId"],
  ["user_id", "userId"],
  ["context.session_id", "anonymousId"],
  ["context.timestamp", "timestamp"],
  ["timestamp", "timestamp"],
  ["context.user_agent", "context.userAgent"],
];

/** Returns a path in our event as the path in the call that was sent, where its value was read. */
export function inSegmentNames(path: readonly string[], sent: unknown, call: unknown): string[] {
  const { properties, context, originalTimestamp } = (isObject(sent) ? sent : {}) as Sent;
  const has = (object: unknown, field: string) => isObject(object) && !isMissing(object[field]);
  const [first, second, field = "", ...rest] = path;
  if (call === "track" && first === "name") return ["event", ...path.slice(1)];
  if (call === "page" && first === "context" && second === "page" && field !== "") {
    if (has(properties, field)) return ["properties", field, ...rest];
    if (field === "title" && !has(isObject(context) ? context.page : null, field)) return ["name"];
  }
  for (const [ours, theirs] of NAMES) {
    const fields = ours.split(".");
    if (!fields.every((one, index) => path[index] === one)) continue;
    const name = theirs === "timestamp" && !isMissing(originalTimestamp) ? "originalTimestamp" : theirs;
    return [...name.split("."), ...path.slice(fields.length)];
  }
  return [...path];
}

/** Returns our refusal in the form of Segment's API: status 400 for what was sent, and `success`. */
export function refusedAsSegment(answer: Answer): Answer {
  const { error, ...more } = JSON.parse(answer.body);
  return {
    ...answer,
    status: foreignStatus(answer),
    body: JSON.stringify({ success: false, message: error.message, error, ...more }),
  };
}
