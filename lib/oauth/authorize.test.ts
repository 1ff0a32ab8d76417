import { expect, test } from "vitest";
import { bearerPrincipal } from "@/lib/api/principal";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { RefusedRequest } from "@/lib/oauth/authorization-request";
import { listConnections } from "@/lib/oauth/connections";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { revokeConnection } from "@/lib/oauth/disconnect";
import { managementResource, mcpResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { hashOf } from "@/lib/platform/secrets";
import {
  allowed,
  decideRequest,
  makeAssistant,
  openRequest,
  pkce,
  REDIRECT,
  redeem,
  refreshAs,
  requestOf,
} from "@/lib/testing/assistants";
import { makeMember } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { callOAuth, freshAddress, grants, makeAgent, runPersonal, statusAndError } from "@/lib/testing/oauth";
import { callApi, makePerson, makeSite } from "@/lib/testing/world";

/** The authorization code grant with PKCE, from the request to the tokens. */

const AT = new Date("2025-03-12T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);
const READ: Scope[] = ["sites:read", "analytics:read"];

const codeOf = (running: Promise<unknown>): Promise<string | null> =>
  running.then(
    () => null,
    (error) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

/** The status of a call with a token at the resource that the token is for. */
const callWith = (token: string, audience: string, now = AT) =>
  codeOf(
    bearerPrincipal(
      { header: (name) => (name === "authorization" ? `Bearer ${token}` : null), bytes: async () => null },
      now,
      audience,
    ),
  );

async function connected(now = AT) {
  const asked = await allowed(now);
  const { body } = await redeem(asked, now);
  return { ...asked, access: body.access_token as string, refresh: body.refresh_token as string };
}

const clientOf = (assistantId: string) => db().client.findFirstOrThrow({ where: { assistantId } });

test("a consent answers with code, state and iss, and the code gives tokens with exactly the consented access", async () => {
  const asked = await allowed(AT, {
    scopes: ["sites:read"],
    more: { resource: managementResource(), state: "a b&c=ü" },
  });
  expect(asked.parameters).toEqual({
    code: expect.stringMatching(/^ffz_[\w-]{43}$/),
    state: "a b&c=ü",
    iss: "http://localhost:3000",
  });
  const { status, headers, body } = await redeem(asked, AT);
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^ffa_/),
      token_type: "Bearer",
      expires_in: 900,
      scope: "sites:read",
      refresh_token: expect.stringMatching(/^ffr_/),
    },
  ]);
  expect(headers["cache-control"]).toBe("no-store");
  const other = await makeSite();
  const read = async (site_id: number) =>
    (await callApi("sites.settings.get", { token: body.access_token, input: { site_id }, now: AT })).status;
  expect([await read(asked.site.id), await read(other.id)]).toEqual([200, 403]);
});

test("only digests of codes are stored", async () => {
  const { code } = await allowed(AT);
  const rows = await db().authorizationCode.findMany();
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true);
});

test("a denial answers access_denied with state and iss, connects nothing and is audited", async () => {
  const [clientId, personId] = [await makeAssistant(), await makePerson()];
  const { answer, parameters } = await decideRequest(requestOf(clientId), personId, "deny", AT);
  expect(answer.startsWith(`${REDIRECT}?`)).toBe(true);
  expect(parameters).toEqual({
    error: "access_denied",
    error_description: expect.any(String),
    state: "a state",
    iss: "http://localhost:3000",
  });
  expect(await db().client.count({ where: { assistantId: clientId } })).toBe(0);
  const [noted] = await db().audit.findMany({ where: { personId, operation: "oauth.consent" } });
  expect(noted?.detail).toMatchObject({ decision: "deny", assistant: clientId });
});

