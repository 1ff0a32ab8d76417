import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { unlink } from "@/lib/email/links";
import { db } from "@/lib/platform/db";
import { MINUTE_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { PROOF_TRIES, WRONG_KEYS } from "@/lib/platform/limits";
import { digest } from "@/lib/platform/secrets";
import { createSite } from "@/lib/sites/create";
import { callIdentity, codeOf, freshDomain, freshKey, provenChallenge, registerAgent } from "@/lib/testing/agents";
import { EMAIL_TIME, emailsOf } from "@/lib/testing/emails";
import { crashAt, retried } from "@/lib/testing/faults";
import { startHttps, testAuthority } from "@/lib/testing/https";
import { dnsForTests } from "@/lib/testing/internet";
import { callApi, makePerson } from "@/lib/testing/world";

const dns = dnsForTests();
const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** Publishes a domain's proof, and returns the call that completes its registration. */
async function readyToRegister(options: { domain?: string; name?: string; now?: Date } = {}) {
  const { domain = freshDomain(), now, ...more } = options;
  const recovery_key = freshKey();
  const challenge_id = await provenChallenge(dns, { domain, recovery_key, ...more }, now);
  return { domain, call: { challenge_id, scopes: ["sites:read", "analytics:read"], recovery_key } };
}

/** A challenge whose value is not published yet, and the registration with it. */
async function unproven(method: "dns" | "https", domain = freshDomain()) {
  const recovery_key = freshKey();
  const { data } = (await callIdentity("challenges", { domain, method, recovery_key })).body;
  return { domain, data, call: { challenge_id: data.challenge_id, scopes: ["sites:read"], recovery_key } };
}

const accountsOf = (domain: string) => db().machineAccount.count({ where: { domain } });

test("proof and recovery key together create an account, a confidential client and a private, verified site", async () => {
  const { domain, call } = await readyToRegister({ name: "Shop reporter" });
  const { status, body } = await callIdentity("registrations", call);
  const base = env().BASE_URL;
  expect(status).toBe(201);
  expect(body.data).toEqual({
    client_id: expect.stringMatching(/^ffc_[\w-]+$/),
    client_secret: expect.stringMatching(/^ffs_[\w-]{43}$/),
    scopes: call.scopes,
    site_ids: [expect.any(Number)],
    owner_id: null,
    resource: `${base}/api/v1/management`,
    oauth: {
      issuer: base,
      token_endpoint: `${base}/oauth/token`,
      revocation_endpoint: `${base}/oauth/revoke`,
      introspection_endpoint: `${base}/oauth/introspect`,
    },
  });
  const client = await db().client.findUniqueOrThrow({
    where: { id: body.data.client_id },
    include: { account: true, sites: { include: { site: { include: { domains: true, memberships: true } } } } },
  });
  expect(Buffer.from(client.secretHash).equals(digest(body.data.client_secret))).toBe(true);
  expect(client).toMatchObject({ kind: "machine", ownerId: null, grantedScopes: call.scopes, name: "Shop reporter" });
  expect(client.account).toMatchObject({ id: expect.stringMatching(/^acc_/), domain, name: "Shop reporter" });
  expect(Buffer.from(client.account?.recoveryHash ?? []).equals(digest(call.recovery_key))).toBe(true);
  expect(client.sites).toHaveLength(1);
  const site = client.sites[0]?.site;
  expect(site).toMatchObject({ name: "Shop reporter", timezone: "UTC", public: false, memberships: [] });
  expect(site?.domains).toEqual([
    expect.objectContaining({ host: domain, isPrimary: true, verifiedAt: expect.any(Date) }),
  ]);
  const audit = await db().audit.findMany({ where: { clientId: client.id }, orderBy: { id: "asc" } });
  expect(audit).toEqual([expect.objectContaining({ operation: "identity.registrations", siteId: site?.id })]);
});

test("the new client can use its site immediately", async () => {
  const agent = await registerAgent(dns, { scopes: ["sites:read"] });
  const { status, body } = await callApi("sites.settings.get", {
    token: agent.token,
    input: { site_id: agent.siteId },
  });
  expect([status, body.data.domain, body.data.public]).toEqual([200, agent.domain, false]);
});

test("without a published proof nothing is created, and the error contains the expected value and location", async () => {
  const { domain, data, call } = await unproven("dns");
  dns.set(data.dns_name, { TXT: ["footfall-verify=of-somebody-else"] });
  const { status, body } = await callIdentity("registrations", call);
  expect([status, body.error.code]).toEqual([422, "proof_not_verified"]);
  expect(body.error.details).toEqual({
    reason: "dns_no_match",
    temporary: false,
    method: "dns",
    looked_for: data.value,
    looked_at: data.dns_name,
  });
  expect(await accountsOf(domain)).toBe(0);
});

test("an unreadable HTTPS proof is refused with the URL that was checked", async () => {
  const { data, call } = await unproven("https");
  // The other method's proof does not count.
  dns.set(data.dns_name, { TXT: [data.value] });
  const { status, body } = await callIdentity("registrations", call);
  expect([status, body.error.details.reason, body.error.details.looked_at]).toEqual([
    422,
    "https_unreachable",
    data.https_url,
  ]);
});

test("an HTTPS proof registers too", async () => {
  const { domain, data, call } = await unproven("https", `${randomUUID()}.proof.example`);
  const server = await startHttps((_, response) => response.end(data.value));
  dns.set(domain, { A: ["127.0.0.1"] });
  const internet = { ca: testAuthority(), port: server.port, privateRanges: ["127.0.0.1"] };
  const { status } = await callIdentity("registrations", call, { internet });
  await server.stop();
  expect([status, server.requestedPaths]).toEqual([201, [new URL(data.https_url).pathname]]);
});

test("case 55: with the right proof and a wrong recovery key five responses are 403, the sixth 429; there is no account", async () => {
  const { domain, call } = await readyToRegister();
  const wrong = () => callIdentity("registrations", { ...call, recovery_key: freshKey() });
  for (let shown = 0; shown < WRONG_KEYS; shown++) expect(codeOf(await wrong())).toEqual([403, "recovery_key_wrong"]);
  const sixth = await wrong();
  expect(codeOf(sixth)).toEqual([429, "rate_limited"]);
  expect(Number(sixth.headers["retry-after"])).toBeGreaterThan(0);
  expect(codeOf(await callIdentity("registrations", call))).toEqual([429, "rate_limited"]);
  expect(await accountsOf(domain)).toBe(0);
});

test("parallel wrong keys are all counted", async () => {
  const { call } = await readyToRegister();
  const wrong = () => callIdentity("registrations", { ...call, recovery_key: freshKey() });
  const answers = await Promise.all(Array.from({ length: 12 }, wrong));
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(WRONG_KEYS);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(12 - WRONG_KEYS);
});

test("case 57: a proof that an attacker can see or publish is useless without the key", async () => {
  const { domain, call } = await readyToRegister();
  const stranger = freshKey();
  expect((await callIdentity("registrations", { ...call, recovery_key: stranger })).status).toBe(403);
  // The attacker's own challenge has another value, which is not published.
  const own = await callIdentity("challenges", { domain, method: "dns", recovery_key: stranger });
  const stolen = { ...call, challenge_id: own.body.data.challenge_id, recovery_key: stranger };
  expect(codeOf(await callIdentity("registrations", stolen))).toEqual([422, "proof_not_verified"]);
  expect(await accountsOf(domain)).toBe(0);
});

test("case 57: the value of another challenge proves nothing in the place of one's own, nor does a part of one's own", async () => {
  const { domain, data, call } = await unproven("dns");
  const other = await unproven("dns", domain);
  const values = [other.data.value, data.value.slice(0, -1), `${data.value}x`, data.value.toUpperCase(), ""];
  for (const value of values) {
    dns.set(data.dns_name, { TXT: [value] });
    expect(codeOf(await callIdentity("registrations", call)), value).toEqual([422, "proof_not_verified"]);
  }
  expect(await accountsOf(domain)).toBe(0);
  dns.set(data.dns_name, { TXT: [data.value] });
  expect((await callIdentity("registrations", call)).status).toBe(201);
});

test("case 56: a challenge works to the last moment before 30:00 and expires at 30:00", async () => {
  const now = new Date();
  const { domain, call } = await readyToRegister({ now });
  const late = await callIdentity("registrations", call, { now: later(now, 30 * MINUTE_MS) });
  expect([late.status, late.body.error?.details.issues[0]]).toEqual([
    422,
    { path: "challenge_id", message: expect.stringContaining("30 minutes") },
  ]);
  expect(await accountsOf(domain)).toBe(0);
  expect((await callIdentity("registrations", call, { now: later(now, 30 * MINUTE_MS - 1) })).status).toBe(201);
});

test("case 56: a challenge works once, for its own purpose, and an unknown one is refused", async () => {
  const { domain, call } = await readyToRegister();
  expect((await callIdentity("registrations", call)).status).toBe(201);
  const again = await callIdentity("registrations", call);
  expect([again.status, again.body.error.message]).toEqual([422, expect.stringContaining("was already used")]);
  const unknown = await callIdentity("registrations", { ...call, challenge_id: "chl_nobody" });
  expect([unknown.status, unknown.body.error.message]).toEqual([422, expect.stringContaining("is unknown")]);
  const recovery_key = freshKey();
  const challenge_id = await provenChallenge(dns, { domain, recovery_key, purpose: "recover" });
  const mixed = await callIdentity("registrations", { ...call, challenge_id, recovery_key });
  expect([mixed.status, mixed.body.error.message]).toEqual([422, expect.stringContaining("/recoveries")]);
  expect(await accountsOf(domain)).toBe(1);
});

test("a proof is checked at most ten times; failing name servers do not count", async () => {
  const { domain, data, call } = await unproven("dns");
  dns.set(data.dns_name, "servfail");
  const away = await callIdentity("registrations", call);
  expect([away.status, away.body.error.details.temporary]).toEqual([422, true]);
  dns.set(data.dns_name, { TXT: ["something else"] });
  for (let look = 0; look < PROOF_TRIES; look++) {
    expect(codeOf(await callIdentity("registrations", call))).toEqual([422, "proof_not_verified"]);
  }
  dns.set(data.dns_name, { TXT: [data.value] });
  const over = await callIdentity("registrations", call);
  expect([codeOf(over), Number(over.headers["retry-after"]) > 0]).toEqual([[429, "rate_limited"], true]);
  expect(await accountsOf(domain)).toBe(0);
});

test("twenty parallel registrations of one challenge create one account", async () => {
  const { domain, call } = await readyToRegister();
  const answers = await Promise.all(Array.from({ length: 20 }, () => callIdentity("registrations", call)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status } of answers) expect([201, 422, 429]).toContain(status);
  expect([await accountsOf(domain), await db().siteDomain.count({ where: { host: domain } })]).toEqual([1, 1]);
});

test("twenty parallel calls with one key are refused or get the same credentials", async () => {
  const { domain, call } = await readyToRegister();
  const key = freshKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => callIdentity("registrations", call, { key })));
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.client_id);
  expect(new Set(ids).size).toBe(1);
  for (const { status } of answers) expect([201, 409]).toContain(status);
  expect(await accountsOf(domain)).toBe(1);
});

