import { expect, test } from "vitest";
import { GRANTS } from "@/lib/oauth/token";
import { managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { ingestPool } from "@/lib/platform/pool";
import { hashOf } from "@/lib/platform/secrets";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { callOAuth, consent, grants, makeAgent, postAuth, statusAndError } from "@/lib/testing/oauth";
import { callApi, makeSite } from "@/lib/testing/world";

/** Grants, refresh token rotation, revocation and introspection. */

const SCOPES = ["sites:read", "sites:create", "analytics:read"] as const;
const AT = new Date("2025-03-12T12:00:00Z");
const after = (ms: number) => new Date(AT.getTime() + ms);

const calls = async (token: string, now = AT) => (await callApi("sites.list", { token, now })).status;

/** An agent with a consent and its first tokens. */
async function connected(now = AT) {
  const site = await makeSite();
  const agent = await makeAgent({ kind: "delegated", scopes: SCOPES });
  const { body } = await callOAuth("device", postAuth(agent), { now });
  await consent(body.user_code, site.ownerId, { scopes: [...SCOPES], sites: [site] }, now);
  const pair = (await grants.poll(agent, body.device_code, now)).body;
  return { agent, site, access: pair.access_token as string, refresh: pair.refresh_token as string };
}

test("a machine gets a 15-minute access token with its scope, and never a refresh token", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
  const { status, body } = await grants.credentials(agent, { scope: "sites:read" }, { now: AT });
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^ffa_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 900,
      scope: "sites:read",
    },
  ]);
  expect([await calls(body.access_token), await calls(body.access_token, after(900_000))]).toEqual([200, 401]);
  expect((await grants.credentials(agent)).body.scope).toBe(SCOPES.join(" "));
});

test("a machine that was taken over gets tokens that act for its person", async () => {
  const site = await makeSite();
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES, ownerId: site.ownerId });
  await db().clientSite.create({ data: { clientId: agent.id, siteId: site.id } });
  const { body } = await grants.credentials(agent, {}, { now: AT });
  expect((await callApi("sites.list", { token: body.access_token, now: AT })).body.data.sites).toHaveLength(1);
  await db().membership.deleteMany({ where: { siteId: site.id } });
  expect((await callApi("sites.list", { token: body.access_token, now: AT })).body.data.sites).toEqual([]);
});

test("resource must be exactly one of ours, once, for the grants of clients with a secret (case 36)", async () => {
  const { agent, refresh } = await connected();
  const machine = await makeAgent({ kind: "machine", scopes: SCOPES });
  const device = (await callOAuth("device", postAuth(agent), { now: AT })).body.device_code;
  const right = managementResource();
  const wrong = [
    "",
    `${right}/`,
    right.toUpperCase(),
    right.replace("/api", "/%61pi"),
    `${right}#x`,
    "https://evil.example",
  ];
  for (const resource of wrong) {
    const replies = [
      await grants.credentials(machine, { resource }, { now: AT }),
      await grants.poll(agent, device, AT, { resource }),
      await grants.refresh(agent, refresh, AT, { resource }),
    ];
    expect(replies.map(statusAndError), resource).toEqual(Array(3).fill("400 invalid_target"));
  }
  const twice = `${new URLSearchParams({ grant_type: "client_credentials", ...postAuth(machine), resource: right })}`;
  expect(statusAndError(await callOAuth("token", `${twice}&resource=${encodeURIComponent(right)}`))).toBe(
    "400 invalid_target",
  );
  // None of these counted as a poll or used the refresh token.
  const row = await db().deviceCode.findUniqueOrThrow({ where: { hash: hashOf(device) } });
  expect(row.lastPolledAt).toBeNull();
  expect(statusAndError(await grants.refresh(agent, refresh, AT))).toBe("200");
});

test("a scope that is unknown, not granted or malformed is refused as a whole (case 37)", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: SCOPES });
  for (const scope of [
    "sites:read sites:READ",
    "sites:read\tanalytics:read",
    "sites:read\n",
    " sites:read",
    "sites:read  analytics:read",
    "sites:read ".repeat(460),
    Array(100).fill("sites:read").join(" "),
    'sites:read"',
    "sites:delete",
    "sites:read sites:delete",
    "__proto__",
    "constructor",
  ]) {
    expect(statusAndError(await grants.credentials(agent, { scope })), scope.slice(0, 40)).toBe("400 invalid_scope");
  }
  const bare = await makeAgent({ kind: "machine", scopes: [] });
  expect(statusAndError(await grants.credentials(bare))).toBe("400 invalid_scope");
});

