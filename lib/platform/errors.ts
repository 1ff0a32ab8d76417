/** Every refusal the service can answer with, and its HTTP status. The list is closed. */
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

/** One thing that is wrong with an input: where, and what would be right. */
export interface Issue {
  path: string;
  message: string;
}

const REFUSAL = Symbol.for("footfall.refusal");

/**
 * A "no" that the caller can act on. `message` is one plain sentence that says what to do;
 * `retryAfter` is in whole seconds.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly [REFUSAL] = true;

  /** The server and Next each have their own copy of this class, and what one throws the other answers. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this and are not every refusal
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

/** Whether the refusal says that the same call may succeed later. */
export const isUnavailable = (error: unknown): boolean => error instanceof Refusal && error.code === "unavailable";

/** A refusal of which something stays: `leave` writes it once all that the refused call did is undone. */
export class LastingRefusal extends Refusal {
  constructor(
    code: ErrorCode,
    message: string,
    details: Record<string, unknown>,
    readonly leave: () => Promise<void>,
  ) {
    super(code, message, details);
  }
}

/** Nobody mends more at once, and no answer may grow with what a stranger sends. */
const MOST_ISSUES = 20;

/**
 * A 422 that names each field, up to twenty of them. Each message continues its path ("must be a whole number"), so that
 * both make a sentence; without a path it begins its own.
 */
export function invalidInput(issues: Issue[]): Refusal {
  const first = issues[0];
  const rest = issues.length > 1 ? ` (and ${issues.length - 1} more, see details.issues)` : "";
  const where = first?.path ? `${first.path} ` : "";
  return new Refusal("invalid_input", `${where}${first?.message ?? "The input is not valid"}${rest}.`, {
    issues: issues.slice(0, MOST_ISSUES),
  });
}

/** Every error that the OAuth endpoints answer with, and its HTTP status (RFC 6749 section 5.2, 8628 section 3.5, 8707 section 2). */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
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
 * A "no" of an OAuth endpoint. `description` is one plain sentence of ours, never anything of the caller's; what
 * RFC 6749 section 5.2 does not allow in it (quotes, backslashes, all but ASCII) is left out. `retryAfter` is in seconds.
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

/** The same call, or another one to the same site, is not done yet. */
export const inProgress = () =>
  new Refusal(
    "operation_in_progress",
    "This call, or another one on the same site, is still running; repeat it after Retry-After.",
    undefined,
    1,
  );
