import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { execute } from "@/lib/gateway/execute";
import { issueAccessToken } from "@/lib/oauth/tokens";
import sitesCreate from "@/lib/operations/sites.create";
import { db } from "@/lib/platform/db";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

/** The management API from outside: tokens, operations, methods, inputs and grants. */

const AT = new Date("2025-03-12T12:00:00Z");
const domain = () => `${randomUUID()}.example`;
const create = (host = domain()) => ({ domain: host, timezone: "UTC", public: false });

test("text that cannot be stored is refused by path on every entry point", async () => {
  const personId = await makePerson();
  const { token } = await makeClient({ scopes: ["sites:create", "analytics:read"], personId });
  const principal = { kind: "owner" as const, personId };
  for (const name of ["a\u0000b", "\ud800", "\udc00x"]) {
    const issues = [{ path: "name", message: expect.stringContaining("cannot be stored") }];
    const typed = execute(sitesCreate, { principal, input: { ...create(), name }, now: AT });
    await expect(typed).rejects.toMatchObject({ code: "invalid_input", details: { issues } });
    const { status, body } = await callApi("sites.create", { token, input: { ...create(), name } });
    expect([status, body.error.details.issues]).toEqual([422, issues]);
  }
  for (const filters of ['{"page":"\\u0000"}', '{"page":1e999}', "\u0000"]) {
    const { status, body } = await callApi("analytics.overview", { token, input: { site_id: 1, filters } });
    expect([status, body.error.code], filters).toEqual([422, "invalid_input"]);
  }
});

test("a call without a token gets a challenge without an error code (RFC 6750 section 3.1)", async () => {
  const { status, headers, body } = await callApi("sites.list", { token: null });
  expect([status, body.error.code, body.operationId]).toEqual([401, "unauthenticated", "sites.list"]);
  expect(headers["www-authenticate"]).toBe(
    'Bearer realm="management", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1/management", scope="sites:read"',
  );
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["x-request-id"]).toBe(body.request_id);
});

test("lower-case bearer is accepted; two spaces, trailing text, other schemes and unknown tokens are refused", async () => {
  const { token } = await makeClient({ scopes: ["sites:read"], personId: await makePerson() });
  const ask = (authorization: string) => callApi("sites.list", { token: null, headers: { authorization } });
  expect((await ask(`bearer ${token}`)).status).toBe(200);
  for (const bad of [
    `Bearer  ${token}`,
    `Bearer ${token} x`,
    "Bearer ",
    `Bearer ${token}x`,
    `Bearer ${token},${token}`,
  ]) {
    const { status, body, headers } = await ask(bad);
    expect([status, body.error?.code], bad).toEqual([401, "invalid_token"]);
    expect(headers["www-authenticate"]).toContain('error="invalid_token"');
  }
  // Without a bearer token, the error says how to send one.
  for (const other of [`Basic ${token}`, token]) {
    expect((await ask(other)).body.error.code, other).toBe("unauthenticated");
  }
});

test("a token is refused after 15 minutes, revocation, removal of its client, and for another issuer, audience or owner", async () => {
  const personId = await makePerson();
  const fresh = () => makeClient({ scopes: ["sites:read"], personId, now: AT });
  const status = async (token: string, now = AT) => (await callApi("sites.list", { token, now })).status;
  const { token } = await fresh();
  const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);
  expect([await status(token, after(899)), await status(token, after(900)), await status(token, after(-61))]).toEqual([
    200, 401, 401,
  ]);
  for (const change of [
    { revokedAt: AT },
    { issuer: "https://staging.example" },
    { audience: "http://localhost:3000/mcp" },
    { ownerId: await makePerson() },
  ]) {
    const client = await fresh();
    await db().accessToken.updateMany({ where: { clientId: client.id }, data: change });
    expect(await status(client.token), JSON.stringify(change)).toBe(401);
  }
  const client = await fresh();
  await db().client.update({ where: { id: client.id }, data: { revokedAt: AT } });
  expect(await status(client.token)).toBe(401);
});

