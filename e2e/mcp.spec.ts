import { randomInt, randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { UnauthorizedError as FirstUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { failuresIn, runConformance } from "@/lib/testing/conformance";
import { startHttps } from "@/lib/testing/https";
import { callTool } from "@/lib/testing/mcp-client";
import { freePort } from "@/lib/testing/server";
import { allowHere, allowIn, decideIn, keepSignIn } from "./support/assistant";
import { postPageview } from "./support/events";
import { expect } from "./support/fixtures";
import { type LoopbackApp, test } from "./support/loopback-app";
import type { Server } from "./support/server";
import { signIn } from "./support/sign-in";

/** Assistants that know only the address /mcp, with the clients that others published and a browser. */

/** After consent: the code, the handshake, the sites, the report, and two to spare. */
const MOST_CALLS = 6;

test("an assistant with a metadata document reads a report in six calls after consent, asks for more, is approved and disconnected", async ({
  siteOwner: ann,
  server,
  app,
  dns,
}) => {
  const { page, siteId, host } = ann;
  await postPageview(server, ann);
  const metadata = await serveMetadata(dns, app);
  test.skip(metadata === null, "port 443 is not available");
  if (!metadata) return;
  const signInOf = keepSignIn(app.redirectUri, [app.redirectUri], { metadataUrl: metadata.url });
  const calls: string[] = [];
  const connect = async () => {
    const client = new Client(
      { name: "helper", version: "1.0.0" },
      { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      await decideIn(page, `${(params as { url?: string }).url}`, "Approve");
      return { action: "accept" };
    });
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      authProvider: signInOf,
      fetch: (url, init) => {
        calls.push(`${init?.method ?? "GET"} ${new URL(url).pathname}`);
        return fetch(url, init);
      },
    });
    const connected = client.connect(transport);
    return { client, transport, connected };
  };

  const before = await connect();
  await expect(before.connected).rejects.toThrow(UnauthorizedError);
  expect(signInOf.kept.page?.searchParams.get("client_id")).toBe(metadata.url);
  expect(signInOf.kept.page?.searchParams.get("scope")).toBe("sites:read analytics:read");
  await page.context().clearCookies();
  await page.goto(`${signInOf.kept.page}`);
  await signIn(page, ann);
  await expect(page.getByText(new URL(metadata.url).host, { exact: true })).toBeVisible();
  const answer = await allowHere(page, app);

  calls.length = 0;
  await before.transport.finishAuth(answer);
  const { client, transport, connected } = await connect();
  await connected;
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const { sites } = (await callTool(client, "sites_list")).data;
  const named = sites.find(({ domain }: { domain: string }) => domain === host);
  expect((await callTool(client, "analytics_overview", { site_id: named.site_id })).data.meta.site_id).toBe(siteId);
  expect(calls.length, calls.join(", ")).toBeLessThanOrEqual(MOST_CALLS);

  const change = { operation: "sites.retention.update", input: { site_id: siteId, retention_months: 24 } };
  await expect(callTool(client, "operations_request_approval", change)).rejects.toThrow(UnauthorizedError);
  expect(signInOf.kept.page?.searchParams.get("scope")?.split(" ").sort()).toEqual([
    "analytics:read",
    "sites:read",
    "sites:write",
  ]);
  await transport.finishAuth(await allowIn(page, signInOf, app));
  const changed = await callTool(client, "operations_request_approval", change);
  expect([changed.isError ?? false, changed.data.retention_months]).toEqual([false, 24]);

  await page.goto("/agents");
  await page.getByRole("link", { name: "Helper" }).click();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByText("It no longer has access; its log stays.")).toBeVisible();
  await expect(callTool(client, "sites_list")).rejects.toThrow(UnauthorizedError);
  await client.close();
  await metadata.stop();
});

/** Serves the metadata document of an assistant on port 443, which may need root. @returns null without that port. */
async function serveMetadata(dns: { set(name: string, records: { A: string[] }): void }, app: LoopbackApp) {
  const host = `${randomUUID()}.proof.example`;
  const url = `https://${host}/client.json`;
  const document = {
    client_id: url,
    client_name: "Helper",
    redirect_uris: ["http://127.0.0.1/callback", app.redirectUri],
  };
  const address = `127.80.${randomInt(256)}.${randomInt(1, 255)}`;
  dns.set(host, { A: [address] });
  const answer: RequestListener = (_, response) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  const server = await startHttps(answer, { host: address, port: 443 }).catch(() => null);
  return server && { url, stop: server.stop };
}