test("a request with a wrong parameter is refused at the redirect URI, with state and iss", async () => {
  const [clientId, { ownerId }] = [await makeAssistant(), await makeSite()];
  const wrong: [Record<string, string | undefined>, string][] = [
    [{ response_type: undefined }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ code_challenge: `${pkce().challenge}=` }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "s256" }, "invalid_request"],
    [{ scope: "sites:read everything" }, "invalid_scope"],
    [{ scope: "sites:read  analytics:read" }, "invalid_scope"],
    [{ resource: "https://evil.example/mcp" }, "invalid_target"],
    [{ resource: `${mcpResource()}/` }, "invalid_target"],
    [{ resource: mcpResource().toUpperCase() }, "invalid_target"],
  ];
  for (const [more, error] of wrong) {
    const opened = await openRequest(requestOf(clientId, more), ownerId, AT);
    const name = JSON.stringify(more);
    expect(opened, name).toHaveProperty("refusal");
    const answer = new URL((opened as RefusedRequest).redirectTo);
    expect([`${answer.origin}${answer.pathname}`, answer.searchParams.get("error")], name).toEqual([REDIRECT, error]);
    expect([answer.searchParams.get("state"), answer.searchParams.get("iss")]).toEqual([
      "a state",
      "http://localhost:3000",
    ]);
    const { parameters } = await decideRequest(requestOf(clientId, more), ownerId, { scopes: READ, sites: [] }, AT);
    expect([parameters.error, parameters.code], name).toEqual([error, undefined]);
  }
  const twice = requestOf(clientId);
  twice.append("resource", managementResource());
  twice.append("code_challenge", pkce().challenge);
  expect(await openRequest(twice, ownerId, AT)).toMatchObject({ refusal: { error: "invalid_request" } });
});

test("only an app on the person's own machine is answered without their decision", async () => {
  const uris = ["http://127.0.0.1/callback", "https://assistant.example/callback", "app://assistant/callback"];
  const [clientId, personId] = [await makeAssistant(uris), await makePerson()];
  const refused = uris.map((redirect_uri) =>
    openRequest(requestOf(clientId, { redirect_uri, response_type: "token" }), personId, AT),
  );
  expect(await Promise.all(refused)).toMatchObject([
    { isAutomatic: true },
    { isAutomatic: false },
    { isAutomatic: false },
  ]);
});

test("an unknown assistant or a redirect URI that is not its own is never answered there", async () => {
  const [clientId, { ownerId }] = [await makeAssistant(), await makeSite()];
  const machine = await makeAgent({ kind: "delegated", scopes: READ });
  const twice = requestOf(clientId);
  twice.append("redirect_uri", "https://evil.example/");
  const twoClients = requestOf(clientId);
  twoClients.append("client_id", "ffp_other");
  const queries = [
    requestOf("ffp_unknown"),
    requestOf(machine.id),
    requestOf("a\0b"),
    requestOf(""),
    requestOf(clientId, { redirect_uri: undefined }),
    requestOf(clientId, { redirect_uri: "https://evil.example/callback" }),
    requestOf(clientId, { redirect_uri: `${REDIRECT}/` }),
    requestOf(clientId, { redirect_uri: "javascript:alert(1)" }),
    requestOf(clientId, { redirect_uri: "https://evil.example/callback", response_type: "token" }),
    twice,
    twoClients,
  ];
  for (const query of queries) {
    expect(await codeOf(openRequest(query, ownerId, AT)), `${query}`).toMatch(/^(not_found|invalid_input)$/);
    expect(await codeOf(decideRequest(query, ownerId, "deny", AT)), `${query}`).toMatch(/^(not_found|invalid_input)$/);
  }
});

