import { randomUUID } from "node:crypto";
import { test as concurrent, expect } from "vitest";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { lookAgain } from "@/lib/sites/contested-domains";
import { publicationOf } from "@/lib/sites/verification";
import { callIdentity, codeOf, freshKey, provenChallenge } from "@/lib/testing/agents";
import { call, refused } from "@/lib/testing/calls";
import { databaseForTests } from "@/lib/testing/database";
import { EMAIL_TIME, emailsOf, emailsTo } from "@/lib/testing/emails";
import { dnsForTests } from "@/lib/testing/internet";
import { holderOf, verifyDomains } from "@/lib/testing/verified-domains";
import { makeSite, send, type TestSite } from "@/lib/testing/world";

/** A verified domain is verified again when someone else proves it, and moves once its proof is gone for a week. */

// The job looks at all contested domains, so these tests have their own database and run one after the other.
databaseForTests();
const test = concurrent.sequential;
const dns = dnsForTests();

const at = (days: number) => new Date(EMAIL_TIME.getTime() + days * DAY_MS);

const recordName = (host: string) => `_footfall-challenge.${host}`;
const proofOf = (site: { id: number }, host: string) => publicationOf(site.id, host).value;
const publish = (host: string, ...sites: { id: number }[]) =>
  dns.set(recordName(host), { TXT: sites.map((site) => proofOf(site, host)) });
const rowOf = async (site: TestSite, host: string, now: Date) =>
  (await verifyDomains(site, now)).domains.find(({ domain }) => domain === host);
const detailsOf = (siteId: number) =>
  db()
    .audit.findMany({ where: { siteId }, orderBy: { id: "asc" } })
    .then((rows) => rows.map(({ detail }) => detail));

/** Runs the job until that day, several times a day. */
async function lookUntil(from: number, to: number) {
  for (let hours = from * 24; hours <= to * 24; hours += 8) await lookAgain(at(hours / 24));
}

/** A site that has verified its domain by DNS, and another one that wants it. */
async function contested() {
  const [old, buyer] = [await makeSite(), await makeSite()];
  const { host } = old;
  publish(host, old);
  await verifyDomains(old, at(-30));
  const refusal = await refused(call(buyer.ownerId, "sites.domains.add", { site_id: buyer.id, domain: host }));
  expect(refusal).toMatchObject({ code: "domain_taken", details: { prove: { value: proofOf(buyer, host) } } });
  return { old, buyer, host };
}

test("while the proof of its site is published, a verified domain stays there, whoever else proves it, for however long", async () => {
  const { old, buyer, host } = await contested();
  publish(host, old, buyer);
  for (const day of [0, 8, 16]) {
    expect(await rowOf(buyer, host, at(day))).toMatchObject({
      standing: "taken",
      moves_at: null,
      about: expect.stringContaining("proof is still published"),
    });
  }
  expect(await holderOf(host)).toBe(old.id);
  expect(await emailsOf(old.ownerId)).toEqual([]);
});

test("a verified domain whose proof has been missing for seven days moves to a site that proves it; both are told, in audit and by email", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  expect(await rowOf(buyer, host, at(0))).toMatchObject({
    standing: "taken",
    moves_at: at(7).toISOString(),
    about: expect.stringContaining(`after ${at(7).toISOString()}, verify the domain again`),
  });
  const [warning] = await emailsOf(old.ownerId);
  expect(warning?.text).toContain(proofOf(old, host));
  await lookUntil(0, 7);
  expect(await rowOf(buyer, host, new Date(at(7).getTime() - 1))).toMatchObject({ standing: "taken" });
  expect(await rowOf(buyer, host, at(7))).toMatchObject({ standing: "proven", moves_at: null });
  expect(await holderOf(host)).toBe(buyer.id);
  expect((await emailsOf(old.ownerId)).length).toBe(2);
  expect((await emailsOf(buyer.ownerId)).map(({ subject }) => subject)).toEqual([`${host} has moved to your site`]);
  expect(await detailsOf(old.id)).toContainEqual({ lost_domain: host });
  expect(await detailsOf(buyer.id)).toContainEqual({ gained_domain: host });
  expect(await db().domainContest.count({ where: { host } })).toBe(0);
});

test("a site that loses its only domain is named after its past, and stays with its owner", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  await lookUntil(0, 7);
  await verifyDomains(buyer, at(7));
  const settings = await call(old.ownerId, "sites.settings.get", { site_id: old.id });
  expect([settings.name, settings.domain, settings.domains]).toEqual([
    `${host} until ${at(7).toISOString().slice(0, 10)}`,
    "",
    [],
  ]);
});

