import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { revokeClients } from "@/lib/oauth/revoke-clients";
import { managementResource } from "@/lib/oauth/tokens";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { LOOK_UPS_OF_A_DOMAIN, WRONG_KEYS, WRONG_KEYS_OF_A_DOMAIN } from "@/lib/platform/limits";
import { digest, freshSecret } from "@/lib/platform/secrets";
import { createSite } from "@/lib/sites/create";
import {
  type Agent,
  callIdentity,
  codeOf,
  freshDomain,
  freshKey,
  provenChallenge,
  registerAgent,
} from "@/lib/testing/agents";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { crashAt, retried } from "@/lib/testing/faults";
import { dnsForTests } from "@/lib/testing/internet";
import { someoneWaitsFor } from "@/lib/testing/locks";
import { grants } from "@/lib/testing/oauth";
import { callApi, makePerson } from "@/lib/testing/world";

const dns = dnsForTests();
const SCOPES = ["sites:read", "sites:write"] as const;
const faultOf = (answer: { body: { error?: { details?: { issues?: { path: string }[] } } } }) =>
  answer.body.error?.details?.issues?.[0]?.path;

/** Publishes a recovery challenge with a new key, and returns the call that completes it. */
async function readyToRecover(
  agent: Agent,
  { withClient = true, newKey = freshKey(), domain = agent.domain, now = new Date() } = {},
) {
  const named = withClient ? { client_id: agent.clientId } : {};
  const recover = { domain, recovery_key: newKey, purpose: "recover" as const, ...named };
  const challenge_id = await provenChallenge(dns, recover, now);
  return { newKey, call: { challenge_id, recovery_key: agent.recoveryKey, ...named } };
}

const liveClients = (agent: Agent) => db().client.count({ where: { accountId: agent.accountId, revokedAt: null } });
const keyIs = async (agent: Agent, key: string) => {
  const { recoveryHash } = await db().machineAccount.findUniqueOrThrow({ where: { id: agent.accountId } });
  return Buffer.from(recoveryHash).equals(digest(key));
};

test("a new proof, the old key and a new key replace the client; account, name, scopes and sites stay", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES, name: "Reporter" });
  const { newKey, call } = await readyToRecover(agent);
  const { status, body } = await callIdentity("recoveries", call);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ scopes: SCOPES, site_ids: [agent.siteId], owner_id: null });
  expect(Object.keys(body.data)).toEqual([
    "client_id",
    "client_secret",
    "scopes",
    "site_ids",
    "owner_id",
    "resource",
    "oauth",
  ]);
  expect([body.data.client_id === agent.clientId, body.data.client_secret === agent.clientSecret]).toEqual([
    false,
    false,
  ]);
  const client = await db().client.findUniqueOrThrow({ where: { id: body.data.client_id } });
  expect(client).toMatchObject({ accountId: agent.accountId, name: "Reporter", kind: "machine", revokedAt: null });
  expect([await liveClients(agent), await keyIs(agent, newKey)]).toEqual([1, true]);
});

test("case 62: after a recovery the old client's tokens are 401 immediately", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const ask = { token: agent.token, input: { site_id: agent.siteId } };
  expect((await callApi("sites.settings.get", ask)).status).toBe(200);
  const { call } = await readyToRecover(agent);
  expect((await callIdentity("recoveries", call)).status).toBe(201);
  const { status, body } = await callApi("sites.settings.get", ask);
  expect([status, body.error?.code]).toEqual([401, "invalid_token"]);
});

test("a recovery revokes the old client's access and refresh tokens, device codes and approvals", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const { clientId } = agent;
  const [personId, now] = [await makePerson(), new Date()];
  const expiresAt = new Date(now.getTime() + 3600_000);
  const bytes = () => new Uint8Array(digest(freshSecret()));
  const family = {
    familyId: randomUUID(),
    issuer: env().BASE_URL,
    audience: "x",
    scopes: [],
    issuedAt: now,
    expiresAt,
  };
  await db().refreshToken.create({
    data: { ...family, hash: bytes(), clientId, ownerId: personId, familyExpiresAt: expiresAt },
  });
  await db().deviceCode.create({
    data: { hash: bytes(), userCodeHash: bytes(), clientId, scopes: [], interval: 5, createdAt: now, expiresAt },
  });
  const approval = { operation: "sites.delete", risk: "destructive", bindingCode: "BCD-123", document: {}, lines: [] };
  const times = { requestedAt: now, expiresAt };
  await db().approval.create({ data: { id: randomUUID(), clientId, ...approval, ...times, payloadHash: bytes() } });
  const { call } = await readyToRecover(agent);
  expect((await callIdentity("recoveries", call, { now })).status).toBe(201);
  const old = await db().client.findUniqueOrThrow({
    where: { id: clientId },
    include: { tokens: true, refreshTokens: true, devices: true, approvals: true },
  });
  expect(old.revokedAt).toEqual(now);
  expect([...old.tokens, ...old.refreshTokens].map(({ revokedAt }) => revokedAt)).toEqual([now, now]);
  expect(old.devices.map(({ status }) => status)).toEqual(["denied"]);
  expect(old.approvals.map(({ status }) => status)).toEqual(["superseded"]);
});

