import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { isAllowedMetadataUrl, readMetadata } from "@/lib/oauth/client-metadata";
import { Refusal } from "@/lib/platform/errors";
import { decideRequest, openRequest, pkce, REDIRECT, redeem, refreshAs, requestOf } from "@/lib/testing/assistants";
import { serversForTests } from "@/lib/testing/internet";
import { statusAndError } from "@/lib/testing/oauth";
import { callApi, makeSite } from "@/lib/testing/world";

/** Client id metadata documents, from real servers on loopback. */

const AT = new Date("2025-03-12T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);
const { dns, hosted } = serversForTests();
const noLimit = async () => {};

/** An assistant whose metadata this listener serves; `document` is its valid metadata. */
async function assistant(answer: (document: Record<string, unknown>) => RequestListener) {
  const host = `${randomUUID()}.proof.example`;
  const clientId = `https://${host}/client.json`;
  const document = {
    client_id: clientId,
    client_name: "Helper",
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
  };
  return { clientId, ...(await hosted(answer(document), { host })) };
}

const json =
  (body: unknown, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));

const failure = (reading: Promise<unknown>): Promise<string | null> =>
  reading.then(
    () => null,
    (error) => {
      if (error instanceof Refusal) return `${error.code}: ${error.message}`;
      throw error;
    },
  );

test("an assistant of a metadata document is asked for, gets tokens for MCP only, and refreshes them", async () => {
  const { clientId, host, internet } = await assistant((document) => json(document));
  const site = await makeSite();
  const { verifier, challenge } = pkce();
  const query = requestOf(clientId, { code_challenge: challenge });
  const opened = await openRequest(query, site.ownerId, AT, internet);
  expect(opened).toMatchObject({
    question: {
      client: { client_id: clientId, name: "Helper" },
      assistant: { host, answers: "assistant.example" },
      connected: false,
    },
  });
  const choice = { scopes: ["sites:read" as const], sites: [site] };
  const { parameters } = await decideRequest(query, site.ownerId, choice, AT, { internet });
  const { body } = await redeem({ clientId, code: parameters.code ?? "", verifier }, AT);
  expect(body).toMatchObject({ token_type: "Bearer", scope: "sites:read", refresh_token: expect.any(String) });
  expect((await callApi("sites.list", { token: body.access_token, now: AT })).status).toBe(401);
  expect(statusAndError(await refreshAs(clientId, body.refresh_token, AT))).toBe("200");
});

test("a document that lies about its client_id, is not a public client's, or is not JSON is refused", async () => {
  const answers: Record<string, (document: Record<string, unknown>) => RequestListener> = {
    "another client_id": (document) => json({ ...document, client_id: "https://claude.ai/client.json" }),
    "a client_id with another spelling": (document) => json({ ...document, client_id: `${document.client_id}?` }),
    "no client_id": ({ client_id: _, ...document }) => json(document),
    "no redirect": (document) => json({ ...document, redirect_uris: [] }),
    "a secret": (document) => json({ ...document, client_secret: "x" }),
    "a signature without keys": (document) => json({ ...document, token_endpoint_auth_method: "private_key_jwt" }),
    "keys that are not https": (document) =>
      json({ ...document, token_endpoint_auth_method: "private_key_jwt", jwks_uri: "http://localhost/keys" }),
    "another authentication": (document) => json({ ...document, token_endpoint_auth_method: "client_secret_jwt" }),
    "another grant": (document) => json({ ...document, grant_types: ["client_credentials"] }),
    "an HTML page": (document) => json(document, { "content-type": "text/html" }),
    "no type": (document) => (_, response) => response.end(JSON.stringify(document)),
    "not JSON": () => json("{"),
    "a list": (document) => json([document]),
    "deep nesting": () => json(`{"client_id":${"[".repeat(5000)}${"]".repeat(5000)}}`),
    "an error": (document) => json(document, {}, 404),
    "a redirect": (document) => json(document, { location: "/other.json" }, 302),
    "a compressed body": (document) => json(document, { "content-encoding": "gzip" }),
    "a huge body": (document) => json({ ...document, more: "x".repeat(20_000) }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const { clientId, internet } = await assistant(answer);
    const failed = `${await failure(readMetadata(clientId, AT, noLimit, internet))}`;
    expect(failed, name).toMatch(/^invalid_input: The description/);
  }
});

test("a document that never ends, or never begins, is given up after a few seconds", { timeout: 120_000 }, async () => {
  const silent = await assistant(() => () => {});
  const dripping = await assistant(() => (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 100);
    response.on("close", () => clearInterval(timer));
  });
  const readings = [silent, dripping].map(({ clientId, internet }) =>
    failure(readMetadata(clientId, AT, noLimit, internet)),
  );
  for (const reading of readings) expect(await reading).toMatch(/does not answer/);
});

