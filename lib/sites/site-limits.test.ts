import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import type { Role } from "@/lib/contract/access";
import type { Owner } from "@/lib/contract/define";
import { takeOver } from "@/lib/identity/take-over";
import { db } from "@/lib/platform/db";
import { setEnv } from "@/lib/platform/env";
import { assignDomain } from "@/lib/sites/owned-domains";
import { call, faults, refused } from "@/lib/testing/calls";
import { EMAIL_TIME, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner, signedIn } from "@/lib/testing/owners";
import { callApi, makeClient, makePerson, makeSite, TEST_SECRETS } from "@/lib/testing/world";

/** Limits on sites per account and domains per site, in every operation. This file uses small limits. */

const SITES = 3;
const DOMAINS = 4;
setEnv({
  NODE_ENV: "test",
  DATABASE_URL: inject("databaseUrl"),
  APP_SECRETS: TEST_SECRETS,
  SITES_PER_ACCOUNT: `${SITES}`,
  DOMAINS_PER_SITE: `${DOMAINS}`,
});

const now = EMAIL_TIME;
const freshHost = () => `${randomUUID()}.example`;
const newSite = () => ({ domain: freshHost(), timezone: "UTC", public: false });
const TOO_MANY = { code: "invalid_input", status: 422, message: expect.stringContaining("at most 3 sites") };

const own = (personId: number, siteId: number, role: Role = "owner") =>
  db().membership.create({ data: { siteId, personId, role } });
const ownedBy = (personId: number) => db().membership.count({ where: { personId, role: "owner" } });

/** A person at the limit of owned sites. */
async function fullOwner(): Promise<Owner> {
  const owner = await newOwner(now);
  for (let n = 0; n < SITES; n++) await own(owner.personId, (await makeSite()).id);
  return owner;
}

test("ten concurrent creations by a person never exceed the limit of sites", async () => {
  const personId = await makePerson();
  const tries = await Promise.all(
    Array.from({ length: 10 }, () => refused(call(personId, "sites.create", newSite(), now))),
  );
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(SITES);
  for (const refusal of tries.filter(Boolean)) expect(refusal).toMatchObject(TOO_MANY);
  expect(await ownedBy(personId)).toBe(SITES);
});

test("the agents of a person and the person share one limit", async () => {
  const personId = await makePerson();
  const agents = await Promise.all([1, 2].map(() => makeClient({ scopes: ["sites:create"], personId, now })));
  const byAgents = agents.flatMap(({ token }) =>
    [1, 2, 3].map(() => callApi("sites.create", { token, input: newSite(), now })),
  );
  const answers = await Promise.all(byAgents);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(SITES);
  const refusal = answers.find(({ status }) => status !== 200);
  expect([refusal?.status, refusal?.body.error.code]).toEqual([422, "invalid_input"]);
  expect(refusal?.body.error.message).toContain("Delete or transfer a site");
  expect(await refused(call(personId, "sites.create", newSite(), now))).toMatchObject(TOO_MANY);
});

test("a machine account without a person has the same limit, also with concurrent requests", async () => {
  const { id } = await db().machineAccount.create({
    data: { id: `acc_${randomUUID()}`, domain: freshHost(), recoveryHash: new Uint8Array(32), createdAt: now },
  });
  const machine = await makeClient({ scopes: ["sites:create", "account:read"], now });
  await db().client.update({ where: { id: machine.id }, data: { accountId: id } });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => callApi("sites.create", { token: machine.token, input: newSite(), now })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(SITES);
  const { body } = await callApi("account.capabilities", { token: machine.token, now });
  expect(body.data.limits).toMatchObject({ sites: { limit: SITES, used: SITES }, domains_per_site: DOMAINS });
});

test("deleting a site allows a new one", async () => {
  const owner = await fullOwner();
  const [first] = await db().membership.findMany({ where: { personId: owner.personId } });
  await call(owner.personId, "sites.delete", { site_id: first?.siteId }, now);
  expect(await refused(call(owner.personId, "sites.create", newSite(), now))).toBeNull();
});

test("sites on which a person is a manager or a viewer do not count", async () => {
  const personId = await makePerson();
  for (const role of ["manager", "viewer", "manager", "viewer"] as const)
    await own(personId, (await makeSite()).id, role);
  expect(await refused(call(personId, "sites.create", newSite(), now))).toBeNull();
});

test("ownership cannot be transferred to a member at the limit, and no approval is requested", async () => {
  const site = await makeSite();
  const { personId } = await fullOwner();
  await own(personId, site.id, "viewer");
  const input = { site_id: site.id, new_owner_id: personId };
  expect(await faults(call(site.ownerId, "sites.ownership.transfer", input, now))).toEqual([
    expect.stringMatching(/^new_owner_id: already owns 3 sites, the limit per account; choose someone else/),
  ]);
  const agent = await makeClient({ scopes: ["teams:write"], sites: [site], personId: site.ownerId, now });
  expect((await callApi("sites.ownership.transfer", { token: agent.token, input, now })).status).toBe(422);
  expect(await db().approval.count({ where: { clientId: agent.id } })).toBe(0);
});

