import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "@/lib/db";
import { sweepExpired } from "@/lib/server/sweep";
import { callIdentity, freshDomain, freshKey } from "@/lib/testing/agents";
import { makePerson } from "@/lib/testing/world";

// Long ago, so that no other test's things are over at this time; what must stay is of today.
const NOW = new Date("2001-02-01T00:00:00Z");
const before = (days: number) => new Date(NOW.getTime() - days * 24 * 3600_000);
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

test("a confidential answer is forgotten when its day is over, while its key stays spent", async () => {
  const today = new Date(Date.now() + 3600_000);
  const [old, fresh] = [record(before(1), today), record(today, today)];
  await db().idempotencyRecord.createMany({ data: [old, fresh] });
  await sweepExpired(NOW);
  const kept = (scope: string) => db().idempotencyRecord.findFirstOrThrow({ where: { scope } });
  expect([(await kept(old.scope)).answer, (await kept(old.scope)).status]).toEqual([null, 201]);
  expect((await kept(fresh.scope)).answer).not.toBeNull();
});

test("challenges go a day after they ended", async () => {
  const make = (now: Date) =>
    callIdentity("challenges", { domain: freshDomain(), method: "dns", recovery_key: freshKey() }, { now });
  const [old, fresh] = [await make(before(2)), await make(new Date())];
  await sweepExpired(NOW);
  const known = (answer: typeof old) => db().challenge.count({ where: { id: answer.body.data.challenge_id } });
  expect([await known(old), await known(fresh)]).toEqual([0, 1]);
});

test("clients that nobody approved within 30 days go, unless a human could do so just now", async () => {
  const expiresAt = new Date(Date.now() + 600_000);
  const device = { hash: bytes(), userCodeHash: bytes(), scopes: [], interval: 5, createdAt: NOW, expiresAt };
  const make = (createdAt: Date, more: object = {}) => {
    const id = `ffc_${randomUUID()}`;
    const client = { id, kind: "delegated", name: "Reporter", secretHash: bytes(), createdAt, ...more } as const;
    return db().client.create({ data: client });
  };
  const old = await make(before(31));
  const asking = await make(before(31), { devices: { create: device } });
  const approved = await make(before(31), { ownerId: await makePerson() });
  const fresh = await make(new Date());
  await sweepExpired(NOW);
  const left = await db().client.findMany({ where: { id: { in: [old.id, asking.id, approved.id, fresh.id] } } });
  expect(left.map(({ id }) => id).sort()).toEqual([asking.id, approved.id, fresh.id].sort());
});
