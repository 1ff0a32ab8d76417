import type { AnyOperation, Endpoint } from "@/lib/contract/define";
import { RISKS } from "@/lib/contract/vocabulary";
import { EVENT_EXAMPLES, eventSchema } from "@/lib/publish/open-events";
import { batchExample } from "@/lib/publish/open-measurement";
import { ACTIONS, exampleAnswer, isComposite } from "@/lib/publish/openapi";
import { type Named, propertiesOf, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

/** One field of an input in the words of the docs. */
export interface Parameter {
  name: string;
  /** Such as `integer, 1 to 100`. */
  type: string;
  required: boolean;
  about: string;
}

export const methodOf = (op: AnyOperation): "GET" | "POST" => RISKS[op.risk].method;
export const pathOf = (op: AnyOperation): string => `${ACTIONS}/${op.id}`;

/** The parameters of an operation. In a query, null is only another word for absent. */
export const parametersOf = (op: AnyOperation): Parameter[] =>
  fieldsOf(schemaOf(op.input, "input", new Map())).map((one) =>
    methodOf(op) === "GET" ? { ...one, type: one.type.replace(/ or null$/, "") } : one,
  );
/** The fields of an endpoint's body. */
export const bodyParameters = ({ input }: Endpoint): Parameter[] =>
  input ? fieldsOf(schemaOf(input, "input", new Map())) : [];
export const eventParameters = (): Parameter[] => fieldsOf(eventSchema(new Map()));

function fieldsOf(schema: Schema): Parameter[] {
  const required = new Set(schema.required);
  return propertiesOf(schema).map(([name, one]) => ({
    name,
    type: typeWords(one),
    required: required.has(name),
    about: withoutNull(one).schema.description ?? "",
  }));
}

/** A schema in words. */
export function typeWords(schema: Schema): string {
  const { schema: type, nullable } = withoutNull(schema);
  return [plainWords(type), nullable ? " or null" : ""].join("");
}

function plainWords(type: Schema): string {
  if (type.enum) return `one of ${type.enum.join(", ")}`;
  const choices = type.anyOf ?? type.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeWords(one as Schema)))].join(" or ");
  if (type.type === "string") return textWords(type);
  if (type.type === "integer" || type.type === "number") return numberWords(type);
  if (type.type === "boolean") return "true or false";
  if (type.type === "array") {
    const items = type.items ? typeWords(type.items as Schema) : "anything";
    return `list of ${items}${type.maxItems === undefined ? "" : `, at most ${type.maxItems}`}`;
  }
  const fields = propertiesOf(type).map(([name]) => name);
  return fields.length > 0 ? `object {${fields.join(", ")}}` : "object";
}

function textWords({ format, minLength, maxLength }: Schema): string {
  if (format === "date") return "date (YYYY-MM-DD)";
  if (format === "uuid") return "UUID";
  if (maxLength === undefined) return "text";
  return minLength === maxLength ? `text of ${maxLength} characters` : `text, at most ${maxLength} characters`;
}

function numberWords({ type, minimum, maximum }: Schema): string {
  const name = type === "integer" ? "integer" : "number";
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined) return most === undefined ? name : `${name}, at most ${most}`;
  return most === undefined ? `${name}, ${minimum} or more` : `${name}, ${minimum} to ${most}`;
}

/** A call with curl, as it can be pasted into a shell that has `ACCESS_TOKEN` set. */
export function curlOf(op: AnyOperation, baseUrl: string): string {
  const example = op.example as Record<string, unknown>;
  const token = '  -H "Authorization: Bearer $ACCESS_TOKEN"';
  if (methodOf(op) === "GET") {
    const schema = schemaOf(op.input, "input", new Map());
    const composite = new Set(propertiesOf(schema).flatMap(([name, one]) => (isComposite(one) ? [name] : [])));
    const text = (name: string, value: unknown) => (composite.has(name) ? JSON.stringify(value) : `${value}`);
    const query = Object.entries(example)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${text(name, value)}`)}`);
    return lines(`curl ${query.length > 0 ? "-G " : ""}${baseUrl}${pathOf(op)}`, token, ...query);
  }
  const call = lines(
    `curl -X POST ${baseUrl}${pathOf(op)}`,
    token,
    '  -H "Idempotency-Key: $KEY"',
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(example))}`,
  );
  return `KEY=$(uuidgen)  # once for each act, the same for its repetitions\n${call}`;
}

/** Sends an event from a backend with curl. */
export const eventCurl = (baseUrl: string): string =>
  lines(
    `curl -X POST ${baseUrl}/api/event`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(EVENT_EXAMPLES.event.value))}`,
  );

/** Sends a batch from a server with curl, in a shell that has `INGEST_KEY` set. */
export const batchCurl = (baseUrl: string, batch: object = batchExample("example.com")): string =>
  lines(
    `curl -X POST ${baseUrl}/api/v1/events`,
    '  -H "Authorization: Bearer $INGEST_KEY"',
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(batch))}`,
  );

const lines = (...parts: string[]) => parts.join(" \\\n");
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** An answer as it comes, as indented JSON. */
export function answerOf(op: AnyOperation): string {
  const named: Named = new Map();
  return JSON.stringify(exampleAnswer(op, schemaOf(op.output, "output", named), named), null, 2);
}

/** What an operation answers as `data`, in one line such as `{sites: [Site], total: integer}`. */
export const dataOf = (op: AnyOperation, named: Named): string => shapeOf(schemaOf(op.output, "output", named));

/** A schema as one line. A `?` marks a field that may be missing, `(untrusted)` text that visitors wrote. */
export function shapeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  const { schema: type, nullable } = withoutNull(schema);
  return [plainShape(type), "x-untrusted" in type ? " (untrusted)" : "", nullable ? " | null" : ""].join("");
}

function plainShape(type: Schema): string {
  if (type.$ref) return shapeOf(type);
  if (type.const !== undefined) return JSON.stringify(type.const);
  if (type.enum) return type.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = type.anyOf ?? type.oneOf;
  if (choices) return choices.map((one) => shapeOf(one as Schema)).join(" | ");
  if (type.type === "array") return `[${type.items ? shapeOf(type.items as Schema) : ""}]`;
  if (type.type !== "object") return type.type === "string" ? (type.format ?? "text") : `${type.type ?? "any"}`;
  const required = new Set(type.required);
  const fields = propertiesOf(type).map(([name, one]) => `${name}${required.has(name) ? "" : "?"}: ${shapeOf(one)}`);
  return fields.length > 0 ? `{${fields.join(", ")}}` : "object";
}