test("a delegated client may not use client_credentials, before and after approval; a machine not the device grant (case 38)", async () => {
  const fresh = await makeAgent({ kind: "delegated", scopes: SCOPES });
  const { agent } = await connected();
  for (const delegated of [fresh, agent]) {
    expect(statusAndError(await grants.credentials(delegated))).toBe("400 unauthorized_client");
  }
  const machine = await makeAgent({ kind: "machine", scopes: SCOPES });
  expect(statusAndError(await callOAuth("device", postAuth(machine)))).toBe("400 unauthorized_client");
  expect(statusAndError(await grants.poll(machine, "x"))).toBe("400 unauthorized_client");
});

test("a refresh replaces both tokens and revokes the used ones immediately", async () => {
  const { agent, access, refresh } = await connected();
  const { body } = await grants.refresh(agent, refresh, after(1000));
  expect(body).toEqual({
    access_token: expect.stringMatching(/^ffa_/),
    refresh_token: expect.stringMatching(/^ffr_/),
    token_type: "Bearer",
    expires_in: 900,
    scope: SCOPES.join(" "),
  });
  expect([await calls(access, after(1000)), await calls(body.access_token, after(1000))]).toEqual([401, 200]);
});

test("a refresh may request fewer scopes, and the new refresh token keeps those of the old one (RFC 6749 section 6)", async () => {
  const { agent, refresh } = await connected();
  const less = (await grants.refresh(agent, refresh, AT, { scope: "sites:read" })).body;
  expect(less.scope).toBe("sites:read");
  const more = (await grants.refresh(agent, less.refresh_token, AT)).body;
  expect(more.scope).toBe(SCOPES.join(" "));
});

test("a refresh returns only scopes that are still granted, and never adds a site", async () => {
  const { agent, site, refresh } = await connected();
  await db().client.update({ where: { id: agent.id }, data: { grantedScopes: ["sites:read"] } });
  const other = await makeSite();
  await db().membership.create({ data: { siteId: other.id, personId: site.ownerId, role: "owner" } });
  const { body } = await grants.refresh(agent, refresh, AT);
  expect(body.scope).toBe("sites:read");
  const { sites } = (await callApi("sites.list", { token: body.access_token, now: AT })).body.data;
  expect(sites.map((one: { site_id: number }) => one.site_id)).toEqual([site.id]);
  await db().client.update({ where: { id: agent.id }, data: { grantedScopes: [] } });
  expect(statusAndError(await grants.refresh(agent, body.refresh_token, AT))).toBe("400 invalid_scope");
});

test("a refresh for more scope, another resource or with another client's token is refused without effect (case 48)", async () => {
  const [mine, other] = await Promise.all([connected(), connected()]);
  expect(statusAndError(await grants.refresh(mine.agent, mine.refresh, AT, { scope: "sites:read sites:delete" }))).toBe(
    "400 invalid_scope",
  );
  expect(statusAndError(await grants.refresh(mine.agent, mine.refresh, AT, { resource: "https://evil.example" }))).toBe(
    "400 invalid_target",
  );
  expect(statusAndError(await grants.refresh(other.agent, mine.refresh, AT))).toBe("400 invalid_grant");
  expect([await calls(mine.access), statusAndError(await grants.refresh(mine.agent, mine.refresh, AT))]).toEqual([
    200,
    "200",
  ]);
  // A used token from another client is not a replay.
  expect(statusAndError(await grants.refresh(other.agent, mine.refresh, AT))).toBe("400 invalid_grant");
  expect(await db().refreshToken.count({ where: { clientId: mine.agent.id, usedAt: null, revokedAt: null } })).toBe(1);
});

