import fc from "fast-check";
import { openapi } from "@/lib/publish/openapi";
import {
  arbitraryValue,
  type Fields,
  type Known,
  nearlyValidFields,
  type Schema,
  validFields,
} from "@/lib/testing/from-schema";

/** Generates requests from /openapi.json alone. */

const FORM = "application/x-www-form-urlencoded";

interface Media {
  schema: Schema;
  example?: unknown;
}
interface DescribedOperation {
  operationId: string;
  "x-approval"?: boolean;
  parameters?: ({
    name: string;
    in: string;
    example?: unknown;
    schema?: Schema;
    content?: Record<string, Media>;
    required?: boolean;
  } & Reference)[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Reference>;
}
interface Reference {
  $ref?: string;
}
/** One operation of the document, and the schema of its whole input. */
export interface Target {
  path: string;
  method: string;
  operation: DescribedOperation;
  input: Schema;
  /** Whether the body is a form. */
  form: boolean;
  /** Whether it is an identity endpoint, whose idempotency keys have another format. */
  identity: boolean;
}
/** A request as the route handler receives it. */
export interface GeneratedRequest {
  method: string;
  query: [string, string][];
  body: Uint8Array;
  headers: Record<string, string>;
}

/** The parts of an OpenAPI document that tests read. */
export interface Published {
  paths: Record<string, Record<string, DescribedOperation>>;
}

/** Returns a value of a document with its references resolved. */
export function resolved(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: unknown };
  const own = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, resolved(item, document)]));
  if (typeof $ref !== "string") return own;
  const keys = $ref.slice(2).split("/");
  const target = keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], document);
  return { ...(resolved(target, document) as object), ...own };
}

/** The document after serialisation. */
export const document: Published = JSON.parse(JSON.stringify(openapi("http://localhost:3000")));

/** Returns every operation of a document except the health check and those on files, whose bytes no schema describes. */
export const targetsOf = (document: Published): Target[] =>
  Object.entries(document.paths)
    .filter(([path]) => path !== "/api/health" && !path.includes("{"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses, ...request }]) => ({
        path,
        method: method.toUpperCase(),
        operation: { ...(resolved(request, document) as typeof request), responses },
        input: inputOf(resolved(request, document) as typeof request),
        form: FORM in (request.requestBody?.content ?? {}),
        identity: request.operationId.startsWith("identity."),
      })),
    );

export const targets = targetsOf(document);

function inputOf(operation: Omit<DescribedOperation, "responses">): Schema {
  const { content } = operation.requestBody ?? {};
  const body = content?.["application/json"] ?? content?.[FORM];
  if (body) return body.schema;
  const query = (operation.parameters ?? []).filter((one) => one.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(query.map((one) => [one.name, one.schema?.contentSchema ?? one.schema ?? {}])),
    required: query.filter((one) => one.required).map((one) => one.name),
  };
}

const json = (fields: Fields) =>
  `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join(",")}}`;

/** Returns a value as query parameters; objects as JSON or with brackets. */
function pairsOf([name, value]: Fields[number], brackets: boolean): [string, string][] {
  if (typeof value !== "object" || value === null) return value === null ? [[name, ""]] : [[name, `${value}`]];
  if (!brackets) return [[name, JSON.stringify(value)]];
  return Object.entries(value).map(([key, item]) => [`${name}[${Array.isArray(value) ? "" : key}]`, `${item}`]);
}

const text = (value: string) => new TextEncoder().encode(value);

const form = (fields: Fields) =>
  new URLSearchParams(
    fields.map(([name, value]) => [
      name,
      (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed(),
    ]),
  ).toString();

const bodies = (fields: fc.Arbitrary<Fields>, write: (some: Fields) => string): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 30, arbitrary: fields.map((some) => text(write(some))) },
    { weight: 2, arbitrary: arbitraryValue.map((value) => text(JSON.stringify(value) ?? "")) },
    { weight: 2, arbitrary: fields.map((some) => text(write(some).slice(0, -1))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          "[".repeat(5000),
          '{"a":'.repeat(3000),
          '{"a":1e400}',
          "\ufeff{}",
          `{"a":"${"x".repeat(300_000)}"}`,
        )
        .map(text),
    },
  );

const usually = <T>(usual: fc.Arbitrary<T>, ...seldom: T[]) =>
  fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...seldom) });

const hexKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"));

/** Generates headers; `token` and `weak` are placeholders for tokens that do not exist yet. */
const headersFor = (isForm: boolean, identity: boolean) =>
  fc.record({
    authorization: usually(
      fc.constant<string | null>(isForm ? null : "token"),
      null,
      "weak",
      "Bearer ",
      "Bearer ffa_x",
      "Basic YTpi",
      "bearer a b",
      "é",
    ),
    "content-type": usually(
      fc.constantFrom<string | null>(
        ...(isForm ? [FORM, `${FORM};charset=UTF-8`] : ["application/json", "application/json; charset=utf-8"]),
      ),
      null,
      "",
      "text/html",
      isForm ? "application/json" : FORM,
    ),
    "content-encoding": usually(fc.constant<string | null>(null), "gzip", "identity"),
    "content-length": usually(fc.constant<string | null>(null), "999999999", "-1", "x"),
    "idempotency-key": usually(
      (identity ? hexKey : fc.uuid()) as fc.Arbitrary<string | null>,
      null,
      "",
      "short",
      "x".repeat(200),
      "x".repeat(201),
      "used-before",
      "two, joined-keys",
      "schlüssel-1",
    ),
    "x-agent-approval-id": usually(fc.constant<string | null>(null), "", "apr_unknown", "x".repeat(5000), "\u00e9"),
    "x-request-id": usually(
      fc.constantFrom<string | null>(null, "my-own.id_1"),
      "",
      "a b",
      "x".repeat(10_000),
      "é",
      "a\nb",
    ),
    origin: usually(fc.constant<string | null>(null), "null", "https://evil.example", "::"),
  });

/** Generates requests to one operation: valid, nearly valid and hostile. */
export function requests(
  { method, input, form: isForm, identity }: Target,
  known: Known,
): fc.Arbitrary<GeneratedRequest> {
  const fields = fc.oneof(validFields(input, known), nearlyValidFields(input, known));
  const bytes = bodies(fields, isForm ? form : json);
  const verb = usually(fc.constant(method), "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "get");
  return fc
    .record({ method: verb, fields, headers: headersFor(isForm, identity), brackets: fc.boolean(), bytes })
    .map((made) => ({
      method: made.method,
      query: method === "GET" ? made.fields.flatMap((field) => pairsOf(field, made.brackets)) : [],
      body: method === "GET" ? new Uint8Array() : made.bytes,
      headers: Object.fromEntries(
        Object.entries(made.headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
      ),
    }));
}