test("a code works once: a second use, also in parallel, is refused and revokes the tokens that came of it", async () => {
  const asked = await allowed(EMAIL_TIME);
  const { body } = await redeem(asked, EMAIL_TIME);
  expect(await callWith(body.access_token, mcpResource(), EMAIL_TIME)).toBeNull();
  expect(statusAndError(await redeem(asked, EMAIL_TIME))).toBe("400 invalid_grant");
  expect(await callWith(body.access_token, mcpResource(), EMAIL_TIME)).toBe("invalid_token");
  expect(statusAndError(await refreshAs(asked.clientId, body.refresh_token, EMAIL_TIME))).toBe("400 invalid_grant");
  expect((await emailsOf(asked.site.ownerId)).map(({ subject }) => subject)).toContain("Your agent was signed out");

  const parallel = await allowed(AT);
  const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(parallel, AT)));
  expect(replies.map(statusAndError).sort()).toEqual(["200", ...Array(9).fill("400 invalid_grant")]);
  const granted = replies.find(({ status }) => status === 200)?.body;
  expect(await callWith(granted.access_token, mcpResource())).toBe("invalid_token");
});

test("a code needs its verifier, redirect URI, resource and assistant, and stays valid for the right ones", async () => {
  const asked = await allowed(AT);
  const wrong: Record<string, string>[] = [
    { code_verifier: pkce().verifier },
    { code_verifier: "short" },
    { code_verifier: "" },
    {
      code_verifier: (await db().authorizationCode.findUniqueOrThrow({ where: { hash: hashOf(asked.code) } }))
        .codeChallenge,
    },
    { redirect_uri: "" },
    { redirect_uri: `${REDIRECT}/` },
    { redirect_uri: "https://evil.example/callback" },
    { resource: managementResource() },
    { resource: "https://evil.example/mcp" },
    { client_id: await makeAssistant() },
    { client_id: "ffp_unknown" },
    { client_id: "" },
    { code: `${asked.code}x` },
    { code: "" },
    { client_secret: "guessed" },
  ];
  for (const more of wrong) {
    expect(statusAndError(await redeem(asked, AT, more)), JSON.stringify(more)).toMatch(/^40[01] invalid_/);
  }
  expect(statusAndError(await redeem(asked, AT, { resource: mcpResource() }))).toBe("200");
});

test("a code expires after a minute", async () => {
  const [early, late] = [await allowed(AT), await allowed(AT)];
  expect(statusAndError(await redeem(early, after(59)))).toBe("200");
  expect(statusAndError(await redeem(late, after(60)))).toBe("400 invalid_grant");
});

test("a confidential client cannot redeem a code, with its own secret or the assistant's id", async () => {
  const asked = await allowed(AT);
  const agent = await makeAgent({ kind: "delegated", scopes: READ });
  const form = { grant_type: "authorization_code", code: asked.code, code_verifier: asked.verifier };
  const own = { ...form, client_id: agent.id, client_secret: agent.secret, redirect_uri: REDIRECT };
  expect(statusAndError(await callOAuth("token", own, { now: AT }))).toBe("400 unauthorized_client");
  const client = await clientOf(asked.clientId);
  const direct = { ...form, client_id: client.id, redirect_uri: REDIRECT };
  const options = { now: AT, address: freshAddress() };
  expect(statusAndError(await callOAuth("token", direct, options))).toBe("401 invalid_client");
});

test("an assistant can use neither the other grants, nor device codes, nor introspection", async () => {
  const { clientId, access } = await connected();
  const options = () => ({ now: AT, address: freshAddress() });
  const credentials = { grant_type: "client_credentials", client_id: clientId, resource: mcpResource() };
  expect(statusAndError(await callOAuth("token", credentials, options()))).toBe("400 invalid_grant");
  expect(statusAndError(await callOAuth("device", { client_id: clientId }, options()))).toBe("401 invalid_client");
  const introspection = { client_id: clientId, token: access };
  expect(statusAndError(await callOAuth("introspect", introspection, options()))).toBe("401 invalid_client");
});

test("a code or a token in the URL is refused", async () => {
  const { clientId, code } = await allowed(AT);
  const query = `code=${code}`;
  const form = { grant_type: "authorization_code", client_id: clientId };
  expect(statusAndError(await callOAuth("token", form, { query }))).toBe("400 invalid_request");
});

