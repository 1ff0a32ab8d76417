import { expect, test } from "vitest";
import { managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { basicAuth, callOAuth, freshAddress, grants, makeAgent, postAuth, statusAndError } from "@/lib/testing/oauth";
import { callApi } from "@/lib/testing/world";

/** Common behaviour of the OAuth endpoints: methods, forms, client authentication and limits. */

const SCOPES = ["sites:read", "analytics:read"] as const;
const machine = () => makeAgent({ kind: "machine", scopes: SCOPES });
const form = (more: Record<string, string> = {}) => ({
  grant_type: "client_credentials",
  resource: managementResource(),
  ...more,
});
const encoded = (more: Record<string, string> = {}) => `${new URLSearchParams(form(more))}`;

test("only POST is accepted: every other method is 405 with Allow (case 31)", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
    for (const endpoint of ["token", "device", "revoke", "introspect"] as const) {
      const { status, headers, body } = await callOAuth(endpoint, {}, { method });
      expect([status, headers.allow, body.error], method).toEqual([405, "POST", "invalid_request"]);
    }
  }
});

test("a JSON body, an empty body, a compressed one and one beyond 16 KiB are invalid requests (case 31)", async () => {
  const agent = await machine();
  const json = { "content-type": "application/json" };
  expect(statusAndError(await callOAuth("token", JSON.stringify(form(postAuth(agent))), { headers: json }))).toBe(
    "400 invalid_request",
  );
  expect(statusAndError(await callOAuth("token", ""))).toBe("400 invalid_request");
  const gzip = { "content-encoding": "gzip" };
  expect(statusAndError(await callOAuth("token", form(postAuth(agent)), { headers: gzip }))).toBe(
    "400 invalid_request",
  );
  expect(statusAndError(await callOAuth("token", form({ ...postAuth(agent), x: "y".repeat(16_384) })))).toBe(
    "413 invalid_request",
  );
  expect(statusAndError(await callOAuth("token", form({ ...postAuth(agent), scope: "\0" })))).toBe(
    "400 invalid_request",
  );
});

test("a repeated parameter is an invalid request, an unknown one is ignored, an empty one omitted (case 32)", async () => {
  const agent = await machine();
  const post = (more: string) => callOAuth("token", `${encoded(postAuth(agent))}&${more}`);
  for (const more of ["grant_type=client_credentials", "scope=sites%3Aread&scope=sites%3Aread", "client_id=x"]) {
    expect(statusAndError(await post(more)), more).toBe("400 invalid_request");
  }
  expect(statusAndError(await post("unknown=1&unknown=2"))).toBe("200");
  const { body } = await post("scope=");
  expect(body.scope).toBe("sites:read analytics:read");
  expect(statusAndError(await callOAuth("token", { ...form(postAuth(agent)), grant_type: "" }))).toBe(
    "400 invalid_request",
  );
  expect(statusAndError(await callOAuth("token", { ...form(postAuth(agent)), grant_type: "password" }))).toBe(
    "400 unsupported_grant_type",
  );
});

test("a secret in the URL is refused (case 35)", async () => {
  const agent = await machine();
  for (const name of ["client_secret", "device_code", "refresh_token", "access_token", "token"]) {
    const { status, body } = await callOAuth("token", form(postAuth(agent)), { query: `${name}=${agent.secret}` });
    expect([status, body.error], name).toEqual([400, "invalid_request"]);
    expect(JSON.stringify(body)).not.toContain(agent.secret);
  }
});

test("a client authenticates in the body or as form-encoded Basic, but not both (case 33)", async () => {
  const odd = await makeAgent({ kind: "machine", scopes: SCOPES, secret: "a: +%b/ü=&" });
  expect(statusAndError(await callOAuth("token", form(postAuth(odd))))).toBe("200");
  expect(statusAndError(await callOAuth("token", form(), { headers: basicAuth(odd) }))).toBe("200");
  const plus = Buffer.from(`${odd.id}:${encodeURIComponent(odd.secret).replaceAll("%20", "+")}`).toString("base64");
  expect(statusAndError(await callOAuth("token", form(), { headers: { authorization: `basic ${plus}` } }))).toBe("200");

  const both = await callOAuth("token", form({ client_secret: odd.secret }), { headers: basicAuth(odd) });
  expect(statusAndError(both)).toBe("400 invalid_request");
  expect(statusAndError(await callOAuth("token", form({ client_id: odd.id }), { headers: basicAuth(odd) }))).toBe(
    "200",
  );
  expect(statusAndError(await callOAuth("token", form({ client_id: "ffc_other" }), { headers: basicAuth(odd) }))).toBe(
    "400 invalid_request",
  );
});

test("Basic that is not encoded, not base64 or empty is 401 with WWW-Authenticate (case 34)", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES, secret: "a:100%" });
  const base64 = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const bad = [
    base64(`${agent.id}:${agent.secret}`),
    base64(`${agent.id}:a%3A100%`),
    base64(agent.id),
    base64(":"),
    "Basic",
    "Basic ",
    "Basic !!!!",
    `Bearer ${agent.secret}`,
  ];
  for (const authorization of bad) {
    const { status, headers, body } = await callOAuth("token", form(), { headers: { authorization } });
    expect([status, body.error, headers["www-authenticate"]], authorization).toEqual([
      401,
      "invalid_client",
      'Basic realm="oauth"',
    ]);
  }
});