test("a recovery emails the owners of the account's sites, if it has no person of its own", async () => {
  const now = EMAIL_TIME;
  const agent = await registerAgent(dns, { scopes: SCOPES, now });
  const personId = await makePerson();
  await db().membership.create({ data: { siteId: agent.siteId, personId, role: "owner" } });
  const { call } = await readyToRecover(agent, { now });
  expect((await callIdentity("recoveries", call, { now })).status).toBe(201);
  expect((await emailsOf(personId)).map(({ subject }) => subject)).toEqual([
    `An agent has new credentials: ${agent.domain}`,
  ]);
});

test("a recovery keeps the owner and reduced scopes, and emails the owner", async () => {
  const now = EMAIL_TIME;
  const agent = await registerAgent(dns, { scopes: SCOPES, now });
  const ownerId = await makePerson();
  await db().machineAccount.update({ where: { id: agent.accountId }, data: { ownerId } });
  await db().client.update({ where: { id: agent.clientId }, data: { ownerId, grantedScopes: ["sites:read"] } });
  const { call } = await readyToRecover(agent, { now });
  const { data } = (await callIdentity("recoveries", call, { now })).body;
  expect([data.owner_id, data.scopes]).toEqual([ownerId, ["sites:read"]]);
  const client = await db().client.findUniqueOrThrow({ where: { id: data.client_id } });
  expect([client.ownerId, client.requestedScopes]).toEqual([ownerId, SCOPES]);
  expect((await emailsOf(ownerId)).map(({ subject }) => subject)).toEqual([
    `An agent has new credentials: ${agent.domain}`,
  ]);
});

test("without a person, a recovery takes other scopes after a fresh proof, and the next token has them", async () => {
  const agent = await registerAgent(dns, { scopes: ["sites:read"] });
  const { call } = await readyToRecover(agent);
  const scopes = ["sites:read", "sites:create"];
  const { status, body } = await callIdentity("recoveries", { ...call, scopes });
  expect([status, body.data.scopes]).toEqual([201, scopes]);
  const client = { id: body.data.client_id, secret: body.data.client_secret };
  expect((await grants.credentials(client)).body.scope).toBe("sites:read sites:create");
});

test("once a person owns the account or a site of it, a recovery takes fewer scopes and never more", async () => {
  const ownsAccount = await registerAgent(dns, { scopes: SCOPES });
  const ownerId = await makePerson();
  await db().machineAccount.update({ where: { id: ownsAccount.accountId }, data: { ownerId } });
  await db().client.update({ where: { id: ownsAccount.clientId }, data: { ownerId } });
  const ownsSite = await registerAgent(dns, { scopes: SCOPES });
  await db().membership.create({ data: { siteId: ownsSite.siteId, personId: await makePerson(), role: "owner" } });
  for (const agent of [ownsAccount, ownsSite]) {
    const { call } = await readyToRecover(agent);
    const more = await callIdentity("recoveries", { ...call, scopes: [...SCOPES, "sites:delete"] });
    expect([codeOf(more), await liveClients(agent)]).toEqual([[403, "role_denied"], 1]);
    const fewer = await callIdentity("recoveries", { ...call, scopes: ["sites:read"] });
    expect([fewer.status, fewer.body.data.scopes]).toEqual([201, ["sites:read"]]);
  }
});

test("a registration whose response was lost can be recovered without client_id", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const { call } = await readyToRecover(agent, { withClient: false });
  const { status, body } = await callIdentity("recoveries", call);
  expect([status, body.data.site_ids, await liveClients(agent)]).toEqual([201, [agent.siteId], 1]);
});

test("client_id must be in both challenge and call, or in neither", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const named = await readyToRecover(agent);
  const { client_id, ...without } = named.call;
  const missing = await callIdentity("recoveries", without);
  expect([missing.status, faultOf(missing)]).toEqual([422, "client_id"]);
  const other = await callIdentity("recoveries", { ...named.call, client_id: "ffc_other" });
  expect([other.status, faultOf(other)]).toEqual([422, "client_id"]);
  const unnamed = await readyToRecover(agent, { withClient: false });
  const surplus = await callIdentity("recoveries", { ...unnamed.call, client_id });
  expect([surplus.status, faultOf(surplus)]).toEqual([422, "client_id"]);
  expect(await liveClients(agent)).toBe(1);
});