test("a token for MCP does not work at the management API, nor the other way round", async () => {
  const mcp = await connected();
  const management = await redeem(await allowed(AT, { more: { resource: managementResource() } }), AT);
  const works = async (token: string) => [
    await callWith(token, mcpResource()),
    await callWith(token, managementResource()),
  ];
  expect(await works(mcp.access)).toEqual([null, "invalid_token"]);
  expect(await works(management.body.access_token)).toEqual(["invalid_token", null]);
  expect((await callApi("sites.list", { token: mcp.access, now: AT })).status).toBe(401);
  // The other grants may ask for it too.
  const machine = await makeAgent({ kind: "machine", scopes: READ });
  const { body } = await grants.credentials(machine, { resource: mcpResource() }, { now: AT });
  expect(await works(body.access_token)).toEqual([null, "invalid_token"]);
});

test("a request without a resource is for MCP, and without a scope for reading", async () => {
  const site = await makeSite();
  const { verifier, challenge } = pkce();
  const clientId = await makeAssistant();
  const query = requestOf(clientId, { resource: undefined, scope: undefined, code_challenge: challenge });
  const opened = await openRequest(query, site.ownerId, AT);
  expect(opened).toMatchObject({ question: { scopes: READ } });
  const { parameters } = await decideRequest(query, site.ownerId, { scopes: READ, sites: [site] }, AT);
  const { body } = await redeem({ clientId, code: parameters.code ?? "", verifier }, AT);
  expect(await callWith(body.access_token, mcpResource())).toBeNull();
  const offline = requestOf(clientId, { scope: "sites:write offline_access" });
  expect(await openRequest(offline, site.ownerId, AT)).toMatchObject({ question: { scopes: ["sites:write"] } });
});

test("refresh tokens rotate without a secret, keep their resource, and a second use revokes the family", async () => {
  const { clientId, access, refresh } = await connected();
  expect(statusAndError(await refreshAs(clientId, refresh, AT, { resource: managementResource() }))).toBe(
    "400 invalid_target",
  );
  const next = (await refreshAs(clientId, refresh, AT, { resource: mcpResource() })).body;
  expect(await callWith(access, mcpResource())).toBe("invalid_token");
  expect(await callWith(next.access_token, mcpResource())).toBeNull();
  expect(await callWith(next.access_token, managementResource())).toBe("invalid_token");
  const third = (await refreshAs(clientId, next.refresh_token, AT)).body;
  expect(statusAndError(await refreshAs(clientId, refresh, AT))).toBe("400 invalid_grant");
  expect(await callWith(third.access_token, mcpResource())).toBe("invalid_token");
  expect(statusAndError(await refreshAs(clientId, third.refresh_token, AT))).toBe("400 invalid_grant");
});

test("an assistant cannot refresh or revoke the tokens of another one, and can revoke its own", async () => {
  const [one, other] = [await connected(), await makeAssistant()];
  expect(statusAndError(await refreshAs(other, one.refresh, AT))).toBe("400 invalid_grant");
  const revoke = (client_id: string, token: string) =>
    callOAuth("revoke", { client_id, token }, { now: AT, address: freshAddress() });
  expect(statusAndError(await revoke(other, one.refresh))).toBe("200");
  expect(statusAndError(await revoke(other, "unknown"))).toBe("200");
  expect(await callWith(one.access, mcpResource())).toBeNull();
  expect(statusAndError(await revoke(one.clientId, one.refresh))).toBe("200");
  expect(await callWith(one.access, mcpResource())).toBe("invalid_token");
});

