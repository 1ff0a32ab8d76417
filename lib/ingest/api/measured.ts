import { issuesOf } from "@/lib/contract/fields";
import { interpretCommerce, interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import { interpretExposure } from "@/lib/ingest/api/exposure";
import { type MeasuredEvent, measuredShape } from "@/lib/ingest/api/measured-event";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import type { Issue } from "@/lib/platform/errors";
import { findFault, isJsonLonger } from "@/lib/platform/json";

/** Validates an event of a batch and converts it for the pipeline. */

/** Nesting limit: the event, its properties, and five levels of values within them. */
const MAX_DEPTH = 6;
export const MAX_EVENT_BYTES = 16 * 1024;

/** Why an event is invalid: the path in it (as in RFC 6901), and what is expected there. */
export interface Fault {
  code: "invalid_input" | "payload_too_large";
  path: readonly string[];
  message: string;
}

/**
 * Validates one event of a batch.
 *
 * @param mayBeLarge whether the batch is large enough to contain an event over the limit: small batches need no
 *   measuring.
 */
export function readMeasured(sent: unknown, mayBeLarge: boolean): { event: MeasuredEvent } | { fault: Fault } {
  const fault = findFault(sent, MAX_DEPTH);
  if (fault) return { fault: { code: "invalid_input", ...fault } };
  if (mayBeLarge && isJsonLonger(sent, MAX_EVENT_BYTES)) {
    const message = `has more than ${MAX_EVENT_BYTES} bytes of JSON; send less with it`;
    return { fault: { code: "payload_too_large", path: [], message } };
  }
  const read = measuredShape.safeParse(sent, { reportInput: true });
  if (read.success) return { event: read.data };
  const [issue] = issuesOf(read.error) as [Issue];
  // The last segment of an unknown field's path is its name, including dots.
  const path = (read.error.issues[0]?.path ?? []).map(String);
  const unknown = read.error.issues[0]?.code === "unrecognized_keys" ? [read.error.issues[0].keys[0] ?? ""] : [];
  return { fault: { code: "invalid_input", path: [...path, ...unknown], message: issue.message } };
}

/** Returns the event as the pipeline reads it, and warnings for properties that could not be interpreted. */
export function toSentEvent(event: MeasuredEvent): { event: SentEvent; warnings: Warning[] } {
  const { page, locale, screen, session_id, campaign } = event.context ?? {};
  const { warnings = [], ...specific } = specificFields(event);
  const read = {
    event_id: event.event_id ?? undefined,
    name: event.name ?? event.type,
    url: page?.url ?? undefined,
    path: page?.path ?? undefined,
    title: page?.title,
    referrer: page?.referrer,
    language: locale,
    screen,
    session_id,
    user_id: event.user_id,
    campaign: campaign ? utmOf(campaign) : undefined,
    props: event.properties,
    revenue: event.revenue,
    ...specific,
  };
  return { event: read, warnings };
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

function utmOf(campaign: Record<string, string | null | undefined>): SentEvent["campaign"] {
  const present = Object.entries(campaign).flatMap(([name, value]) =>
    value ? [[name === "name" ? "campaign" : name, value]] : [],
  );
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}
