import { z } from "zod";
import { COMMERCE_PROPERTIES, ITEM_FIELDS } from "@/lib/contract/commerce";
import { defineEndpoint } from "@/lib/contract/define";
import { MAX_BATCH_EVENTS, RESULTS } from "@/lib/ingest/api/batch";
import { MAX_EVENT_BYTES, measuredShape } from "@/lib/ingest/api/measured-event";
import { BATCH_LIMIT_BYTES } from "@/lib/ingest/api/requests";
import { MAX_PROPERTIES_BYTES } from "@/lib/ingest/event/sent-event";
import { CLIENT_IP_REASONS, type ClientIpReason } from "@/lib/ingest/site/forwarded-address";
import { KEY_RATE } from "@/lib/ingest/site/limits";
import { BATCH_REFUSALS } from "@/lib/publish/refusals";
import { type Named, propertiesOf, type Schema, schemaOf, storedClass } from "@/lib/publish/schemas";

/** The Measurement Protocol: its schema, answers and examples. */

const listOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" or ");

/** The checks of `properties` are functions, so their schemas are given here. */
const FREE: Schema = {
  type: "object",
  description: "Free-form; values may nest five levels deep",
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: 100 },
};
/** What reports read from the properties of some types. */
const ABOUT: Record<string, string> = {
  experiment:
    "Free-form. Experiments count the event by `experiment` (or `experiment_name`, `experiment_id`, or else `name`) and `variant` (or `variant_name`, `variant_id`, `variation`, `variation_name`, `variation_id`)",
  commerce: `Free-form. Reports read ${listOf(COMMERCE_PROPERTIES.order)}; the amount in ${listOf(COMMERCE_PROPERTIES.amount)}, a number or decimal text, with \`currency\`, an ISO 4217 code; \`tax\`, \`shipping\`, \`coupon\`; and ${listOf(COMMERCE_PROPERTIES.items)}, each with ${listOf(ITEM_FIELDS.id)} or ${listOf(ITEM_FIELDS.name)}, \`price\` and \`quantity\`. What cannot be interpreted is stored and listed in \`warnings\``,
};
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

/** The body: a list of events, each by its type. */
export function batchSchema(named: Named): Schema {
  const types = measuredShape.options.map((option) => {
    const schema = schemaOf(option, "input", named);
    const [type] = [...option.shape.type.values];
    const about = ABOUT[`${type}`];
    const properties = orNull(about ? { ...FREE, description: about } : FREE);
    return { ...schema, properties: { ...Object.fromEntries(propertiesOf(schema)), properties } };
  });
  return {
    type: "object",
    required: ["events"],
    additionalProperties: false,
    properties: { events: { type: "array", minItems: 1, maxItems: MAX_BATCH_EVENTS, items: { anyOf: types } } },
  };
}

/** A batch that shows each type once. */
export const batchExample = (domain: string) => ({
  events: [
    {
      type: "page",
      context: { page: { url: `https://${domain}/pricing`, title: "Pricing" }, locale: "de-CH", session_id: "s-81" },
    },
    { type: "event", name: "Signup", user_id: "u-1042", properties: { plan: "pro" } },
    {
      type: "commerce",
      name: "purchase",
      event_id: "order-2026-000043",
      user_id: "u-1042",
      properties: {
        order_id: "2026-000043",
        value: "49.00",
        currency: "EUR",
        items: [{ product_id: "pro-1y", quantity: 1 }],
      },
    },
  ],
});

/** Parts of a stored event that could not be interpreted. */
export const warningsShape = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .meta({ description: "Parts of a stored event that reports cannot interpret and do not count" });

