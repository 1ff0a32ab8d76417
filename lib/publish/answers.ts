import { ERRORS, type ErrorCode } from "@/lib/platform/errors";
import { REFUSALS } from "@/lib/publish/refusals";

/** Answers in the OpenAPI document: statuses, headers, errors with their details. */

const STATUS_TEXT: Record<number, string> = {
  400: "The request cannot be read",
  401: "No valid bearer token",
  403: "Not allowed",
  404: "Not found",
  405: "Wrong method",
  409: "Blocked for now, or waiting for a human",
  413: "The body is too large",
  415: "Wrong content type",
  421: "The host of another server",
  422: "The input is not valid",
  429: "Too many calls",
  431: "Too many headers",
  500: "A fault of the service",
  503: "Temporarily unavailable",
};

/** Headers of answers, by their name under `components/headers`. */
export const HEADERS = {
  RequestId: {
    description: "The id of this call: yours if it was valid, otherwise a new one",
    required: true,
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Seconds to wait before you repeat the call",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  MayRetryAfter: {
    description: "Seconds to wait before you repeat the call",
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  Challenge: { description: "RFC 6750 challenge", required: true, schema: { type: "string" } },
  BasicChallenge: { description: "Sent when HTTP Basic was used", schema: { type: "string" } },
  Allow: { description: "The method to use", required: true, schema: { type: "string" } },
};
const header = (name: keyof typeof HEADERS): { $ref: string } => ({ $ref: `#/components/headers/${name}` });

const STATUS_HEADERS: Record<number, Record<string, { $ref: string }>> = {
  401: { "WWW-Authenticate": header("Challenge") },
  405: { Allow: header("Allow") },
  409: { "Retry-After": header("MayRetryAfter") },
  429: { "Retry-After": header("RetryAfter") },
  503: { "Retry-After": header("MayRetryAfter") },
};

export const REQUEST_ID_HEADER = { "X-Request-ID": header("RequestId") };

const detailsOf = (schema: object) => ({ type: "object", additionalProperties: true, ...schema });
const described = (description: string, values?: string[]) => ({
  type: "string",
  description,
  ...(values && { enum: values }),
});

/** Why a call that needs approval is refused. */
export const APPROVAL_REASONS = {
  no_approval: "the call named no approval; show the new one to your human",
  pending: "the human has not decided yet",
  denied:
    "the human denied it; talk to them, and if they change their mind, repeat the call once without the approval header",
  expired: "it was not decided, or not used, in time; a new approval is waiting",
  consumed: "it was used already; a new approval is waiting",
  withdrawn: "you withdrew it; a new approval is waiting",
  payload_mismatch: "it was for another call; a new approval is waiting",
  context_changed: "the site or the approver's role has changed since; a new approval is waiting",
  unknown: "you have no approval with this id; a new one is waiting",
};

/** The `details` of errors that have any. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  invalid_input: detailsOf({
    required: ["issues"],
    properties: {
      issues: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: {
            path: described("Where: a field, a dotted path or a header"),
            message: described("What is wrong"),
          },
        },
      },
    },
  }),
  approval_required: detailsOf({
    required: ["reason", "approval"],
    properties: {
      reason: described("Why the call is refused", Object.keys(APPROVAL_REASONS)),
      approval: { $ref: "#/components/schemas/Approval" },
    },
  }),
  interactive_required: detailsOf({
    required: ["interactive_url"],
    properties: { interactive_url: described("A page that a human must open") },
  }),
};

export const APPROVAL_SCHEMA = {
  type: "object",
  description: "An approval request. Show your human `approval_url` and `binding_code`, and nothing else.",
  required: [
    ...["id", "status", "operation", "risk", "payload_sha256"],
    ...["binding_code", "approval_url", "expires_at"],
  ],
  properties: {
    id: described("Send it as X-Agent-Approval-ID"),
    status: described("Its state"),
    operation: described("The operation"),
    risk: described("Its risk class"),
    payload_sha256: described("SHA-256 of exactly what the human approves"),
    binding_code: described("You and the human both see it, so that they can recognise your request"),
    approval_url: described("Where the human decides"),
    expires_at: { type: "string", format: "date-time" },
  },
};

/** The name of a response with these errors, so that operations with the same ones share it. */
const errorName = (codes: ErrorCode[]): string =>
  codes.map((code) => code.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase())).join("Or");

/** The response object for the errors of one status. */
export const errorResponse = (status: number, codes: ErrorCode[]): object => ({
  description: `${STATUS_TEXT[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}`,
  headers: { ...REQUEST_ID_HEADER, ...STATUS_HEADERS[status] },
  content: errorContent(codes),
});