test("events of a moved domain are stored in the new site, and the past ones stay in the old site", async () => {
  const { old, buyer, host } = await contested();
  const now = new Date();
  const alias = `${randomUUID()}.example`;
  await call(old.ownerId, "sites.domains.add", { site_id: old.id, domain: alias });
  await send({ host: alias }, "/past", { at: now });
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  await lookUntil(0, 7);
  await verifyDomains(buyer, at(7));
  await send({ host }, "/moved", { at: now });
  const pagesOf = async (site: TestSite) => {
    const input = { site_id: site.id, metrics: "pageviews", dimensions: "page", period: "today" };
    const { rows } = await call(site.ownerId, "analytics.explore", input, now);
    return JSON.stringify(rows);
  };
  const [past, moved] = [await pagesOf(old), await pagesOf(buyer)];
  expect([past.includes("/past"), past.includes("/moved")]).toEqual([true, false]);
  expect([moved.includes("/past"), moved.includes("/moved")]).toEqual([false, true]);
});

test("a proof that is found once in between starts the seven days again", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  await lookUntil(0, 4);
  publish(host, old, buyer);
  await lookAgain(at(4.5));
  expect(await db().domainContest.count({ where: { host } })).toBe(0);
  publish(host, buyer);
  expect(await rowOf(buyer, host, at(5))).toMatchObject({ moves_at: at(12).toISOString() });
  await lookUntil(5, 8);
  expect(await rowOf(buyer, host, at(8))).toMatchObject({ standing: "taken" });
  expect(await holderOf(host)).toBe(old.id);
});

test("two looks with a week between them do not show that a proof was missing all the time", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  expect(await rowOf(buyer, host, at(7))).toMatchObject({ standing: "taken", moves_at: at(14).toISOString() });
  expect(await holderOf(host)).toBe(old.id);
});

test("failing name servers neither start nor continue the seven days", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  dns.set(recordName(host), "servfail");
  await lookUntil(1, 7);
  publish(host, buyer);
  expect(await rowOf(buyer, host, at(7))).toMatchObject({ standing: "taken", moves_at: at(14).toISOString() });
  expect(await holderOf(host)).toBe(old.id);
});

test("the owner sees a contested domain, and publishing the proof again keeps it", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  expect(await rowOf(old, host, at(1))).toMatchObject({ standing: "contested", moves_at: at(7).toISOString() });
  publish(host, old, buyer);
  expect(await rowOf(old, host, at(2))).toMatchObject({ standing: "proven", moves_at: null });
  expect(await holderOf(host)).toBe(old.id);
});

test("without a fresh proof of their own nobody gets a domain whose proof is missing", async () => {
  const { old, buyer, host } = await contested();
  publish(host, buyer);
  await verifyDomains(buyer, at(0));
  await lookUntil(0, 7);
  dns.set(recordName(host), { TXT: [] });
  expect(await rowOf(buyer, host, at(7))).toMatchObject({ standing: "taken" });
  expect(await holderOf(host)).toBe(old.id);
  await lookAgain(at(31));
  expect(await db().domainContest.count({ where: { host } })).toBe(0);
});

test("a registering agent is told when to try again, and gets the domain of a former owner after seven days", async () => {
  const old = await makeSite();
  const { host: domain } = old;
  publish(domain, old);
  await verifyDomains(old, at(-30));
  const register = async (now: Date) => {
    const recovery_key = freshKey();
    const challenge_id = await provenChallenge(dns, { domain, recovery_key }, now);
    return callIdentity("registrations", { challenge_id, scopes: ["sites:read"], recovery_key }, { now });
  };
  const first = await register(at(0));
  expect(codeOf(first)).toEqual([422, "domain_taken"]);
  expect(first.body.error.details).toMatchObject({
    issues: [{ path: "challenge_id" }],
    contest: { proof: "missing", missing_since: at(0).toISOString(), moves_at: at(7).toISOString() },
  });
  expect(await db().machineAccount.count({ where: { domain } })).toBe(0);
  await lookUntil(0, 7);
  const again = await register(at(7));
  expect(again.status).toBe(201);
  expect(await holderOf(domain)).toBe(again.body.data.site_ids[0]);
});

test("the published value of a registration still counts as the proof of its site, and its contact address is told when it is gone", async () => {
  const domain = `${randomUUID()}.example`;
  const contact_email = `${randomUUID()}@example.com`;
  const recovery_key = freshKey();
  const asked = await callIdentity(
    "challenges",
    { domain, method: "dns", recovery_key, contact_email },
    { now: at(0) },
  );
  const { challenge_id, value } = asked.body.data;
  dns.set(recordName(domain), { TXT: [value] });
  const registration = { challenge_id, scopes: ["sites:read"], recovery_key };
  const agent = await callIdentity("registrations", registration, { now: at(0) });
  const buyer = await makeSite();
  await refused(call(buyer.ownerId, "sites.domains.add", { site_id: buyer.id, domain }));
  dns.set(recordName(domain), { TXT: [value, proofOf(buyer, domain)] });
  expect((await rowOf(buyer, domain, at(1)))?.about).toContain("proof is still published");
  expect(await emailsTo(contact_email)).toEqual([]);
  publish(domain, buyer);
  expect(await rowOf(buyer, domain, at(2))).toMatchObject({ moves_at: at(9).toISOString() });
  expect(await emailsTo(contact_email)).toHaveLength(1);
  expect(await holderOf(domain)).toBe(agent.body.data.site_ids[0]);
});
