import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/contract/errors";
import { env } from "@/lib/env";
import type { Answer, Incoming } from "@/lib/gateway/http";
import { inProgress } from "@/lib/gateway/idempotency";
import { describeError, log } from "@/lib/log";
import { crossSite } from "@/lib/platform/http/own-hosts";
import { isDatabaseAway, isOutOfTurn } from "@/lib/pool";

/** The caller's `X-Request-ID` when it is harmless to repeat, otherwise a fresh one. */
export function requestIdOf(request: Pick<Incoming, "header">): string {
  const given = request.header("x-request-id");
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** What was sent to one of our pages was sent by another site's. */
export const notOurPage = (): Refusal => crossSite(env().BASE_URL);

/** Answers with JSON and the request's id. */
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

/**
 * Turns whatever was thrown into an answer. A `Refusal` says what to do; anything else is ours: it is logged
 * under the request's id, and the caller learns nothing but that id.
 */
export function refuse(
  error: unknown,
  requestId: string,
  { headers = {}, operationId }: { headers?: Record<string, string>; operationId?: string | undefined } = {},
): Answer {
  const { code, message, details, status, retryAfter } = error instanceof Refusal ? error : internal(error, requestId);
  const retry: Record<string, string> = retryAfter ? { "retry-after": `${Math.ceil(retryAfter)}` } : {};
  const operation = operationId ? { operationId } : {};
  const body = { error: { code, message, ...(details ? { details } : {}) }, ...operation, request_id: requestId };
  return answer(status, body, requestId, { ...headers, ...retry });
}

/**
 * Logs what was no refusal, and says whether it will pass by itself: another call was in the way, the database is away, or
 * the fault is ours.
 */
export function noteFault(error: unknown, requestId: string): "busy" | "unavailable" | "internal" {
  if (isOutOfTurn(error)) {
    log.warn({ request_id: requestId, ...describeError(error) }, "another call was in the way");
    return "busy";
  }
  if (isDatabaseAway(error)) {
    log.warn({ request_id: requestId, ...describeError(error) }, "the database is away");
    return "unavailable";
  }
  log.error({ request_id: requestId, ...describeError(error) }, "unexpected error");
  return "internal";
}

function internal(error: unknown, requestId: string): Refusal {
  const fault = noteFault(error, requestId);
  if (fault === "busy") return inProgress();
  if (fault === "unavailable") {
    return new Refusal(
      "unavailable",
      "The database cannot be reached just now; repeat the same call soon.",
      undefined,
      2,
    );
  }
  return new Refusal("internal", `Something failed on our side; quote request ${requestId} when you report it.`);
}

function brokenOff(): never {
  throw new Refusal("malformed_json", "The body broke off before its end; send it again.");
}

/**
 * Reads a body of at most `limit` bytes.
 *
 * @throws Refusal `unsupported_media_type` for another type or any compression, `payload_too_large`.
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
  const bytes = announced > limit ? null : await request.bytes(limit).catch(brokenOff);
  if (bytes) return bytes;
  throw new Refusal("payload_too_large", `The body may have at most ${limit} bytes; send less at once.`);
}
