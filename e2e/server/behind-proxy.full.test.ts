import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { migratedDatabase } from "@/lib/testing/database";
import { startServer } from "@/lib/testing/server";
import { temporaryDir } from "@/lib/testing/temporary-dir";
import { TEST_SECRETS } from "@/lib/testing/world";

/** The prefix that the proxy takes off, for a service that it also shows below a path. */
const PREFIX = "/footfall";

/**
 * Starts a proxy that sends the address of its target as `Host`, as many do unless told otherwise, tells what it has got in
 * headers, and takes a prefix off.
 */
async function startProxy() {
  const target = { port: 0 };
  const proxy = http
    .createServer((incoming, outgoing) => {
      const { method, url = "/", headers } = incoming;
      const path = url.startsWith(`${PREFIX}/`) ? url.slice(PREFIX.length) : url;
      const told = {
        host: `127.0.0.1:${target.port}`,
        forwarded: `for=192.0.2.60;proto=https;host=other.example`,
        "x-forwarded-host": "other.example",
        "x-forwarded-proto": "https",
        "x-forwarded-prefix": PREFIX,
      };
      const request = http.request(
        { port: target.port, method, path, headers: { ...headers, ...told } },
        (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        },
      );
      incoming.pipe(request);
    })
    .listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { target, proxy, url: `http://localhost:${(proxy.address() as AddressInfo).port}` };
}

test("behind a proxy that sends another Host, an assistant finds every endpoint at the public address", async ({
  onTestFinished,
}) => {
  const { target, proxy, url } = await startProxy();
  const server = await startServer({
    ...{ BASE_URL: url, DATABASE_URL: await migratedDatabase(), APP_SECRETS: TEST_SECRETS },
    DATA_DIR: temporaryDir(onTestFinished),
  });
  target.port = server.port;
  onTestFinished(async () => {
    proxy.close();
    proxy.closeAllConnections();
    await server.end("SIGTERM");
  });

  const refused = await fetch(`${url}/mcp`, { method: "POST" });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining(`resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`),
  ]);
  const found = await discoverOAuthServerInfo(`${url}/mcp`);
  expect(found.resourceMetadata).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] });
  const { authorizationServerMetadata: metadata } = found;
  expect(metadata?.issuer).toBe(url);
  const endpoints = Object.entries(metadata ?? {}).filter(([name]) => name.endsWith("_endpoint"));
  expect(endpoints).toHaveLength(6);
  for (const [name, address] of endpoints) expect([name, `${address}`.startsWith(`${url}/`)]).toEqual([name, true]);

  // Also where the proxy shows the service below a path, the documents name the public address.
  const known = "/.well-known/oauth-protected-resource/mcp";
  const below = await (await fetch(`${url}${PREFIX}${known}`)).json();
  expect([below.resource, below.authorization_servers]).toEqual([`${url}/mcp`, [url]]);
  const viaPrefix = await fetch(`${url}${PREFIX}/mcp`, { method: "POST" });
  expect(viaPrefix.headers.get("www-authenticate")).toContain(`resource_metadata="${url}${known}"`);

  const registered = await fetch(`${metadata?.registration_endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Helper", redirect_uris: ["http://127.0.0.1/callback"] }),
  });
  expect(registered.status).toBe(201);
  const query = new URLSearchParams({ client_id: (await registered.json()).client_id });
  const page = await fetch(`${metadata?.authorization_endpoint}?${query}`, { redirect: "manual" });
  expect([page.status, page.headers.get("location")]).toEqual([307, expect.stringMatching(/^\/login\?next=/)]);
});