test("a hundred unknown codes from one address make it wait, but not those who have a code or token", async () => {
  const asked = await allowed(AT);
  const [clientId, address] = [await makeAssistant(), freshAddress()];
  const form = { grant_type: "authorization_code", client_id: clientId, code: "guess", redirect_uri: REDIRECT };
  const guess = () => callOAuth("token", form, { now: AT, address });
  for (let turn = 0; turn < 100; turn++) expect(statusAndError(await guess())).toBe("400 invalid_grant");
  expect(statusAndError(await guess())).toBe("429 temporarily_unavailable");
  const redeemed = await redeem(asked, AT, {}, address);
  expect(statusAndError(redeemed)).toBe("200");
  const refresh = {
    grant_type: "refresh_token",
    client_id: asked.clientId,
    refresh_token: redeemed.body.refresh_token,
  };
  // Assistants name offline_access to get refresh tokens.
  const scope = "sites:read offline_access";
  const refreshed = await callOAuth("token", { ...refresh, scope }, { now: AT, address });
  expect([refreshed.status, refreshed.body.scope]).toEqual([200, "sites:read"]);
});

test("a second request asks only for what is new; its tokens have what it asked for, and the connection keeps the rest", async () => {
  const { clientId, site } = await connected();
  const { verifier, challenge } = pkce();
  const query = requestOf(clientId, { scope: "sites:read sites:write", code_challenge: challenge });
  expect(await openRequest(query, site.ownerId, AT)).toMatchObject({
    question: {
      scopes: ["sites:write"],
      kept_scopes: ["sites:read"],
      granted_scopes: READ,
      connected: true,
      sites: [{ site_id: site.id, granted: true }],
    },
  });
  const { parameters } = await decideRequest(query, site.ownerId, { scopes: ["sites:write"], sites: [site] }, AT);
  const { body } = await redeem({ clientId, code: parameters.code ?? "", verifier }, AT);
  expect(body.scope).toBe("sites:read sites:write");
  const [client, ...others] = await db().client.findMany({ where: { assistantId: clientId } });
  expect([client?.grantedScopes, others]).toEqual([["sites:read", "sites:write", "analytics:read"], []]);
});

test("a person may add what an assistant does not ask for, and the tokens have it", async () => {
  const [clientId, site] = [await makeAssistant(), await makeSite()];
  const { verifier, challenge } = pkce();
  const query = requestOf(clientId, { code_challenge: challenge });
  const { question } = (await openRequest(query, site.ownerId, AT)) as { question: ConsentRequest };
  expect(question.more_scopes).toEqual(Object.keys(SCOPES).filter((scope) => !READ.includes(scope as Scope)));
  expect(question.waits_for_approval["sites:delete"]).not.toEqual([]);
  const scopes: Scope[] = [...READ, "sites:write"];
  const { parameters } = await decideRequest(query, site.ownerId, { scopes, sites: [site] }, AT);
  const { body } = await redeem({ clientId, code: parameters.code ?? "", verifier }, AT);
  expect(body.scope.split(" ").sort()).toEqual([...scopes].sort());
});

test("a request that is too long to be sent back with its decision is refused at once", async () => {
  const [clientId, site] = [await makeAssistant(), await makeSite()];
  const query = requestOf(clientId, { state: "ü".repeat(2000) });
  expect(await codeOf(openRequest(query, site.ownerId, AT))).toBe("invalid_input");
});

test("a second sign-in that asks for nothing new leaves the tokens of the first", async () => {
  const { clientId, site, access } = await connected();
  const again = await allowed(AT, { clientId, site, scopes: [] });
  expect((await redeem(again, AT)).body.scope).toBe("sites:read analytics:read");
  expect(await callWith(access, mcpResource())).toBeNull();
});