test("a member at the limit cannot be made an owner of another site", async () => {
  const [ann, ben] = [await newOwner(now), await fullOwner()];
  const site = await makeSite();
  await own(ann.personId, site.id);
  await own(ben.personId, site.id, "manager");
  const change = { site_id: site.id, person_id: ben.personId, role: "owner" };
  const { status, body } = await doAction(ann, "sites.members.update", change, now);
  expect([status, body.error.details.issues[0].path]).toEqual([422, "person_id"]);
  expect(await ownedBy(ben.personId)).toBe(SITES);
});

test("an invitation as owner cannot be accepted at the limit, but can be accepted later", async () => {
  const [ann, ben] = [await newOwner(now), await fullOwner()];
  const site = await makeSite();
  await own(ann.personId, site.id);
  await doAction(ann, "sites.members.invite", { site_id: site.id, email: ben.email, role: "owner" }, now);
  const email = (await emailsTo(ben.email)).find(({ text }) => text.includes("/invite/"));
  const invitation = /\/invite\/([\w-]{43})\n/.exec(email?.text ?? "")?.[1];
  const accept = () => doAction(ben, "invitations.accept", { invitation }, now);
  const { status, body } = await accept();
  expect([status, body.error]).toMatchObject([422, { code: "invalid_input", message: TOO_MANY.message }]);
  await db().membership.deleteMany({ where: { personId: ben.personId, siteId: { not: site.id } } });
  expect((await accept()).status).toBe(200);
});

test("a person without room for an agent's sites cannot take over the agent, and nothing changes", async () => {
  const ben = await fullOwner();
  const site = await makeSite();
  await db().membership.deleteMany({ where: { siteId: site.id } });
  const { id } = await db().machineAccount.create({
    data: { id: `acc_${randomUUID()}`, domain: site.host, recoveryHash: new Uint8Array(32), createdAt: now },
  });
  const machine = await makeClient({ scopes: ["sites:read"], sites: [site], now });
  await db().client.update({ where: { id: machine.id }, data: { accountId: id } });
  const challenge = await db().challenge.create({
    data: {
      id: `chl_${randomUUID()}`,
      purpose: "claim",
      domain: site.host,
      method: "dns",
      value: "v",
      token: "t",
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    },
  });
  const person = { id: ben.personId, email: ben.email, sid: (await signedIn(ben.personId, now)).sid };
  const proof = { challenges: [challenge], hasKey: false };
  const claim = { ...proof, accountId: id, domain: site.host, agent: "A", person, requestId: "test" };
  expect(await refused(takeOver(claim, now))).toMatchObject(TOO_MANY);
  expect((await db().machineAccount.findUniqueOrThrow({ where: { id } })).ownerId).toBeNull();
  expect(await ownedBy(ben.personId)).toBe(SITES);
});

test("ten concurrent additions never exceed the limit of domains", async () => {
  const site = await makeSite();
  const add = (domain: string) => call(site.ownerId, "sites.domains.add", { site_id: site.id, domain }, now);
  const tries = await Promise.all(Array.from({ length: 10 }, () => refused(add(freshHost()))));
  expect(tries.filter((refusal) => refusal === null)).toHaveLength(DOMAINS - 1);
  expect(tries.find(Boolean)).toMatchObject({ code: "invalid_input", status: 422 });
  expect(await faults(add(freshHost()))).toEqual([
    expect.stringContaining("domain: exceeds the limit of 4 domains per site"),
  ]);
  expect(await db().siteDomain.count({ where: { siteId: site.id } })).toBe(DOMAINS);
  // Adding a domain that the site already has still succeeds.
  expect(await refused(add(site.host))).toBeNull();
});

test("a domain that moves to a site by verification counts against its limit too", async () => {
  const site = await makeSite();
  for (let n = 1; n < DOMAINS; n++) await assignDomain(db(), site.id, freshHost(), { isPrimary: false });
  const move = db().$transaction((tx) => assignDomain(tx, site.id, freshHost(), { isPrimary: false, provedAt: now }));
  expect((await refused(move))?.code).toBe("invalid_input");
});

test("the sites of a team count towards the limit of each of its owners, of now and to come", async () => {
  const [ann, ben] = [await newOwner(now), await fullOwner()];
  const { team_id } = (await call(ann.personId, "teams.create", { name: "Acme" }, now)) as { team_id: number };
  const { id: site_id } = await makeSite();
  await own(ann.personId, site_id);
  await call(ann.personId, "sites.team.set", { site_id, team_id }, now);
  const member = { teamId: team_id, personId: ben.personId, createdAt: now };
  await db().teamMember.create({ data: { ...member, role: "viewer" } });
  const promote = { team_id, person_id: ben.personId, role: "owner" };
  expect(await faults(call(ann.personId, "teams.members.update", promote, now))).toEqual([
    expect.stringMatching(/^person_id: already owns 3 sites/),
  ]);
  await db().teamMember.updateMany({ where: member, data: { role: "owner" } });
  const another = (await makeSite()).id;
  await own(ann.personId, another);
  expect(await faults(call(ann.personId, "sites.team.set", { site_id: another, team_id }, now))).toEqual([
    expect.stringMatching(/^team_id: must be a team whose owners have room/),
  ]);
});
