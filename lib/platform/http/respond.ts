import { randomUUID } from "node:crypto";
import { env } from "@/lib/platform/env";
import { inProgress, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { crossSite } from "@/lib/platform/http/own-hosts";
import { describeError, log } from "@/lib/platform/log";
import { isDatabaseUnavailable, isLockConflict } from "@/lib/platform/pool";

/** Returns the caller's `X-Request-ID` when it is safe to echo, otherwise a new id. */
export function requestIdOf(request: Pick<Incoming, "header">): string {
  const given = request.header("x-request-id");
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Returns the refusal of a request that a page of another site has sent. */
export const notOurPage = (): Refusal => crossSite(env().BASE_URL);

/** Returns a JSON answer with the request id. */
export function answer(status: number, body: object, requestId: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: {
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Returns an error as a refusal. Anything else than a `Refusal` is logged under the request id. */
export const refusalOf = (error: unknown, requestId: string): Refusal =>
  error instanceof Refusal ? error : internal(error, requestId);

/**
 * Turns an error into an answer. A `Refusal` becomes a client error; anything else is logged under the request id, and
 * the caller gets only that id.
 */
export function refuse(
  error: unknown,
  requestId: string,
  { headers = {}, operationId }: { headers?: Record<string, string>; operationId?: string | undefined } = {},
): Answer {
  const { code, message, details, status, retryAfter } = refusalOf(error, requestId);
  const retry: Record<string, string> = retryAfter ? { "retry-after": `${Math.ceil(retryAfter)}` } : {};
  const operation = operationId ? { operationId } : {};
  const body = { error: { code, message, ...(details ? { details } : {}) }, ...operation, request_id: requestId };
  return answer(status, body, requestId, { ...headers, ...retry });
}

/**
 * Logs an unexpected error and classifies it: lock conflict, database unavailable, or internal error.
 */
export function logFault(error: unknown, requestId: string): "busy" | "unavailable" | "internal" {
  if (isLockConflict(error)) {
    log.warn({ request_id: requestId, ...describeError(error) }, "lock conflict with another call");
    return "busy";
  }
  if (isDatabaseUnavailable(error)) {
    log.warn({ request_id: requestId, ...describeError(error) }, "database unavailable");
    return "unavailable";
  }
  log.error({ request_id: requestId, ...describeError(error) }, "unexpected error");
  return "internal";
}

function internal(error: unknown, requestId: string): Refusal {
  const fault = logFault(error, requestId);
  if (fault === "busy") return inProgress();
  if (fault === "unavailable") {
    return new Refusal(
      "unavailable",
      "The database is unavailable. Repeat the same call after Retry-After.",
      undefined,
      2,
    );
  }
  return new Refusal("internal", `Something failed on our side; quote request ${requestId} when you report it.`);
}

function incompleteBody(): never {
  throw new Refusal("malformed_json", "The request body is incomplete. Send it again.");
}

/**
 * Reads a body of at most `limit` bytes.
 *
 * @throws Refusal `unsupported_media_type` for another type or a compressed body, `payload_too_large`, `malformed_json`
 *   for an incomplete body.
 */
export async function readBody(request: Incoming, limit: number, types: readonly string[]): Promise<Uint8Array> {
  const type = (request.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) {
    throw new Refusal("unsupported_media_type", `Send the body as Content-Type: ${types[0]}.`);
  }
  const encoding = request.header("content-encoding");
  if (encoding && encoding.toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type", "Send the body without Content-Encoding.");
  }
  const announced = Number(request.header("content-length") ?? 0);
  const bytes = announced > limit ? null : await request.bytes(limit).catch(incompleteBody);
  if (bytes) return bytes;
  throw new Refusal("payload_too_large", `The body may have at most ${limit} bytes; send less at once.`);
}