test("case 61: the same key as old and new is refused at its field", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  for (const withClient of [true, false]) {
    const { call } = await readyToRecover(agent, { withClient, newKey: agent.recoveryKey });
    const answer = await callIdentity("recoveries", call);
    expect([codeOf(answer), faultOf(answer)]).toEqual([[422, "invalid_input"], "recovery_key"]);
  }
  expect(await keyIs(agent, agent.recoveryKey)).toBe(true);
});

test("case 61: a wrong old key, a proof alone, another domain, an unknown client and no account get the same 403", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const other = await registerAgent(dns, { scopes: SCOPES });
  const wrong = await readyToRecover(agent);
  const byDomain = await readyToRecover(agent, { withClient: false });
  const otherDomain = await readyToRecover(agent, { domain: other.domain });
  const unknown = await readyToRecover({ ...agent, clientId: "ffc_nobody" });
  const nobody = await readyToRecover({ ...agent, domain: freshDomain() }, { withClient: false });
  const answers = [
    await callIdentity("recoveries", { ...wrong.call, recovery_key: freshKey() }),
    await callIdentity("recoveries", { ...byDomain.call, recovery_key: freshKey() }),
    await callIdentity("recoveries", otherDomain.call),
    await callIdentity("recoveries", unknown.call),
    await callIdentity("recoveries", nobody.call),
  ];
  for (const answer of answers) {
    expect(codeOf(answer)).toEqual([403, "recovery_key_wrong"]);
    expect(answer.body.error).toEqual(answers[0]?.body.error);
  }
  expect([await liveClients(agent), await keyIs(agent, agent.recoveryKey)]).toEqual([1, true]);
});

test("case 61: the old key without a proof recovers nothing, nor does a contact address", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const body = { domain: agent.domain, method: "dns", recovery_key: freshKey(), purpose: "recover" };
  const { data } = (await callIdentity("challenges", { ...body, contact_email: "me@example.com" })).body;
  dns.set(data.dns_name, { TXT: ["nothing of that kind"] });
  const call = { challenge_id: data.challenge_id, recovery_key: agent.recoveryKey };
  expect(codeOf(await callIdentity("recoveries", call))).toEqual([422, "proof_not_verified"]);
  const byMail = await callIdentity("recoveries", { ...call, contact_email: "me@example.com" });
  expect([byMail.status, faultOf(byMail)]).toEqual([422, "contact_email"]);
  expect(await liveClients(agent)).toBe(1);
});

test("the sixth wrong key of a challenge is 429, and so is the eleventh of a domain within an hour", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const wrong = (call: object) => callIdentity("recoveries", { ...call, recovery_key: freshKey() });
  const attempts = [await readyToRecover(agent), await readyToRecover(agent), await readyToRecover(agent)];
  const [first, second, third] = attempts.map(({ call }) => call) as [object, object, object];
  for (let shown = 0; shown < WRONG_KEYS; shown++) expect((await wrong(first)).status).toBe(403);
  expect(codeOf(await wrong(first))).toEqual([429, "rate_limited"]);
  for (let shown = WRONG_KEYS; shown < WRONG_KEYS_OF_A_DOMAIN.limit; shown++) {
    expect((await wrong(second)).status).toBe(403);
  }
  const eleventh = await wrong(third);
  expect([codeOf(eleventh), Number(eleventh.headers["retry-after"]) > 3000]).toEqual([[429, "rate_limited"], true]);
  // A stranger's wrong keys do not block the right one.
  expect((await callIdentity("recoveries", (await readyToRecover(agent)).call)).status).toBe(201);
});

test("a domain's proof is looked up 60 times an hour per recovery key; strangers do not use up the limit", async () => {
  const now = new Date();
  const agent = await registerAgent(dns, { scopes: SCOPES, now });
  const counts = db().rateCount;
  const about = { startsWith: `identity:look-ups:${agent.domain}:` };
  const { limit: hits } = LOOK_UPS_OF_A_DOMAIN;
  // Strangers create challenges with keys of their own and send a wrong account key.
  const strange = { domain: agent.domain, recovery_key: freshKey() };
  const challenge_id = await provenChallenge(dns, strange, now);
  const register = { challenge_id, recovery_key: strange.recovery_key, scopes: SCOPES };
  await callIdentity("registrations", register, { now });
  const { call } = await readyToRecover(agent, { now });
  await callIdentity("recoveries", { ...call, recovery_key: freshKey() }, { now });
  await counts.updateMany({ where: { key: about }, data: { hits } });
  const mine = `identity:look-ups:${agent.domain}:${digest(agent.recoveryKey).toString("hex")}`;
  await counts.update({ where: { key: mine }, data: { hits: hits - 1 } });
  const lookUps = await counts.findMany({ where: { key: about } });
  expect(lookUps).toHaveLength(2);
  expect(codeOf(await callIdentity("registrations", register, { now }))).toEqual([429, "rate_limited"]);
  expect((await callIdentity("recoveries", call, { now })).status).toBe(201);
  expect((await counts.findUniqueOrThrow({ where: { key: mine } })).hits).toBe(hits);
  await counts.update({ where: { key: mine }, data: { hits } });
  const again = await readyToRecover({ ...agent, recoveryKey: agent.recoveryKey }, { withClient: false, now });
  expect(codeOf(await callIdentity("recoveries", again.call, { now }))).toEqual([403, "recovery_key_wrong"]);
});

