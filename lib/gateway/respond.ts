import { randomUUID } from "node:crypto";
import { Refusal } from "@/lib/contract/errors";
import { describeError, log } from "@/lib/log";

/** The caller's `X-Request-ID` when it is harmless to repeat, otherwise a fresh one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  return given && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Answers with JSON and the request's id. */
export function answer(status: number, body: object, requestId: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId, ...headers },
  });
}

/**
 * Turns whatever was thrown into an answer. A `Refusal` says what to do; anything else is ours: it is logged
 * under the request's id, and the caller learns nothing but that id.
 */
export function refuse(error: unknown, requestId: string, headers: Record<string, string> = {}): Response {
  const refusal = error instanceof Refusal ? error : internal(error, requestId);
  const retry: Record<string, string> = refusal.retryAfter === undefined ? {} : { "retry-after": `${Math.max(1, Math.ceil(refusal.retryAfter))}` };
  const { code, message, details } = refusal;
  return answer(
    refusal.status,
    { error: { code, message, ...(details ? { details } : {}) }, request_id: requestId },
    requestId,
    { ...headers, ...retry },
  );
}

function internal(error: unknown, requestId: string): Refusal {
  log.error({ request_id: requestId, ...describeError(error) }, "unexpected error");
  return new Refusal("internal", `Something failed on our side; quote request ${requestId} when you report it.`);
}

/**
 * Reads a body of at most `limit` bytes, whatever Content-Length claims.
 *
 * @throws Refusal `unsupported_media_type` for another type or any compression, `payload_too_large`.
 */
export async function readBody(request: Request, limit: number, types: readonly string[]): Promise<Uint8Array> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!types.includes(type)) {
    throw new Refusal("unsupported_media_type", `Send the body as Content-Type: ${types[0]}.`);
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding && encoding.toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type", "Send the body without Content-Encoding.");
  }
  const tooLarge = () => new Refusal("payload_too_large", `The body may have at most ${limit} bytes; send less at once.`);
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limit) throw tooLarge();
  // The HTTP parser holds a sender to the length it announced; only an unannounced one must be counted here.
  if (announced) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); reader && read && !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(read.value);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
