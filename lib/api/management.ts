import { countCall } from "@/lib/api/call-rate";
import { decodeQuery } from "@/lib/api/decode";
import { bearerPrincipal } from "@/lib/api/principal";
import { RISKS } from "@/lib/contract/access";
import type { AnyOperation } from "@/lib/contract/define";
import { execute, requireScope } from "@/lib/gateway/execute";
import { OPERATIONS } from "@/lib/operations/index";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import type { Answer, Incoming } from "@/lib/platform/http/http";
import { answer, readBody, refuse, requestIdOf } from "@/lib/platform/http/respond";
import { parseJson } from "@/lib/platform/json";
import { inLanguage } from "@/lib/texts/in-language";

const BODY_LIMIT_BYTES = 256 * 1024;

/**
 * `/api/v1/management/actions/<operationId>`: runs an operation for an agent. Checks in this order: token → rate →
 * operation → method, then those of `execute`. Cookies are never read.
 */
export async function manage(
  request: Incoming & { method: string; query: URLSearchParams },
  operationId: string,
  now: Date,
): Promise<Answer> {
  const requestId = requestIdOf(request);
  const op = OPERATIONS.get(operationId);
  try {
    const principal = await bearerPrincipal(request, now);
    await countCall(principal.clientId, op && RISKS[op.risk].method === "POST" ? "write" : "read", now);
    if (!op) throw new Refusal("operation_not_found", "Unknown operation. /openapi.json lists all operations.");
    const { method } = RISKS[op.risk];
    if (request.method !== method) throw new Refusal("method_not_allowed", `Call ${op.id} with ${method}.`);
    requireScope(op, principal);
    const input = method === "GET" ? decodeQuery(op, request.query) : await readInput(request);
    const call = {
      principal,
      input,
      now,
      requestId,
      idempotencyKey: request.header("idempotency-key"),
      approvalId: request.header("x-agent-approval-id"),
      signal: request.signal,
    };
    // Sentences with numbers are the same for every agent.
    const { data, replayed } = await inLanguage("en", () => execute(op, call));
    return answer(200, { data, operationId: op.id, replayed, request_id: requestId }, requestId);
  } catch (error) {
    return refuse(error, requestId, { headers: challenge(error, op), operationId: op?.id });
  }
}

/** @throws Refusal `invalid_input` for query parameters: a POST takes its input from the body. */
async function readInput(request: Incoming & { query: URLSearchParams }): Promise<unknown> {
  const named = [...new Set(request.query.keys())];
  if (named.length > 0) {
    const message = "is not a query parameter of this operation; send parameters in the JSON body";
    throw invalidInput(named.map((name) => ({ path: name.slice(0, 100), message })));
  }
  const input = parseJson(await readBody(request, BODY_LIMIT_BYTES, ["application/json"]));
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  throw invalidInput([{ path: "", message: "The body must be one JSON object" }]);
}

/** Headers for a caller without a sufficient token (RFC 6750 section 3, RFC 9728 section 5.1). */
export function challenge(error: unknown, op: AnyOperation | undefined): Record<string, string> {
  const code = error instanceof Refusal ? error.code : null;
  if (code === "method_not_allowed" && op) return { allow: RISKS[op.risk].method };
  if (code !== "unauthenticated" && code !== "invalid_token" && code !== "insufficient_scope") return {};
  const fault = code === "unauthenticated" ? "" : `, error="${code}"`;
  const scope = op ? `, scope="${op.scope}"` : "";
  const metadata = `${env().BASE_URL}/.well-known/oauth-protected-resource/api/v1/management`;
  return { "www-authenticate": `Bearer realm="management", resource_metadata="${metadata}"${scope}${fault}` };
}