test("the replaced key is invalid, and the new one can recover again", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const first = await readyToRecover(agent);
  expect((await callIdentity("recoveries", first.call)).status).toBe(201);
  const withOld = await readyToRecover(agent, { withClient: false });
  expect(codeOf(await callIdentity("recoveries", withOld.call))).toEqual([403, "recovery_key_wrong"]);
  const withNew = await readyToRecover({ ...agent, recoveryKey: first.newKey }, { withClient: false });
  expect((await callIdentity("recoveries", withNew.call)).status).toBe(201);
});

test("an agent that a person disconnected cannot recover", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  await db().client.update({ where: { id: agent.clientId }, data: { revokedAt: new Date() } });
  for (const withClient of [true, false]) {
    const { call } = await readyToRecover(agent, { withClient });
    expect(codeOf(await callIdentity("recoveries", call))).toEqual([403, "recovery_key_wrong"]);
  }
});

test("a site created during a recovery belongs to the new client, or is not created", async () => {
  const agent = await registerAgent(dns, { scopes: ["sites:create"] });
  const creator = {
    kind: "client",
    clientId: agent.clientId,
    clientKind: "machine",
    personId: null,
    scopes: [],
    resource: managementResource(),
  } as const;
  const site = { name: null, timezone: "UTC", public: false, creator, now: new Date() };
  // Started before and committed after: the recovery waits for it.
  const { call } = await readyToRecover(agent);
  const made = await db().$transaction(async (tx) => {
    const siteId = await createSite(tx, { ...site, host: freshDomain() });
    const recovering = callIdentity("recoveries", call);
    await someoneWaitsFor(tx);
    return { siteId, recovering };
  });
  expect((await made.recovering).body.data.site_ids).toEqual([agent.siteId, made.siteId]);

  // Started while the client is being revoked: refused without effect.
  const other = await registerAgent(dns, { scopes: ["sites:create"] });
  const host = freshDomain();
  const input = { domain: host, timezone: "UTC", public: false };
  const { creating } = await db().$transaction(async (tx) => {
    await revokeClients(tx, { id: other.clientId }, new Date());
    const creating = callApi("sites.create", { token: other.token, input });
    await someoneWaitsFor(tx);
    return { creating };
  });
  expect(codeOf(await creating)).toEqual([401, "invalid_token"]);
  expect(await db().siteDomain.count({ where: { host } })).toBe(0);
});

test("of twenty parallel recoveries of one account one succeeds", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const ready = [];
  for (let each = 0; each < 4; each++) ready.push(await readyToRecover(agent));
  const all = await db().challenge.findMany({ where: { id: { in: ready.map(({ call }) => call.challenge_id) } } });
  dns.set(`_footfall-challenge.${agent.domain}`, { TXT: all.map(({ value }) => value) });
  const calls = ready.flatMap(({ call }) => Array.from({ length: 5 }, () => callIdentity("recoveries", call)));
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status } of answers) expect([201, 403, 422, 429]).toContain(status);
  expect(await liveClients(agent)).toBe(1);
});

test("the lost response of a recovery is returned again for its idempotency key", async () => {
  const agent = await registerAgent(dns, { scopes: SCOPES });
  const { call } = await readyToRecover(agent);
  const key = freshKey();
  const first = await callIdentity("recoveries", call, { key });
  const again = await callIdentity("recoveries", call, { key });
  expect([again.status, JSON.stringify(again.body.data)]).toEqual([201, JSON.stringify(first.body.data)]);
});

test("a crash at any statement of a recovery leaves the old client or the new one, never both or none", async () => {
  let statements = 0;
  for (let n = 1; ; n++) {
    const agent = await registerAgent(dns, { scopes: SCOPES });
    const { newKey, call } = await readyToRecover(agent);
    const key = freshKey();
    const { answer: first, crashed } = await crashAt(n, () => callIdentity("recoveries", call, { key }));
    if (!crashed) break;
    statements = n;
    expect([201, 503], `statement ${n}`).toContain(first.status);
    expect(await liveClients(agent), `statement ${n}`).toBe(1);
    const again = await retried(() => callIdentity("recoveries", call, { key }));
    expect([again.status, await liveClients(agent), await keyIs(agent, newKey), n]).toEqual([201, 1, true, n]);
  }
  expect(statements).toBeGreaterThan(10);
});
