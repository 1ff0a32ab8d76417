const OWN_MESSAGE = Symbol.for("footfall.own-message");

/** A fault of our own code. The log shows its message, which never holds what a visitor or a caller has sent. */
export class Fault extends Error {
  /** A symbol, because the server and Next each bundle their own copy of this class. */
  readonly [OWN_MESSAGE] = true;
}

/** Returns whether the message of an error is ours, and may be logged. */
export const hasOwnMessage = (error: Error): boolean => OWN_MESSAGE in error;

/**
 * An error that the person who runs a command or the server can act on. `message` says what is wrong and what to do, and
 * is printed without a stack.
 */
export class OperatorError extends Fault {}

/** Every error code of the API with its HTTP status. The list is closed. */
export const ERRORS = {
  malformed_request: 400,
  malformed_json: 400,
  unauthenticated: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  site_not_granted: 403,
  role_denied: 403,
  approval_denied: 403,
  recovery_key_wrong: 403,
  reauthentication_required: 403,
  cross_site: 403,
  operation_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  approval_required: 409,
  interactive_required: 409,
  idempotency_conflict: 409,
  operation_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  invalid_input: 422,
  idempotency_key_required: 422,
  domain_taken: 422,
  proof_not_verified: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** One invalid field of an input, and what it must be. */
export interface Issue {
  path: string;
  message: string;
}

const REFUSAL = Symbol.for("footfall.refusal");

/**
 * An error that the caller can act on. `message` is one sentence that says what is wrong and what to do;
 * `retryAfter` is in whole seconds.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly [REFUSAL] = true;

  /** Recognises refusals by a symbol: the server and Next each bundle their own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this and must not match every refusal
    if (this !== Refusal) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === "object" && value !== null && REFUSAL in value;
  }

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Record<string, unknown>,
    readonly retryAfter?: number,
  ) {
    super(message);
    this.status = ERRORS[code];
  }
}

/** Returns whether the same call may succeed later. */
export const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === "unavailable";

/** A refusal with an effect of its own: `afterRollback` writes it once the transaction of the call is rolled back. */
export class RefusalWithEffect extends Refusal {
  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown>,
    readonly afterRollback: () => Promise<void>,
  ) {
    super(code, message, details);
  }
}

/** Bounds the size of an error answer, whatever the input. */
const MAX_ISSUES = 20;

/**
 * Returns a 422 that names up to twenty invalid fields. Each message is a predicate ("must be a whole number") that
 * follows its path; without a path it is a whole sentence.
 */
export function invalidInput(issues: Issue[]): Refusal {
  const first = issues[0];
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more, see details.issues)` : "";
  const where = first?.path ? `${first.path} ` : "";
  return new Refusal("invalid_input", `${where}${first?.message ?? "The input is not valid"}${rest}.`, {
    issues: issues.slice(0, MAX_ISSUES),
  });
}

/**
 * Every OAuth error with its HTTP status (RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8628 section 3.5,
 * RFC 8707 section 2).
 */
const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_scope: 400,
  invalid_target: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;
export type OAuthError = keyof typeof OAUTH_ERRORS;

/**
 * An error of an OAuth endpoint. `description` is one fixed sentence without input of the caller; characters that
 * RFC 6749 section 5.2 forbids in it (quotes, backslashes, non-ASCII) are removed. `retryAfter` is in seconds.
 */
export class OAuthRefusal extends Error {
  readonly status: number;
  readonly description: string;
  readonly retryAfter: number | undefined;

  constructor(
    readonly error: OAuthError,
    description: string,
    { status, retryAfter }: { status?: number; retryAfter?: number } = {},
  ) {
    super(description);
    this.description = description.replace(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "");
    this.status = status ?? OAUTH_ERRORS[error];
    this.retryAfter = retryAfter;
  }
}

/** Returns a 409 for a call that must wait for the same call, or another one on the same site. */
export const inProgress = () =>
  new Refusal(
    "operation_in_progress",
    "This call, or another one on the same site, is still running; repeat it after Retry-After.",
    undefined,
    1,
  );
