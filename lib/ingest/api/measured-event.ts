import { z } from "zod";
import { issuesOf } from "@/lib/contract/fields";
import { interpretCommerce, interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import {
  eventId,
  LARGE_PROPERTIES,
  MAX_PROPERTIES_BYTES,
  microsecondsOf,
  nameUpTo,
  revenueFields,
  SAME_NAME,
  type SentEvent,
  senderId,
  sentPath,
  sentTime,
  textUpTo,
} from "@/lib/ingest/event/sent-event";
import type { Issue } from "@/lib/platform/errors";
import { findFault, isJsonLonger, isObject } from "@/lib/platform/json";
import { canonicalName, withCanonicalNames } from "@/lib/platform/names";

/**
 * An event of the Measurement Protocol: its schema, and how it is read as a sent event. There are six types with their
 * required fields; unknown fields are refused.
 */

const MAX_PROPERTIES = 50;

const eventName = nameUpTo(255, "must have 1 to 255 characters, at least one of them visible");

type Properties = Record<string, unknown>;

/** Validated without a copy, which would lose a property called `__proto__`. */
const properties = z
  .custom<Properties>(isObject, "must be an object of names and values")
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    if (entries.length > MAX_PROPERTIES) {
      context.addIssue(`has ${entries.length} properties; send at most ${MAX_PROPERTIES}`);
    }
    if (entries.some(([key]) => canonicalName(key) === "" || key.length > 100))
      context.addIssue("must have names of 1 to 100 characters");
    if (new Set(entries.map(([key]) => canonicalName(key))).size < entries.length) context.addIssue(SAME_NAME);
    if (isJsonLonger(value, MAX_PROPERTIES_BYTES)) context.addIssue(LARGE_PROPERTIES);
  })
  .overwrite(withCanonicalNames);

const campaign = z.strictObject(
  {
    source: textUpTo(255).nullish(),
    medium: textUpTo(255).nullish(),
    name: textUpTo(255).nullish(),
    term: textUpTo(255).nullish(),
    content: textUpTo(255).nullish(),
  },
  "must be an object {source, medium, name, term, content}",
);
const STATUS = "must be the HTTP status that the page was answered with, such as 200 or 404";
const page = z.strictObject(
  {
    url: textUpTo(4096).nullish(),
    path: sentPath.nullish(),
    title: textUpTo(1000).nullish(),
    referrer: textUpTo(4096).nullish(),
    status: z.int(STATUS).min(200, STATUS).max(599, STATUS).nullish(),
  },
  "must be an object {url, path, title, referrer, status}",
);
const visitor = {
  locale: textUpTo(64).nullish(),
  screen: textUpTo(32).nullish(),
  user_agent: textUpTo(1000).nullish(),
  session_id: senderId.nullish(),
  campaign: campaign.nullish(),
  timestamp: sentTime.nullish(),
};
const context = z.strictObject(
  { page: page.nullish(), ...visitor },
  "must be an object {page, locale, screen, user_agent, session_id, campaign, timestamp}",
);
const pageContext = z.strictObject(
  {
    page: page
      .refine(({ url, path }) => url || path, "must have a url or a path")
      .meta({ anyOf: [{ required: ["url"] }, { required: ["path"] }] }),
    ...visitor,
  },
  "must be an object {page} with a url or a path in it",
);

const common = {
  event_id: eventId.nullish(),
  name: eventName.nullish(),
  user_id: senderId.nullish(),
  properties: properties.nullish(),
  revenue: z.strictObject(revenueFields, "must be an object {amount, currency}").nullish(),
  context: context.nullish(),
};

/** One event, by its type. */
export const measuredShape = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("page"), ...common, context: pageContext }),
    z.strictObject({ type: z.literal("screen"), ...common, name: eventName }),
    z.strictObject({ type: z.literal("event"), ...common, name: eventName }),
    z.strictObject({ type: z.literal("identify"), ...common, user_id: senderId }),
    z.strictObject({ type: z.literal("experiment"), ...common }),
    z.strictObject({ type: z.literal("commerce"), ...common, name: eventName }),
  ],
  {
    error: ({ input }) =>
      isObject(input)
        ? "must be page, screen, event, identify, experiment or commerce"
        : "must be an object such as {type, name}",
  },
);
type MeasuredEvent = z.infer<typeof measuredShape>;

/** Nesting limit: the event, its properties, and five levels of values within them. */
const MAX_DEPTH = 6;
export const MAX_EVENT_BYTES = 16 * 1024;

/** Why an event is invalid: the path in it (as in RFC 6901), and what is expected there. */
export interface EventFault {
  code: "invalid_input" | "payload_too_large";
  path: readonly string[];
  message: string;
}

/** An event of a batch that was read, with warnings for properties that could not be interpreted. */
export interface MeasuredSent {
  event: SentEvent;
  warnings: Warning[];
  /** The user agent of its visitor; `''` when none was sent. */
  userAgent: string;
}

/**
 * Validates one event of a batch.
 *
 * @param mayBeLarge whether the batch is large enough to contain an event over the limit: small batches need no
 *   measuring.
 */
