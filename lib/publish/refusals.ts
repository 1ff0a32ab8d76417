import type { AnyOperation } from "@/lib/contract/define";
import { RISKS } from "@/lib/contract/vocabulary";
import { ERRORS, type ErrorCode } from "@/lib/platform/errors";

interface RefusalText {
  /** When it is answered, and what to do. */
  about: string;
  /** A message as it comes. */
  message: string;
  details?: object;
  retryAfter?: number;
}

const APPROVAL = {
  id: "apr_5Yq0cW8mT2",
  status: "pending",
  operation: "sites.delete",
  risk: "destructive",
  payload_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  binding_code: "KXQ-417",
  approval_url: "https://stats.example.com/approvals/apr_5Yq0cW8mT2",
  expires_at: "2026-11-21T11:00:00Z",
};

/** Every refusal, told to those who must handle it. */
export const REFUSALS: Record<ErrorCode, RefusalText> = {
  malformed_request: {
    about:
      "The request is not plain HTTP/1.1: it has several lengths or hosts, or a target that is no path. The connection ends. Client libraries send no such request.",
    message: "Send one Content-Length or one Transfer-Encoding, not several.",
  },
  malformed_json: {
    about: "The body is not JSON in UTF-8. Correct it; a repetition as it is fails again.",
    message: "The body is not valid JSON in UTF-8; check it with a JSON validator.",
  },
  unauthenticated: {
    about: "No bearer token was sent. Send `Authorization: Bearer <ACCESS_TOKEN>`.",
    message: "Send an access token as Authorization: Bearer <ACCESS_TOKEN>.",
  },
  invalid_token: {
    about: "The token is unknown, expired, revoked or meant for another service. Use a fresh one.",
    message: "The access token is not valid or has expired; use a fresh one.",
  },
  insufficient_scope: {
    about: "The token lacks the operation's scope. Repeating does not help.",
    message: "This operation needs the scope analytics:read, which the token does not have.",
  },
  site_not_granted: {
    about: "The site is not among those granted to this client. A site that does not exist is answered alike.",
    message: "This site is not granted to you.",
  },
  role_denied: {
    about: "The human behind this client holds too low a role on the site, at this moment.",
    message: "This operation needs the role owner on the site.",
  },
  approval_denied: {
    about:
      "On the approval page, to a person whose role is too low or whose sign-in is too old. No operation answers it.",
    message: "Only someone with the role owner on the site may decide this.",
  },
  recovery_key_wrong: {
    about:
      "The recovery key is not the one that belongs to this challenge or account. Nothing else stands in for it: neither a proof of the domain nor a contact address.",
    message: "This is not the recovery key of the challenge. Send the key that the challenge was created with.",
  },
  reauthentication_required: {
    about: "On our own pages, to a person whose sign-in is too old for what they want to do. No agent is answered it.",
    message: "Enter your password once more.",
  },
  cross_site: {
    about: "On our own pages, to a form that another site has sent. No agent is answered it.",
    message: "This was not sent by one of our own pages; load the page anew and try again.",
  },
  operation_not_found: {
    about: "No operation has this id. Ids are exact; see the list of operations.",
    message: "There is no operation of this name; see /openapi.json for all of them.",
  },
  not_found: {
    about: "The site is yours, but what the call names inside it does not exist.",
    message: "There is nothing with this id on the site.",
  },
  method_not_allowed: {
    about: "Reading operations take GET, all others POST; the header `Allow` says which.",
    message: "Call this operation with GET.",
  },
  approval_required: {
    about: "A human must agree to exactly this call first. See Approvals.",
    message: "A human must approve this exact call; show them approval_url and binding_code, then repeat it.",
    details: { reason: "no_approval", approval: APPROVAL },
    retryAfter: 5,
  },
  interactive_required: {
    about: "Nobody stands behind this client who could agree. A human must first act at `details.interactive_url`.",
    message: "No human owns this account yet; one must open interactive_url first.",
    details: { interactive_url: "https://stats.example.com/agents" },
  },
  idempotency_conflict: {
    about: "This `Idempotency-Key` was used for another call. Use a new key for a new call.",
    message: "This Idempotency-Key belongs to another call; use a new one.",
  },
  operation_in_progress: {
    about: "The same call is still running. Repeat it with the same key after `Retry-After` seconds.",
    message: "The same call is still running; repeat it in a moment.",
    retryAfter: 1,
  },
  payload_too_large: {
    about: "The body is larger than allowed. Send less.",
    message: "The body may have at most 262144 bytes; send less at once.",
  },
  unsupported_media_type: {
    about: "Send JSON as `Content-Type: application/json`, without `Content-Encoding`.",
    message: "Send the body as Content-Type: application/json.",
  },
  misdirected_request: {
    about:
      "This server does not answer under the host of the request. Use the server's own address; its operator may allow more hosts.",
    message:
      "This server does not answer under the host of this request. Open https://stats.example.com, or add the host to ALLOWED_HOSTS.",
  },
  invalid_input: {
    about: "Something in the input is wrong. `details.issues` names every field and what would be right.",
    message: "site_id is required and must be a whole number, 1 or more.",
    details: { issues: [{ path: "site_id", message: "is required and must be a whole number, 1 or more" }] },
  },
  idempotency_key_required: {
    about: "A POST needs the header `Idempotency-Key` with 8 to 200 visible ASCII characters.",
    message: "Send an Idempotency-Key header of 8 to 200 visible ASCII characters.",
  },
  domain_taken: {
    about: "The domain belongs to another site.",
    message: "example.com already belongs to another site.",
  },
  proof_not_verified: {
    about: "The proof of the domain was not found where it should be. `details.reason` says why.",
    message: "The proof was not found; publish it and try again.",
    details: { reason: "not_found" },
  },
  rate_limited: {
    about:
      "Too many calls, or the report time is used up (`details.budget`). Wait `Retry-After` seconds, then repeat the call with the same key.",
    message: "Too many calls; repeat this one after the time in Retry-After.",
    retryAfter: 12,
  },
  quota_exceeded: {
    about: "The site has used its events of the month. Retrying before `Retry-After` does not help.",
    message: "This site has used its 100000 events of the month.",
    retryAfter: 86_400,
  },
  headers_too_large: {
    about: "The request has more than 100 headers, or more than 16 KiB of them. The connection ends. Send fewer.",
    message: "The request has more than 100 headers; send fewer.",
  },
  internal: {
    about: "Our fault. Repeat with the same key; if it stays, report the `request_id`.",
    message: "Something failed on our side; quote request 7d1f0c52 when you report it.",
  },
  unavailable: {
    about:
      "The service cannot answer at this moment. Repeat with the same key after `Retry-After` seconds. While the events of a site are being prepared for reports, `details.progress` is the share that is done, from 0 to 1.",
    message: "The service is not available at this moment; try again shortly.",
    retryAfter: 5,
  },
};