const results = z.object({
  results: z.array(
    z.object({
      index: z.int().min(0).meta({ description: "Its position in the batch, from 0" }),
      event_id: z
        .string()
        .nullable()
        .meta({ description: "Your id, or a new one; null when the event is invalid and has no valid id" }),
      status: z.enum(RESULTS),
      class: storedClass,
      code: z.string().optional().meta({ description: "Why the event is filtered, invalid or an error" }),
      message: z.string().optional(),
      pointer: z.string().optional().meta({ description: "JSON Pointer (RFC 6901) to the wrong value in the body" }),
      warnings: warningsShape,
    }),
  ),
  counts: z.object(Object.fromEntries(RESULTS.map((result) => [result, z.int().min(0)]))),
  client_ip: z
    .object({
      accepted: z.boolean(),
      reason: z.enum(Object.keys(CLIENT_IP_REASONS) as ClientIpReason[]).optional(),
    })
    .optional()
    .meta({ description: "Whether the visitor's address was used, when its headers were sent" }),
  request_id: z.string(),
});
const failed = results.extend({
  error: z.object({
    code: z.enum(["invalid_input", "unavailable"]),
    message: z.string(),
    details: z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }).optional(),
  }),
});

const none = { stored: 0, duplicate: 0, filtered: 0, invalid: 0, error: 0 };
const request_id = "7d1f0c52";
const event_id = "order-2026-000043";
const wrong = { pointer: "/events/0/name", message: "name is required and must be text." };
const later = "The event could not be stored now; send it again with the same event_id.";

export const BATCH_ENDPOINT = defineEndpoint({
  id: "events.send",
  method: "POST",
  path: "/api/v1/events",
  title: "Send a batch of events",
  about: `The Measurement Protocol: 1 to ${MAX_BATCH_EVENTS} events of the site whose ingest key is the bearer. Each event has its own result, returned after the commit. Send events with the status \`error\` again with the same \`event_id\`: each is stored once. At most ${BATCH_LIMIT_BYTES / 1024 ** 2} MiB, ${MAX_EVENT_BYTES / 1024} KiB an event, ${MAX_PROPERTIES_BYTES / 1024} KiB its properties, ${KEY_RATE.burst} requests a minute for each key. Clients of Segment send to \`/v1/batch\` and its single calls with the same key: see [Coming from Segment](/docs/from-segment).`,
  tag: "Events",
  ingestKey: "required",
  input: z.strictObject({ events: z.array(measuredShape) }),
  example: batchExample("example.com"),
  answers: {
    200: {
      about: "All events have the same status: stored, duplicate or filtered",
      output: results,
      example: {
        results: [
          { index: 0, event_id: "ffe_4Tq9wLx2", status: "stored", class: "human" },
          { index: 1, event_id: "ffe_7Rm3kVb8", status: "stored", class: "human" },
          { index: 2, event_id, status: "stored", class: "human" },
        ],
        counts: { ...none, stored: 3 },
        request_id,
      },
    },
    207: {
      about: "The events have different statuses; check each result",
      output: results,
      example: {
        results: [
          { index: 0, event_id: null, status: "invalid", code: "invalid_input", ...wrong },
          { index: 1, event_id, status: "stored", class: "human" },
        ],
        counts: { ...none, stored: 1, invalid: 1 },
        client_ip: { accepted: false, reason: "stale" },
        request_id,
      },
    },
    422: {
      about: "No event is valid, or the batch itself is not; then there are no results",
      output: failed,
      example: {
        error: {
          code: "invalid_input",
          message: "No event of the batch is valid; results say why.",
          details: { issues: [{ path: wrong.pointer, message: wrong.message }] },
        },
        results: [{ index: 0, event_id: null, status: "invalid", code: "invalid_input", ...wrong }],
        counts: { ...none, invalid: 1 },
        request_id,
      },
    },
    503: {
      about: "No event could be stored; try again",
      output: failed,
      example: {
        error: {
          code: "unavailable",
          message: "No event could be stored now; send the batch again with the same event ids.",
        },
        results: [{ index: 0, event_id, status: "error", code: "unavailable", message: later }],
        counts: { ...none, error: 1 },
        request_id,
      },
    },
  },
  refusals: BATCH_REFUSALS,
});
