import type { z } from "zod";
import type { Endpoint } from "@/lib/contract/define";
import { byStatus, errorAnswers, errorResponse, oauthAnswers, REQUEST_ID_HEADER } from "@/lib/publish/answers";
import { ENDPOINTS, EVENT_ID } from "@/lib/publish/endpoints";
import { EVENT_EXAMPLES, eventSchema } from "@/lib/publish/open-events";
import { batchSchema } from "@/lib/publish/open-measurement";
import { parameterReference } from "@/lib/publish/parameters";
import { type Schema, schemaOf } from "@/lib/publish/schemas";
import { type Components, nameSchema, pascal } from "@/lib/publish/shared-schemas";

/** The paths of endpoints that are not operations. Their schemas and errors are added to the arguments. */
export function endpointPaths(components: Components, responses: Map<string, object>): Record<string, object> {
  return Object.fromEntries(
    ENDPOINTS.map((endpoint) => [
      endpoint.path,
      { [endpoint.method.toLowerCase()]: pathItem(endpoint, components, responses) },
    ]),
  );
}

/** A file, whose schema has no type (OpenAPI 3.1, "Considerations for File Uploads"). */
const BINARY = { schema: {} };

const fileAnswer = (types: readonly string[]): object => ({
  description: "The file, as an attachment with its name",
  headers: { "Content-Disposition": { required: true, schema: { type: "string" } } },
  content: Object.fromEntries(types.map((type) => [type, BINARY])),
});

const SECURITY = {
  bearer: [{ bearer: [] }],
  required: [{ ingestKey: [] }],
  optional: [{}, { ingestKey: [] }],
  form: [{}, { client: [] }],
  open: [],
};

function pathItem(endpoint: Endpoint, components: Components, responses: Map<string, object>): object {
  const { input, file, files = [], scope, form, ingestKey, oauthErrors = {} } = endpoint;
  const answers = Object.entries(endpoint.answers).map(([status, { about, output, example }]) => [
    status,
    {
      description: about,
      ...(input || file ? { headers: REQUEST_ID_HEADER } : {}),
      content: {
        "application/json": contentOf(endpoint, dataSchema(endpoint, Number(status), output, components), example),
      },
    },
  ]);
  return {
    operationId: endpoint.id,
    summary: endpoint.title,
    description: endpoint.about,
    tags: [endpoint.tag],
    security: SECURITY[scope ? "bearer" : (ingestKey ?? (form ? "form" : "open"))],
    ...(scope ? { "x-scope": scope } : {}),
    ...parametersOf(endpoint),
    ...(input ? { requestBody: bodyOf(endpoint, input, components) } : {}),
    ...(file ? { requestBody: { required: true, content: { [file]: BINARY } } } : {}),
    responses: {
      ...Object.fromEntries(answers),
      ...(files.length > 0 ? { 200: fileAnswer(files) } : {}),
      ...errorAnswers([...endpoint.refusals], responses),
      ...bothAnswers(endpoint, components),
      ...oauthAnswers(oauthErrors),
    },
  };
}

function parametersOf({ identityKey, ingestKey, parameters }: Endpoint): { parameters?: object[] } {
  if (parameters) {
    const own = parameters.map(({ name, in: place, about, shape, example }) => ({
      ...{ name, in: place, required: place === "path", description: about },
      schema: schemaOf(shape, "input", new Map()),
      example,
    }));
    return { parameters: [parameterReference("RequestId"), ...own] };
  }
  if (identityKey) return { parameters: [parameterReference("RequestId"), parameterReference("IdentityKey")] };
  if (!ingestKey) return {};
  const visitor = [
    parameterReference("ClientIp"),
    parameterReference("ClientIpTimestamp"),
    parameterReference("ClientIpSignature"),
  ];
  return { parameters: [parameterReference("RequestId"), ...(ingestKey === "required" ? visitor : [])] };
}

/** Statuses that a batch answers with an error for the whole batch or with results for each event. */
function bothAnswers(endpoint: Endpoint, components: Components): Record<string, object> {
  const { answers, refusals } = endpoint;
  const both = byStatus(refusals).flatMap(([status, codes]) => {
    const answer = answers[status];
    if (!answer) return [];
    const refusal = errorResponse(status, codes) as { content: Record<string, { schema: object; examples: object }> };
    const { schema, examples } = refusal.content["application/json"] as { schema: object; examples: object };
    const content = {
      schema: { anyOf: [dataSchema(endpoint, status, answer.output, components), schema] },
      examples: { results: { summary: answer.about, value: answer.example }, ...examples },
    };
    return [[status, { ...refusal, description: answer.about, content: { "application/json": content } }]];
  });
  return Object.fromEntries(both);
}

/** A reference to the schema of an answer. */
function dataSchema({ id, answers }: Endpoint, status: number, output: z.ZodObject, components: Components): Schema {
  const suffix = Object.keys(answers).length > 1 ? `${status}` : "Result";
  return nameSchema(`${pascal(id)}${suffix}`, schemaOf(output, "output", components.named), components);
}

function contentOf({ enveloped }: Endpoint, schema: Schema, example: object): object {
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

/** An event is sent as JSON, or as the plain text of `sendBeacon`; OAuth takes forms; all others take JSON. */
function bodyOf({ id, form, ingestKey, example }: Endpoint, input: z.ZodObject, components: Components): object {
  if (id === EVENT_ID) {
    const content = {
      schema: nameSchema("Event", eventSchema(components.named), components),
      examples: EVENT_EXAMPLES,
    };
    return { required: true, content: { "application/json": content, "text/plain": content } };
  }
  const body = ingestKey === "required" ? batchSchema(components.named) : schemaOf(input, "input", components.named);
  const schema = nameSchema(`${pascal(id)}Input`, body, components);
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  return { required: true, content: { [type]: { schema, example } } };
}
