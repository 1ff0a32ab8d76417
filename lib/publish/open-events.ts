import { z } from "zod";
import { eventShape, type SentEvent } from "@/lib/ingest/schema";
import { errorAnswers, REQUEST_ID_HEADER } from "@/lib/publish/answers";
import { EVENT_REFUSALS } from "@/lib/publish/refusals";
import { type Named, propertiesOf, type Schema, schemaOf } from "@/lib/publish/schemas";

/** The addresses of the document that are no operations: the Events API and the health of the service. */

const ABOUT =
  "Stores one event of a site and answers after it is committed. `domain` and `name` are always needed; `url` or `path` when the event is a pageview, `engagement` when it is an engagement. Unknown fields are ignored. An `Origin` header, which browsers send, must belong to the site. Send the event again with the same `event_id` when no answer came: it is stored once.";

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
  name: "Name of the event; `pageview` and `engagement` have a meaning of their own",
  type: "What it is, when the name does not say",
  url: "Address of the page, on a domain of the site",
  path: "Path of the page, in the place of the one in `url`",
  referrer: "Address of the page before, or where the visitor came from",
  props: "Properties of the event: up to 50 names of 1 to 100 characters with plain values",
  event_id: "Deduplication key of your own: 12 to 32 of A-Z a-z 0-9 _ -",
  title: "Title of the page",
  screen: "Width of the window in pixels, such as 1280 or 1280x720",
  language: "Language of the visitor, such as de-CH",
  user_id: "Pseudonymous id of your own for a person who is signed in; stored only as a hash",
  revenue: "What it earned: `amount` as decimal text, `currency` as ISO 4217 code",
  interactive: "false: the event does not end a bounce",
  engagement: "How long (`ms`) and how far (`scroll`, percent) a page was read",
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

const stored = z.object({
  status: z.enum(["stored", "duplicate", "filtered"]),
  event_id: z.string(),
  reason: z.string().optional().meta({ description: "Why it was filtered: a rule of the site's own" }),
  request_id: z.string(),
});
const health = z.object({ status: z.string(), version: z.string(), database: z.string() });

const json = (schema: object, example: object) => ({ "application/json": { schema, example } });

/** The paths, with their schemas. */
export function openPaths(named: Named, refusals: Map<string, object>): Record<string, object> {
  const schema = eventSchema(named);
  const content = { schema, examples: EVENT_EXAMPLES };
  const storedExample = { status: "stored", event_id: "order-2026-000042", request_id: "7d1f0c52" };
  const healthOf = (status: string) => ({ status, version: "1.0.0", database: status });
  return {
    "/api/event": {
      post: {
        operationId: "event.send",
        summary: "Send an event",
        description: ABOUT,
        tags: ["Events"],
        security: [],
        requestBody: { required: true, content: { "application/json": content, "text/plain": content } },
        responses: {
          202: {
            description: "The event is stored, was stored before, or is left out by a rule of the site",
            headers: REQUEST_ID_HEADER,
            content: json(schemaOf(stored, "output", named), storedExample),
          },
          ...errorAnswers(EVENT_REFUSALS, refusals),
        },
      },
    },
    "/api/health": {
      get: {
        operationId: "health",
        summary: "Whether the service can answer",
        tags: ["Service"],
        security: [],
        responses: {
          200: { description: "It can", content: json(schemaOf(health, "output", named), healthOf("ok")) },
          503: {
            description: "It cannot, at this moment",
            content: json(schemaOf(health, "output", named), healthOf("unavailable")),
          },
        },
      },
    },
  };
}
