import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sweepExpired } from "@/lib/jobs/sweep";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { callIdentity, freshDomain, freshKey } from "@/lib/testing/agents";
import { makeAgent } from "@/lib/testing/oauth";
import { makePerson, makeSite } from "@/lib/testing/world";

// A past date, so that rows of other tests are not expired.
const NOW = new Date("2001-02-01T00:00:00Z");
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const bytes = () => new Uint8Array(randomBytes(32));

const record = (answerUntil: Date, expiresAt: Date) => ({
  scope: `test:${randomUUID()}`,
  keyHash: bytes(),
  fingerprint: bytes(),
  operation: "test",
  status: 201,
  answer: bytes(),
  answerUntil,
  createdAt: NOW,
  expiresAt,
});

test("a confidential answer is deleted after a day, while its key stays reserved", async () => {
  const today = new Date(Date.now() + 3600_000);
  const [old, fresh] = [record(before(1), today), record(today, today)];
  await db().idempotencyRecord.createMany({ data: [old, fresh] });
  await sweepExpired(NOW);
  const kept = (scope: string) => db().idempotencyRecord.findFirstOrThrow({ where: { scope } });
  expect([(await kept(old.scope)).answer, (await kept(old.scope)).status]).toEqual([null, 201]);
  expect((await kept(fresh.scope)).answer).not.toBeNull();
});

test("challenges are deleted a day after they expired", async () => {
  const make = (now: Date) =>
    callIdentity("challenges", { domain: freshDomain(), method: "dns", recovery_key: freshKey() }, { now });
  const [old, fresh] = [await make(before(2)), await make(new Date())];
  await sweepExpired(NOW);
  const known = (answer: typeof old) => db().challenge.count({ where: { id: answer.body.data.challenge_id } });
  expect([await known(old), await known(fresh)]).toEqual([0, 1]);
});

test("clients without a consent after 30 days are deleted, unless a device code is pending", async () => {
  const expiresAt = new Date(Date.now() + 600_000);
  const device = { hash: bytes(), userCodeHash: bytes(), scopes: [], interval: 5, createdAt: NOW, expiresAt };
  const make = (createdAt: Date, more: object = {}) => {
    const id = `ffc_${randomUUID()}`;
    const client = { id, kind: "delegated", name: "Reporter", secretHash: bytes(), createdAt, ...more } as const;
    return db().client.create({ data: client });
  };
  const old = await make(before(31));
  const withPendingCode = await make(before(31), { devices: { create: device } });
  const approved = await make(before(31), { ownerId: await makePerson() });
  const fresh = await make(new Date());
  await sweepExpired(NOW);
  const left = await db().client.findMany({
    where: { id: { in: [old.id, withPendingCode.id, approved.id, fresh.id] } },
  });
  expect(left.map(({ id }) => id).sort()).toEqual([withPendingCode.id, approved.id, fresh.id].sort());
});

test("registrations that nobody has connected are deleted after a week", async () => {
  const make = async (createdAt: Date, more: object = {}) => {
    const id = `ffp_${randomUUID()}`;
    await db().assistant.create({
      data: { id, name: "Helper", redirectUris: [], createdAt, readAt: createdAt, ...more },
    });
    return id;
  };
  const client = { id: `ffc_${randomUUID()}`, kind: "delegated", name: "Helper", secretHash: bytes() } as const;
  const old = await make(before(8));
  const connected = await make(before(8), { clients: { create: { ...client, ownerId: await makePerson() } } });
  const fresh = await make(before(6));
  await sweepExpired(NOW);
  const left = await db().assistant.findMany({ where: { id: { in: [old, connected, fresh] } } });
  expect(left.map(({ id }) => id).sort()).toEqual([connected, fresh].sort());
});

