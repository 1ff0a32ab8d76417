import { RISKS } from "@/lib/contract/access";
import type { AnyOperation, Endpoint } from "@/lib/contract/define";
import { ACTIONS } from "@/lib/publish/groups";
import { EVENT_EXAMPLES, eventSchema } from "@/lib/publish/open-events";
import { batchExample } from "@/lib/publish/open-measurement";
import { isComposite } from "@/lib/publish/parameters";
import { randomHex } from "@/lib/publish/random-hex";
import { exampleOf } from "@/lib/publish/sample";
import { type Named, propertiesOf, type Schema, schemaOf, withoutNull } from "@/lib/publish/schemas";

/** One field of an input, as the docs show it. */
export interface Parameter {
  name: string;
  /** Such as `integer, 1 to 100`. */
  type: string;
  required: boolean;
  about: string;
}

export const methodOf = (op: AnyOperation): "GET" | "POST" => RISKS[op.risk].method;
export const operationPath = (op: AnyOperation): string => `${ACTIONS}/${op.id}`;

/** The parameters of an operation. In a query null means absent, so GET parameters do not mention it. */
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
    type: typeOf(one),
    required: required.has(name),
    about: withoutNull(one).schema.description ?? "",
  }));
}

/** The type of a schema in words. */
export function typeOf(schema: Schema): string {
  const { schema: type, nullable } = withoutNull(schema);
  return [plainType(type), nullable ? " or null" : ""].join("");
}

function plainType(type: Schema): string {
  if (type.enum) return `one of ${type.enum.join(", ")}`;
  const choices = type.anyOf ?? type.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeOf(one as Schema)))].join(" or ");
  if (type.type === "string") return textType(type);
  if (type.type === "integer" || type.type === "number") return numberType(type);
  if (type.type === "boolean") return "true or false";
  if (type.type === "array") {
    const items = type.items ? typeOf(type.items as Schema) : "anything";
    return `${items.startsWith("one of ") ? "list, each " : "list of "}${items}${type.maxItems === undefined ? "" : `, at most ${type.maxItems}`}`;
  }
  const fields = propertiesOf(type).map(([name]) => name);
  return fields.length > 0 ? `object {${fields.join(", ")}}` : "object";
}

function textType({ format, minLength, maxLength }: Schema): string {
  if (format === "date") return "date (YYYY-MM-DD)";
  if (format === "uuid") return "UUID";
  if (maxLength === undefined) return "text";
  return minLength === maxLength ? `text of ${maxLength} characters` : `text, at most ${maxLength} characters`;
}

function numberType({ type, minimum, maximum }: Schema): string {
  const name = type === "integer" ? "integer" : "number";
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined) return most === undefined ? name : `${name}, at most ${most}`;
  return most === undefined ? `${name}, ${minimum} or more` : `${name}, ${minimum} to ${most}`;
}

/** A curl command for a shell with `ACCESS_TOKEN` set. */
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
    return lines(`curl ${query.length > 0 ? "-G " : ""}${baseUrl}${operationPath(op)}`, token, ...query);
  }
  const call = lines(
    `curl -X POST ${baseUrl}${operationPath(op)}`,
    token,
    '  -H "Idempotency-Key: $KEY"',
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(example))}`,
  );
  return `KEY=${randomHex(16)}  # new for each change, the same for its retries\n${call}`;
}

/** A curl command that sends an event. */
export const eventCurl = (baseUrl: string): string =>
  lines(
    `curl -X POST ${baseUrl}/api/event`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(EVENT_EXAMPLES.event.value))}`,
  );

/** A curl command that sends a batch, for a shell with `INGEST_KEY` set. */
export const batchCurl = (baseUrl: string, batch: object = batchExample("example.com")): string =>
  lines(
    `curl -X POST ${baseUrl}/api/v1/events`,
    '  -H "Authorization: Bearer $INGEST_KEY"',
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(batch))}`,
  );

const lines = (...parts: string[]) => parts.join(" \\\n");
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** An example answer as indented JSON. */
export function answerOf(op: AnyOperation): string {
  const named: Named = new Map();
  return JSON.stringify(exampleOf(op, schemaOf(op.output, "output", named), named), null, 2);
}