const EVERY_CALL: ErrorCode[] = [
  ...(["unauthenticated", "invalid_token", "insufficient_scope", "operation_not_found", "not_found"] as const),
  ...(["method_not_allowed", "invalid_input", "rate_limited", "internal", "unavailable"] as const),
  ...(["malformed_request", "misdirected_request", "headers_too_large"] as const),
];
const EVERY_POST: ErrorCode[] = [
  ...(["malformed_json", "payload_too_large", "unsupported_media_type", "idempotency_key_required"] as const),
  ...(["idempotency_conflict", "operation_in_progress"] as const),
];
const ON_A_SITE: ErrorCode[] = ["site_not_granted", "role_denied"];
const ASKING_HUMANS: ErrorCode[] = ["approval_required", "interactive_required"];

/** The refusals an operation can answer with, in the order of the error table. */
export function refusalsOf(op: AnyOperation): ErrorCode[] {
  const { method, needsApproval } = RISKS[op.risk];
  const fields = Object.keys(op.input.shape);
  const codes = new Set<ErrorCode>([
    ...EVERY_CALL,
    ...(method === "POST" ? EVERY_POST : []),
    ...(fields.includes("site_id") ? ON_A_SITE : []),
    ...(needsApproval ? ASKING_HUMANS : []),
    // A domain is given to one site only.
    ...(method === "POST" && fields.includes("domain") ? (["domain_taken"] as const) : []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** What senders of events are told in other words than callers of operations: their keys and their repetitions are others. */
const TO_SENDERS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "No ingest key was sent. Send `Authorization: Bearer <INGEST_KEY>`.",
  invalid_token:
    "The ingest key is unknown, has expired, was revoked or is another site's. Make one in the site's settings or by `sites.keys.create`.",
  method_not_allowed: "Events are sent with POST.",
  rate_limited: "Too much at once. Send it again after `Retry-After` seconds.",
  internal: "Our fault. Send it again with the same `event_id`; if it stays, report the `request_id`.",
  unavailable:
    "The service cannot answer at this moment. Send it again with the same `event_id` after `Retry-After` seconds.",
};

/** Rows of a table for senders of events: a refusal's status and code, and what to do. */
export const refusalsToSenders = (codes: readonly ErrorCode[]): [string, string][] =>
  codes.map((code) => [`${ERRORS[code]} ${code}`, TO_SENDERS[code] ?? REFUSALS[code].about]);

/** The refusals of the Events API. */
export const EVENT_REFUSALS: ErrorCode[] = [
  ...([
    "malformed_json",
    "invalid_token",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "invalid_input",
  ] as const),
  ...(["rate_limited", "quota_exceeded", "internal", "unavailable", "malformed_request", "headers_too_large"] as const),
];

/** The refusals of the Measurement Protocol to a whole batch. */
export const BATCH_REFUSALS: ErrorCode[] = [
  ...(["malformed_json", "unauthenticated", "invalid_token", "method_not_allowed"] as const),
  ...(["payload_too_large", "unsupported_media_type", "invalid_input"] as const),
  ...(["rate_limited", "quota_exceeded", "internal", "unavailable", "malformed_request", "headers_too_large"] as const),
];
