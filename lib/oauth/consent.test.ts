import { expect, test } from "vitest";
import { act } from "@/lib/api/actions";
import { csrfToken } from "@/lib/auth/reauth";
import { mayHaveNoSites, type Scope } from "@/lib/contract/access";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { findConsent } from "@/lib/oauth/find-code";
import { OPERATIONS } from "@/lib/operations/index";
import { db } from "@/lib/platform/db";
import { deleteSite } from "@/lib/sites/purge";
import { faults, makeMember, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { someoneWaitsFor } from "@/lib/testing/locks";
import {
  callOAuth,
  decide,
  findCode,
  freshAddress,
  grants,
  makeAgent,
  postAuth,
  runPersonal,
  statusAndError,
} from "@/lib/testing/oauth";
import { signedIn } from "@/lib/testing/owners";
import { callApi, makePerson, makeSite } from "@/lib/testing/world";

/** Consent: what a person sees for a user code, and what approving grants. */

const SCOPES: Scope[] = ["sites:read", "sites:write", "sites:create", "account:read"];
const AT = new Date("2025-03-12T12:00:00Z");
const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000);
const MINUTE = 60;

async function pendingCode(scopes = SCOPES, now = AT) {
  const agent = await makeAgent({ kind: "delegated", scopes });
  const { body } = await callOAuth("device", postAuth(agent), { now });
  return { agent, code: body.device_code as string, userCode: body.user_code as string };
}

const codeOf = async (promise: Promise<unknown>) => (await refused(promise))?.code ?? null;
const grantOf = async (clientId: string) => {
  const client = await db().client.findUniqueOrThrow({ where: { id: clientId }, include: { sites: true } });
  return { ownerId: client.ownerId, scopes: client.grantedScopes, sites: client.sites.map((site) => site.siteId) };
};
const NOTHING = { ownerId: null, scopes: [], sites: [] };

test("a code is found in lower case, with spaces and dashes, and shows the agent and its requested scopes (case 43)", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const typed = ` ${userCode.toLowerCase().replace("-", " - ")} `;
  const shown = await runPersonal("device.find", { user_code: typed }, site.ownerId, AT);
  expect(shown).toEqual({
    question: expect.stringMatching(/^[\w-]{43}$/),
    client: { client_id: agent.id, name: "A test's agent", created_at: expect.any(String), kind: "delegated" },
    asked_from: "203.0.113.9",
    asked_at: AT.toISOString(),
    expires_at: after(600).toISOString(),
    assistant: null,
    kept_scopes: [],
    more_scopes: [],
    scopes: SCOPES,
    granted_scopes: [],
    sites: [{ site_id: site.id, domain: site.host, name: null, role: "owner", granted: false }],
    connected: false,
    waits_for_approval: expect.objectContaining({
      "sites:write": expect.arrayContaining(["Change a site's settings"]),
      "sites:read": [],
    }),
    made_without_asking: expect.objectContaining({
      "sites:write": expect.arrayContaining(["Delete a goal", "Delete a funnel", "Save a segment"]),
      "sites:read": [],
    }),
    needs_fresh: false,
  });
});

test("a person's sixth wrong code in 15 minutes is 429, as is the right one, while others can continue (case 43)", async () => {
  const { userCode } = await pendingCode();
  const personId = await makePerson();
  for (let miss = 0; miss < 5; miss++) expect(await codeOf(findCode("BBBB-BBBB", personId, AT))).toBe("not_found");
  const sixth = await refused(findCode(userCode, personId, AT));
  expect([sixth?.code, sixth?.status, sixth?.retryAfter]).toEqual(["rate_limited", 429, 900]);
  expect(await codeOf(findCode(userCode, await makePerson(), AT))).toBeNull();
});

test("right codes are not counted against a person", async () => {
  const personId = await makePerson();
  for (let round = 0; round < 6; round++) {
    const { userCode } = await pendingCode();
    expect(await codeOf(findCode(userCode, personId, AT))).toBeNull();
  }
});

