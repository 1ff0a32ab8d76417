import { createHash } from "node:crypto";
import { z } from "zod";
import { domainName, issuesOf } from "@/lib/contract/fields";
import { DAY_MS } from "@/lib/platform/durations";
import { invalidInput } from "@/lib/platform/errors";
import { isJsonLonger, isObject } from "@/lib/platform/json";
import { canonicalName, withCanonicalNames } from "@/lib/platform/names";
import { LONGEST_PATH } from "@/lib/platform/text";

/** What was sent, with the schema of the Events API: one event of a site. Unknown fields are ignored. */

export const textUpTo = (most: number) => z.string("must be text").max(most, `must have at most ${most} characters`);
/** A name that reports list, in its canonical form: it needs at least one visible character. */
export const nameUpTo = (most: number, message: string) =>
  z.string("must be text").overwrite(canonicalName).max(most, `must have at most ${most} characters`).min(1, message);
const senderIdMessage = "must be text of 1 to 255 characters, or a number";
/** The sender's id of a user or a session. */
export const senderId = z.union(
  [
    z
      .string(senderIdMessage)
      .overwrite(canonicalName)
      .max(255, "must have at most 255 characters")
      .min(1, "must have 1 to 255 characters"),
    z.number(senderIdMessage).transform(String),
  ],
  senderIdMessage,
);
export const eventId = z
  .string("must be text")
  .regex(/^[A-Za-z0-9_-]{12,32}$/, "must have 12 to 32 characters out of A-Z a-z 0-9 _ -");
/** A longer path is cut when it is stored. */
export const sentPath = textUpTo(65_536)
  .startsWith("/", "must begin with /")
  // Bounded before it is scrubbed.
  .overwrite((path) => path.slice(0, 2 * LONGEST_PATH))
  .meta({ description: `The path of the page with the query that belongs to it, cut at ${LONGEST_PATH} characters` });
const MOST_PROPS = 50;
/** Most bytes of the JSON of an event's properties, in both APIs. */
export const MAX_PROPERTIES_BYTES = 8 * 1024;
export const LARGE_PROPERTIES = `has more than ${MAX_PROPERTIES_BYTES} bytes of JSON; send fewer or shorter properties`;
export const SAME_NAME = "has two properties whose names differ only in spaces or invisible characters; send one";

const props = z
  .custom<Record<string, string | number | boolean | null>>(isObject, "must be an object of names and plain values")
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    const names = new Set(entries.map(([key]) => canonicalName(key)));
    if (names.size < entries.length) context.addIssue(SAME_NAME);
    // One message for all of them: one per property would make the response larger than the request.
    if (entries.length > MOST_PROPS) {
      context.addIssue(`has ${entries.length} properties; send at most ${MOST_PROPS}`);
      return;
    }
    if (isJsonLonger(value, MAX_PROPERTIES_BYTES)) context.addIssue(LARGE_PROPERTIES);
    for (const [key, item] of entries) {
      const issue = propIssue(key, item);
      if (issue) context.addIssue({ code: "custom", path: [key.slice(0, 100)], message: issue });
    }
  })
  .overwrite(withCanonicalNames);

function propIssue(key: string, value: unknown): string | null {
  if (canonicalName(key) === "" || key.length > 100) return "must have a name of 1 to 100 characters";
  if (typeof value === "object" && value !== null)
    return "must be text, a number, true, false or null; flatten nested values";
  return typeof value === "string" && value.length > 2000 ? "must have at most 2000 characters" : null;
}

const amountMessage = 'must be a number or a decimal string such as "12.34"';
const trimmed = (text: string) => text.trim();
/** A number or decimal text. Zod reports the branch that comes closest, so both have the same message. */
const amount = z
  .union(
    [
      z.number(amountMessage),
      z
        .string(amountMessage)
        .regex(/^\s*-?\d{1,12}(\.\d{1,6})?\s*$/, amountMessage)
        .overwrite(trimmed),
    ],
    amountMessage,
  )
  .refine((value) => !(Math.abs(Number(value)) >= 1e12), "must be below 1000000000000");
const currencyMessage = "must be an ISO 4217 currency code of three letters, such as EUR";
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
export const isCurrency = (code: string): boolean => CURRENCIES.has(code);
/** An unknown code would be stored but never converted. */
const currency = z
  .string(currencyMessage)
  .regex(/^\s*[A-Za-z]{3}\s*$/, { error: currencyMessage, abort: true })
  .overwrite((code) => code.trim().toUpperCase())
  .refine(isCurrency, currencyMessage);

