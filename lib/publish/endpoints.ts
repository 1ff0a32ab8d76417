import { z } from "zod";
import { defineEndpoint, type Endpoint } from "@/lib/contract/define";
import { eventShape } from "@/lib/ingest/pipeline/schema";
import { byStatus, errorAnswers, errorResponse, oauthAnswers, REQUEST_ID_HEADER } from "@/lib/publish/answers";
import { EVENT_EXAMPLES, eventSchema } from "@/lib/publish/open-events";
import { IDENTITY_ENDPOINTS } from "@/lib/publish/open-identity";
import { BATCH_ENDPOINT, batchSchema, warningsShape } from "@/lib/publish/open-measurement";
import { OAUTH_ENDPOINTS } from "@/lib/publish/open-oauth";
import { refer } from "@/lib/publish/parameters";
import { EVENT_REFUSALS } from "@/lib/publish/refusals";
import { type Named, schemaOf, storedClass } from "@/lib/publish/schemas";

const ABOUT =
  "Stores one event of a site and answers after it is committed. `domain` and `name` are always needed; `url` or `path` when the event is a pageview, `engagement`, `vitals` or `exposure` when it is one of these, `user_id` when its `type` is `identify`. Unknown fields are ignored. An `Origin` header, which browsers send, must belong to the site. A call without `Origin` from an HTTP library, a webhook or without a user agent is a server event: it counts as human traffic, joins the running visit of its `user_id`, and otherwise is an event without a visit or visitor. Declared crawlers stay bots. With an ingest key of the site as bearer nothing about the call is suspicious. `class` in the answer says how a stored event was classified. Send the event again with the same `event_id` when no answer came: it is stored once.";

const stored = z.object({
  status: z.enum(["stored", "duplicate", "filtered"]),
  event_id: z.string(),
  class: storedClass,
  reason: z.string().optional().meta({ description: "Why it was filtered: a rule of the site's own" }),
  warnings: warningsShape,
  request_id: z.string(),
});
const health = z.object({ status: z.string(), version: z.string(), database: z.string() });
const healthOf = (status: string) => ({ status, version: "1.0.0", database: status });

const EVENT_ID = "event.send";

/** Every published address that is no operation. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...IDENTITY_ENDPOINTS,
  ...OAUTH_ENDPOINTS,
  defineEndpoint({
    id: EVENT_ID,
    method: "POST",
    path: "/api/event",
    title: "Send an event",
    about: ABOUT,
    tag: "Events",
    ingestKey: "optional",
    input: eventShape,
    answers: {
      202: {
        about: "The event is stored, was stored before, or is left out by a rule of the site",
        output: stored,
        example: { status: "stored", event_id: "order-2026-000042", class: "human", request_id: "7d1f0c52" },
      },
    },
    refusals: EVENT_REFUSALS,
  }),
  BATCH_ENDPOINT,
  defineEndpoint({
    id: "health",
    method: "GET",
    path: "/api/health",
    title: "Whether the service can answer",
    about: "For whoever watches over the service: it serves requests and its database answers.",
    tag: "Service",
    input: null,
    answers: {
      200: { about: "It can", output: health, example: healthOf("ok") },
      503: { about: "It cannot, at this moment", output: health, example: healthOf("unavailable") },
    },
    refusals: [],
  }),
];

/** The paths of the document that they make. */
export function openPaths(named: Named, refusals: Map<string, object>): Record<string, object> {
  return Object.fromEntries(
    ENDPOINTS.map((endpoint) => [endpoint.path, { [endpoint.method.toLowerCase()]: told(endpoint, named, refusals) }]),
  );
}

const SECURITY = {
  required: [{ ingestKey: [] }],
  optional: [{}, { ingestKey: [] }],
  form: [{}, { client: [] }],
  open: [],
};

function told(endpoint: Endpoint, named: Named, refusals: Map<string, object>): object {
  const { input, form, ingestKey, oauthErrors = {} } = endpoint;
  const answers = Object.entries(endpoint.answers).map(([status, { about, output, example }]) => [
    status,
    {
      description: about,
      ...(input ? { headers: REQUEST_ID_HEADER } : {}),
      content: { "application/json": contentOf(endpoint, output, example, named) },
    },
  ]);
  return {
    operationId: endpoint.id,
    summary: endpoint.title,
    description: endpoint.about,
    tags: [endpoint.tag],
    security: SECURITY[ingestKey ?? (form ? "form" : "open")],
    ...parametersOf(endpoint),
    ...(input ? { requestBody: bodyOf(endpoint, input, named) } : {}),
    responses: {
      ...Object.fromEntries(answers),
      ...errorAnswers([...endpoint.refusals], refusals),
      ...bothAnswers(endpoint, named),
      ...oauthAnswers(oauthErrors),
    },
  };
}

function parametersOf({ identityKey, ingestKey }: Endpoint): { parameters?: object[] } {
  if (identityKey) return { parameters: [refer("RequestId"), refer("IdentityKey")] };
  if (!ingestKey) return {};
  const visitor = [refer("ClientIp"), refer("ClientIpTimestamp"), refer("ClientIpSignature")];
  return { parameters: [refer("RequestId"), ...(ingestKey === "required" ? visitor : [])] };
}

/** The statuses that are answered as a refusal of the whole, and with results for its parts. */
function bothAnswers({ answers, refusals }: Endpoint, named: Named): Record<string, object> {
  const both = byStatus(refusals).flatMap(([status, codes]) => {
    const answer = answers[status];
    if (!answer) return [];
    const refusal = errorResponse(status, codes) as { content: Record<string, { schema: object; examples: object }> };
    const { schema, examples } = refusal.content["application/json"] as { schema: object; examples: object };
    const content = {
      schema: { anyOf: [schemaOf(answer.output, "output", named), schema] },
      examples: { results: { summary: answer.about, value: answer.example }, ...examples },
    };
    return [[status, { ...refusal, description: answer.about, content: { "application/json": content } }]];
  });
  return Object.fromEntries(both);
}

function contentOf({ enveloped }: Endpoint, output: z.ZodObject, example: object, named: Named): object {
  const schema = schemaOf(output, "output", named);
  if (!enveloped) return { schema, example };
  return {
    schema: {
      type: "object",
      required: ["data", "request_id"],
      properties: { data: schema, request_id: { type: "string" } },
    },
    example: { data: example, request_id: "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21" },
  };
}

/** The event, as JSON or as the plain text that `sendBeacon` sends; a form; or JSON. */
function bodyOf({ id, form, ingestKey, example }: Endpoint, input: z.ZodObject, named: Named): object {
  if (id === EVENT_ID) {
    const content = { schema: eventSchema(named), examples: EVENT_EXAMPLES };
    return { required: true, content: { "application/json": content, "text/plain": content } };
  }
  if (ingestKey === "required")
    return { required: true, content: { "application/json": { schema: batchSchema(named), example } } };
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  return { required: true, content: { [type]: { schema: schemaOf(input, "input", named), example } } };
}
