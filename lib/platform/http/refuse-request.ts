import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "@/lib/platform/errors";
import { type Answer, fromNode, toNode } from "@/lib/platform/http/http";
import { answer, refuse, requestIdOf } from "@/lib/platform/http/respond";

/** Answers a request with a refusal before it reaches any route. */
export function refuseRequest(refusal: Refusal, request: IncomingMessage, response: ServerResponse): void {
  toNode(refusalAnswer(request.url ?? "", refusal, requestIdOf(fromNode(request))), response);
}

/** The OAuth endpoints and their aliases, without the consent page. */
const OAUTH = /^\/(oauth\/(?!authorize(\?|$))|(token|register)(\?|$))/;
const PROGRAMS = /^\/((api|actions|\.well-known)\/|mcp(\?|$))/;

/**
 * Returns a refusal in the format of the path: an OAuth error (RFC 6749 section 5.2) for OAuth endpoints, the error envelope
 * on other APIs, a line of text on pages.
 */
export function refusalAnswer(url: string, refusal: Refusal, requestId: string): Answer {
  const { status, message, retryAfter } = refusal;
  const retry: Record<string, string> = retryAfter ? { "retry-after": `${retryAfter}` } : {};
  if (OAUTH.test(url)) {
    const error = status === 503 ? "temporarily_unavailable" : "invalid_request";
    return answer(status, { error, error_description: message }, requestId, { pragma: "no-cache", ...retry });
  }
  if (PROGRAMS.test(url)) return refuse(refusal, requestId);
  const type = { "content-type": "text/plain; charset=utf-8" };
  return { ...answer(status, {}, requestId, { ...type, ...retry }), body: `${message}\n` };
}
