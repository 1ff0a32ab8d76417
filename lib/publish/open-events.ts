import { type EventBody, eventBodyShape, MAX_PROPERTIES_BYTES } from "@/lib/ingest/event/sent-event";
import { type Named, propertiesOf, type Schema, schemaOf } from "@/lib/publish/schemas";

/** The Events API: descriptions of its fields, its schema and its examples. */

/** The checks of `props` are a function, so its schema is given here. */
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
    summary: "A page was viewed",
    value: { domain: "example.com", name: "pageview", url: "https://example.com/pricing", title: "Pricing" },
  },
  event: {
    summary: "A backend reports an order",
    value: {
      domain: "example.com",
      name: "purchase",
      event_id: "order-2026-000042",
      user_id: "u-1042",
      props: { order_id: "2026-000042", plan: "pro" },
      revenue: { amount: "49.00", currency: "EUR" },
    },
  },
};

const DESCRIPTIONS: Record<keyof EventBody, string> = {
  domain: "A domain of the site, such as example.com",
  name: "Name of the event. `pageview`, `engagement` and `identify` (with `user_id`) have a meaning of their own, as have events with `vitals` or `exposure`. `purchase` is an order, `refund` a refund",
  type: "The type of the event, where the name does not say it",
  url: "Address of the page, on a domain of the site",
  path: "Path of the page, used instead of the one in `url`; stored percent-encoded and with its query, whose parameters are sorted, up to 2,048 characters. What follows # is left out",
  referrer: "Address of the previous page, or where the visitor came from",
  props: `Properties of the event: up to 50 and ${MAX_PROPERTIES_BYTES / 1024} KiB of JSON, with names of 1 to 100 characters and plain values`,
  event_id: "Your own id against duplicates, which nobody can guess: 12 to 32 characters of A-Z a-z 0-9 _ -",
  title: "Title of the page",
  screen: "Width of the window in pixels, such as 1280 or 1280x720",
  language: "Language of the visitor, such as de-CH",
  user_id:
    "Your own pseudonymous id of a signed-in user; stored only as a hash. Sent during a visit, it joins that visit: later events with only this id continue it. From a server, it starts a visit if none is running",
  session_id: "A server's own name for a series of events of one visitor; valid for a day",
  revenue: "Revenue of the event: `amount` as decimal text, `currency` as ISO 4217 code",
  interactive: "false: the event does not end a bounce",
  own: "true: the browser of the site's owner; the event is filtered as `own_traffic`",
  automated: "true: a program controls the browser (`navigator.webdriver`), so the event is `suspicious`",
  engagement: "How long (`ms`) a page was read and how far (`scroll`, in percent)",
  vitals:
    "Web vitals of a page view so far: `lcp`, `inp`, `fcp` and `ttfb` in milliseconds, and `cls`. Of reports with the same `view`, your own number for one page view, the last counts",
  exposure: "The visitor saw this `variant` of this `experiment`",
};

/** The schema of an event's body. */
export function eventSchema(named: Named): Schema {
  const schema = schemaOf(eventBodyShape, "input", named);
  const properties = { ...Object.fromEntries(propertiesOf(schema)), props: PROPS };
  const described = Object.entries(DESCRIPTIONS).map(([name, description]) => [
    name,
    { ...properties[name as keyof typeof properties], description },
  ]);
  return { ...schema, properties: Object.fromEntries(described) };
}