export const revenueFields = { amount, currency };

/** At most 15 minutes: a longer time comes from a device that was asleep. */
const millisMessage = "must be a number of milliseconds from 0 to 900000";
const millis = z.number(millisMessage).min(0, millisMessage).max(900_000, millisMessage).optional();
const engagementMessage = "must be whole milliseconds, from 0 to a day of 86400000";
const scrollMessage = "must be a whole percentage from 0 to 100";
const clsMessage = "must be a number from 0 to 1000";
/** Browsers report layout shifts with all floating-point digits. */
const cls = z
  .number(clsMessage)
  .min(0, clsMessage)
  .max(1000, clsMessage)
  .transform((value) => Math.round(value * 1e4) / 1e4);
const MAX_VIEW = 2 ** 31 - 1;
const viewMessage = `must be a whole number from 0 to ${MAX_VIEW}, the same for one view of a page`;

export const eventBodyShape = z.object(
  {
    domain: domainName,
    name: nameUpTo(255, "must be the event's name, such as pageview or Signup"),
    type: z
      .enum(
        ["pageview", "event", "identify", "engagement", "vitals", "exposure"],
        "must be pageview, event, identify, engagement, vitals or exposure",
      )
      .optional(),
    url: textUpTo(4096).optional(),
    path: sentPath.optional(),
    referrer: textUpTo(4096).nullish(),
    props: props.nullish(),
    event_id: eventId.optional(),
    title: textUpTo(1000).nullish(),
    screen: textUpTo(32).nullish(),
    language: textUpTo(64).nullish(),
    user_id: senderId.nullish(),
    session_id: senderId.nullish(),
    revenue: z.object(revenueFields, "must be an object {amount, currency}").nullish(),
    interactive: z.boolean("must be true or false").optional(),
    own: z.boolean("must be true or false").optional(),
    automated: z.boolean("must be true or false").optional(),
    engagement: z
      .object(
        {
          ms: z.int(engagementMessage).min(0, engagementMessage).max(DAY_MS, engagementMessage),
          scroll: z.int(scrollMessage).min(0, scrollMessage).max(100, scrollMessage).optional(),
        },
        "must be an object {ms, scroll}",
      )
      .nullish(),
    vitals: z
      .object(
        {
          view: z.int(viewMessage).min(0, viewMessage).max(MAX_VIEW, viewMessage).optional(),
          lcp: millis,
          inp: millis,
          cls: cls.optional(),
          fcp: millis,
          ttfb: millis,
        },
        "must be an object {view, lcp, inp, cls, fcp, ttfb}",
      )
      .refine(
        ({ view: _, ...vitals }) => Object.keys(vitals).length > 0,
        "must have at least one of lcp, inp, cls, fcp, ttfb",
      )
      .nullish(),
    exposure: z
      .object(
        {
          experiment: nameUpTo(255, "must name the experiment"),
          variant: nameUpTo(255, "must name the variant"),
        },
        "must be an object {experiment, variant}",
      )
      .nullish(),
  },
  'The body must be an object such as {"domain", "name", "url"}',
);
export type EventBody = z.infer<typeof eventBodyShape>;

/** What was sent of an event, through either API: the fields of the Events API, and those that only servers send. */
export interface SentEvent extends Omit<EventBody, "domain" | "type" | "props"> {
  type?: EventBody["type"] | "screen" | "commerce";
  props?: Record<string, unknown> | null | undefined;
  /** The HTTP status that the page was answered with. */
  status?: number | undefined;
  /** When it happened, in epoch microseconds, if the sender says so: see `timesOf`. */
  at?: number | undefined;
  /** Campaign fields, for events whose URL has no `utm_…` parameters. */
  campaign?: Partial<Record<"source" | "medium" | "campaign" | "term" | "content", string>> | undefined;
}

/** Parses an event of the Events API. @throws Refusal `invalid_input` that names every invalid field. */
export function readEventBody(value: unknown): EventBody {
  const read = eventBodyShape.safeParse(value, { reportInput: true });
  if (!read.success) throw invalidInput(issuesOf(read.error));
  const event = read.data;
  const type = typeOfEvent(event);
  if (type === "pageview" && event.url === undefined && event.path === undefined) {
    throw invalidInput([{ path: "url", message: "is required for a pageview (or path)" }]);
  }
  if ((type === "engagement" || type === "vitals" || type === "exposure") && !event[type]) {
    throw invalidInput([{ path: type, message: `is required for an event of type ${type}` }]);
  }
  if (type === "identify" && !event.user_id) {
    throw invalidInput([{ path: "user_id", message: "is required for an event of type identify" }]);
  }
  return event;
}

