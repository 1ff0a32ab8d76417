import { eventShape, type SentEvent } from "@/lib/ingest/pipeline/schema";
import { type Named, propertiesOf, type Schema, schemaOf } from "@/lib/publish/schemas";

/** How the Events API is told: its fields in words, its schema, its examples. */

/** The checks of `props` are a function, so its schema is told here. */
const PROPS: Schema = {
  anyOf: [
    {
      type: "object",
      maxProperties: 50,
      propertyNames: { minLength: 1, maxLength: 100 },
      additionalProperties: {
        anyOf: [{ type: "string", maxLength: 2000 }, { type: "number" }, { type: "boolean" }, { type: "null" }],
      },
    },
    { type: "null" },
  ],
};

export const EVENT_EXAMPLES = {
  pageview: {
    summary: "A page was opened",
    value: { domain: "example.com", name: "pageview", url: "https://example.com/pricing", title: "Pricing" },
  },
  event: {
    summary: "Something happened in a backend",
    value: {
      domain: "example.com",
      name: "Purchase",
      event_id: "order-2026-000042",
      props: { plan: "pro" },
      revenue: { amount: "49.00", currency: "EUR" },
    },
  },
};

const ABOUT_FIELDS: Record<keyof SentEvent, string> = {
  domain: "A domain of the site, such as example.com",
  name: "Name of the event; `pageview`, `engagement` and `identify` (with `user_id`) have a meaning of their own, and so has what carries `vitals` or `exposure`",
  type: "What it is, when the name does not say",
  url: "Address of the page, on a domain of the site",
  path: "Path of the page, in the place of the one in `url`; stored whole, percent-encoded, up to 2,048 characters",
  referrer: "Address of the page before, or where the visitor came from",
  props: "Properties of the event: up to 50 names of 1 to 100 characters with plain values",
  event_id: "Deduplication key of your own: 12 to 32 of A-Z a-z 0-9 _ -",
  title: "Title of the page",
  screen: "Width of the window in pixels, such as 1280 or 1280x720",
  language: "Language of the visitor, such as de-CH",
  user_id:
    "Pseudonymous id of your own for a person who is signed in; stored only as a hash. Sent during a visit it joins it: later events with only this id continue the visit",
  revenue: "What it earned: `amount` as decimal text, `currency` as ISO 4217 code",
  interactive: "false: the event does not end a bounce",
  own: "true: the owner's own browser, which is not counted",
  automated: "true: a program drives the browser (`navigator.webdriver`), which makes the event suspicious",
  engagement: "How long (`ms`) and how far (`scroll`, percent) a page was read",
  vitals:
    "How the page behaved so far: `lcp`, `inp`, `fcp`, `ttfb` in milliseconds, and `cls`; of the reports with the same `view`, a number of your own for one view of a page, the last holds",
  exposure: "A visitor was shown a `variant` of an `experiment`",
};

/** The body of the Events API. */
export function eventSchema(named: Named): Schema {
  const schema = schemaOf(eventShape, "input", named);
  const properties = { ...Object.fromEntries(propertiesOf(schema)), props: PROPS };
  const told = Object.entries(ABOUT_FIELDS).map(([name, description]) => [
    name,
    { ...properties[name as keyof typeof properties], description },
  ]);
  return { ...schema, properties: Object.fromEntries(told) };
}