/** What Cursor registers in one request. */
const CURSOR = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];

test("the client of the first SDK registers with the redirects of Cursor, creates a site, and resumes by approval_id what a person allowed", async ({
  siteOwner: { page, siteId, host },
  server,
  app,
}) => {
  // With a refresh token, this client would refresh instead of asking its person for more.
  const signInOf = keepSignIn(`http://localhost:${app.port}/callback`, CURSOR, { refreshes: false });
  const connect = () => {
    const client = new FirstClient({ name: "helper", version: "1.0.0" });
    const transport = new FirstTransport(new URL(`${server.url}/mcp`), { authProvider: signInOf as never });
    return { client, transport, connected: client.connect(transport as never) };
  };
  const before = connect();
  await expect(before.connected).rejects.toThrow(FirstUnauthorizedError);
  expect(signInOf.kept.page?.searchParams.get("client_id")).toMatch(/^ffp_/);
  await before.transport.finishAuth(codeIn(await allowIn(page, signInOf, app)));
  const { client, transport, connected } = connect();
  await connected;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("sites_create");

  const create = { domain: `new-${host}`, timezone: "UTC", public: false, idempotency_key: `new-${host}` };
  await expect(callTool(client, "sites_create", create)).rejects.toThrow(FirstUnauthorizedError);
  await transport.finishAuth(codeIn(await allowIn(page, signInOf, app)));
  expect((await callTool(client, "sites_create", create)).data.domain).toBe(`new-${host}`);

  const retention = (retention_months: number, more: object = {}) =>
    callTool(client, "operations_request_approval", {
      operation: "sites.retention.update",
      input: { site_id: siteId, retention_months },
      ...more,
    });
  await expect(retention(24)).rejects.toThrow(FirstUnauthorizedError);
  await transport.finishAuth(codeIn(await allowIn(page, signInOf, app)));
  const [refused, granted] = [await retention(24), await retention(12)].map(
    ({ structuredContent }) => structuredContent,
  );
  await decideIn(page, refused.approval.approval_url, "Deny");
  expect((await retention(24, { approval_id: refused.approval_id })).text).toMatch(/^approval_denied/);
  await decideIn(page, granted.approval.approval_url, "Approve");
  expect((await retention(12, { approval_id: granted.approval_id })).data.retention_months).toBe(12);
  await client.close();
});

const codeIn = (answer: URLSearchParams): string => answer.get("code") ?? "";

test("a website that opens the sign-in in a window of its own gets the answer there", async ({
  siteOwner: ann,
  server,
  app,
}) => {
  const { page } = ann;
  const clientId = await register(server, [app.redirectUri]);
  const consent = `${server.url}/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: app.redirectUri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  })}`;
  await page.context().clearCookies();
  await page.goto(`http://127.0.0.1:${app.port}/open?url=${encodeURIComponent(consent)}`);
  const [opened] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Connect" }).click(),
  ]);
  await signIn(opened, ann);
  await allowHere(opened, app);
  await expect(page.getByText("answered")).toBeVisible();
});

async function register(server: Server, redirectUris: string[]): Promise<string> {
  const response = await fetch(`${server.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Helper", redirect_uris: redirectUris }),
  });
  return (await response.json()).client_id;
}

test("the authorization suite of MCP passes with the real endpoints", { tag: "@full" }, async ({
  siteOwner: { page },
  server,
}) => {
  // The suite listens for the answer itself.
  const port = await freePort();
  const clientId = await register(server, ["http://127.0.0.1/callback"]);
  let decided: Promise<unknown> | undefined;
  const checks = await runConformance(
    [
      "authorization",
      ...["--url", server.url, "--client-id", clientId, "--resource", `${server.url}/mcp`, "--port", `${port}`],
      ...["--spec-version", "2026-07-28"],
    ],
    (output) => {
      const [address] = /http\S+\/authorize\?\S+(?=\s)/.exec(output) ?? [];
      if (address) decided ??= page.goto(address).then(() => page.getByRole("button", { name: "Allow" }).click());
    },
  );
  await decided;
  expect(failuresIn(checks)).toEqual([]);
  expect(Object.keys(checks).sort()).toEqual(["authorization-code-grant", "authorization-server-metadata-endpoint"]);
});