/** Creates a row that expires at the given time. @returns a function that counts it. */
const kinds: Record<string, { keptDays?: number; make(ends: Date): Promise<() => Promise<number>> }> = {
  "a session": {
    async make(expiresAt) {
      const sidHash = bytes();
      await db().ownerSession.create({ data: { sidHash, personId: await makePerson(), expiresAt } });
      return () => db().ownerSession.count({ where: { sidHash } });
    },
  },
  "a password reset link": {
    async make(expiresAt) {
      const hash = bytes();
      await db().passwordReset.create({ data: { hash, personId: await makePerson(), createdAt: NOW, expiresAt } });
      return () => db().passwordReset.count({ where: { hash } });
    },
  },
  "a pending sign-up": {
    async make(expiresAt) {
      const hash = bytes();
      const about = { email: "someone@example.com", next: "/sites", createdAt: NOW };
      await db().pendingSignup.create({ data: { hash, ...about, expiresAt } });
      return () => db().pendingSignup.count({ where: { hash } });
    },
  },
  "an invitation": {
    async make(expiresAt) {
      const { id: siteId, ownerId: invitedById } = await makeSite();
      const about = { hash: bytes(), email: "someone@example.com", role: "viewer", createdAt: NOW } as const;
      await db().invitation.create({ data: { ...about, siteId, invitedById, expiresAt } });
      return () => db().invitation.count({ where: { siteId } });
    },
  },
  "an access token": {
    async make(expiresAt) {
      const [hash, { id: clientId }] = [bytes(), await makeAgent({ kind: "machine", scopes: [] })];
      const about = { issuer: "x", audience: "x", scopes: [], issuedAt: NOW };
      await db().accessToken.create({ data: { hash, clientId, ...about, expiresAt } });
      return () => db().accessToken.count({ where: { hash } });
    },
  },
  "a refresh token family": {
    async make(familyExpiresAt) {
      const [hash, { id: clientId }] = [bytes(), await makeAgent({ kind: "machine", scopes: [] })];
      // Used and expired: it stays for the lifetime of its family, to detect reuse.
      const about = { issuer: "x", audience: "x", scopes: [], issuedAt: NOW, usedAt: NOW, expiresAt: before(40) };
      const family = { familyId: randomUUID(), ownerId: await makePerson(), familyExpiresAt };
      await db().refreshToken.create({ data: { hash, clientId, ...about, ...family } });
      return () => db().refreshToken.count({ where: { hash } });
    },
  },
  "an authorization code": {
    keptDays: 1,
    async make(expiresAt) {
      const [hash, { id: clientId }] = [bytes(), await makeAgent({ kind: "delegated", scopes: [] })];
      const about = { personId: await makePerson(), redirectUri: "", resource: "", codeChallenge: "", scopes: [] };
      await db().authorizationCode.create({ data: { hash, clientId, ...about, createdAt: NOW, expiresAt } });
      return () => db().authorizationCode.count({ where: { hash } });
    },
  },
  "a device code": {
    keptDays: 1,
    async make(expiresAt) {
      const [hash, { id: clientId }] = [bytes(), await makeAgent({ kind: "delegated", scopes: [] })];
      const about = { userCodeHash: bytes(), scopes: [], interval: 5, createdAt: NOW };
      await db().deviceCode.create({ data: { hash, clientId, ...about, expiresAt } });
      return () => db().deviceCode.count({ where: { hash } });
    },
  },
  "an approval request": {
    keptDays: 90,
    async make(expiresAt) {
      const [id, { id: clientId }] = [randomUUID(), await makeAgent({ kind: "machine", scopes: [] })];
      const about = { operation: "sites.delete", risk: "destructive", bindingCode: "BCD-123", document: {}, lines: [] };
      const asked = { payloadHash: bytes(), requestedAt: NOW, expiresAt };
      await db().approval.create({ data: { id, clientId, ...about, ...asked } });
      return () => db().approval.count({ where: { id } });
    },
  },
  "a rate count": {
    async make(resetsAt) {
      const key = `test:${randomUUID()}`;
      await db().rateCount.create({ data: { key, hits: 1, resetsAt } });
      return () => db().rateCount.count({ where: { key } });
    },
  },
};

for (const [kind, { keptDays = 0, make }] of Object.entries(kinds)) {
  const when = keptDays > 0 ? `${keptDays} days after it expired` : "once it has expired";
  test(`${kind} is deleted ${when}, and an active one stays`, async () => {
    const just = new Date(before(keptDays).getTime() - 1);
    const [over, kept, alive] = [await make(just), await make(before(keptDays)), await make(new Date())];
    await sweepExpired(NOW);
    expect([await over(), await kept(), await alive()]).toEqual([0, 1, 1]);
  });
}
