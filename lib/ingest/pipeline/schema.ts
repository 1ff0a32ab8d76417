import { z } from "zod";
import { domainName, issuesOf } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { LONGEST_PATH } from "@/lib/platform/text";

/** How the Events API is written: one event of a site, from a browser or a backend. Unknown fields are ignored. */

export const text = (most: number) => z.string("must be text").max(most, `must have at most ${most} characters`);
/** What reports list: without a character that can be seen it would be a row of nothing. */
export const name = (most: number, words: string) =>
  text(most)
    .min(1, { error: words, abort: true })
    .refine((given) => /[^\s\p{Cc}\p{Cf}]/u.test(given), words);
export const eventId = z
  .string("must be text")
  .regex(/^[A-Za-z0-9_-]{12,32}$/, "must have 12 to 32 characters out of A-Z a-z 0-9 _ -");
const MOST_PROPS = 50;

const props = z
  .custom<Record<string, string | number | boolean | null>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object of names and plain values",
  )
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    // One word for all of them: a word for each would make an answer larger than what was sent.
    if (entries.length > MOST_PROPS) {
      context.addIssue(`has ${entries.length} properties; send at most ${MOST_PROPS}`);
      return;
    }
    for (const [key, item] of entries) {
      const fault = faultOfProp(key, item);
      if (fault) context.addIssue({ code: "custom", path: [key.slice(0, 100)], message: fault });
    }
  });

function faultOfProp(key: string, value: unknown): string | null {
  if (key === "" || key.length > 100) return "must have a name of 1 to 100 characters";
  if (typeof value === "object" && value !== null)
    return "must be text, a number, true, false or null; flatten what nests";
  return typeof value === "string" && value.length > 2000 ? "must have at most 2000 characters" : null;
}

const amountWords = 'must be a number or a decimal string such as "12.34"';
/** A number or decimal text; zod answers in the words of the branch that comes closest, so that each has ours. */
const amount = z
  .union([z.number(amountWords), z.string(amountWords).regex(/^-?\d{1,12}(\.\d{1,6})?$/, amountWords)], amountWords)
  .refine((value) => !(Math.abs(Number(value)) >= 1e12), "must be below 1000000000000");
const currencyWords = "must be three capital letters, a currency code of ISO 4217 such as EUR";
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
export const isCurrency = (code: string): boolean => CURRENCIES.has(code);
/** A code that is none would be stored, and never be converted. */
const currency = z
  .string(currencyWords)
  .regex(/^[A-Z]{3}$/, { error: currencyWords, abort: true })
  .refine(isCurrency, currencyWords);

/** Nobody waits longer than a quarter of an hour for a page: what says so was asleep. */
const millisWords = "must be a number of milliseconds from 0 to 900000";
const millis = z.number(millisWords).min(0, millisWords).max(900_000, millisWords).optional();
const engagementWords = "must be whole milliseconds, from 0 to a day of 86400000";
const scrollWords = "must be a whole percentage from 0 to 100";
const clsWords = "must be a number from 0 to 1000";
/** Browsers tell layout shifts with all the digits that they reckon with. */
const cls = z
  .number(clsWords)
  .min(0, clsWords)
  .max(1000, clsWords)
  .transform((value) => Math.round(value * 1e4) / 1e4);
const LARGEST_VIEW = 2 ** 31 - 1;
const viewWords = `must be a whole number from 0 to ${LARGEST_VIEW}, the same for one view of a page`;

export const eventShape = z.object(
  {
    domain: domainName,
    name: name(255, "must be the event's name, such as pageview or Signup"),
    type: z
      .enum(
        ["pageview", "event", "identify", "engagement", "vitals", "exposure"],
        "must be pageview, event, identify, engagement, vitals or exposure",
      )
      .optional(),
    url: text(4096).optional(),
    path: text(LONGEST_PATH).startsWith("/", "must begin with /").optional(),
    referrer: text(4096).nullish(),
    props: props.nullish(),
    event_id: eventId.optional(),
    title: text(1000).nullish(),
    screen: text(32).nullish(),
    language: text(64).nullish(),
    user_id: text(255).min(1, "must have 1 to 255 characters").nullish(),
    revenue: z.object({ amount, currency }, "must be an object {amount, currency}").nullish(),
    interactive: z.boolean("must be true or false").optional(),
    own: z.boolean("must be true or false").optional(),
    automated: z.boolean("must be true or false").optional(),
    engagement: z
      .object(
        {
          ms: z.int(engagementWords).min(0, engagementWords).max(86_400_000, engagementWords),
          scroll: z.int(scrollWords).min(0, scrollWords).max(100, scrollWords).optional(),
        },
        "must be an object {ms, scroll}",
      )
      .nullish(),
    vitals: z
      .object(
        {
          view: z.int(viewWords).min(0, viewWords).max(LARGEST_VIEW, viewWords).optional(),
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
          experiment: name(255, "must name the experiment"),
          variant: name(255, "must name the variant"),
        },
        "must be an object {experiment, variant}",
      )
      .nullish(),
  },
  'The body must be an object such as {"domain", "name", "url"}',
);
export type SentEvent = z.infer<typeof eventShape>;

/** An event as the pipeline reads it: what pages send, and what only servers tell besides. */
export interface ReadEvent extends Omit<SentEvent, "domain" | "type" | "props"> {
  type?: SentEvent["type"] | "screen" | "commerce";
  props?: Record<string, unknown> | null | undefined;
  /** The sender's own name for a series of events of one person. */
  session_id?: string | null | undefined;
  /** What `utm_…` parameters would say, where the address does not. */
  campaign?: Partial<Record<"source" | "medium" | "campaign" | "term" | "content", string>> | undefined;
}

/** @throws Refusal `invalid_input` that names every bad field. */
export function readEvent(value: unknown): SentEvent {
  const read = eventShape.safeParse(value, { reportInput: true });
  if (!read.success) throw invalidInput(issuesOf(read.error));
  const event = read.data;
  const type = typeOf(event);
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

/** What an event is: as it says, else by what it carries, else by its name. */
export function typeOf(event: ReadEvent): NonNullable<ReadEvent["type"]> {
  if (event.type) return event.type;
  if (event.vitals) return "vitals";
  if (event.exposure) return "exposure";
  if (event.name === "identify" && event.user_id) return "identify";
  return event.name === "pageview" || event.name === "engagement" ? event.name : "event";
}