test("a document at a private address is never connected to", async () => {
  const { clientId, guarded, server } = await assistant((document) => json(document));
  expect(await failure(readMetadata(clientId, AT, noLimit, guarded))).toMatch(/does not answer/);
  expect(server.connections()).toBe(0);
});

test("a metadata URL is https with a path, in its normal spelling, without user, port and fragment", () => {
  const wrong = [
    "http://assistant.example/client.json",
    "https://assistant.example",
    "https://assistant.example/",
    "https://assistant.example/client.json#x",
    "https://user@assistant.example/client.json",
    "https://assistant.example:8443/client.json",
    "https://assistant.example/a/../client.json",
    "https://ASSISTANT.example/client.json",
    "HTTPS://assistant.example/client.json",
    "https://аssistant.example/client.json",
    "https://assistant.example\\@evil.example/client.json",
    `https://assistant.example/${"a".repeat(500)}`,
  ];
  expect(wrong.filter(isAllowedMetadataUrl)).toEqual([]);
  expect(isAllowedMetadataUrl("https://assistant.example/client.json")).toBe(true);
});

test("a document names its redirect URIs: another one, or a bad one that it names, is not answered", async () => {
  const bad = ["javascript:alert(1)", "http://assistant.example/callback", `${REDIRECT}#x`];
  const { clientId, internet } = await assistant((document) =>
    json({ ...document, redirect_uris: [...bad, REDIRECT] }),
  );
  const { ownerId } = await makeSite();
  for (const redirect_uri of [...bad, "https://evil.example/callback", `${REDIRECT}/`]) {
    const opening = openRequest(requestOf(clientId, { redirect_uri }), ownerId, AT, internet);
    expect(await failure(opening), redirect_uri).toMatch(/not one of its own/);
  }
  expect(await openRequest(requestOf(clientId), ownerId, AT, internet)).toHaveProperty("question");
});

test("a document is read again after its max-age, from a minute to a day, and a failure is not kept", async () => {
  const ages = { "max-age=0": 60, "no-store": 60, "public, max-age=600": 600, "max-age=9999999": 86_400, "": 300 };
  for (const [control, seconds] of Object.entries(ages)) {
    const { clientId, server, internet } = await assistant((document) =>
      json(document, control ? { "cache-control": control } : {}),
    );
    for (const second of [0, seconds - 1, seconds]) await readMetadata(clientId, after(second), noLimit, internet);
    expect(server.requestedPaths, control).toHaveLength(2);
  }
  let status = 500;
  const flaky = await assistant((document) => (request, response) => json(document, {}, status)(request, response));
  expect(await failure(readMetadata(flaky.clientId, AT, noLimit, flaky.internet))).not.toBeNull();
  status = 200;
  expect(await failure(readMetadata(flaky.clientId, AT, noLimit, flaky.internet))).toBeNull();
});

test("an assistant that is connected can be connected again while its document cannot be read, for a week", async () => {
  let status = 200;
  const { clientId, internet } = await assistant(
    (document) => (request, response) => json(document, { "cache-control": "no-store" }, status)(request, response),
  );
  const site = await makeSite();
  const open = (seconds: number) => openRequest(requestOf(clientId), site.ownerId, after(seconds), internet);
  const choice = { scopes: ["sites:read" as const], sites: [site] };
  status = 403;
  expect(await failure(open(0))).toMatch(/does not answer with a document/);
  status = 200;
  await decideRequest(requestOf(clientId), site.ownerId, choice, AT, { internet });
  status = 403;
  expect(await open(3600)).toHaveProperty("question");
  // A consent meanwhile does not make the week longer.
  await decideRequest(requestOf(clientId), site.ownerId, choice, after(3 * 86_400), { internet });
  expect(await open(6 * 86_400)).toHaveProperty("question");
  expect(await failure(open(8 * 86_400))).toMatch(/does not answer with a document/);
});

test("one person's requests read at most thirty documents an hour", async () => {
  const { ownerId } = await makeSite();
  const open = (clientId: string) =>
    failure(openRequest(requestOf(clientId), ownerId, AT, { dnsServers: [dns().address] }));
  for (let turn = 0; turn < 30; turn++)
    expect(await open(`https://${randomUUID()}.proof.example/x`)).toMatch(/^invalid/);
  expect(await open(`https://${randomUUID()}.proof.example/x`)).toMatch(/^rate_limited/);
});