test("of twenty parallel wrong codes five are checked", async () => {
  const personId = await makePerson();
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => codeOf(findCode("BBBB-BBBB", personId, AT, freshAddress()))),
  );
  expect(codes.sort()).toEqual([...Array(5).fill("not_found"), ...Array(15).fill("rate_limited")]);
});

test("the 21st wrong code from one address within an hour is 429 for any person", async () => {
  const address = freshAddress();
  const people = await Promise.all(Array.from({ length: 5 }, makePerson));
  const tries = people.flatMap((personId) => Array.from({ length: 4 }, () => personId));
  for (const personId of tries) expect(await codeOf(findCode("BBBB-BBBB", personId, AT, address))).toBe("not_found");
  expect(await codeOf(findCode("BBBB-BBBB", await makePerson(), after(3599), address))).toBe("rate_limited");
});

test("beyond 200 wrong codes a minute globally, callers with a wrong code of their own are refused; others still succeed", async () => {
  const key = `test:misses:${freshAddress()}`;
  const [guesser, innocent, neighbour] = [await makePerson(), await makePerson(), await makePerson()];
  const [hers, his] = [freshAddress(), freshAddress()];
  const find = async (code: string, personId: number, address: string, at = AT) =>
    codeOf(findConsent(code, { owner: await signedIn(personId, at), address }, [...OPERATIONS.values()], at, key));
  const codes = [(await pendingCode()).userCode, (await pendingCode()).userCode] as const;
  await db().rateCount.create({ data: { key, hits: 200, resetsAt: after(MINUTE) } });
  expect(await find("BBBB-BBBB", guesser, hers)).toBe("not_found");
  // The global limit is reached: no second attempt for the person elsewhere, nor for the address as someone else.
  expect(await find(codes[0], guesser, freshAddress())).toBe("rate_limited");
  expect(await find(codes[0], neighbour, hers)).toBe("rate_limited");
  expect(await find(codes[0], innocent, his)).toBeNull();
  expect(await find(codes[1], innocent, his)).toBeNull();
  expect(await find("BBBB-BBBB", innocent, his)).toBe("not_found");
  expect(await find(codes[1], innocent, his)).toBe("rate_limited");
  expect(await find(codes[1], innocent, his, after(MINUTE))).toBeNull();
});

test("a found code is bound to the person who found it, and expires after three openings", async () => {
  const { userCode } = await pendingCode();
  const personId = await makePerson();
  expect(await codeOf(findCode(userCode, personId, AT))).toBeNull();
  expect(await codeOf(findCode(userCode, await makePerson(), AT))).toBe("not_found");
  expect(await codeOf(findCode(userCode, personId, AT))).toBeNull();
  expect(await codeOf(findCode(userCode, personId, AT))).toBeNull();
  expect(await codeOf(findCode(userCode, personId, AT))).toBe("not_found");
});

test("a code that is unknown, expired, denied, used or of a revoked client gets the same error", async () => {
  const [over, denied, revoked] = await Promise.all([pendingCode(), pendingCode(), pendingCode()]);
  const personId = await makePerson();
  const { question } = await findCode(denied.userCode, personId, AT);
  await decide(question, personId, "deny", AT);
  await db().client.update({ where: { id: revoked.agent.id }, data: { revokedAt: AT } });
  const refusals = await Promise.all([
    refused(findCode("BBBB-BBBB", personId, AT)),
    refused(findCode(over.userCode, personId, after(600))),
    refused(findCode(denied.userCode, personId, AT)),
    refused(findCode(revoked.userCode, personId, AT)),
  ]);
  expect(new Set(refusals.map((refusal) => `${refusal?.code} ${refusal?.message}`)).size).toBe(1);
  expect(refusals[0]?.code).toBe("not_found");
});

