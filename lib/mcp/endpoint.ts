import { randomUUID } from "node:crypto";
import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
} from "@modelcontextprotocol/server";
import { countCall } from "@/lib/api/call-rate";
import { bearerPrincipal } from "@/lib/api/principal";
import { FIRST_SCOPES } from "@/lib/contract/access";
import type { McpCall } from "@/lib/mcp/call";
import { serverFor } from "@/lib/mcp/server";
import { toolNamed } from "@/lib/mcp/tools";
import { mcpResource } from "@/lib/oauth/tokens";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { fromWeb, type Incoming } from "@/lib/platform/http/http";
import { isOwnOrigin } from "@/lib/platform/http/own-hosts";
import { readBody, refusalOf, requestIdOf } from "@/lib/platform/http/respond";
import { findFault, readJson } from "@/lib/platform/json";
import { describeError, log } from "@/lib/platform/log";

const BODY_LIMIT_BYTES = 256 * 1024;
/** The gateway allows 8 levels within an input, which lies in `params.arguments.input`. */
const MAX_DEPTH = 12;
/** How long a call that waits for a person is held open: less than the timeouts of clients. */
const WAIT_MS = 25_000;
/** The session id of a client of 2025 that can show an address: it says so only at `initialize`, and we keep nothing. */
const OPENS_URLS = "url-elicitation.";

/**
 * `POST /mcp`: the operations as tools of the Model Context Protocol, without sessions, in its revision 2026-07-28 and
 * those with `initialize`. Checks in this order: method → origin → token → body → rate → protocol → scope, then those
 * of `execute`. Cookies are never read.
 *
 * @param options.waitMs how long a repeated call waits for the decision of a person.
 * @param options.serverOf replaces our tools in tests.
 */
export async function answerMcp(
  request: Request,
  now: Date,
  { waitMs = WAIT_MS, serverOf = serverFor } = {},
): Promise<Response> {
  const incoming = fromWeb(request);
  const requestId = requestIdOf(incoming);
  const response = await answer(request, incoming, { now, requestId, waitMs }, serverOf);
  const headers = new Headers(response.headers);
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}

async function answer(
  request: Request,
  incoming: Incoming,
  { now, requestId, waitMs }: Pick<McpCall, "now" | "requestId" | "waitMs">,
  serverOf: typeof serverFor,
): Promise<Response> {
  if (request.method !== "POST") return rpcError(405, METHOD_NOT_ALLOWED, { headers: { allow: "POST" } });
  const origin = incoming.header("origin");
  if (origin !== null && !isOwnOrigin(origin, incoming.header("host"), env().BASE_URL))
    return rpcError(403, FOREIGN_ORIGIN);
  let message: Message | undefined;
  try {
    const principal = await bearerPrincipal(incoming, now, mcpResource());
    message = await readMessage(incoming).catch(async (error) => {
      await countCall(principal.clientId, "read", now);
      throw error;
    });
    await countCall(principal.clientId, kindOf(message), now);
    const opensUrls = incoming.header("mcp-session-id")?.startsWith(OPENS_URLS) ?? false;
    const call: McpCall = { principal, now, requestId, opensUrls, waitMs };
    const handler = createMcpHandler((context) => serverOf(call, context), {
      onerror: (error) => log.debug({ request_id: requestId, ...describeError(error) }, "MCP request refused"),
    });
    const response = await handler.fetch(request, { parsedBody: message, authInfo: authInfoOf(call) });
    if (declaresUrls(message)) response.headers.set("mcp-session-id", `${OPENS_URLS}${randomUUID()}`);
    return response;
  } catch (error) {
    return refusedResponse(refusalOf(error, requestId), requestId, message);
  }
}

/** One JSON-RPC message. Its form is checked by the library. */
interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; capabilities?: { elicitation?: { url?: unknown } } };
}

/**
 * Reads the body. Batches are refused, which revision 2025-06-18 removed; so are streams of changes, because the tools
 * change with a release only.
 */
async function readMessage(incoming: Incoming): Promise<Message> {
  const message = readJson(await readBody(incoming, BODY_LIMIT_BYTES, ["application/json"]));
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    throw new Refusal("malformed_json", "The body must be one JSON-RPC message.");
  }
  const fault = findFault(message, MAX_DEPTH);
  if (fault) throw new Refusal("malformed_request", `${fault.path.join(".").slice(0, 200)} ${fault.message}.`);
  if ((message as Message).method === "subscriptions/listen") {
    throw new Refusal("operation_not_found", "This server has no subscriptions: its tools do not change.");
  }
  return message;
}

const kindOf = ({ method, params }: Message): "read" | "write" =>
  method === "tools/call" && typeof params?.name === "string" && toolNamed(params.name)?.writes ? "write" : "read";

const declaresUrls = ({ method, params }: Message): boolean =>
  method === "initialize" && Boolean(params?.capabilities?.elicitation?.url);

const metadataUrl = (): string => getOAuthProtectedResourceMetadataUrl(new URL(mcpResource()));

/** What the library knows of the caller. It gets no token. */
const authInfoOf = ({ principal }: McpCall): AuthInfo => ({
  token: "",
  clientId: principal.clientId,
  scopes: [...principal.scopes],
  resource: new URL(mcpResource()),
  resourceMetadataUrl: metadataUrl(),
});

function refusedResponse(refusal: Refusal, requestId: string, message: Message | undefined): Response {
  const { code, retryAfter, status } = refusal;
  if (code === "unauthenticated") {
    // Without a token there is no fault to name (RFC 6750 section 3.1).
    const challenge = `Bearer resource_metadata="${metadataUrl()}", scope="${FIRST_SCOPES.join(" ")}"`;
    return rpcError(
      401,
      { code: SERVER_ERROR, message: refusal.message },
      { headers: { "www-authenticate": challenge } },
    );
  }
  if (status === 401) {
    return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InvalidToken, refusal.message), {
      requiredScopes: FIRST_SCOPES,
      resourceMetadataUrl: metadataUrl(),
    });
  }
  return rpcError(
    status,
    { code: RPC_CODES[code] ?? SERVER_ERROR, message: refusal.message, data: { code, request_id: requestId } },
    { id: message?.id, headers: retryAfter ? { "retry-after": `${Math.ceil(retryAfter)}` } : {} },
  );
}

/** Codes of JSON-RPC 2.0 for refusals before the protocol. */
const RPC_CODES: Partial<Record<Refusal["code"], number>> = {
  malformed_json: -32700,
  malformed_request: -32600,
  operation_not_found: -32601,
  internal: -32603,
  unavailable: -32603,
};
const SERVER_ERROR = -32000;
const FOREIGN_ORIGIN = { code: SERVER_ERROR, message: "Pages of other websites may not call this endpoint." };
const METHOD_NOT_ALLOWED = { code: SERVER_ERROR, message: "Send each message with POST; there are no streams." };

function rpcError(
  status: number,
  error: { code: number; message: string; data?: object },
  { id, headers = {} }: { id?: unknown; headers?: Record<string, string> } = {},
): Response {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return Response.json({ jsonrpc: "2.0", error, id: known }, { status, headers });
}
