import { z } from "zod";
import { eventShape } from "@/lib/ingest/schema";
import { errorAnswers, REQUEST_ID_HEADER } from "@/lib/publish/answers";
import { EVENT_REFUSALS } from "@/lib/publish/refusals";
import { type Named, type Schema, schemaOf } from "@/lib/publish/schemas";

/** The addresses of the document that are no operations: the Events API and the health of the service. */

const ABOUT =
  "Stores one event of a site and answers after it is committed. `domain` and `name` are always needed; `url` or `path` when the event is a pageview, `engagement` when it is an engagement. Unknown fields are ignored. An `Origin` header, which browsers send, must belong to the site. Send the event again with the same `event_id` when no answer came: it is stored once.";

/** The checks of `props` are a function, so its schema is told here. */
const PROPS: Schema = {
  description: "Properties of the event: up to 50 names of 1 to 100 characters with plain values",
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

/** The body of the Events API. */
export function eventSchema(named: Named): Schema {
  const schema = schemaOf(eventShape, "input", named);
  return { ...schema, properties: { ...schema.properties, props: PROPS } };
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
