import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { makeAssistant, REDIRECT, register } from "@/lib/testing/assistants";
import { freshAddress } from "@/lib/testing/oauth";

/** Dynamic client registration (RFC 7591). */

const AT = new Date("2025-03-12T12:00:00Z");
const CURSOR = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];

test("Cursor registers with its three redirects in one request, as a public client", async () => {
  const { status, headers, body } = await register(
    {
      client_name: "Cursor",
      redirect_uris: CURSOR,
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { now: AT },
  );
  expect([status, body]).toEqual([
    201,
    {
      client_id: expect.stringMatching(/^ffp_[\w-]{24}$/),
      client_id_issued_at: AT.getTime() / 1000,
      client_name: "Cursor",
      redirect_uris: CURSOR,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  ]);
  expect([headers["cache-control"], headers.pragma]).toEqual(["no-store", "no-cache"]);
});

test("a registration that asks for a secret gets none, and a name without visible characters is replaced", async () => {
  const asks = { redirect_uris: [REDIRECT], token_endpoint_auth_method: "client_secret_basic", client_name: "\u202e" };
  const { status, body } = await register(asks);
  expect([status, body.token_endpoint_auth_method, body.client_secret, body.client_name]).toEqual([
    201,
    "none",
    undefined,
    "Unnamed agent",
  ]);
  expect((await register({ redirect_uris: [REDIRECT], client_name: "x".repeat(5000) })).body.client_name).toHaveLength(
    100,
  );
});

test("one bad redirect URI refuses the registration", async () => {
  for (const bad of ["javascript:alert(1)", "http://assistant.example/", `${REDIRECT}#x`, "https://*.example.com/"]) {
    const { status, body } = await register({ redirect_uris: [REDIRECT, bad] });
    expect([status, body.error], bad).toEqual([400, "invalid_redirect_uri"]);
  }
});

test("anything else than the metadata of a client is refused with the error of RFC 7591", async () => {
  const bodies: (object | string)[] = [
    {},
    { redirect_uris: [] },
    { redirect_uris: REDIRECT },
    { redirect_uris: [1] },
    { redirect_uris: Array.from({ length: 21 }, (_, index) => `${REDIRECT}/${index}`) },
    { redirect_uris: [REDIRECT], client_name: 1 },
    { redirect_uris: [REDIRECT], client_name: "a\0b" },
    { redirect_uris: [REDIRECT], grant_types: ["client_credentials"] },
    { redirect_uris: [REDIRECT], response_types: ["token"] },
    "null",
    "[]",
    "{",
    "",
    `{"redirect_uris": ${"[".repeat(3000)}${"]".repeat(3000)}}`,
  ];
  for (const body of bodies) {
    const reply = await register(body);
    expect([reply.status, reply.body.error], JSON.stringify(body)).toEqual([400, "invalid_client_metadata"]);
  }
  const large = await register({ redirect_uris: [REDIRECT], client_uri: "x".repeat(17_000) });
  expect([large.status, large.body.error]).toEqual([413, "invalid_client_metadata"]);
  expect((await register({ redirect_uris: [REDIRECT] }, { type: "text/plain" })).status).toBe(400);
  const get = await register("", { method: "GET" });
  expect([get.status, get.headers.allow]).toEqual([405, "POST"]);
});

test("a flood of registrations from one address is refused with 429 after twenty an hour", async () => {
  const address = freshAddress();
  const send = (now = AT) => register({ redirect_uris: [REDIRECT] }, { address, now });
  const replies = await Promise.all(Array.from({ length: 25 }, () => send()));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = replies.find(({ status }) => status === 429);
  expect([refused?.body.error, refused?.headers["retry-after"]]).toEqual(["temporarily_unavailable", "3600"]);
  expect((await send(new Date(AT.getTime() + 3_600_000))).status).toBe(201);
});

test("a registration gives no access: only its redirect URIs are stored", async () => {
  const id = await makeAssistant();
  expect(await db().assistant.findUniqueOrThrow({ where: { id } })).toMatchObject({
    name: "Helper",
    redirectUris: [REDIRECT],
  });
  expect(await db().client.count({ where: { assistantId: id } })).toBe(0);
});