test("a delegated client without an owner is refused", async () => {
  const client = await makeClient({ scopes: ["sites:read"], personId: await makePerson() });
  await db().client.update({ where: { id: client.id }, data: { ownerId: null } });
  const token = await issueAccessToken(db(), {
    clientId: client.id,
    ownerId: null,
    scopes: ["sites:read"],
    now: new Date(),
  });
  expect((await callApi("sites.list", { token })).status).toBe(401);
});

test("narrowed consent applies at once: a token's scope counts only while the client holds it", async () => {
  const client = await makeClient({ scopes: ["sites:read", "analytics:read"], personId: await makePerson() });
  await db().client.update({ where: { id: client.id }, data: { grantedScopes: ["analytics:read"] } });
  const { status, body, headers } = await callApi("sites.list", { token: client.token });
  expect([status, body.error.code]).toEqual([403, "insufficient_scope"]);
  expect(headers["www-authenticate"]).toContain('scope="sites:read", error="insufficient_scope"');
});

test("unknown operation names in any spelling answer 404", async () => {
  const { token } = await makeClient({ scopes: ["sites:read"], personId: await makePerson() });
  for (const name of [
    "sites.lists",
    "__proto__",
    "constructor",
    "toString",
    "SITES.LIST",
    "sites.list/",
    "../../x",
    "",
  ]) {
    const { status, body } = await callApi(name, { token });
    expect([status, body.error.code], name).toEqual([404, "operation_not_found"]);
  }
});

test("a read with POST and a write with GET answer 405 with Allow", async () => {
  const { token } = await makeClient({ scopes: ["sites:read", "sites:create"], personId: await makePerson() });
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]) {
    const { status, headers } = await callApi("sites.list", { token, method });
    expect([status, headers.allow], method).toEqual([405, "GET"]);
  }
  const { status, headers } = await callApi("sites.create", { token, method: "GET" });
  expect([status, headers.allow]).toEqual([405, "POST"]);
});

test("a query is decoded by the schema, and invalid parameters are refused by name", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const ask = (site_id: unknown) => callApi("sites.settings.get", { token, input: { site_id } });
  expect((await ask(site.id)).status).toBe(200);
  for (const bad of ["1.5", "0", "-1", "abc", "", "1e3", "0x1", "9007199254740993"]) {
    const { status, body } = await ask(bad);
    expect([status, body.error.details?.issues[0].path], bad).toEqual([422, "site_id"]);
  }
  expect((await callApi("sites.settings.get", { token })).body.error.details.issues[0]).toMatchObject({
    path: "site_id",
  });
  expect((await callApi("sites.list", { token, input: { colour: "red" } })).body.error.details.issues).toEqual([
    { path: "colour", message: "is not a known field; leave it out" },
  ]);
});

