import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { Answer } from "@/lib/platform/http/http";
import type { Schema } from "@/lib/testing/from-schema";
import { document, type GeneratedRequest, type Published, resolved, type Target } from "@/lib/testing/openapi-requests";

/** Checks answers against /openapi.json. */

interface Documented {
  headers?: Record<string, { required?: boolean; schema: Schema; "x-required-with"?: number[] }>;
  /** The error codes of each status, of a response for several. */
  "x-statuses"?: Record<string, string[]>;
}

/** Returns what is wrong with an answer, or null. */
export type AnswerCheck = (target: Target, request: GeneratedRequest, answer: Answer) => string | null;

/** Undocumented fields in an answer are a fault too, although clients must ignore them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]));
  const open = inner.type === "object" && inner.properties && inner.additionalProperties === undefined;
  return open ? { ...inner, additionalProperties: false } : inner;
}

/** Removes empty parameters, which operations treat as missing. */
const withoutEmpty = (body: object) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));

const step = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const pointer = (...names: (string | number)[]): `#${string}` => `#/${names.map((name) => step(`${name}`)).join("/")}`;

/** Returns a function that checks answers against this document. */
export function answerCheck(document: Published): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats(ajv);
  ajv.addSchema(document as object, "requests");
  ajv.addSchema(closed(document) as object, "answers");
  const compiled = new Map<string, ValidateFunction>();

  function faultsOf(value: unknown, at: `${"requests" | "answers"}#${string}`): string | null {
    const check = compiled.get(at) ?? ajv.compile({ $ref: at });
    compiled.set(at, check);
    return check(value) ? null : ajv.errorsText(check.errors);
  }

  function follow(at: string): unknown {
    const parts = at
      .slice(2)
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return parts.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], document);
  }

  function faultOf(
    { path, method, operation, input, form }: Target,
    request: GeneratedRequest,
    { status, headers, body }: Answer,
  ): string | null {
    if (status >= 500) return `${status} ${body}`;
    const key = status in operation.responses ? status : "default";
    const reference = operation.responses[key];
    if (!reference) return `${status} is not documented: ${body}`;
    const at =
      (reference.$ref as `#${string}` | undefined) ?? pointer("paths", path, method.toLowerCase(), "responses", key);
    const { headers: documentedHeaders, "x-statuses": statuses } = follow(at) as Documented;
    if (key === "default" && !statuses?.[status]?.includes(JSON.parse(body).error?.code))
      return `${status} is not documented: ${body}`;
    const documented = resolved({ headers: documentedHeaders }, document) as Documented;
    for (const [name, header] of Object.entries(documented.headers ?? {})) {
      const value = headers[name.toLowerCase()];
      if (value === undefined && !header.required && !header["x-required-with"]?.includes(status)) continue;
      if (value === undefined) return `${status} without ${name}`;
      if (header.schema.type === "integer" && !/^[1-9]\d*$/.test(value)) return `${name}: ${value}`;
    }
    const answer = JSON.parse(body);
    if (headers["content-type"] !== "application/json" || headers["cache-control"] !== "no-store") return "headers";
    const sent = request.headers["x-request-id"] ?? "";
    // The bodies of OAuth answers are those of its RFCs.
    const id = path.startsWith("/oauth/") ? headers["x-request-id"] : answer.request_id;
    if (!id || id !== headers["x-request-id"] || (sent === "my-own.id_1" && id !== sent)) return "id";
    // A 207 may contain invalid events.
    if (status < 300 && status !== 207 && !form) {
      const forbidden = method === "POST" ? bodyFault(path, request) : queryFault(input, request);
      if (forbidden) return `done, although ${forbidden}`;
    }
    return faultsOf(answer, `answers${at}/content/application~1json/schema`);
  }

  function bodyFault(path: string, request: GeneratedRequest): string | null {
    const at = pointer("paths", path, "post", "requestBody", "content", "application/json", "schema");
    const body = JSON.parse(new TextDecoder().decode(request.body));
    return faultsOf(path.startsWith("/api/v1/management/") ? withoutEmpty(body) : body, `requests${at}`);
  }

  function queryFault({ properties = {} }: Schema, request: GeneratedRequest): string | null {
    const unknown = request.query
      .map(([name]) => name)
      .find((name) => !Object.hasOwn(properties, name.replace(/\[.*/s, "")));
    return unknown === undefined ? null : `${JSON.stringify(unknown)} is not a parameter`;
  }

  return faultOf;
}

/** Checks answers against the current document. */
export const faultOf = answerCheck(document);
