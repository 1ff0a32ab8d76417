import { expect, test } from "vitest";
import type { Scope } from "@/lib/contract/access";
import { authorizeDevice } from "@/lib/oauth/device";
import { managementResource, mcpResource } from "@/lib/oauth/tokens";
import { newUserCode, userCodeHashes } from "@/lib/oauth/user-code";
import { db } from "@/lib/platform/db";
import { hashOf } from "@/lib/platform/secrets";
import { callOAuth, consent, grants, makeAgent, postAuth, statusAndError, type TestAgent } from "@/lib/testing/oauth";
import { callApi, makePerson, makeSite } from "@/lib/testing/world";

/** The device authorization grant (RFC 8628), from the agent's side. */

const SCOPES: Scope[] = ["sites:read", "sites:write"];
const AT = new Date("2025-03-12T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

const makeDelegated = () => makeAgent({ kind: "delegated", scopes: SCOPES });
const authorize = (agent: TestAgent, now = AT, more: Record<string, string> = {}) =>
  callOAuth("device", { ...postAuth(agent), ...more }, { now });

/** An agent with a pending device code. */
async function pendingCode() {
  const agent = await makeDelegated();
  const { device_code: code, user_code: userCode } = (await authorize(agent)).body;
  return { agent, code: code as string, userCode: userCode as string };
}

const state = (code: string) => db().deviceCode.findUniqueOrThrow({ where: { hash: hashOf(code) } });

test("a device authorization response has the fields of RFC 8628, without verification_uri_complete", async () => {
  const agent = await makeDelegated();
  const { status, body } = await authorize(agent);
  expect([status, body]).toEqual([
    200,
    {
      device_code: expect.stringMatching(/^ffd_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "http://localhost:3000/device",
      expires_in: 600,
      interval: 5,
    },
  ]);
  expect(await state(body.device_code)).toMatchObject({ status: "pending", scopes: SCOPES, askedFrom: "203.0.113.9" });
});

test("a device authorization may request fewer scopes than at registration, never more, and no other resource", async () => {
  const agent = await makeDelegated();
  expect((await state((await authorize(agent, AT, { scope: "sites:read" })).body.device_code)).scopes).toEqual([
    "sites:read",
  ]);
  expect(statusAndError(await authorize(agent, AT, { scope: "sites:read sites:delete" }))).toBe("400 invalid_scope");
  expect(statusAndError(await authorize(agent, AT, { resource: "https://evil.example" }))).toBe("400 invalid_target");
});

test("a device code that was requested for one resource gives a token for no other one", async () => {
  const agent = await makeDelegated();
  const { body } = await authorize(agent, AT, { resource: mcpResource() });
  expect((await state(body.device_code)).resource).toBe(mcpResource());
  const poll = (resource: string) => grants.poll(agent, body.device_code, AT, { resource });
  expect(statusAndError(await poll(managementResource()))).toBe("400 invalid_target");
  expect(statusAndError(await poll(mcpResource()))).toBe("400 authorization_pending");
});

test("a client may have five pending codes and request ten an hour; beyond that it gets 429 with Retry-After", async () => {
  const agent = await makeDelegated();
  for (let code = 0; code < 5; code++) expect((await authorize(agent, after(code))).status).toBe(200);
  const sixth = await authorize(agent, after(5));
  expect([statusAndError(sixth), sixth.headers["retry-after"]]).toEqual(["429 temporarily_unavailable", "595"]);
  for (let code = 0; code < 5; code++) expect((await authorize(agent, after(604 + code))).status).toBe(200);
  const eleventh = await authorize(agent, after(1300));
  expect([statusAndError(eleventh), eleventh.headers["retry-after"]]).toEqual(["429 temporarily_unavailable", "2300"]);
  expect((await authorize(agent, after(3600))).status).toBe(200);
});

test("ten parallel authorizations leave only five pending codes", async () => {
  const agent = await makeDelegated();
  const replies = await Promise.all(Array.from({ length: 10 }, () => authorize(agent)));
  expect(replies.map(statusAndError).sort()).toEqual([
    ...Array(5).fill("200"),
    ...Array(5).fill("429 temporarily_unavailable"),
  ]);
});

test("a user code that is in use is generated again", async () => {
  const { userCode } = await pendingCode();
  const agent = await makeDelegated();
  const client = await db().client.findUniqueOrThrow({ where: { id: agent.id } });
  const other = newUserCode();
  const codes = [userCode, userCode, other];
  const form = { get: () => null, need: () => "", resources: [] };
  const call = { client, form, address: null, requestId: "test", now: AT };
  expect((await authorizeDevice(call, () => codes.shift() ?? "")).user_code).toBe(other);
});

test("user codes are stored as HMACs with a server key, the same in any spelling", () => {
  const [kept] = userCodeHashes("BCDF-GHJK");
  for (const typed of ["bcdfghjk", " b c d f g h j k ", "BCDF—GHJK", "ｂｃｄｆ-ｇｈｊｋ", "1BCDF.GHJK0"]) {
    expect(userCodeHashes(typed)[0], typed).toEqual(kept);
  }
  expect(userCodeHashes("BCDF-GHJL")[0]).not.toEqual(kept);
});

test("polls get authorization_pending, and slow_down when early: the interval grows each time (case 39)", async () => {
  const { agent, code } = await pendingCode();
  const polls: [seconds: number, answer: string, retryAfter: string][] = [
    [0, "400 authorization_pending", "5"],
    [1, "400 slow_down", "10"],
    [7, "400 slow_down", "15"],
    [21, "400 slow_down", "20"],
    [40.5, "400 authorization_pending", "20"],
    [60, "400 authorization_pending", "20"],
    [79.4, "400 slow_down", "25"],
  ].map(([seconds, answer, retry]) => [Number(seconds), `${answer}`, `${retry}`]);
  for (const [seconds, answer, retryAfter] of polls) {
    const reply = await grants.poll(agent, code, after(seconds));
    expect([statusAndError(reply), reply.headers["retry-after"]], `${seconds} s`).toEqual([answer, retryAfter]);
  }
});

test("the interval grows to at most a minute, and slow_down is only sent while the request is pending", async () => {
  const { agent, code, userCode } = await pendingCode();
  for (let poll = 0; poll < 20; poll++) await grants.poll(agent, code, AT);
  expect(await state(code)).toMatchObject({ interval: 60, lastPolledAt: AT });
  const site = await makeSite();
  await consent(userCode, site.ownerId, { scopes: SCOPES, sites: [site] }, AT);
  expect(statusAndError(await grants.poll(agent, code, AT))).toBe("200");
});

test("another client with the right code gets invalid_grant and has no effect (case 40)", async () => {
  const { agent, code } = await pendingCode();
  const stranger = await makeDelegated();
  const foreign = await grants.poll(stranger, code, AT);
  expect(statusAndError(foreign)).toBe("400 invalid_grant");
  expect(foreign.body).toEqual((await grants.poll(stranger, "unknown", AT)).body);
  expect((await state(code)).lastPolledAt).toBeNull();
  expect(statusAndError(await grants.poll(agent, code, AT))).toBe("400 authorization_pending");
});

test("of 20 parallel polls after approval one gets the tokens (case 41)", async () => {
  const { agent, code, userCode } = await pendingCode();
  const site = await makeSite();
  await consent(userCode, site.ownerId, { scopes: SCOPES, sites: [site] }, AT);
  const replies = await Promise.all(Array.from({ length: 20 }, () => grants.poll(agent, code, AT)));
  expect(replies.map(statusAndError).sort()).toEqual(["200", ...Array(19).fill("400 invalid_grant")]);
  expect(await db().refreshToken.count({ where: { clientId: agent.id } })).toBe(1);
});

test("a denied code stays denied and an expired one expired (case 42)", async () => {
  const [denied, expired, late] = await Promise.all([pendingCode(), pendingCode(), pendingCode()]);
  await consent(denied.userCode, await makePerson(), "deny", AT);
  const site = await makeSite();
  await consent(late.userCode, site.ownerId, { scopes: SCOPES, sites: [site] }, AT);
  for (const seconds of [1, 2, 600, 3600]) {
    expect(statusAndError(await grants.poll(denied.agent, denied.code, after(seconds)))).toBe("400 access_denied");
  }
  expect(statusAndError(await grants.poll(expired.agent, expired.code, after(599)))).toBe("400 authorization_pending");
  for (const seconds of [600, 601, 3600]) {
    expect(statusAndError(await grants.poll(expired.agent, expired.code, after(seconds)))).toBe("400 expired_token");
    expect(statusAndError(await grants.poll(late.agent, late.code, after(seconds)))).toBe("400 expired_token");
  }
});

test("an approved code gives tokens with exactly the consented access", async () => {
  const { agent, code, userCode } = await pendingCode();
  const [chosen, other] = await Promise.all([makeSite(), makeSite()]);
  await db().membership.create({ data: { siteId: other.id, personId: chosen.ownerId, role: "owner" } });
  await consent(userCode, chosen.ownerId, { scopes: ["sites:read"], sites: [chosen] }, AT);
  const { body } = await grants.poll(agent, code, AT);
  expect(body).toMatchObject({ scope: "sites:read", expires_in: 900, refresh_token: expect.stringMatching(/^ffr_/) });
  const readSite = async (id: number) =>
    (await callApi("sites.settings.get", { token: body.access_token, input: { site_id: id }, now: AT })).status;
  expect([await readSite(chosen.id), await readSite(other.id)]).toEqual([200, 403]);
});

test("an owner who loses a site between consent and redemption, or between two calls, takes it from their agent (case 47)", async () => {
  const { agent, code, userCode } = await pendingCode();
  const [kept, lost] = await Promise.all([makeSite(), makeSite()]);
  const personId = kept.ownerId;
  await db().membership.create({ data: { siteId: lost.id, personId, role: "owner" } });
  await consent(userCode, personId, { scopes: SCOPES, sites: [kept, lost] }, AT);
  await db().membership.delete({ where: { siteId_personId: { siteId: lost.id, personId } } });
  const token = (await grants.poll(agent, code, AT)).body.access_token;
  const readSite = async (id: number) =>
    (await callApi("sites.settings.get", { token, input: { site_id: id }, now: AT })).body.error?.code ?? "200";
  const listed = async () => {
    const { body } = await callApi("sites.list", { token, now: AT });
    return body.data.sites.map(({ site_id }: { site_id: number }) => site_id);
  };
  expect([await readSite(kept.id), await readSite(lost.id)]).toEqual(["200", "site_not_granted"]);
  expect(await listed()).toEqual([kept.id]);
  await db().membership.update({
    where: { siteId_personId: { siteId: kept.id, personId } },
    data: { role: "viewer" },
  });
  expect(await readSite(kept.id)).toBe("role_denied");
  await db().membership.delete({ where: { siteId_personId: { siteId: kept.id, personId } } });
  expect([await readSite(kept.id), await listed()]).toEqual(["site_not_granted", []]);
});

test("a new consent replaces the previous one: redeeming it revokes the old tokens", async () => {
  const { agent, code, userCode } = await pendingCode();
  const site = await makeSite();
  await consent(userCode, site.ownerId, { scopes: SCOPES, sites: [site] }, AT);
  const old = (await grants.poll(agent, code, AT)).body;
  const second = (await authorize(agent)).body;
  await consent(second.user_code, site.ownerId, { scopes: ["sites:read"], sites: [site] }, AT);
  expect((await grants.poll(agent, second.device_code, AT)).body.scope).toBe("sites:read");
  expect((await callApi("sites.list", { token: old.access_token, now: AT })).status).toBe(401);
  expect(statusAndError(await grants.refresh(agent, old.refresh_token, AT))).toBe("400 invalid_grant");
});

test("a consent that was revoked cannot be redeemed", async () => {
  const { agent, code, userCode } = await pendingCode();
  const site = await makeSite();
  await consent(userCode, site.ownerId, { scopes: SCOPES, sites: [site] }, AT);
  await db().client.update({ where: { id: agent.id }, data: { grantedScopes: [] } });
  expect(statusAndError(await grants.poll(agent, code, AT))).toBe("400 access_denied");
  await db().client.update({ where: { id: agent.id }, data: { grantedScopes: SCOPES, ownerId: await makePerson() } });
  expect(statusAndError(await grants.poll(agent, code, AT))).toBe("400 access_denied");
});