export function readMeasured(sent: unknown, mayBeLarge: boolean): MeasuredSent | { fault: EventFault } {
  const fault = findFault(sent, MAX_DEPTH);
  if (fault) return { fault: { code: "invalid_input", ...fault } };
  if (mayBeLarge && isJsonLonger(sent, MAX_EVENT_BYTES)) {
    const message = `has more than ${MAX_EVENT_BYTES} bytes of JSON; send less with it`;
    return { fault: { code: "payload_too_large", path: [], message } };
  }
  const read = measuredShape.safeParse(sent, { reportInput: true });
  if (read.success) return toSentEvent(read.data);
  const [issue] = issuesOf(read.error) as [Issue];
  // The last segment of an unknown field's path is its name, including dots.
  const path = (read.error.issues[0]?.path ?? []).map(String);
  const unknown = read.error.issues[0]?.code === "unrecognized_keys" ? [read.error.issues[0].keys[0] ?? ""] : [];
  return { fault: { code: "invalid_input", path: [...path, ...unknown], message: issue.message } };
}

/** Returns an event in the fields of a sent event. */
export function toSentEvent(event: MeasuredEvent): MeasuredSent {
  const { page, locale, screen, session_id, campaign, user_agent, timestamp } = event.context ?? {};
  const { warnings = [], ...specific } = specificFields(event);
  const sent = {
    event_id: event.event_id ?? undefined,
    name: event.name ?? event.type,
    url: page?.url ?? undefined,
    path: page?.path ?? undefined,
    title: page?.title,
    referrer: page?.referrer,
    status: page?.status ?? undefined,
    language: locale,
    screen,
    session_id,
    at: timestamp == null ? undefined : microsecondsOf(timestamp),
    user_id: event.user_id,
    campaign: campaign ? campaignOf(campaign) : undefined,
    props: event.properties,
    revenue: event.revenue,
    ...specific,
  };
  return { event: sent, warnings, userAgent: user_agent ?? "" };
}

/** Returns the fields that depend on the event type. */
function specificFields(event: MeasuredEvent): Partial<SentEvent> & { warnings?: Warning[] } {
  const { properties: sent, revenue = null } = event;
  const properties = sent ?? {};
  switch (event.type) {
    case "page":
      return { type: "pageview" };
    case "screen":
      return { type: "screen", ...screenOf(event.name, event.context) };
    case "experiment":
      return { type: "exposure", ...interpretExposure(event.name, properties) };
    case "commerce":
      return { type: "commerce", ...interpretCommerce(event.name, properties, "properties", revenue) };
    case "event":
      return { type: "event", ...interpretNamed(event.name, properties, "properties", revenue) };
    default:
      return { type: event.type };
  }
}

/** A screen without URL or path becomes a page with its name as path. */
function screenOf(name: string, context: MeasuredEvent["context"]): Partial<SentEvent> {
  const { url, path, title } = context?.page ?? {};
  return { title: title ?? name, ...(url || path ? {} : { path: `/${encodeURIComponent(name)}` }) };
}

function campaignOf(campaign: Record<string, string | null | undefined>): SentEvent["campaign"] {
  const present = Object.entries(campaign).flatMap(([name, value]) =>
    value ? [[name === "name" ? "campaign" : name, value]] : [],
  );
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

/** Accepted property names: our own first, then those of Segment and other experiment services. */
const EXPERIMENT = ["experiment", "experiment_name", "experiment_id"];
const VARIANT = ["variant", "variant_name", "variant_id", "variation", "variation_name", "variation_id"];

/**
 * Returns the exposure of an event and its other properties. Without an exposure, no experiment counts the event.
 *
 * @param name of the event, which is the experiment's name if the properties have none.
 */
function interpretExposure(
  name: string | null | undefined,
  properties: Readonly<Record<string, unknown>>,
): Pick<SentEvent, "exposure" | "props"> & { warnings: Warning[] } {
  const experimentKey = EXPERIMENT.find((key) => nameFrom(properties[key]) !== null);
  const variantKey = VARIANT.find((key) => nameFrom(properties[key]) !== null);
  const experiment = nameFrom(experimentKey === undefined ? name : properties[experimentKey]);
  const variant = nameFrom(variantKey === undefined ? null : properties[variantKey]);
  if (experiment !== null && variant !== null) {
    const rest = Object.entries(properties).filter(([key]) => key !== experimentKey && key !== variantKey);
    return { exposure: { experiment, variant }, props: Object.fromEntries(rest), warnings: [] };
  }
  const missing = [...(experiment === null ? ["experiment"] : []), ...(variant === null ? ["variant"] : [])];
  const message = "must be text of 1 to 255 characters; no experiment counts the event";
  return { props: properties, warnings: missing.map((key) => ({ path: `properties.${key}`, message })) };
}

/** Returns a value as a name, or null if it cannot be one. */
function nameFrom(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const name = canonicalName(String(value));
  return name !== "" && name.length <= 255 ? name : null;
}