test("approving assigns the client to the person with exactly the chosen scopes and sites, and is audited", async () => {
  const { agent, userCode } = await pendingCode();
  const [first, second] = await Promise.all([makeSite(), makeSite()]);
  const personId = first.ownerId;
  await db().membership.create({ data: { siteId: second.id, personId, role: "viewer" } });
  const { question } = await findCode(userCode, personId, AT);
  const input = {
    question,
    decision: "approve",
    scopes: ["sites:read", "sites:write"],
    site_ids: [first.id, first.id],
  };
  expect(await runPersonal("device.decide", input, personId, AT)).toEqual({ decision: "approve" });
  expect(await grantOf(agent.id)).toEqual({
    ownerId: personId,
    scopes: ["sites:read", "sites:write"],
    sites: [first.id],
  });
  const [noted] = await db().audit.findMany({
    where: { clientId: agent.id, operation: "oauth.consent" },
    orderBy: { id: "asc" },
  });
  expect(noted).toMatchObject({ personId, detail: { decision: "approve", scopes: ["sites:read", "sites:write"] } });
});

test("a second consent shows what the client has and replaces it", async () => {
  const { agent, userCode } = await pendingCode();
  const [first, second] = await Promise.all([makeSite(), makeSite()]);
  const personId = first.ownerId;
  await db().membership.create({ data: { siteId: second.id, personId, role: "viewer" } });
  const one = await findCode(userCode, personId, AT);
  await decide(one.question, personId, { scopes: ["sites:read"], sites: [first] }, AT);
  const again = (await callOAuth("device", postAuth(agent), { now: AT })).body;
  const two = await findCode(again.user_code, personId, AT);
  expect(two.sites.map(({ site_id, granted }) => [site_id, granted])).toEqual(
    [first.id, second.id].sort((a, b) => a - b).map((id) => [id, id === first.id]),
  );
  await decide(two.question, personId, { scopes: ["account:read", "sites:read"], sites: [second] }, AT);
  expect(await grantOf(agent.id)).toEqual({
    ownerId: personId,
    scopes: ["sites:read", "account:read"],
    sites: [second.id],
  });
});

test("approving sends an email; denying, or deciding again, sends none", async () => {
  const site = await makeSite();
  const yes = { scopes: ["sites:read" as const], sites: [site] };
  for (const decision of ["deny" as const, yes]) {
    const { userCode } = await pendingCode(SCOPES, EMAIL_TIME);
    const { question } = await findCode(userCode, site.ownerId, EMAIL_TIME);
    await decide(question, site.ownerId, decision, EMAIL_TIME);
    await decide(question, site.ownerId, decision, EMAIL_TIME);
  }
  const emails = await emailsOf(site.ownerId);
  expect(emails.map(({ subject }) => subject)).toEqual(["An agent was connected to your account"]);
  expect(emails[0]?.text).toContain(`act for you on ${site.host}`);
});

test("denying grants the client nothing, and its agent gets access_denied", async () => {
  const { agent, code, userCode } = await pendingCode();
  const personId = await makePerson();
  const { question } = await findCode(userCode, personId, AT);
  expect(await decide(question, personId, "deny", AT)).toBe("deny");
  expect(await grantOf(agent.id)).toEqual(NOTHING);
  expect(statusAndError(await grants.poll(agent, code, AT))).toBe("400 access_denied");
});

test("of two decisions, sequential or parallel, the first counts and both return it", async () => {
  const site = await makeSite();
  const yes = { scopes: ["sites:read" as const], sites: [site] };
  const slow = await pendingCode();
  const one = await findCode(slow.userCode, site.ownerId, AT);
  expect(await decide(one.question, site.ownerId, yes, AT)).toBe("approve");
  expect(await decide(one.question, site.ownerId, yes, AT)).toBe("approve");
  expect(await decide(one.question, site.ownerId, "deny", AT)).toBe("approve");
  expect(statusAndError(await grants.poll(slow.agent, slow.code, AT))).toBe("200");
  expect(await decide(one.question, site.ownerId, yes, AT)).toBe("approve");

  const fast = await pendingCode();
  const two = await findCode(fast.userCode, site.ownerId, AT);
  const answers = await Promise.all(
    [yes, "deny" as const, yes, "deny" as const].map((choice) => decide(two.question, site.ownerId, choice, AT)),
  );
  expect(new Set(answers).size).toBe(1);
  expect(await db().audit.count({ where: { clientId: fast.agent.id, operation: "oauth.consent" } })).toBe(1);
});

