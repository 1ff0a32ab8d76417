import { expect, test } from "vitest";
import type { Scope } from "@/lib/contract/access";
import { db } from "@/lib/platform/db";
import { makeMember, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import {
  callOAuth,
  consent,
  decide,
  findCode,
  grants,
  makeAgent,
  postAuth,
  statusAndError,
  type TestAgent,
} from "@/lib/testing/oauth";
import { callApi, makePerson, makeSite, type TestSite } from "@/lib/testing/world";

/** A machine agent that a person has taken over asks them for more, by a device code. */

const HAS: Scope[] = ["sites:read", "analytics:read"];

/** A machine client of a person, with a site of theirs. */
async function takenOver() {
  const site = await makeSite();
  const agent = await makeAgent({ kind: "machine", scopes: HAS, ownerId: site.ownerId });
  await db().clientSite.create({ data: { clientId: agent.id, siteId: site.id } });
  return { site, agent };
}

/** Another site of the same person. */
async function furtherSite({ ownerId }: TestSite): Promise<TestSite> {
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: ownerId, role: "owner" } });
  return site;
}

const ask = (agent: TestAgent, scope?: string, now = new Date()) =>
  callOAuth("device", { ...postAuth(agent), ...(scope && { scope }) }, { now });
const codeOf = async (promise: Promise<unknown>) => (await refused(promise))?.code ?? null;
const granted = async (agent: TestAgent) => {
  const client = await db().client.findUniqueOrThrow({ where: { id: agent.id }, include: { sites: true } });
  return [client.grantedScopes, client.sites.map(({ siteId }) => siteId)];
};

test("a machine agent asks its person for a scope and a site, keeps what it has, and its next token has both", async () => {
  const now = EMAIL_TIME;
  const { site, agent } = await takenOver();
  const second = await furtherSite(site);
  const { body } = await ask(agent, "sites:create sites:read", now);
  const shown = await findCode(body.user_code, site.ownerId, now);
  expect(shown).toMatchObject({ connected: true, scopes: ["sites:create"], kept_scopes: HAS });
  expect(shown.client.kind).toBe("machine");
  await decide(shown.question, site.ownerId, { scopes: ["sites:create"], sites: [site, second] }, now);
  const scope = "sites:read sites:create analytics:read";
  const token = await grants.credentials(agent, {}, { now });
  expect(token.body.scope.split(" ").sort()).toEqual(scope.split(" ").sort());
  const { body: list } = await callApi("sites.list", { token: token.body.access_token, now });
  expect(list.data.sites.map((one: { site_id: number }) => one.site_id)).toEqual([site.id, second.id]);
  expect((await emailsOf(site.ownerId)).map(({ subject }) => subject)).toEqual([
    "An agent was connected to your account",
  ]);
});

test("a poll tells a machine agent the decision by a token without refresh token, and leaves its other tokens", async () => {
  const { site, agent } = await takenOver();
  const before = (await grants.credentials(agent)).body.access_token;
  const { body } = await ask(agent, "sites:write");
  expect(statusAndError(await grants.poll(agent, body.device_code))).toBe("400 authorization_pending");
  await consent(body.user_code, site.ownerId, { scopes: ["sites:write"], sites: [site] });
  const polled = await grants.poll(agent, body.device_code);
  expect([polled.status, polled.body.scope.split(" ").sort(), polled.body.refresh_token]).toEqual([
    200,
    ["analytics:read", "sites:read", "sites:write"],
    undefined,
  ]);
  expect((await callApi("sites.list", { token: before })).status).toBe(200);
  expect(statusAndError(await grants.poll(agent, body.device_code))).toBe("400 invalid_grant");
});

test("without scope a machine agent asks for sites alone, and a denial changes nothing", async () => {
  const { site, agent } = await takenOver();
  const second = await furtherSite(site);
  const first = (await ask(agent)).body;
  const shown = await findCode(first.user_code, site.ownerId, new Date());
  expect([shown.scopes, shown.kept_scopes]).toEqual([[], HAS]);
  await decide(shown.question, site.ownerId, { scopes: [], sites: [site, second] }, new Date());
  expect(await granted(agent)).toEqual([expect.arrayContaining(HAS), [site.id, second.id]]);
  const { user_code, device_code } = (await ask(agent, "sites:delete")).body;
  await consent(user_code, site.ownerId, "deny");
  expect(await granted(agent)).toEqual([expect.arrayContaining(HAS), [site.id, second.id]]);
  expect(statusAndError(await grants.poll(agent, device_code))).toBe("400 access_denied");
});

test("a machine agent without a person cannot ask, and the error names both ways out", async () => {
  const agent = await makeAgent({ kind: "machine", scopes: HAS });
  const { status, body } = await ask(agent, "sites:create");
  expect([status, body.error]).toEqual([400, "unauthorized_client"]);
  expect(body.error_description).toContain("fresh proof of the domain");
  expect(body.error_description).toContain(`/agents/claim/${agent.id}`);
});

test("another person can neither open nor decide the request of a machine agent", async () => {
  const { site, agent } = await takenOver();
  const stranger = await makeMember(site.id, "owner");
  const { user_code } = (await ask(agent, "sites:delete")).body;
  expect(await codeOf(findCode(user_code, stranger, new Date()))).toBe("role_denied");
  const { question } = await findCode(user_code, site.ownerId, new Date());
  const choice = { scopes: ["sites:delete" as const], sites: [site] };
  expect(await codeOf(decide(question, stranger, choice, new Date()))).toBe("not_found");
  expect(await granted(agent)).toEqual([HAS, [site.id]]);
});

test("a consent never gives a machine agent foreign sites, or scopes that it did not ask for", async () => {
  const { site, agent } = await takenOver();
  const foreign = await makeSite();
  const { user_code } = (await ask(agent, "sites:write")).body;
  const { question } = await findCode(user_code, site.ownerId, new Date());
  const choose = (scopes: Scope[], sites: TestSite[]) =>
    codeOf(decide(question, site.ownerId, { scopes, sites }, new Date()));
  expect(await choose(["sites:write"], [site, foreign])).toBe("site_not_granted");
  expect(await choose(["sites:write", "sites:delete"], [site])).toBe("invalid_input");
  expect(await granted(agent)).toEqual([HAS, [site.id]]);
});

test("a code of a machine whose account lost its person gives nobody access to it", async () => {
  const { site, agent } = await takenOver();
  const { user_code } = (await ask(agent, "sites:delete")).body;
  await db().client.update({ where: { id: agent.id }, data: { ownerId: null } });
  expect(await codeOf(findCode(user_code, await makePerson(), new Date()))).toBe("role_denied");
  expect(await granted(agent)).toEqual([HAS, [site.id]]);
});

test("insufficient_scope tells each kind of agent how to get the scope", async () => {
  const wayOf = async (ownerId: number | null) => {
    const agent = await makeAgent({ kind: "machine", scopes: HAS, ownerId });
    const { access_token: token } = (await grants.credentials(agent)).body;
    const { body } = await callApi("sites.create", { token, input: {} });
    expect([body.error.code, body.error.details.required_scope]).toEqual(["insufficient_scope", "sites:create"]);
    return body.error.message;
  };
  expect(await wayOf(await makePerson())).toContain(
    "new consent of your human, as you asked before: /oauth/device/code",
  );
  expect(await wayOf(null)).toContain("recover it with other scopes by a fresh proof of its domain");
});