/** The response object for the errors that all operations of a method share, of several statuses. */
function sharedResponse(codes: ErrorCode[]): object {
  const statuses = byStatus(codes);
  return {
    description: `Any operation can be refused so; \`x-statuses\` has the errors of each status:\n\n${statuses
      .map(([status, some]) => `- ${status}, ${STATUS_TEXT[status]}: ${some.map((code) => `\`${code}\``).join(", ")}`)
      .join("\n")}`,
    "x-statuses": Object.fromEntries(statuses),
    headers: { ...REQUEST_ID_HEADER, ...sharedHeaders(statuses.map(([status]) => status)) },
    content: errorContent(codes),
  };
}

/** Headers that come with some of these statuses; `x-required-with` names those that always have them. */
function sharedHeaders(statuses: number[]): Record<string, object> {
  const found: Record<string, { "x-required-with": number[] }> = {};
  for (const status of statuses)
    for (const [name, { $ref }] of Object.entries(STATUS_HEADERS[status] ?? {})) {
      const { required, ...described } = HEADERS[
        $ref.slice("#/components/headers/".length) as keyof typeof HEADERS
      ] as {
        required?: boolean;
      };
      const known = found[name]?.["x-required-with"] ?? [];
      found[name] = { ...described, "x-required-with": [...known, ...(required ? [status] : [])] };
    }
  return found;
}

function errorContent(codes: ErrorCode[]): object {
  const plain = codes.filter((code) => !DETAILS[code]);
  const choices = [
    ...(plain.length > 0 ? [errorSchema(plain)] : []),
    ...codes.filter((code) => DETAILS[code]).map((code) => errorSchema([code], DETAILS[code])),
  ];
  const examples = codes.map((code) => [code, { summary: REFUSALS[code].about, value: exampleError(code) }]);
  return {
    "application/json": {
      schema: choices.length === 1 ? choices[0] : { anyOf: choices },
      examples: Object.fromEntries(examples),
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
        message: described("One sentence that says what to do"),
        details: details ?? { type: "object", additionalProperties: true },
      },
    },
    operationId: { type: "string" },
    request_id: { type: "string" },
  },
});

/** An example of an error body. */
function exampleError(code: ErrorCode): object {
  const { message, details } = REFUSALS[code];
  const error = { code, message, ...(details && { details }) };
  return { error, request_id: "7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21" };
}

/** Groups error codes by status, in ascending order. */
export function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code]))].sort((a, b) => a - b);
  return statuses.map((status) => [status, codes.filter((code) => ERRORS[code] === status)]);
}

/** The error responses of an operation, as references. The responses are added to `shared`. */
export function errorAnswers(codes: readonly ErrorCode[], shared: Map<string, object>): Record<string, object> {
  return Object.fromEntries(
    byStatus(codes).map(([status, some]) => {
      const name = errorName(some);
      shared.set(name, errorResponse(status, some));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/**
 * The error responses of an operation. The statuses whose errors all operations of its method share are one response,
 * `default`; the others stand under their status.
 */
export function operationErrors(
  codes: readonly ErrorCode[],
  { method, common }: { method: string; common: readonly ErrorCode[] },
  shared: Map<string, object>,
): Record<string, object> {
  const ownStatuses = new Set(codes.filter((code) => !common.includes(code)).map((code) => ERRORS[code]));
  const inDefault = common.filter((code) => !ownStatuses.has(ERRORS[code]));
  const name = method === "GET" ? "AnyRefusalOfReads" : "AnyRefusalOfWrites";
  shared.set(name, sharedResponse([...common]));
  const own = codes.filter((code) => !inDefault.includes(code));
  return { ...errorAnswers(own, shared), default: { $ref: `#/components/responses/${name}` } };
}

/** The error responses of an OAuth endpoint (RFC 6749 section 5.2). */
export function oauthAnswers(errors: Readonly<Record<number, readonly string[]>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(errors).map(([status, names]) => [
      status,
      {
        description: `${OAUTH_STATUS_TEXT[Number(status)] ?? STATUS_TEXT[Number(status)]}: ${names.map((name) => `\`${name}\``).join(", ")}`,
        headers: { ...REQUEST_ID_HEADER, ...OAUTH_HEADERS[Number(status)] },
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["error"],
              properties: { error: described("What is wrong", [...names]), error_description: described("What to do") },
            },
            example: { error: names[0], error_description: "One sentence that says what to do." },
          },
        },
      },
    ]),
  );
}

const OAUTH_STATUS_TEXT: Record<number, string> = {
  400: "The request is not valid",
  401: "The client id or secret is wrong",
};
const OAUTH_HEADERS: Record<number, Record<string, object>> = {
  400: { "Retry-After": header("MayRetryAfter") },
  401: { "WWW-Authenticate": header("BasicChallenge") },
  405: STATUS_HEADERS[405] ?? {},
  429: STATUS_HEADERS[429] ?? {},
  503: STATUS_HEADERS[503] ?? {},
};