test("a code that another person opened, that no one opened, or that expired cannot be decided", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const yes = { scopes: ["sites:read" as const], sites: [site] };
  const { question } = await findCode(userCode, site.ownerId, AT);
  const stranger = await makePerson();
  expect(await codeOf(decide(question, stranger, "deny", AT))).toBe("not_found");
  expect(await codeOf(decide("unknown", stranger, "deny", AT))).toBe("not_found");
  expect(await codeOf(decide(question, site.ownerId, yes, after(600)))).toBe("not_found");
  expect(await grantOf(agent.id)).toEqual(NOTHING);
});

test("consent naming a site its human does not belong to grants nothing at all (case 45)", async () => {
  const { agent, userCode } = await pendingCode();
  const [own, foreign] = await Promise.all([makeSite(), makeSite()]);
  const { question } = await findCode(userCode, own.ownerId, AT);
  for (const sites of [[own, foreign], [foreign], [own, { id: 2 ** 31 - 1 }], [own, { id: 2 ** 31 }]]) {
    const refusal = await refused(decide(question, own.ownerId, { scopes: ["sites:read"], sites }, AT));
    expect([refusal?.code, refusal?.status]).toEqual(["site_not_granted", 403]);
  }
  expect(await grantOf(agent.id)).toEqual(NOTHING);
});

test("chosen scopes must be among the requested ones, at least one", async () => {
  const { agent, userCode } = await pendingCode(["sites:read"]);
  const site = await makeSite();
  const { question } = await findCode(userCode, site.ownerId, AT);
  for (const scopes of [[], ["sites:delete"], ["sites:read", "sites:delete"]] as Scope[][]) {
    const [fault] = await faults(decide(question, site.ownerId, { scopes, sites: [site] }, AT));
    expect(fault).toMatch(/^scopes: /);
  }
  expect(await grantOf(agent.id)).toEqual(NOTHING);
});

test("no site needs to be chosen for sites:create or account:read, and otherwise one must (case 46)", async () => {
  const personId = await makePerson();
  const reads = await pendingCode();
  const one = await findCode(reads.userCode, personId, AT);
  expect(await faults(decide(one.question, personId, { scopes: ["sites:read"], sites: [] }, AT))).toEqual([
    "site_ids: needs at least one site for what you allow",
  ]);
  expect(await decide(one.question, personId, { scopes: ["sites:create", "sites:read"], sites: [] }, AT)).toBe(
    "approve",
  );
  const token = (await grants.poll(reads.agent, reads.code, AT)).body.access_token;
  const foreign = await makeSite();
  const asks = { token, now: AT, input: { site_id: foreign.id } };
  expect((await callApi("sites.list", { token, now: AT })).body.data.sites).toEqual([]);
  expect((await callApi("sites.settings.get", asks)).status).toBe(403);
  expect([mayHaveNoSites(["account:read"]), mayHaveNoSites(["sites:read", "analytics:read"])]).toEqual([true, false]);
});

test("every approval requires a sign-in of the last ten minutes, and a denial none", async () => {
  const site = await makeSite();
  for (const scopes of [["sites:read"], ["analytics:read", "account:read"], ["sites:write"]] as Scope[][]) {
    const { agent, userCode } = await pendingCode(scopes);
    const address = freshAddress();
    const open = async (signedInAt: Date) =>
      findConsent(userCode, { owner: await signedIn(site.ownerId, signedInAt), address }, [...OPERATIONS.values()], AT);
    const { question } = await open(AT);
    expect((await open(after(-600))).needs_fresh).toBe(false);
    expect((await open(after(-601))).needs_fresh).toBe(true);
    const yes = { scopes, sites: [site] };
    expect(await codeOf(decide(question, site.ownerId, yes, AT, after(-601)))).toBe("reauthentication_required");
    expect(await grantOf(agent.id)).toEqual(NOTHING);
    expect(await decide(question, site.ownerId, "deny", AT, after(-601))).toBe("deny");
  }
});

