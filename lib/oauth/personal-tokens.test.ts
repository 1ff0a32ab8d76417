import { expect, test } from "vitest";
import { secureAccount } from "@/lib/account/change-password";
import { act } from "@/lib/api/actions";
import { csrfToken } from "@/lib/auth/reauth";
import type { Scope } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { answerMcp } from "@/lib/mcp/endpoint";
import { connectionOf, listConnections, listOtherAgents, listPersonalTokens } from "@/lib/oauth/connections";
import { narrowConnection, removeFromSite } from "@/lib/oauth/disconnect";
import { emailTokenExpiry } from "@/lib/oauth/notices";
import { endExpiredTokens } from "@/lib/oauth/personal-tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { PERSONAL_TOKENS, RATES } from "@/lib/platform/limits";
import { hashOf } from "@/lib/platform/secrets";
import { decide } from "@/lib/testing/approved";
import { call, faults, makeMember, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { callOAuth, postAuth, runPersonal, statusAndError } from "@/lib/testing/oauth";
import { signedIn } from "@/lib/testing/owners";
import { callApi, makeClient, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

/** Personal tokens: a person makes one for a script, which then has what the person gave it, and no more than the person. */

const SCOPES: Scope[] = ["sites:read", "sites:write", "sites:delete", "account:read"];
const AT = new Date("2025-03-12T12:00:00Z");
const after = (days: number, from = AT) => new Date(from.getTime() + days * DAY_MS);

interface Made {
  token: string;
  client_id: string;
  expires_at: string;
}

const make = (site: TestSite, more: object = {}, now = AT, personId = site.ownerId) =>
  runPersonal(
    "tokens.create",
    { name: "Nightly export", scopes: SCOPES, site_ids: [site.id], ...more },
    personId,
    now,
  ) as Promise<Made>;

const codeOf = async (promise: Promise<unknown>) => (await refused(promise))?.code ?? null;
const read = async (token: string, site: TestSite, now = AT) => {
  const { status, body } = await callApi("sites.settings.get", { token, input: { site_id: site.id }, now });
  return status === 200 ? 200 : `${status} ${body.error.code}`;
};

test("a person makes a token once, and a script reads with it until it expires; only its hash is stored", async () => {
  const site = await makeSite();
  const made = await make(site);
  expect(made).toEqual({
    token: expect.stringMatching(/^ff_pat_[\w-]{43}$/),
    client_id: expect.stringMatching(/^ffc_/),
    expires_at: after(90).toISOString(),
  });
  const row = await db().accessToken.findUniqueOrThrow({ where: { hash: hashOf(made.token) } });
  expect([row.clientId, row.scopes, row.expiresAt]).toEqual([
    made.client_id,
    expect.arrayContaining(SCOPES),
    after(90),
  ]);
  const last = new Date(after(90).getTime() - 1);
  expect([await read(made.token, site), await read(made.token, site, last)]).toEqual([200, 200]);
  expect(await read(made.token, site, after(90))).toBe("401 invalid_token");
  const { active } = await listPersonalTokens(site.ownerId, AT);
  expect(active).toMatchObject([{ name: "Nightly export", lastUsedAt: last, expiresAt: after(90), revokedAt: null }]);
  expect(JSON.stringify(active)).not.toContain(made.token);
});

test("a token expires after at least a day and at most a year, by default after 90 days", async () => {
  const site = await makeSite();
  expect((await make(site, { expires_in_days: 365 })).expires_at).toBe(after(365).toISOString());
  expect((await make(site, { expires_in_days: 1 })).expires_at).toBe(after(1).toISOString());
  for (const expires_in_days of [366, 0, -1, 1.5, null, "90"]) {
    await expect(
      Promise.resolve().then(() => make(site, { expires_in_days })),
      `${expires_in_days}`,
    ).rejects.toThrow();
  }
});

test("a token has exactly the chosen scopes and sites, within the role of its person", async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  const viewer = await makeMember(site.id, "viewer");
  await db().membership.create({ data: { siteId: other.id, personId: viewer, role: "owner" } });
  const { token } = await make(site, { scopes: ["sites:read", "sites:write"] }, AT, viewer);
  const list = await callApi("sites.list", { token, now: AT });
  expect(list.body.data.sites.map((one: { site_id: number }) => one.site_id)).toEqual([site.id]);
  expect(await read(token, other)).toBe("403 site_not_granted");
  const { body } = await callApi("sites.delete", { token, input: { site_id: site.id }, now: AT });
  expect([body.error.code, body.error.message]).toEqual([
    "insufficient_scope",
    expect.stringContaining("its person makes another one at /account"),
  ]);
  const goal = { site_id: site.id, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
  expect((await callApi("sites.goals.save", { token, input: goal, now: AT })).body.error?.code).toBe("role_denied");
});

test("a person gives a token only sites of which they are a member, and at least one scope, with a recent sign-in", async () => {
  const [site, foreign] = [await makeSite(), await makeSite()];
  expect(await codeOf(make(site, { site_ids: [site.id, foreign.id] }))).toBe("site_not_granted");
  expect(await codeOf(make(site, { site_ids: [2 ** 31] }))).toBe("site_not_granted");
  expect(await faults(make(site, { scopes: [] }))).toEqual(["scopes: needs at least one"]);
  expect(await faults(make(site, { site_ids: [], scopes: ["sites:read"] }))).toEqual([
    "site_ids: needs at least one site for what you allow",
  ]);
  const operation = (await import("@/lib/operations/personal/tokens.create")).default;
  const input = operation.input.parse({ name: "x", scopes: ["sites:read"], site_ids: [site.id] });
  const run = (owner: Owner) =>
    codeOf(Promise.resolve().then(() => operation.run({ input, owner, address: "::1", requestId: "test", now: AT })));
  expect(await run(await signedIn(site.ownerId, new Date(AT.getTime() - 11 * 60_000)))).toBe(
    "reauthentication_required",
  );
  expect(await run({ ...(await signedIn(site.ownerId, AT)), confirmed: false })).toBe("role_denied");
  expect((await listPersonalTokens(site.ownerId, AT)).active).toEqual([]);
});

test("no agent makes, lists or revokes tokens: a bearer token is nothing at the actions, and no operation does it", async () => {
  const site = await makeSite();
  const { token } = await make(site);
  const body = { name: "x", scopes: ["sites:read"], site_ids: [site.id] };
  const request = (headers: Record<string, string>) => ({
    header: (name: string) =>
      ({ origin: "http://localhost:3000", "content-type": "application/json", ...headers })[name] ?? null,
    bytes: async () => Buffer.from(JSON.stringify(body)),
  });
  const post = async (headers: Record<string, string>) =>
    (await act(request(headers), "tokens.create", null, AT)).status;
  expect(await post({ authorization: `Bearer ${token}` })).toBe(401);
  expect(await post({ authorization: `Bearer ${token}`, "x-csrf-token": csrfToken("made up") })).toBe(401);
  expect([...OPERATIONS.keys()].filter((id) => id.includes("token") || id.startsWith("agents."))).toEqual([]);
  const { body: own } = await callApi("account.capabilities", { token, now: AT });
  expect(own.data.client).toMatchObject({ kind: "personal", name: "Nightly export" });
  expect(JSON.stringify(own)).not.toContain("ff_pat_");
});

test("a token is revoked at once, by its person alone", async () => {
  const site = await makeSite();
  const { token, client_id } = await make(site);
  const coOwner = await makeMember(site.id, "owner");
  const revoke = (personId: number) =>
    codeOf(Promise.resolve(runPersonal("agents.revoke", { client_id }, personId, AT)));
  expect(await revoke(coOwner)).toBe("not_found");
  expect(await read(token, site)).toBe(200);
  expect(await revoke(site.ownerId)).toBeNull();
  expect(await read(token, site)).toBe("401 invalid_token");
  const { active, ended } = await listPersonalTokens(site.ownerId, AT);
  expect([active, ended.map(({ revokedAt }) => revokedAt)]).toEqual([[], [AT]]);
});

test("a token loses what its person loses: a role, a site, the account", async () => {
  const site = await makeSite();
  const member = await makeMember(site.id, "manager");
  const { token } = await make(site, {}, AT, member);
  const goal = { site_id: site.id, name: "Signup", reached_by: { kind: "event", pattern: "Signup" } };
  const save = async () =>
    (await callApi("sites.goals.save", { token, input: goal, now: AT })).body.error?.code ?? null;
  expect(await save()).toBeNull();
  await call(site.ownerId, "sites.members.update", { site_id: site.id, person_id: member, role: "viewer" }, AT);
  expect(await save()).toBe("role_denied");
  await call(site.ownerId, "sites.members.remove", { site_id: site.id, person_id: member }, AT);
  expect(await read(token, site)).toBe("403 site_not_granted");
  // Rejoining does not bring the token back to the site.
  await db().membership.create({ data: { siteId: site.id, personId: member, role: "manager" } });
  expect(await read(token, site)).toBe("403 site_not_granted");
  await runPersonal("members.leave", { site_id: site.id }, member, AT);
  await runPersonal("account.delete", {}, member, AT);
  expect(await db().accessToken.count({ where: { hash: hashOf(token) } })).toBe(0);
  expect(await read(token, site)).toBe("401 invalid_token");
});

test("securing the account revokes its tokens", async () => {
  const site = await makeSite();
  const { token } = await make(site);
  await secureAccount(await signedIn(site.ownerId, AT), "a quite different password", "test", AT);
  expect(await read(token, site)).toBe("401 invalid_token");
});

test("risky calls of a token wait for a person's approval, and its log has them", async () => {
  const site = await makeSite();
  const { token, client_id } = await make(site, {}, EMAIL_TIME);
  const remove = { token, input: { site_id: site.id }, key: "the-same-key", now: EMAIL_TIME };
  const { status, body } = await callApi("sites.delete", remove);
  expect([status, body.error?.code]).toEqual([409, "approval_required"]);
  const texts = (await emailsOf(site.ownerId)).map(({ text }) => text).join("");
  expect(texts).toContain("A script with the personal token “Nightly export” requests approval for:");
  const { id } = body.error.details.approval;
  await decide(id, site.ownerId, "approved", EMAIL_TIME);
  const done = await callApi("sites.delete", { ...remove, headers: { "x-agent-approval-id": id } });
  expect(done.status).toBe(200);
  const log = await db().audit.findMany({ where: { clientId: client_id }, orderBy: { id: "asc" } });
  expect(log.map(({ operation }) => operation)).toEqual(["tokens.create", "sites.delete", "sites.delete"]);
});

test("calls of a token count towards the limits of one client", async () => {
  const site = await makeSite();
  const { token, client_id } = await make(site);
  const { limit, seconds } = RATES.read;
  const resetsAt = new Date(AT.getTime() + seconds * 1000);
  await db().rateCount.create({ data: { key: `management:read:${client_id}`, hits: limit, resetsAt } });
  expect(await read(token, site)).toBe("429 rate_limited");
});

test("a token works at the management API only, and in a header only", async () => {
  const site = await makeSite();
  const { token } = await make(site);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" };
  const request = new Request("http://localhost:3000/mcp", { method: "POST", headers, body: JSON.stringify(message) });
  expect((await answerMcp(request, AT)).status).toBe(401);
  for (const name of ["access_token", "token", "authorization"]) {
    const { status, body } = await callApi("sites.list", { token: null, input: { [name]: token }, now: AT });
    expect([status, body.error.code, body.error.message], name).toEqual([
      401,
      "unauthenticated",
      expect.stringContaining("A token in a URL is not read."),
    ]);
  }
  const both = await callApi("sites.list", { token, input: { access_token: token }, now: AT });
  expect([both.status, JSON.stringify(both.body).includes(token)]).toEqual([422, false]);
});

test("a token is no client of the OAuth endpoints: it gets no other tokens, codes or answers", async () => {
  const site = await makeSite();
  const { token, client_id: id } = await make(site);
  for (const endpoint of ["token", "device", "introspect", "revoke"] as const) {
    const form = { ...postAuth({ id, secret: token }), grant_type: "client_credentials", token };
    expect(statusAndError(await callOAuth(endpoint, form, { now: AT })), endpoint).toBe("401 invalid_client");
  }
  const stranger = await makeClient({ scopes: ["sites:read"], personId: await makePerson(), now: AT });
  const asked = await callOAuth("introspect", { ...postAuth(stranger), token }, { now: AT });
  expect(asked.body).toEqual({ active: false });
  expect(statusAndError(await callOAuth("revoke", { ...postAuth(stranger), token }, { now: AT }))).toBe(
    "400 unauthorized_client",
  );
  expect(await read(token, site)).toBe(200);
});

test("a person's tokens are listed once, not among their agents; owners of a site see and remove those of others", async () => {
  const site = await makeSite();
  const member = await makeMember(site.id, "manager");
  const { token, client_id } = await make(site, {}, EMAIL_TIME, member);
  expect((await listConnections(member, EMAIL_TIME)).active).toEqual([]);
  expect((await connectionOf(member, client_id))?.kind).toBe("personal");
  expect(await listOtherAgents(site.ownerId)).toMatchObject([
    { clientId: client_id, origin: expect.stringMatching(/^Personal token of /), site: { siteId: site.id } },
  ]);
  await removeFromSite({ personId: site.ownerId, clientId: client_id, requestId: "test" }, site.id, EMAIL_TIME);
  expect(await read(token, site, EMAIL_TIME)).toBe("403 site_not_granted");
  expect((await emailsOf(member)).map(({ subject }) => subject).sort()).toEqual([
    "A personal token was made for your account",
    `Your token was removed from ${site.host}`,
  ]);
});

test("a person reduces the access of a token, and never extends it", async () => {
  const site = await makeSite();
  const { token, client_id: clientId } = await make(site);
  const by = { personId: site.ownerId, clientId, requestId: "test" };
  const narrow = (scopes: Scope[]) =>
    narrowConnection(by, { scopes, siteIds: [site.id] }, [...OPERATIONS.values()], AT);
  await narrow(["sites:write"]);
  expect(await read(token, site)).toBe("403 insufficient_scope");
  expect(await codeOf(narrow(["sites:read", "sites:write"]))).toBe("invalid_input");
});

test("a person has at most fifty tokens, and makes at most twenty in a day", async () => {
  const site = await makeSite();
  for (let made = 0; made < PERSONAL_TOKENS.made.limit; made++) await make(site);
  expect(await codeOf(make(site))).toBe("rate_limited");
  for (let day = 1; day < 3; day++) {
    const left = PERSONAL_TOKENS.valid - PERSONAL_TOKENS.made.limit * day;
    for (let made = 0; made < Math.min(left, PERSONAL_TOKENS.made.limit); made++) await make(site, {}, after(day));
  }
  expect(await faults(make(site, {}, after(3)))).toEqual([
    "name: would be your token 51; first revoke one that is not used",
  ]);
});

test("parallel requests for tokens do not exceed the limit", async () => {
  const site = await makeSite();
  const all = await Promise.all(Array.from({ length: 25 }, () => codeOf(make(site))));
  expect(all.filter((code) => code === null)).toHaveLength(PERSONAL_TOKENS.made.limit);
});

test("a person is told when a token is made, and when it will expire; neither email contains the token", async () => {
  const site = await makeSite();
  const { token } = await make(site, {}, EMAIL_TIME);
  const expiresAt = after(90, EMAIL_TIME);
  const later = new Date(EMAIL_TIME.getTime() + 1);
  await emailTokenExpiry(db(), { name: "Nightly export", personId: site.ownerId, expiresAt }, later);
  const [made, ending] = await emailsOf(site.ownerId);
  expect(made?.text).toContain(
    `The token “Nightly export” lets a script act for you on ${site.host}. It expires on 30 July 2040, 12:00 UTC.`,
  );
  expect(ending?.text).toContain("Your token “Nightly export” expires on 30 July 2040, 12:00 UTC.");
  expect(`${made?.text}${ending?.text}`).not.toContain(token);
});

test("a person is warned once within the last week of a token, and it ends with its approval requests", async () => {
  // In the past, so that tokens of other tests are not expired.
  const past = new Date("2002-03-12T12:00:00Z");
  const at = (days: number) => after(days, past);
  const site = await makeSite({ now: past });
  const { token, client_id } = await make(site, { expires_in_days: 30 }, past);
  const short = await make(site, { expires_in_days: 7 }, past);
  await callApi("sites.delete", { token, input: { site_id: site.id }, now: new Date(at(30).getTime() - 1000) });
  const warned = async (id = client_id) => (await db().client.findUniqueOrThrow({ where: { id } })).warnedAt;
  await endExpiredTokens(at(6));
  // The email about a short token has announced its end already.
  expect([await warned(), await warned(short.client_id)]).toEqual([null, past]);
  await endExpiredTokens(at(23));
  await endExpiredTokens(at(24));
  expect(await warned()).toEqual(at(23));
  expect((await listPersonalTokens(site.ownerId, at(30))).active).toEqual([]);
  await endExpiredTokens(at(30));
  const ended = await db().client.findUniqueOrThrow({ where: { id: client_id }, include: { approvals: true } });
  expect([ended.revokedAt, ended.approvals.map(({ status }) => status)]).toEqual([at(30), ["superseded"]]);
  expect(await listOtherAgents(await makeMember(site.id, "owner"))).toEqual([]);
});
