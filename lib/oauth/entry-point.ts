import { clientOfAssistant, isPublic } from "@/lib/oauth/assistant-clients";
import { authenticateClient } from "@/lib/oauth/clients";
import { type Form, type Parameter, readForm } from "@/lib/oauth/form";
import type { Client } from "@/lib/oauth/tokens";
import { OAuthRefusal } from "@/lib/platform/errors";
import { CALLER_HEADERS } from "@/lib/platform/http/caller";
import { type Answer, fromWeb, type Incoming, toWeb } from "@/lib/platform/http/http";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { answer, logFault, requestIdOf } from "@/lib/platform/http/respond";
import { OAUTH_RATES } from "@/lib/platform/limits";
import { takeRate } from "@/lib/platform/rate";

export type OAuthRequest = Incoming & { method: string; query: URLSearchParams };

/** A call of an authenticated client. */
export interface OAuthCall {
  client: Client;
  form: Form;
  /** The caller's IP address; null when unknown. */
  address: string | null;
  requestId: string;
  now: Date;
}

export interface OAuthEndpoint {
  /** Key of its rate limit. */
  id: string;
  /** The required parameter. */
  needs?: Parameter;
  run(call: OAuthCall): Promise<object>;
  /** Answers an assistant whose code or token is unknown. Endpoints without it need a client with a secret. */
  answerUnknown?(form: Form): object;
}

/**
 * Handles a request to an OAuth endpoint. Checks in this order: method → form → client → rate limit → endpoint. Cookies
 * are never read. Responses are not cacheable, because they may contain secrets (RFC 6749 section 5.1).
 */
export async function answerOAuth(endpoint: OAuthEndpoint, request: OAuthRequest, now: Date): Promise<Answer> {
  const requestId = requestIdOf(request);
  try {
    requirePost(request);
    const form = await readForm(request);
    if (endpoint.needs) form.need(endpoint.needs);
    const address = request.header(CALLER_HEADERS.address) || null;
    const client =
      endpoint.answerUnknown && isPublic(request, form)
        ? await clientOfAssistant(form, address ?? "unknown", now)
        : await authenticateClient(request, form, now);
    if (client) await countCall(endpoint.id, client.id, form, now);
    const body = client
      ? await endpoint.run({ client, form, address, requestId, now })
      : (endpoint.answerUnknown?.(form) ?? {});
    return answer(200, body, requestId, { pragma: "no-cache" });
  } catch (error) {
    return refuseOAuth(error, requestId, request);
  }
}

/** @throws OAuthRefusal with status 405 for every other method */
export function requirePost({ method }: OAuthRequest): void {
  if (method === "POST") return;
  throw new OAuthRefusal("invalid_request", "Use POST for this endpoint.", { status: 405 });
}

/** Returns the Next route handler of what answers OAuth requests, for every HTTP method. */
export const routeOf = (answerTo: (request: OAuthRequest, now: Date) => Promise<Answer>) =>
  onOwnHost(async (request) => {
    const query = new URL(request.url).searchParams;
    return toWeb(await answerTo({ ...fromWeb(request), method: request.method, query }, new Date()));
  });

/** Returns the Next route handler of an endpoint. */
export const oauthRoute = (endpoint: OAuthEndpoint) => routeOf((request, now) => answerOAuth(endpoint, request, now));

async function countCall(endpointId: string, clientId: string, form: Form, now: Date): Promise<void> {
  const { limit, seconds } = OAUTH_RATES.calls;
  const { allowed, retryAfter } = await takeRate(`oauth:${endpointId}:${clientId}`, limit, seconds * 1000, now);
  if (allowed) return;
  // Device clients back off on `slow_down`; other clients do not know that code.
  const error = form.get("device_code") ? "slow_down" : "temporarily_unavailable";
  throw new OAuthRefusal(error, `At most ${limit} calls in ${seconds} seconds. Try again after Retry-After.`, {
    status: 429,
    retryAfter,
  });
}

/** Returns the answer to an error of an OAuth endpoint. */
export function refuseOAuth(error: unknown, requestId: string, request: Pick<Incoming, "header">): Answer {
  const {
    status,
    error: code,
    description,
    retryAfter,
  } = error instanceof OAuthRefusal ? error : fault(error, requestId);
  return answer(status, { error: code, error_description: description }, requestId, {
    pragma: "no-cache",
    ...(retryAfter ? { "retry-after": `${Math.ceil(retryAfter)}` } : {}),
    ...(status === 405 ? { allow: "POST" } : {}),
    // Only when the client used the Authorization header (RFC 6749 section 5.2).
    ...(status === 401 && request.header("authorization") !== null
      ? { "www-authenticate": 'Basic realm="oauth"' }
      : {}),
  });
}

function fault(error: unknown, requestId: string): OAuthRefusal {
  const kind = logFault(error, requestId);
  if (kind === "busy") {
    const description = "Another call of this client is in progress. Repeat this one after Retry-After.";
    return new OAuthRefusal("temporarily_unavailable", description, { retryAfter: 1 });
  }
  if (kind === "unavailable") {
    return new OAuthRefusal("temporarily_unavailable", "The database cannot be reached. Try again after Retry-After.", {
      retryAfter: 2,
    });
  }
  return new OAuthRefusal(
    "server_error",
    `The server failed. Try again; if you report this, include request id ${requestId}.`,
  );
}
