import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Scope } from "@/lib/contract/access";
import { answerMcp } from "@/lib/mcp/endpoint";
import type { serverFor } from "@/lib/mcp/server";
import { mcpResource } from "@/lib/oauth/tokens";
import { onOwnHost } from "@/lib/platform/http/require-own-host";
import { makeClient, makeSite, type TestSite } from "@/lib/testing/world";

/** Serves the MCP endpoint over HTTP, and connects clients that were written by others. */

/** The time of all calls of these tests. */
export const MCP_TIME = new Date("2026-03-12T12:00:00Z");

export interface McpServerOfTest {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the endpoint on a loopback address.
 *
 * @param options.waitMs how long a repeated call waits for a decision.
 * @param options.token is added to each request, for programs that send none.
 * @param options.serverOf replaces our tools.
 */
export async function serveMcp({
  waitMs = 0,
  now = MCP_TIME,
  token,
  serverOf,
}: {
  waitMs?: number;
  now?: Date;
  token?: string;
  serverOf?: typeof serverFor;
} = {}): Promise<McpServerOfTest> {
  const mcp = onOwnHost((request) => answerMcp(request, now, { waitMs, ...(serverOf && { serverOf }) }));
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", headers, url } = incoming;
    const body = await buffer(incoming);
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`])),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const response = await mcp(request, undefined);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing);
    else outgoing.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // On a busy machine, a client may use a connection again just as the server closes it.
  server.keepAliveTimeout = 600_000;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export const READING: readonly Scope[] = ["sites:read", "analytics:read"];

/** Creates a site and an agent of its owner with a token for the MCP endpoint. */
export async function siteWithAssistant(
  scopes: readonly Scope[] = READING,
  now = MCP_TIME,
): Promise<{ site: TestSite; token: string; clientId: string }> {
  const site = await makeSite();
  const options = { scopes, sites: [site], personId: site.ownerId, now, audience: mcpResource() };
  const { token, id } = await makeClient(options);
  return { site, token, clientId: id };
}

/** `modern` is revision 2026-07-28, `legacy` the revisions with `initialize`. */
export type Era = "modern" | "legacy";

/** Connects the official client. @param capabilities what it declares. */
export async function connect(url: string, token: string, era: Era, capabilities: ClientCapabilities = {}) {
  const client = new Client(
    { name: "a-test", version: "1.0.0" },
    { capabilities, versionNegotiation: { mode: era === "modern" ? "auto" : "legacy" } },
  );
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Posts one message of revision 2026-07-28 without a client. */
export function postMessage(
  url: string,
  {
    method,
    params = {},
    token,
    headers = {},
    id = 1,
    capabilities = {},
  }: {
    method: string;
    params?: Record<string, unknown>;
    token?: string;
    headers?: Record<string, string>;
    id?: number;
    capabilities?: ClientCapabilities;
  },
): Promise<Response> {
  const version = "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "a-test", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }),
  });
}