test("a body that is not a JSON object answers 400 or 422, another content type 415, a large body 413", async () => {
  const { token } = await makeClient({ scopes: ["sites:create"], personId: await makePerson() });
  const send = (input: string, headers = {}) => callApi("sites.create", { token, input, headers });
  expect((await send("{")).body.error.code).toBe("malformed_json");
  for (const text of ["[]", "1", "null", '"x"']) expect((await send(text)).body.error.code, text).toBe("invalid_input");
  expect((await send("{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await send(JSON.stringify({ name: "x".repeat(300_000) }))).status).toBe(413);
});

test("foreign, missing and ungranted sites get the same error", async () => {
  const [mine, ungranted, foreign] = [await makeSite(), await makeSite(), await makeSite()];
  await db().membership.create({ data: { siteId: ungranted.id, personId: mine.ownerId, role: "owner" } });
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [mine, foreign], personId: mine.ownerId });
  const refusal = async (site_id: number) => {
    const { status, body } = await callApi("sites.settings.get", { token, input: { site_id } });
    return [status, body.error?.code, body.error?.message.replace(/\d+/, "#")];
  };
  const answers = [await refusal(ungranted.id), await refusal(foreign.id), await refusal(2_000_000_000)];
  expect(answers[0]).toEqual([403, "site_not_granted", expect.any(String)]);
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(
    (await callApi("sites.list", { token })).body.data.sites.map((site: { site_id: number }) => site.site_id),
  ).toEqual([mine.id]);
});

test("an agent loses a role at once when its person loses it", async () => {
  const site = await makeSite();
  const { token } = await makeClient({ scopes: ["sites:read"], sites: [site], personId: site.ownerId });
  const status = async () =>
    (await callApi("sites.settings.get", { token, input: { site_id: site.id } })).body.error?.code ?? 200;
  expect(await status()).toBe(200);
  await db().membership.updateMany({ where: { siteId: site.id }, data: { role: "viewer" } });
  expect(await status()).toBe("role_denied");
  await db().membership.deleteMany({ where: { siteId: site.id } });
  expect(await status()).toBe("site_not_granted");
});

test("only sites:create creates sites; it grants the new site, makes the person its owner and reads nothing", async () => {
  const personId = await makePerson();
  const writer = await makeClient({ scopes: ["sites:write"], personId });
  expect((await callApi("sites.create", { token: writer.token, input: create() })).body.error?.code).toBe(
    "insufficient_scope",
  );
  const creator = await makeClient({ scopes: ["sites:create"], personId });
  const { body } = await callApi("sites.create", { token: creator.token, input: create() });
  expect(body.data.role).toBe("owner");
  const { site_id } = body.data;
  expect((await callApi("sites.settings.get", { token: creator.token, input: { site_id } })).body.error?.code).toBe(
    "insufficient_scope",
  );
  const token = await issueAccessToken(db(), {
    clientId: creator.id,
    ownerId: personId,
    scopes: ["sites:read"],
    now: new Date(),
  });
  expect((await callApi("sites.settings.get", { token, input: { site_id } })).body.error?.code).toBe(
    "insufficient_scope",
  );
  await db().client.update({ where: { id: creator.id }, data: { grantedScopes: ["sites:read"] } });
  expect((await callApi("sites.settings.get", { token, input: { site_id } })).status).toBe(200);
});

test("a machine client without a person owns the sites it creates", async () => {
  const { token } = await makeClient({ scopes: ["sites:create", "sites:read"] });
  const { body } = await callApi("sites.create", { token, input: create() });
  expect([body.data.role, await db().membership.count({ where: { siteId: body.data.site_id } })]).toEqual(["owner", 0]);
  expect((await callApi("sites.list", { token })).body.data.total).toBe(1);
});

test("a valid X-Request-ID is returned, any other is replaced", async () => {
  const id = async (value: string) =>
    (await callApi("sites.list", { token: null, headers: { "x-request-id": value } })).body.request_id;
  expect(await id("agent-7.run_3")).toBe("agent-7.run_3");
  for (const bad of ["a\nb", "x".repeat(10_000), "ümlaut", "", "a b"]) expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
});

test("too many calls of one client answer 429 with whole seconds and do not affect other clients", async () => {
  const personId = await makePerson();
  const [busy, calm] = [
    await makeClient({ scopes: ["sites:read"], personId }),
    await makeClient({ scopes: ["sites:read"], personId }),
  ];
  const now = new Date();
  const resetsAt = new Date(now.getTime() + 30_000);
  await db().rateCount.create({ data: { key: `management:read:${busy.id}`, hits: 600, resetsAt } });
  const { status, headers, body } = await callApi("sites.list", { token: busy.token, now });
  expect([status, body.error.code, headers["retry-after"]]).toEqual([429, "rate_limited", "30"]);
  expect((await callApi("sites.list", { token: calm.token, now })).status).toBe(200);
  expect((await callApi("sites.list", { token: busy.token, now: resetsAt })).status).toBe(200);
});

test("every write leaves one audit row in its own transaction", async () => {
  const personId = await makePerson();
  const client = await makeClient({ scopes: ["sites:create"], personId });
  const host = domain();
  const { body } = await callApi("sites.create", { token: client.token, input: create(host) });
  await callApi("sites.create", { token: client.token, input: create(host) });
  const lines = await db().audit.findMany({ where: { clientId: client.id }, orderBy: { id: "asc" } });
  expect(lines).toMatchObject([
    { operation: "sites.create", personId, requestId: body.request_id, detail: { domain: host } },
  ]);
});
