import { ERRORS, type ErrorCode } from "@/lib/platform/errors";
import { REFUSALS } from "@/lib/publish/refusals";

/** How answers look in the OpenAPI document. */

const STATUS_WORDS: Record<number, string> = {
  400: "The request cannot be read",
  401: "No valid bearer token",
  403: "Not allowed",
  404: "No such thing",
  405: "Another method is needed",
  409: "Not now, or not without a human",
  413: "The body is too large",
  415: "Another content type is needed",
  421: "Another server's host",
  422: "The input is not valid",
  429: "Too many calls",
  431: "Too many headers",
  500: "Our fault",
  503: "Not available at this moment",
};

const retryAfter = {
  description: "Seconds until the call may be repeated",
  required: true,
  schema: { type: "integer", minimum: 1 },
  example: 12,
};
const HEADERS: Record<string, Record<string, object>> = {
  401: {
    "WWW-Authenticate": { description: "RFC 6750 challenge", required: true, schema: { type: "string" } },
  },
  405: { Allow: { description: "The method to use", required: true, schema: { type: "string" } } },
  409: { "Retry-After": { ...retryAfter, required: false } },
  429: { "Retry-After": retryAfter },
  503: { "Retry-After": { ...retryAfter, required: false } },
};

export const REQUEST_ID_HEADER = {
  "X-Request-ID": {
    description: "The id of this call: yours, if it was acceptable, else a new one",
    required: true,
    schema: { type: "string" },
  },
};

const detailsOf = (schema: object) => ({ type: "object", additionalProperties: true, ...schema });
const words = (about: string, values?: string[]) => ({
  type: "string",
  description: about,
  ...(values && { enum: values }),
});

/** Why a call that a human must allow does not pass. */
export const APPROVAL_REASONS = {
  no_approval: "no approval was named; a human can decide now",
  pending: "the human has not decided yet",
  denied:
    "the human said no: talk to them; if they change their mind, the call may be made once more without the header",
  expired: "it was not decided, or not used, in time; a new one waits",
  consumed: "it has been used; a new one waits",
  payload_mismatch: "it was for another call; a new one waits",
  context_changed: "the site or the approver's role has changed since; a new one waits",
  unknown: "no such approval of yours; a new one waits",
};

/** What `details` holds, where a refusal has any. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  invalid_input: detailsOf({
    required: ["issues"],
    properties: {
      issues: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: words("Where: a field, a dotted path or a header"), message: words("What is wrong") },
        },
      },
    },
  }),
  approval_required: detailsOf({
    required: ["reason", "approval"],
    properties: {
      reason: words("Why the call does not pass as it is", Object.keys(APPROVAL_REASONS)),
      approval: { $ref: "#/components/schemas/Approval" },
    },
  }),
  interactive_required: detailsOf({
    required: ["interactive_url"],
    properties: { interactive_url: words("A page that a human must open") },
  }),
};

export const APPROVAL_SCHEMA = {
  type: "object",
  description: "What a human is asked. Show them `approval_url` and `binding_code`, and nothing else.",
  required: [
    ...["id", "status", "operation", "risk", "payload_sha256"],
    ...["binding_code", "approval_url", "expires_at"],
  ],
  properties: {
    id: words("To be sent as X-Agent-Approval-ID"),
    status: words("How far it is"),
    operation: words("The operation"),
    risk: words("Its risk class"),
    payload_sha256: words("SHA-256 of exactly what is to be approved"),
    binding_code: words("Both you and the human see it, so that they can tell that it is your request"),
    approval_url: words("Where the human decides"),
    expires_at: { type: "string", format: "date-time" },
  },
};

/** Refusals of one status under a name, so that operations with the same ones share them. */
const errorName = (codes: ErrorCode[]): string =>
  codes.map((code) => code.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())).join("Or");

/** The error bodies of one status, as a response object that documents exactly these codes. */
export function errorResponse(status: number, codes: ErrorCode[]): object {
  const plain = codes.filter((code) => !DETAILS[code]);
  const choices = [
    ...(plain.length > 0 ? [errorSchema(plain)] : []),
    ...codes.filter((code) => DETAILS[code]).map((code) => errorSchema([code], DETAILS[code])),
  ];
  const examples = codes.map((code) => [code, { summary: REFUSALS[code].about, value: exampleError(code) }]);
  return {
    description: `${STATUS_WORDS[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}`,
    headers: { ...REQUEST_ID_HEADER, ...HEADERS[status] },
    content: {
      "application/json": {
        schema: choices.length === 1 ? choices[0] : { anyOf: choices },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const errorSchema = (codes: ErrorCode[], details?: object) => ({
  type: "object",
  required: ["error", "request_id"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", ...(details ? ["details"] : [])],
      properties: {
        code: { type: "string", enum: codes },
        message: words("One sentence that says what to do"),
        details: details ?? { type: "object", additionalProperties: true },
      },
    },
    operationId: { type: "string" },
    request_id: { type: "string" },
  },
});

/** An error body as it comes. */
function exampleError(code: ErrorCode): object {
  const { message, details } = REFUSALS[code];
  const error = { code, message, ...(details && { details }) };
  return { error, request_id: "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21" };
}

/** Codes by their status, in ascending order. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].sort((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => ERRORS[code] === status)]);
}

/** The error answers of an operation, each a reference; what they refer to is added to `shared`. */
export function errorAnswers(codes: readonly ErrorCode[], shared: Map<string, object>): Record<string, object> {
  return Object.fromEntries(
    byStatus(codes).map(([status, some]) => {
      const name = errorName(some);
      shared.set(name, errorResponse(status, some));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** The error answers of an OAuth endpoint (RFC 6749 section 5.2). */
export function oauthAnswers(errors: Readonly<Record<number, readonly string[]>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, names]) => [
      status,
      {
        description: `${OAUTH_STATUS_WORDS[Number(status)] ?? STATUS_WORDS[Number(status)]}: ${names.map((name) => `\`${name}\``).join(", ")}`,
        headers: { ...REQUEST_ID_HEADER, ...OAUTH_HEADERS[Number(status)] },
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["error"],
              properties: { error: words("What is wrong", [...names]), error_description: words("What to do") },
            },
            example: { error: names[0], error_description: "One sentence that says what to do." },
          },
        },
      },
    ]),
  );
}

const OAUTH_STATUS_WORDS: Record<number, string> = {
  400: "Not as it is",
  401: "The client is not known by this id and secret",
};
const OAUTH_HEADERS: Record<number, Record<string, object>> = {
  400: { "Retry-After": { ...retryAfter, required: false } },
  401: {
    "WWW-Authenticate": { description: "When HTTP Basic was used", required: false, schema: { type: "string" } },
  },
  405: HEADERS[405] ?? {},
  429: HEADERS[429] ?? {},
  503: HEADERS[503] ?? {},
};