test("a replayed refresh token revokes its whole family, access tokens included, and is audited (case 49)", async () => {
  const { agent, site, access, refresh } = await connected();
  const next = (await grants.refresh(agent, refresh, AT)).body;
  expect(statusAndError(await grants.refresh(agent, refresh, AT))).toBe("400 invalid_grant");
  expect([await calls(access), await calls(next.access_token)]).toEqual([401, 401]);
  expect(statusAndError(await grants.refresh(agent, next.refresh_token, AT))).toBe("400 invalid_grant");
  const noted = await db().audit.findMany({
    where: { clientId: agent.id, operation: "oauth.refresh_reuse" },
    orderBy: { id: "asc" },
  });
  expect(noted.map((row) => row.personId)).toEqual([site.ownerId]);
});

test("a replayed refresh token sends one email that says what happened and what to do", async () => {
  const { agent, site, refresh } = await connected(EMAIL_TIME);
  await grants.refresh(agent, refresh, EMAIL_TIME);
  for (let times = 0; times < 2; times++) await grants.refresh(agent, refresh, EMAIL_TIME);
  const emails = (await emailsOf(site.ownerId)).filter(({ subject }) => subject === "Your agent was signed out");
  expect(emails).toHaveLength(1);
  for (const part of [
    "“A test's agent”",
    "was used a second time",
    "disconnect it first",
    "http://localhost:3000/agents",
  ]) {
    expect(emails[0]?.text).toContain(part);
  }
});

test("of eight parallel refreshes with one token one gets tokens, and the family is revoked all the same (case 49)", async () => {
  const { agent, refresh } = await connected();
  const replies = await Promise.all(Array.from({ length: 8 }, () => grants.refresh(agent, refresh, AT)));
  expect(replies.map(statusAndError).sort()).toEqual(["200", ...Array(7).fill("400 invalid_grant")]);
  const won = replies.find((reply) => reply.status === 200)?.body;
  expect(await calls(won.access_token)).toBe(401);
  expect(await db().refreshToken.count({ where: { clientId: agent.id, revokedAt: null } })).toBe(0);
});

