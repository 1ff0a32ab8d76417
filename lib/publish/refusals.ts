import { RISKS } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { ERRORS, type ErrorCode } from "@/lib/platform/errors";

interface RefusalText {
  /** When it is sent, and what to do. */
  about: string;
  /** An example message. */
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

/** Every error with its cause and the way out, for callers. */
export const REFUSALS: Record<ErrorCode, RefusalText> = {
  malformed_request: {
    about:
      "The request is not plain HTTP/1.1: several lengths or hosts, or a target that is not a path. The connection closes.",
    message: "Send one Content-Length or one Transfer-Encoding, not several.",
  },
  malformed_json: {
    about: "The body is not JSON in UTF-8. Correct it before you repeat the call.",
    message: "The body is not valid JSON in UTF-8; check it with a JSON validator.",
  },
  unauthenticated: {
    about: "No bearer token was sent. Send `Authorization: Bearer <ACCESS_TOKEN>`.",
    message: "Send an access token as Authorization: Bearer <ACCESS_TOKEN>.",
  },
  invalid_token: {
    about: "The token is unknown, expired, revoked or for another service. Get a new one.",
    message: "The access token is not valid or has expired; use a fresh one.",
  },
  insufficient_scope: {
    about: "The token lacks the operation's scope. Repeating the call does not help.",
    message: "This operation needs the scope analytics:read, which the token does not have.",
  },
  site_not_granted: {
    about: "The site is not granted to this client, or does not exist.",
    message: "This site is not granted to you.",
  },
  role_denied: {
    about: "The human behind this client has too low a role on the site.",
    message: "This operation needs the role owner on the site.",
  },
  approval_denied: {
    about: "Only on the approval page, never from an operation: the role of the person is too low.",
    message: "Only someone with the role owner on the site may decide this.",
  },
  recovery_key_wrong: {
    about: "The recovery key does not belong to this challenge or account. Nothing else replaces it.",
    message: "This is not the recovery key that the challenge was made with; send the original one.",
  },
  reauthentication_required: {
    about: "Only on pages, never for agents: the sign-in of the person is too old.",
    message: "Enter your password once more.",
  },
  cross_site: {
    about: "Only on pages, never for agents: another site sent the form.",
    message: "This request did not come from a page of this service; reload the page and try again.",
  },
  operation_not_found: {
    about: "No operation has this id. See the list of operations.",
    message: "There is no operation of this name; see /openapi.json for all of them.",
  },
  not_found: {
    about: "The site is granted to you, but it has nothing with the id or name in the call.",
    message: "There is nothing with this id on the site.",
  },
  method_not_allowed: {
    about: "Operations that read take GET, all others POST. The header `Allow` has the right method.",
    message: "Call this operation with GET.",
  },
  approval_required: {
    about: "A human must first approve exactly this call. See Approvals.",
    message: "A human must approve this exact call; show them approval_url and binding_code, then repeat it.",
    details: { reason: "no_approval", approval: APPROVAL },
    retryAfter: 5,
  },
  interactive_required: {
    about:
      "The site of this machine account has no human who can approve. One must first open `details.interactive_url`, prove the domain of the site and take it over.",
    message:
      "No human can approve changes of this site yet. Ask one to open interactive_url, prove the site's domain and take over the site.",
    details: { interactive_url: "https://stats.example.com/agents/claim/ffc_w3Hk9sQ2" },
  },
  idempotency_conflict: {
    about: "This `Idempotency-Key` was used for another call. Use a new key for a new call.",
    message: "This Idempotency-Key belongs to another call; use a new one.",
  },
  operation_in_progress: {
    about: "A call with this key is still running. Repeat it with the same key after `Retry-After` seconds.",
    message: "The same call is still running; repeat it in a moment.",
    retryAfter: 1,
  },
  payload_too_large: {
    about: "The body is too large. Send less.",
    message: "The body may have at most 262144 bytes; send less at once.",
  },
  unsupported_media_type: {
    about: "Send JSON as `Content-Type: application/json`, without `Content-Encoding`.",
    message: "Send the body as Content-Type: application/json.",
  },
  misdirected_request: {
    about: "The server does not serve the host of the request. Use its own address; its operator can allow more hosts.",
    message:
      "This server does not answer under the host of this request. Open https://stats.example.com, or add the host to ALLOWED_HOSTS.",
  },
  invalid_input: {
    about: "The input is not valid. `details.issues` names each wrong field and what is right.",
    message: "site_id is required and must be a whole number, 1 or more.",
    details: { issues: [{ path: "site_id", message: "is required and must be a whole number, 1 or more" }] },
  },
  idempotency_key_required: {
    about: "A POST needs the header `Idempotency-Key` with 8 to 200 visible ASCII characters.",
    message: "Send an Idempotency-Key header of 8 to 200 visible ASCII characters.",
  },
  domain_taken: {
    about:
      "The domain belongs to another site. The message says whether and when it can move to whoever has proven it.",
    message: "example.com already belongs to another site.",
  },
  proof_not_verified: {
    about: "The proof of the domain was not found. `details.reason` says why.",
    message: "The proof was not found; publish it and try again.",
    details: { reason: "not_found" },
  },
  rate_limited: {
    about:
      "Too many calls, or no report time is left (`details.budget`). Wait `Retry-After` seconds, then repeat the call with the same key.",
    message: "Too many calls; repeat this one after the time in Retry-After.",
    retryAfter: 12,
  },
  quota_exceeded: {
    about:
      "The site has used its events of this month. Repeating before `Retry-After` does not help, unless the message asks for the proof of a domain (`sites.verify`).",
    message: "This site has used its quota of 100000 events this month; send events again from 2026-12-01 (UTC).",
    retryAfter: 86_400,
  },
  headers_too_large: {
    about: "The request has more than 100 headers, or more than 16 KiB of them. The connection closes. Send fewer.",
    message: "The request has more than 100 headers; send fewer.",
  },
  internal: {
    about: "A fault of the service. Repeat with the same key; if it persists, report the `request_id`.",
    message: "Something failed on our side; quote request 7d1f0c52 when you report it.",
  },
  unavailable: {
    about:
      "The service is temporarily unavailable. Repeat with the same key after `Retry-After` seconds. While a site is prepared for reports, `details.progress` is the finished share from 0 to 1.",
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
const NEEDING_APPROVAL: ErrorCode[] = ["approval_required", "interactive_required"];

/** The errors that an operation can return, in the order of the error table. */
export function refusalsOf(op: AnyOperation): ErrorCode[] {
  const { method, needsApproval } = RISKS[op.risk];
  const fields = Object.keys(op.input.shape);
  const codes = new Set<ErrorCode>([
    ...EVERY_CALL,
    ...(method === "POST" ? EVERY_POST : []),
    ...(fields.includes("site_id") ? ON_A_SITE : []),
    ...(fields.includes("site_ids") ? (["site_not_granted"] as const) : []),
    ...(needsApproval ? NEEDING_APPROVAL : []),
    // A domain belongs to one site only.
    ...(method === "POST" && fields.includes("domain") ? (["domain_taken"] as const) : []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** What senders of events read instead: their keys and retries differ from those of operations. */
const TO_SENDERS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "No ingest key was sent. Send `Authorization: Bearer <INGEST_KEY>`.",
  invalid_token:
    "The ingest key is unknown, expired, revoked or another site's. Create one in the site's settings or with `sites.keys.create`.",
  site_not_granted: "The site is disabled. Ask the operator of the service.",
  method_not_allowed: "Send events with POST.",
  rate_limited: "Too many events. Send them again after `Retry-After` seconds.",
  internal: "A fault of the service. Send it again with the same `event_id`; if it persists, report the `request_id`.",
  unavailable:
    "The service is temporarily unavailable. Send it again with the same `event_id` after `Retry-After` seconds.",
};

/** Rows for senders of events: status and code of an error, and what to do. */
export const refusalsToSenders = (codes: readonly ErrorCode[]): [string, string][] =>
  codes.map((code) => [`${ERRORS[code]} ${code}`, TO_SENDERS[code] ?? REFUSALS[code].about]);

/** The errors of every path that takes events. */
const FURTHER_REFUSALS: readonly ErrorCode[] = [
  "site_not_granted",
  "rate_limited",
  "quota_exceeded",
  "internal",
  "unavailable",
  "malformed_request",
  "headers_too_large",
];

/** The errors of the Events API. */
export const EVENT_REFUSALS: ErrorCode[] = [
  "malformed_json",
  "invalid_token",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "invalid_input",
  ...FURTHER_REFUSALS,
];

/** The errors of the Measurement Protocol for a whole batch. */
export const BATCH_REFUSALS: ErrorCode[] = [
  "malformed_json",
  "unauthenticated",
  "invalid_token",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "invalid_input",
  ...FURTHER_REFUSALS,
];