test("duplicate scopes and sites are removed, and scopes sorted in vocabulary order", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const { question } = await findCode(userCode, site.ownerId, AT);
  const scopes: Scope[] = ["account:read", "sites:write", "sites:read", "sites:write", "account:read"];
  await decide(question, site.ownerId, { scopes, sites: [site, site] }, AT);
  const once = ["sites:read", "sites:write", "account:read"];
  expect(await grantOf(agent.id)).toEqual({ ownerId: site.ownerId, scopes: once, sites: [site.id] });
  const row = await db().deviceCode.findFirstOrThrow({ where: { clientId: agent.id } });
  expect(row.consentedScopes).toEqual(once);
  const noted = await db().audit.findFirstOrThrow({ where: { clientId: agent.id, operation: "oauth.consent" } });
  expect(noted.detail).toMatchObject({ scopes: once, site_ids: [site.id] });
});

test("a consent waits for a running deletion of its site without a deadlock, and is then refused", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const yes = { scopes: ["sites:read" as const], sites: [site] };
  await decide((await findCode(userCode, site.ownerId, AT)).question, site.ownerId, yes, AT);
  const again = (await callOAuth("device", postAuth(agent), { now: AT })).body.user_code;
  const { question } = await findCode(again, site.ownerId, AT);
  const { consenting } = await db().$transaction(async (tx) => {
    await lockSite(tx, site.id);
    const consenting = codeOf(decide(question, site.ownerId, yes, AT));
    await someoneWaitsFor(tx);
    await deleteSite(tx, site.id, AT);
    return { consenting };
  });
  expect(await consenting).toBe("site_not_granted");
});

test("an agent that is connected to one person cannot be taken by another", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const { question } = await findCode(userCode, site.ownerId, AT);
  const before = (await callOAuth("device", postAuth(agent), { now: AT })).body.user_code;
  const stranger = await makeMember(site.id, "owner");
  const opened = await findCode(before, stranger, AT);
  await decide(question, site.ownerId, { scopes: ["sites:read"], sites: [site] }, AT);
  // Neither with a code that was opened before nor with a new one.
  const yes = { scopes: ["sites:read" as const], sites: [site] };
  expect(await codeOf(decide(opened.question, stranger, yes, AT))).toBe("role_denied");
  const later = (await callOAuth("device", postAuth(agent), { now: AT })).body.user_code;
  expect(await codeOf(findCode(later, stranger, AT))).toBe("role_denied");
  expect((await grantOf(agent.id)).ownerId).toBe(site.ownerId);
});

test("consent without our page's token, from another site or from an opaque origin is 403 without effect (case 44)", async () => {
  const { agent, userCode } = await pendingCode();
  const site = await makeSite();
  const owner = await signedIn(site.ownerId, AT);
  const { question } = await findCode(userCode, site.ownerId, AT);
  const input = { question, decision: "approve", scopes: ["sites:read"], site_ids: [site.id] };
  const send = async (headers: Record<string, string>, who: typeof owner | null = owner) => {
    const all: Record<string, string> = { "content-type": "application/json", ...headers };
    const body = Buffer.from(JSON.stringify(input));
    const request = { header: (name: string) => all[name] ?? null, bytes: async () => body };
    const { status, body: text } = await act(request, "device.decide", who, AT);
    return `${status} ${JSON.parse(text).error?.code ?? ""}`;
  };
  const own = { origin: "http://localhost:3000", "x-csrf-token": csrfToken(owner.sid) };
  expect(await send({ origin: own.origin })).toBe("403 cross_site");
  expect(await send({ ...own, "x-csrf-token": csrfToken("another session") })).toBe("403 cross_site");
  expect(await send({ ...own, origin: "null" })).toBe("403 cross_site");
  expect(await send({ ...own, origin: "https://evil.example" })).toBe("403 cross_site");
  expect(await send({ ...own, "sec-fetch-site": "cross-site" })).toBe("403 cross_site");
  expect(await send({ "x-csrf-token": own["x-csrf-token"] })).toBe("403 cross_site");
  expect(await send(own, null)).toBe("401 unauthenticated");
  expect(await grantOf(agent.id)).toEqual(NOTHING);
  expect(await send(own)).toBe("200 ");
});