/** Returns the type of an event: the one it states, else by the fields it has, else by its name. */
export function typeOfEvent(event: SentEvent): NonNullable<SentEvent["type"]> {
  if (event.type) return event.type;
  if (event.vitals) return "vitals";
  if (event.exposure) return "exposure";
  if (event.name === "identify" && event.user_id) return "identify";
  return event.name === "pageview" || event.name === "engagement" ? event.name : "event";
}

/** The time that a sender gives for an event that it delivers later, such as a queue or an app that was offline. */

/** An older event is stored at its arrival. */
const MAX_EVENT_AGE_MS = 72 * 3600_000;

const TIME = "must be a time such as 2026-11-27T09:30:00Z, or a number of seconds since 1970";
/** RFC 3339 with an offset, or Unix time in seconds or milliseconds. */
export const sentTime = z
  .union([z.iso.datetime({ offset: true, error: TIME }), z.number(TIME).min(0, TIME).max(8.64e15, TIME)], TIME)
  .meta({ description: `When the event happened, if it is sent later: within ${MAX_EVENT_AGE_MS / 3600_000} hours` });

/** Larger numbers are milliseconds: as seconds they would be after the year 5000. */
const MAX_SECONDS = 1e11;

/** Returns a valid `sentTime` in epoch microseconds. The digits after the milliseconds are 0 unless the sender gave them. */
export function microsecondsOf(time: string | number): number {
  if (typeof time === "number") return Math.round(time < MAX_SECONDS ? time * 1e6 : time * 1e3);
  const micros = /\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? "";
  return Date.parse(time) * 1000 + Number(micros.padEnd(3, "0"));
}

/** Where an event stands among all events: at its sender's time, or at its arrival. */
export interface EventTime {
  /** Epoch microseconds. */
  timestamp: number;
  isTimed: boolean;
  /** Why the sender's time is not used, as the predicate of a sentence about it. */
  warning: string | null;
}

interface Timed {
  /** Epoch microseconds; null without a time. */
  at: number | null;
  /** What tells the event from others of the same millisecond, whenever it arrives. */
  content: string;
}

/**
 * Returns the times of the events of one request.
 *
 * Two events that their sender dates to the same millisecond get microseconds from what they are, so that their order does
 * not depend on the order of arrival; those of one request keep the order that they have in it.
 *
 * @param first the reserved timestamp of the event with index 0.
 */
export function timesOf(events: readonly Timed[], first: number, now: Date): EventTime[] {
  const times = events.map(({ at }, index) => eventTimeOf(at, first + index, now));
  const sameMs = new Map<number, number[]>();
  for (const [index, { isTimed, timestamp }] of times.entries())
    if (isTimed && timestamp % 1000 === 0) sameMs.set(timestamp, [...(sameMs.get(timestamp) ?? []), index]);
  for (const [timestamp, indexes] of sameMs) {
    const micros = indexes.map((index) => microsOf(events[index]?.content ?? "")).sort((a, b) => a - b);
    let next = 0;
    for (const [place, index] of indexes.entries()) {
      const time = times[index] as EventTime;
      // No two share a microsecond, and those that follow have one left.
      const micro = Math.max(next, Math.min(micros[place] as number, 1000 - indexes.length + place));
      next = micro + 1;
      time.timestamp = timestamp + Math.min(999, micro);
    }
  }
  return times;
}

function eventTimeOf(at: number | null, arrival: number, now: Date): EventTime {
  if (at === null) return { timestamp: arrival, isTimed: false, warning: null };
  const age = now.getTime() - Math.floor(at / 1000);
  if (age >= 0 && age <= MAX_EVENT_AGE_MS) return { timestamp: at, isTimed: true, warning: null };
  const fault = age < 0 ? "is in the future" : `is more than ${MAX_EVENT_AGE_MS / 3600_000} hours ago`;
  return { timestamp: arrival, isTimed: false, warning: `${fault}; the event counts at its arrival` };
}

const microsOf = (content: string): number => createHash("sha256").update(content).digest().readUInt32BE(0) % 1000;