test("when the new tokens cannot be stored the old refresh token stays valid (case 50)", async () => {
  const { agent, access, refresh } = await connected();
  // The database fails between the two writes, for this client only.
  const name = `fail_${agent.id.replace(/\W/g, "_").toLowerCase()}`;
  await ingestPool().query(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER ${name} BEFORE INSERT ON refresh_token FOR EACH ROW
      WHEN (NEW.client_id = '${agent.id}') EXECUTE FUNCTION ${name}();`);
  expect((await grants.refresh(agent, refresh, AT)).status).toBeGreaterThanOrEqual(500);
  await ingestPool().query(`DROP TRIGGER ${name} ON refresh_token; DROP FUNCTION ${name}();`);
  expect(await calls(access)).toBe(200);
  expect(statusAndError(await grants.refresh(agent, refresh, AT))).toBe("200");
});

test("a refresh token expires after 30 idle days, its family after 90 days despite renewal", async () => {
  const idle = await connected();
  expect(statusAndError(await grants.refresh(idle.agent, idle.refresh, after(30 * DAY_MS)))).toBe("400 invalid_grant");
  const busy = await connected();
  let token = busy.refresh;
  for (const day of [29, 58, 87])
    token = (await grants.refresh(busy.agent, token, after(day * DAY_MS))).body.refresh_token;
  expect(statusAndError(await grants.refresh(busy.agent, token, after(90 * DAY_MS)))).toBe("400 invalid_grant");
});

test("tokens become invalid with their client, with its person, and in another environment (case 51)", async () => {
  const revoked = await connected();
  await db().client.update({ where: { id: revoked.agent.id }, data: { revokedAt: AT } });
  expect(statusAndError(await grants.refresh(revoked.agent, revoked.refresh, AT))).toBe("401 invalid_client");
  expect(await calls(revoked.access)).toBe(401);
  const moved = await connected();
  await db().client.update({ where: { id: moved.agent.id }, data: { ownerId: (await makeSite()).ownerId } });
  expect(statusAndError(await grants.refresh(moved.agent, moved.refresh, AT))).toBe("400 invalid_grant");
  for (const data of [{ issuer: "https://staging.example" }, { audience: `${managementResource()}/mcp` }]) {
    const copied = await connected();
    await db().accessToken.updateMany({ where: { clientId: copied.agent.id }, data });
    await db().refreshToken.updateMany({ where: { clientId: copied.agent.id }, data });
    expect([
      await calls(copied.access),
      statusAndError(await grants.refresh(copied.agent, copied.refresh, AT)),
    ]).toEqual([401, "400 invalid_grant"]);
  }
});

test("a new token is valid where the clock is up to a minute behind, and one from the future is not", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: ["sites:read"] });
  const now = new Date();
  const { access_token: token } = (await grants.credentials(agent, {}, { now })).body;
  const at = async (ms: number) => (await callApi("sites.list", { token, now: new Date(now.getTime() + ms) })).status;
  expect([await at(0), await at(-5), await at(-60_000), await at(-60_001)]).toEqual([200, 200, 200, 401]);
});

test("an access token in the URL or the body is ignored (case 52)", async () => {
  const { access } = await connected();
  const asks = { token: null, now: AT };
  expect((await callApi("sites.list", { ...asks, input: { access_token: access } })).status).toBe(401);
  expect((await callApi("sites.create", { ...asks, input: { access_token: access } })).status).toBe(401);
});

test("revoking an access token affects it alone, a refresh token its family, and an unknown token is no error", async () => {
  const { agent, access, refresh } = await connected();
  const revoke = (token: string, more: Record<string, string> = {}) =>
    callOAuth("revoke", { token, ...postAuth(agent), ...more }, { now: AT });
  expect((await revoke(access, { token_type_hint: "refresh_token" })).status).toBe(200);
  expect(await calls(access)).toBe(401);
  const next = (await grants.refresh(agent, refresh, AT)).body;
  expect((await revoke(next.refresh_token, { token_type_hint: "access_token" })).status).toBe(200);
  expect([await calls(next.access_token), statusAndError(await grants.refresh(agent, next.refresh_token, AT))]).toEqual(
    [401, "400 invalid_grant"],
  );
  expect([(await revoke("unknown")).status, (await revoke(access)).status]).toEqual([200, 200]);
  expect(statusAndError(await callOAuth("revoke", postAuth(agent)))).toBe("400 invalid_request");
  const other = await connected();
  expect([statusAndError(await revoke(other.access)), statusAndError(await revoke(other.refresh))]).toEqual(
    Array(2).fill("400 unauthorized_client"),
  );
  expect(await calls(other.access)).toBe(200);
});

test("introspection describes a client's own active tokens, and for all others returns only active: false", async () => {
  const { agent, site, access, refresh } = await connected();
  const introspect = async (token: string, now = AT) =>
    (await callOAuth("introspect", { token, ...postAuth(agent) }, { now })).body;
  const common = {
    active: true,
    scope: SCOPES.join(" "),
    client_id: agent.id,
    sub: `person:${site.ownerId}`,
    iss: "http://localhost:3000",
    aud: managementResource(),
    iat: AT.getTime() / 1000,
  };
  expect(await introspect(access)).toEqual({ ...common, token_type: "Bearer", exp: AT.getTime() / 1000 + 900 });
  expect(await introspect(refresh)).toEqual({ ...common, exp: AT.getTime() / 1000 + 30 * 86_400 });
  const other = await connected();
  await grants.refresh(agent, refresh, AT);
  for (const token of [access, refresh, other.access, other.refresh, "unknown"]) {
    expect(await introspect(token)).toEqual({ active: false });
  }
});

test("no token, code or secret is stored in plain text", async () => {
  const { agent, access, refresh } = await connected();
  const { body } = await callOAuth("device", postAuth(agent), { now: AT });
  const secrets = [access, refresh, agent.secret, body.device_code, body.user_code, body.user_code.replace("-", "")];
  const where = { where: { clientId: agent.id } };
  const rows = JSON.stringify(
    [
      await db().client.findUniqueOrThrow({ where: { id: agent.id } }),
      await db().accessToken.findMany(where),
      await db().refreshToken.findMany(where),
      await db().deviceCode.findMany(where),
      await db().audit.findMany(where),
    ],
    (_, value) => (typeof value === "bigint" ? `${value}` : value instanceof Uint8Array ? Buffer.from(value) : value),
  );
  for (const secret of secrets) expect(rows).not.toContain(secret);
});

test("the metadata lists exactly the four grants", () => {
  expect([...GRANTS.keys()]).toEqual([
    "authorization_code",
    "client_credentials",
    "urn:ietf:params:oauth:grant-type:device_code",
    "refresh_token",
  ]);
});
