import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { CHALLENGES_OF_A_DOMAIN } from "@/lib/platform/limits";
import { digest } from "@/lib/platform/secrets";
import { callIdentity, freshDomain, freshKey, registerAgent } from "@/lib/testing/agents";
import { dnsForTests } from "@/lib/testing/internet";

const dns = dnsForTests();
const task = (more: object = {}) => ({ domain: freshDomain(), method: "dns", recovery_key: freshKey(), ...more });

async function faultOf(body: object): Promise<string> {
  const answer = await callIdentity("challenges", body);
  expect(answer.status).toBe(422);
  return answer.body.error.message;
}

test("a challenge contains what to publish and where, and expires after 30 minutes", async () => {
  const [body, now] = [task(), new Date()];
  const { data } = (await callIdentity("challenges", body, { now })).body;
  expect(data).toEqual({
    challenge_id: expect.stringMatching(/^chl_[\w-]{24}$/),
    purpose: "register",
    domain: body.domain,
    method: "dns",
    value: expect.stringMatching(/^footfall-verify=[\w-]{43}$/),
    dns_name: `_footfall-challenge.${body.domain}`,
    https_url: expect.stringMatching(
      new RegExp(`^https://${body.domain}/\\.well-known/footfall-challenge/[\\w-]{43}$`),
    ),
    expires_at: new Date(now.getTime() + 30 * 60_000).toISOString(),
  });
});

test("every challenge has its own value, and only the digest of the recovery key is stored", async () => {
  const body = task();
  const [one, two] = [await callIdentity("challenges", body), await callIdentity("challenges", body)];
  expect(one.body.data.value).not.toBe(two.body.data.value);
  const stored = await db().challenge.findUniqueOrThrow({ where: { id: one.body.data.challenge_id } });
  expect(Buffer.from(stored.recoveryHash ?? []).equals(digest(body.recovery_key))).toBe(true);
  expect(one.text).not.toContain(body.recovery_key);
});

test("domains are normalised", async () => {
  const domain = freshDomain();
  const { data } = (await callIdentity("challenges", task({ domain: `https://WWW.${domain.toUpperCase()}./about` })))
    .body;
  expect([data.domain, data.dns_name]).toEqual([domain, `_footfall-challenge.${domain}`]);
});

test("special-use names, IP addresses, public suffixes and names too long for a TXT record are refused with a reason", async () => {
  for (const last of ["local", "internal", "test", "invalid", "onion", "arpa", "localhost", "home.arpa"]) {
    expect(await faultOf(task({ domain: `shop.${last}` }))).toMatch(/^domain ends in \.[a-z]+, which is reserved/);
  }
  expect(await faultOf(task({ domain: "localhost" }))).toContain("only one part");
  for (const address of ["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "１２７.０.０.１"]) {
    expect(await faultOf(task({ domain: address })), address).toContain("is an IP address");
  }
  expect(await faultOf(task({ domain: "github.io" }))).toContain("public suffix");
  const labels = (length: number) =>
    `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 191)}.example`;
  expect(labels(233)).toHaveLength(233);
  expect((await callIdentity("challenges", task({ domain: labels(233) }))).status).toBe(201);
  expect(await faultOf(task({ domain: labels(234) }))).toContain("too long");
});

test("client_id is only allowed with recover, and deceptive names are refused", async () => {
  expect(await faultOf(task({ client_id: "ffc_any" }))).toContain("client_id is only allowed with purpose recover");
  for (const name of ["", "x".repeat(101), "a\u202eb", "a\nb"]) {
    expect(await faultOf(task({ name }))).toMatch(/^name /);
  }
  expect(await faultOf(task({ contact_email: "nobody" }))).toMatch(/^contact_email /);
  expect(await faultOf(task({ recovery_key: freshKey().toUpperCase() }))).toMatch(/^recovery_key /);
});

test("a challenge reserves and reveals nothing: known and unknown domains and clients get the same response", async () => {
  const agent = await registerAgent(dns, { scopes: ["sites:read"] });
  const known = await callIdentity("challenges", task({ domain: agent.domain }));
  const recover = { purpose: "recover", domain: agent.domain, client_id: agent.clientId };
  const mine = await callIdentity("challenges", task(recover));
  const foreign = await callIdentity(
    "challenges",
    task({ ...recover, domain: freshDomain(), client_id: "ffc_nobody" }),
  );
  for (const answer of [known, mine, foreign]) expect(answer.status).toBe(201);
  expect(Object.keys(mine.body.data)).toEqual(Object.keys(foreign.body.data));
  const sites = await db().siteDomain.count({ where: { host: foreign.body.data.domain } });
  expect([sites, await db().machineAccount.count({ where: { domain: foreign.body.data.domain } })]).toEqual([0, 0]);
});

test("an address gets 20 challenges an hour per domain and does not use up other addresses' limit", async () => {
  const [domain, address, now] = [freshDomain(), randomUUID(), new Date()];
  for (let call = 0; call < CHALLENGES_OF_A_DOMAIN.limit; call++) {
    expect((await callIdentity("challenges", task({ domain }), { now, address })).status).toBe(201);
  }
  const refused = await callIdentity("challenges", task({ domain }), { now, address });
  expect((await callIdentity("challenges", task({ domain }), { now })).status).toBe(201);
  expect([refused.status, refused.body.error.code, refused.headers["retry-after"]]).toEqual([
    429,
    "rate_limited",
    "3600",
  ]);
});