test("an unknown client, a wrong secret, a revoked client and no client get the same 401, without a header unless Basic", async () => {
  const [agent, revoked] = await Promise.all([machine(), machine()]);
  await db().client.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } });
  const tries = [
    form({ client_id: "ffc_nobody", client_secret: "x" }),
    form({ client_id: "\u{1F600}", client_secret: "x" }),
    form({ client_id: agent.id, client_secret: "x" }),
    form({ client_id: agent.id }),
    form(postAuth(revoked)),
    form(),
  ];
  const answers = await Promise.all(tries.map((parameters) => callOAuth("token", parameters)));
  for (const { status, headers, body } of answers) {
    expect([status, body, headers["www-authenticate"]]).toEqual([401, answers[0]?.body, undefined]);
  }
});

test("after 10 failures from one address even the correct secret is refused there for 15 minutes, but not elsewhere", async () => {
  const agent = await machine();
  const now = new Date();
  const wrong = () =>
    callOAuth("token", form({ ...postAuth(agent), client_secret: "x" }), { now, address: "198.51.100.1" });
  for (let failure = 0; failure < 10; failure++) expect(statusAndError(await wrong())).toBe("401 invalid_client");
  const right = (address: string, at = now) => callOAuth("token", form(postAuth(agent)), { now: at, address });
  const limited = await right("198.51.100.1");
  expect([statusAndError(limited), limited.headers["retry-after"]]).toEqual(["429 temporarily_unavailable", "900"]);
  expect(statusAndError(await right("198.51.100.2"))).toBe("200");
  expect(statusAndError(await right("198.51.100.1", new Date(now.getTime() + 900_000)))).toBe("200");
});

test("after 100 failures with any client ids an address is refused for 15 minutes, and others are not", async () => {
  const agent = await machine();
  const now = new Date();
  const [address, elsewhere] = [freshAddress(), freshAddress()];
  const wrong = (id: string) => callOAuth("token", form({ client_id: id, client_secret: "x" }), { now, address });
  for (let failure = 0; failure < 100; failure++)
    expect(statusAndError(await wrong(`ffc_${failure}`))).toBe("401 invalid_client");
  const limited = await wrong("ffc_another");
  expect([statusAndError(limited), limited.headers["retry-after"]]).toEqual(["429 temporarily_unavailable", "900"]);
  const right = (from: string, at = now) => callOAuth("token", form(postAuth(agent)), { now: at, address: from });
  expect(statusAndError(await right(address))).toBe("429 temporarily_unavailable");
  expect(statusAndError(await right(elsewhere))).toBe("200");
  expect(statusAndError(await right(address, new Date(now.getTime() + 900_000)))).toBe("200");
});

test("a request id that has a line break, is 10 kB long or not ASCII is replaced (case 76)", async () => {
  const agent = await machine();
  for (const bad of ["a\nb", "a\r\nset-cookie: x=1", "x".repeat(10_000), "ümlaut", "\u202e", "", "a b"]) {
    for (const parameters of [form(postAuth(agent)), form({ ...postAuth(agent), client_secret: "x" }), {}]) {
      const { headers } = await callOAuth("token", parameters as Record<string, string>, {
        headers: { "x-request-id": bad },
        address: freshAddress(),
      });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
  }
});

test("the token endpoint allows 120 calls of a client a minute", async () => {
  const agent = await machine();
  const now = new Date("2025-03-12T12:00:00Z");
  const key = `oauth:token:${agent.id}`;
  await db().rateCount.create({ data: { key, hits: 119, resetsAt: new Date(now.getTime() + 30_000) } });
  expect(statusAndError(await grants.credentials(agent, {}, { now }))).toBe("200");
  const limited = await grants.credentials(agent, {}, { now });
  expect([statusAndError(limited), limited.headers["retry-after"]]).toEqual(["429 temporarily_unavailable", "30"]);
  expect(statusAndError(await grants.poll(agent, "x", now))).toBe("429 slow_down");
});

test("every response is not cacheable and has the caller's request id; descriptions use the characters of RFC 6749", async () => {
  const agent = await machine();
  const headers = { "x-request-id": "my-request" };
  const answers = [
    await callOAuth("token", form(postAuth(agent)), { headers }),
    await callOAuth("token", form({ scope: 'sites:read"' }), { headers }),
    await callOAuth("token", form({ ...postAuth(agent), scope: '"\\\u00e9' }), { headers }),
    await callOAuth("token", {}, { headers, method: "GET" }),
  ];
  for (const answer of answers) {
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      pragma: "no-cache",
      "content-type": "application/json",
      "x-request-id": "my-request",
    });
    expect(answer.body.error_description ?? "").toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/);
  }
});

test("OAuth endpoints and the management API ignore a browser's session cookie (case 53)", async () => {
  const cookie = { cookie: "footfall.session=anything; __Host-footfall.session=anything" };
  expect(statusAndError(await callOAuth("token", form(), { headers: cookie }))).toBe("401 invalid_client");
  expect(statusAndError(await callOAuth("device", {}, { headers: cookie }))).toBe("401 invalid_client");
  const agent = await makeAgent({ kind: "delegated", scopes: SCOPES });
  await callOAuth("device", postAuth(agent), { headers: cookie });
  expect(await db().client.findUniqueOrThrow({ where: { id: agent.id } })).toMatchObject({
    ownerId: null,
    grantedScopes: [],
  });
  expect((await callApi("sites.list", { token: null, headers: cookie })).status).toBe(401);
});