test("each person who connects an assistant has a connection of their own", async () => {
  const { clientId, access, site } = await connected();
  const allowing = allowed(AT, { clientId });
  expect(await codeOf(allowing)).toBeNull();
  const second = await allowing;
  const { body } = await redeem(second, AT);
  const listed = async (personId: number) =>
    (await listConnections(personId, AT)).active.map(({ sites }) => sites[0]?.siteId);
  expect([await listed(site.ownerId), await listed(second.site.ownerId)]).toEqual([[site.id], [second.site.id]]);
  const [first] = (await listConnections(site.ownerId, AT)).active;
  expect(first).toMatchObject({ name: "Helper", kind: "delegated", assistant: { host: null } });
  await revokeConnection({ personId: site.ownerId, clientId: first?.clientId ?? "", requestId: "test" }, AT);
  expect(await callWith(access, mcpResource())).toBe("invalid_token");
  expect(await callWith(body.access_token, mcpResource())).toBeNull();
});

test("of parallel first consents of one person one connection comes", async () => {
  const [clientId, site] = [await makeAssistant(), await makeSite()];
  await Promise.all(Array.from({ length: 5 }, () => allowed(AT, { clientId, site })));
  expect(await db().client.count({ where: { assistantId: clientId } })).toBe(1);
});

test("after a disconnection neither the code nor the tokens work, and a new consent begins from nothing", async () => {
  const asked = await allowed(AT);
  const { id } = await clientOf(asked.clientId);
  await revokeConnection({ personId: asked.site.ownerId, clientId: id, requestId: "test" }, AT);
  expect(statusAndError(await redeem(asked, AT))).toBe("400 invalid_grant");
  expect(await openRequest(requestOf(asked.clientId), asked.site.ownerId, AT)).toMatchObject({
    question: { kept_scopes: [], connected: false },
  });
});

test("a member who loses the site, or an access that is reduced, takes it from the tokens at once", async () => {
  const site = await makeSite();
  const personId = await makeMember(site.id, "manager");
  const clientId = await makeAssistant();
  const { verifier, challenge } = pkce();
  const query = requestOf(clientId, { code_challenge: challenge, resource: managementResource() });
  const { parameters } = await decideRequest(query, personId, { scopes: READ, sites: [site] }, AT);
  const { body } = await redeem({ clientId, code: parameters.code ?? "", verifier }, AT);
  const read = async () =>
    (await callApi("sites.settings.get", { token: body.access_token, input: { site_id: site.id }, now: AT })).body.error
      ?.code ?? "200";
  expect(await read()).toBe("200");
  await db().client.updateMany({ where: { assistantId: clientId }, data: { grantedScopes: ["analytics:read"] } });
  expect(await read()).toBe("insufficient_scope");
  await db().client.updateMany({ where: { assistantId: clientId }, data: { grantedScopes: READ } });
  await db().membership.deleteMany({ where: { siteId: site.id, personId } });
  expect(await read()).toBe("site_not_granted");
});

test("the consent has the rules of the device flow: one scope at least, own sites, a fresh sign-in", async () => {
  const [clientId, site, foreign] = [await makeAssistant(), await makeSite(), await makeSite()];
  const query = requestOf(clientId);
  const decide = (scopes: Scope[], sites: { id: number }[], signedInAt = AT) =>
    codeOf(decideRequest(query, site.ownerId, { scopes, sites }, AT, { signedInAt }));
  expect(await decide([], [site])).toBe("invalid_input");
  expect(await decide(READ, [])).toBe("invalid_input");
  expect(await decide(READ, [site, foreign])).toBe("site_not_granted");
  expect(await decide(READ, [site], after(-601))).toBe("reauthentication_required");
  expect(await db().client.count({ where: { assistantId: clientId } })).toBe(0);
  expect(await decide(READ, [site])).toBeNull();
});

test("the page's operation answers with the address to go to", async () => {
  const [clientId, site] = [await makeAssistant(), await makeSite()];
  const input = { request: `${requestOf(clientId)}`, decision: "approve", scopes: READ, site_ids: [site.id] };
  const { redirect_to } = (await runPersonal("authorize.decide", input, site.ownerId, AT)) as { redirect_to: string };
  expect(redirect_to).toMatch(/^https:\/\/assistant\.example\/callback\?code=ffz_[\w-]{43}&state=a\+state&iss=/);
});