test("case 60: a lost 201 is returned byte for byte for its key, although the challenge is used", async () => {
  const { call } = await readyToRegister();
  const [key, now] = [freshKey(), new Date()];
  const first = await callIdentity("registrations", call, { key, now });
  const again = await callIdentity("registrations", call, { key, now: later(now, 23 * 60 * MINUTE_MS) });
  expect(again.status).toBe(201);
  expect(JSON.stringify(again.body.data)).toBe(JSON.stringify(first.body.data));
  const other = await callIdentity("registrations", { ...call, scopes: ["sites:read"] }, { key, now });
  expect(codeOf(other)).toEqual([409, "idempotency_conflict"]);
  const late = await callIdentity("registrations", call, { key, now: later(now, 24 * 60 * MINUTE_MS) });
  expect(codeOf(late)).toEqual([409, "idempotency_conflict"]);
});

test("case 63: two agents race for one domain: each has its challenge and its key, and one of them gets it", async () => {
  const domain = freshDomain();
  const [one, two] = [await readyToRegister({ domain }), await readyToRegister({ domain })];
  // Both values are published, as two records of one name.
  const values = await db().challenge.findMany({
    where: { id: { in: [one.call.challenge_id, two.call.challenge_id] } },
  });
  dns.set(`_footfall-challenge.${domain}`, { TXT: values.map(({ value }) => value) });
  const answers = await Promise.all([one, two].map(({ call }) => callIdentity("registrations", call)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const lost = answers.find(({ status }) => status === 422);
  expect(lost?.body.error.code).toBe("domain_taken");
  expect(await accountsOf(domain)).toBe(1);
});

test("a second registration of a verified domain is domain_taken and leaves nothing behind", async () => {
  const { domain } = await registerAgent(dns, { scopes: ["sites:read"] });
  const { call } = await readyToRegister({ domain });
  expect(codeOf(await callIdentity("registrations", call))).toEqual([422, "domain_taken"]);
  const challenge = await db().challenge.findUniqueOrThrow({ where: { id: call.challenge_id } });
  expect([await accountsOf(domain), challenge.usedAt]).toEqual([1, null]);
});

/** A person's site with unverified domains. */
async function unprovenSite(...hosts: [string, ...string[]]) {
  const ownerId = await makePerson();
  const [host, ...others] = hosts;
  const creator = { kind: "owner", personId: ownerId } as const;
  const id = await createSite(db(), { host, name: null, timezone: "UTC", public: false, creator, now: new Date() });
  await db().siteDomain.createMany({ data: others.map((other) => ({ siteId: id, host: other })) });
  return { id, ownerId };
}

test("a site that never verified a domain loses it to who did: another becomes primary, and its owners are emailed", async () => {
  const [domain, second] = [freshDomain(), freshDomain()];
  const site = await unprovenSite(domain, second);
  const agent = await registerAgent(dns, { scopes: ["sites:read"], domain, now: EMAIL_TIME });
  const left = await db().site.findUniqueOrThrow({ where: { id: site.id }, include: { domains: true } });
  expect(left.domains.map(({ host, isPrimary }) => [host, isPrimary])).toEqual([[second, true]]);
  expect(left.revision).toBe(2);
  expect(await db().siteDomain.findUniqueOrThrow({ where: { host: domain } })).toMatchObject({
    siteId: agent.siteId,
    isPrimary: true,
  });
  const [email] = await emailsOf(site.ownerId);
  expect(email?.subject).toBe(`${unlink(domain)} has moved to another site`);
  const audit = await db().audit.findMany({ where: { siteId: site.id }, orderBy: { id: "asc" } });
  expect(audit).toEqual([expect.objectContaining({ clientId: agent.clientId, detail: { lost_domain: domain } })]);
});

test("a site that loses its only domain stays, with its data", async () => {
  const domain = freshDomain();
  const site = await unprovenSite(domain);
  await registerAgent(dns, { scopes: ["sites:read"], domain });
  const left = await db().site.findUniqueOrThrow({ where: { id: site.id }, include: { domains: true } });
  expect(left.domains).toEqual([]);
});

test("a crash at any statement of a registration leaves nothing half done, and a retry creates one account", {
  tags: "full",
}, async () => {
  let statements = 0;
  for (let n = 1; ; n++) {
    const { domain, call } = await readyToRegister();
    const key = freshKey();
    const { answer: first, crashed } = await crashAt(n, () => callIdentity("registrations", call, { key }));
    if (!crashed) break;
    statements = n;
    expect([201, 503], `statement ${n}`).toContain(first.status);
    if (first.status === 503) {
      const clients = await db().client.count({ where: { account: { domain } } });
      // Only if COMMIT itself failed may it have succeeded.
      expect([0, await accountsOf(domain)], `statement ${n}`).toContain(clients);
    }
    const again = await retried(() => callIdentity("registrations", call, { key, address: randomUUID() }));
    expect([again.status, n]).toEqual([201, n]);
    expect([await accountsOf(domain), await db().siteDomain.count({ where: { host: domain } }), n]).toEqual([1, 1, n]);
  }
  expect(statements).toBeGreaterThan(10);
});
