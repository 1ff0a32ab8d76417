import { issuesOf } from "@/lib/contract/fields";
import { interpretCommerce, interpretNamed, type Warning } from "@/lib/ingest/api/commerce";
import { interpretExposure } from "@/lib/ingest/api/exposure";
import { type MeasuredEvent, measuredShape } from "@/lib/ingest/api/measurement-schema";
import type { ParsedEvent } from "@/lib/ingest/pipeline/schema";
import type { Issue } from "@/lib/platform/errors";
import { findFault } from "@/lib/platform/json";

/** An event of a batch, from what a server sent to what the pipeline reads. */

/** The event, its properties, and five levels of values within them. */
const DEEPEST = 6;
export const LARGEST_EVENT_BYTES = 16 * 1024;

/** Why an event is not valid: where in it (as in RFC 6901), and what would be right. */
export interface Fault {
  code: "invalid_input" | "payload_too_large";
  path: readonly string[];
  message: string;
}

/**
 * Reads one event of a batch.
 *
 * @param mayBeLarge whether the batch has room for an event beyond its limit: small ones need no measuring.
 */
export function readMeasured(sent: unknown, mayBeLarge: boolean): { event: MeasuredEvent } | { fault: Fault } {
  const kept = findFault(sent, DEEPEST);
  if (kept) return { fault: { code: "invalid_input", ...kept } };
  if (mayBeLarge && isLarge(sent)) {
    const message = `has more than ${LARGEST_EVENT_BYTES} bytes of JSON; send less with it`;
    return { fault: { code: "payload_too_large", path: [], message } };
  }
  const read = measuredShape.safeParse(sent, { reportInput: true });
  if (read.success) return { event: read.data };
  const [issue] = issuesOf(read.error) as [Issue];
  // The last word of an unknown field's path is its name, dots and all.
  const path = (read.error.issues[0]?.path ?? []).map(String);
  const unknown = read.error.issues[0]?.code === "unrecognized_keys" ? [read.error.issues[0].keys[0] ?? ""] : [];
  return { fault: { code: "invalid_input", path: [...path, ...unknown], message: issue.message } };
}

/**
 * Whether a value has more JSON than an event may. Written out only when it could: a look at the lengths of its text
 * says for nearly all that they cannot.
 */
function isLarge(sent: unknown): boolean {
  return atMost(sent) > LARGEST_EVENT_BYTES && Buffer.byteLength(JSON.stringify(sent)) > LARGEST_EVENT_BYTES;
}

/** No JSON of a value is longer: a character takes six bytes (`\u001f`) at most, a number 25. */
function atMost(value: unknown): number {
  if (typeof value === "string") return 6 * value.length + 2;
  if (typeof value !== "object" || value === null) return 25;
  let bytes = 2;
  for (const key in value) bytes += atMost((value as Record<string, unknown>)[key]) + 6 * key.length + 4;
  return bytes;
}

/** The event as the pipeline reads it, and what of its properties could not be interpreted. */
export function toParsedEvent(event: MeasuredEvent): { event: ParsedEvent; warnings: Warning[] } {
  const { page, locale, screen, session_id, campaign } = event.context ?? {};
  const { warnings = [], ...own } = ownOf(event);
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
    ...own,
  };
  return { event: read, warnings };
}

/** What each type says in its own way. */
function ownOf(event: MeasuredEvent): Partial<ParsedEvent> & { warnings?: Warning[] } {
  const properties = event.properties ?? {};
  switch (event.type) {
    case "page":
      return { type: "pageview" };
    case "screen":
      return { type: "screen", ...screenOf(event.name, event.context) };
    case "experiment":
      return { type: "exposure", ...interpretExposure(event.name, properties) };
    case "commerce":
      return { type: "commerce", ...interpretCommerce(event.name, properties, "properties") };
    case "event":
      return { type: "event", ...interpretNamed(event.name, properties, "properties") };
    default:
      return { type: event.type };
  }
}

/** A screen without an address is the page of its name. */
function screenOf(name: string, context: MeasuredEvent["context"]): Partial<ParsedEvent> {
  const { url, path, title } = context?.page ?? {};
  return { title: title ?? name, ...(url || path ? {} : { path: `/${encodeURIComponent(name)}` }) };
}

function utmOf(campaign: Record<string, string | null | undefined>): ParsedEvent["campaign"] {
  const told = Object.entries(campaign).flatMap(([name, value]) =>
    value ? [[name === "name" ? "campaign" : name, value]] : [],
  );
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}
