import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "@/lib/contract/define";
import { execute } from "@/lib/gateway/execute";
import { ANSWER_RETENTION_MS } from "@/lib/gateway/idempotency/idempotency";
import { managementResource } from "@/lib/oauth/tokens";
import { type Db, db } from "@/lib/platform/db";
import { crashAt, retried } from "@/lib/testing/faults";
import { PATIENT } from "@/lib/testing/locks";
import { PATIENT_MS } from "@/lib/testing/patience";
import { callApi, makeClient, makePerson, makeSite } from "@/lib/testing/world";

/** Idempotency: a repeated, parallel or interrupted call has its effect once. */

const create = (host = `${randomUUID()}.example`) => ({ domain: host, timezone: "UTC", public: false });
const creator = async () => makeClient({ scopes: ["sites:create", "sites:read"], personId: await makePerson() });
const sitesOf = (domain: string) => db().siteDomain.count({ where: { host: domain } });

test("a write with a missing or malformed key is 422", async () => {
  const { token } = await creator();
  const callWith = (key: string | null) => callApi("sites.create", { token, input: create(), key });
  expect((await callWith(null)).body.error.code).toBe("idempotency_key_required");
  for (const key of ["short", "x".repeat(201), "with space inside", "key-one-1, key-two-2", "ümlaut-key"]) {
    expect([(await callWith(key)).status, key]).toEqual([422, key]);
  }
});

test("the same call again gets the same answer, replayed, under a new request id", async () => {
  const { token } = await creator();
  const [input, key] = [create(), randomUUID()];
  const first = await callApi("sites.create", { token, input, key });
  const again = await callApi("sites.create", { token, input: { ...input }, key });
  expect([first.body.replayed, again.body.replayed, again.status]).toEqual([false, true, 200]);
  expect(again.body.data).toEqual(first.body.data);
  expect(again.body.request_id).not.toBe(first.body.request_id);
  expect(await sitesOf(input.domain)).toBe(1);
});

test("the same key for another body or another operation is 409 idempotency_conflict; another client may use it", async () => {
  const [one, two] = [await creator(), await creator()];
  const key = randomUUID();
  await callApi("sites.create", { token: one.token, input: create(), key });
  const conflict = await callApi("sites.create", { token: one.token, input: create(), key });
  expect([conflict.status, conflict.body.error?.code]).toEqual([409, "idempotency_conflict"]);
  expect((await callApi("sites.create", { token: two.token, input: create(), key })).status).toBe(200);
});

test("a refused call does not reserve its key: the corrected call may use it", async () => {
  const { token } = await creator();
  const key = randomUUID();
  const taken = create();
  await callApi("sites.create", { token, input: taken });
  expect((await callApi("sites.create", { token, input: taken, key })).body.error.code).toBe("domain_taken");
  expect((await callApi("sites.create", { token, input: create(), key })).status).toBe(200);
});

test("twelve parallel calls with one key have one effect; the others are refused or get its answer", async () => {
  const { token } = await creator();
  const [input, key] = [create(), randomUUID()];
  const answers = await Promise.all(Array.from({ length: 12 }, () => callApi("sites.create", { token, input, key })));
  const done = answers.filter((answer) => answer.status === 200);
  expect(done.filter((answer) => !answer.body.replayed)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect([answer.status, answer.body.error.code, answer.headers["retry-after"]]).toEqual([
      409,
      "operation_in_progress",
      "1",
    ]);
  }
  expect(await sitesOf(input.domain)).toBe(1);
  expect((await callApi("sites.create", { token, input, key })).body.replayed).toBe(true);
});

test("after 72 hours the key is free, and the stored answer is unreadable in the database", async () => {
  const client = await creator();
  const [input, key] = [create(), randomUUID()];
  await callApi("sites.create", { token: client.token, input, key });
  const record = await db().idempotencyRecord.findFirstOrThrow({ where: { scope: client.id } });
  expect(Buffer.from(record.answer ?? []).toString("latin1")).not.toContain(input.domain);
  expect(record.expiresAt.getTime() - record.createdAt.getTime()).toBe(ANSWER_RETENTION_MS);
  await db().accessToken.updateMany({ where: { clientId: client.id }, data: { expiresAt: new Date("2100-01-01") } });
  const now = new Date(record.expiresAt.getTime() + 1);
  expect((await callApi("sites.create", { token: client.token, input, key, now })).body.error.code).toBe(
    "domain_taken",
  );
});

test("a stored answer is only replayed while the caller has access to the site", async () => {
  const site = await makeSite();
  const client = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId });
  const call = {
    token: client.token,
    key: randomUUID(),
    input: { site_id: site.id, domain: `${randomUUID()}.example` },
  };
  expect((await callApi("sites.domains.add", call)).status).toBe(200);
  await db().membership.deleteMany({ where: { siteId: site.id } });
  expect((await callApi("sites.domains.add", call)).body.error.code).toBe("site_not_granted");
});

test("a write without access never waits for the lock of a site, and one with access waits only briefly", async () => {
  const site = await makeSite();
  const own = await makeClient({ scopes: ["sites:write"], sites: [site], personId: site.ownerId });
  const stranger = await makeClient({ scopes: ["sites:write"], personId: await makePerson() });
  const input = { site_id: site.id, domain: `${randomUUID()}.example` };
  const hold = async (tx: Db) => {
    await tx.$queryRaw`SELECT 1 FROM site WHERE id = ${site.id} FOR UPDATE`;
    const refused = await callApi("sites.domains.add", { token: stranger.token, input });
    const busy = await callApi("sites.domains.add", { token: own.token, input });
    return [refused.body.error.code, busy.status, busy.body.error.code];
  };
  expect(await db().$transaction(hold, PATIENT)).toEqual(["site_not_granted", 409, "operation_in_progress"]);
});

test("a process that dies at any statement of sites.create leaves exactly one site after a retry", async () => {
  const { token } = await creator();
  let statements = 0;
  for (let n = 1; ; n++) {
    const [input, key] = [create(), randomUUID()];
    const { answer: first, crashed } = await crashAt(n, () => callApi("sites.create", { token, input, key }));
    if (!crashed) break;
    statements = n;
    expect([200, 503], `statement ${n}`).toContain(first.status);
    const again = await retried(() => callApi("sites.create", { token, input, key }));
    expect([again.status, n]).toEqual([200, n]);
    expect([await sitesOf(input.domain), n]).toEqual([1, n]);
  }
  expect(statements).toBeGreaterThan(6);
});

/** An operation with network access, like site verification; the test provides its work. */
function outreach(reach: () => Promise<{ seen: number }>) {
  return defineOperation({
    id: "test.outreach",
    title: "Reach out",
    about: "Does what the test says.",
    scope: "sites:write",
    role: "manager",
    risk: "write",
    input: z.strictObject({}),
    output: z.object({ seen: z.int() }),
    example: {},
    reach,
    run: async ({ reached }) => reached as { seen: number },
  });
}

/** A client with access to that operation. */
async function reacher() {
  const { id } = await makeClient({ scopes: ["sites:write"], personId: await makePerson() });
  const scopes = ["sites:write"] as const;
  const resource = managementResource();
  return { kind: "client", clientId: id, clientKind: "delegated", personId: null, scopes, resource } as const;
}

test("work with network access runs under a lease: busy while it runs, taken over when its process died", async (context) => {
  const principal = await reacher();
  const now = new Date();
  const run = (work: () => Promise<{ seen: number }>, at = now) =>
    execute(outreach(work), { principal, input: {}, now: at, idempotencyKey: "lease-key-1" });
  let finish: (value: { seen: number }) => void = () => {};
  const slow = run(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const leases = () => db().idempotencyRecord.count({ where: { scope: principal.clientId } });
  await context.expect.poll(leases, { timeout: PATIENT_MS }).toBe(1);
  await expect(run(async () => ({ seen: 2 }))).rejects.toMatchObject({ code: "operation_in_progress" });
  const later = new Date(now.getTime() + 61_000);
  expect(await run(async () => ({ seen: 3 }), later)).toEqual({ data: { seen: 3 }, replayed: false });
  finish({ seen: 1 });
  await expect(slow).rejects.toMatchObject({ code: "operation_in_progress" });
  expect(await run(async () => ({ seen: 4 }), later)).toEqual({ data: { seen: 3 }, replayed: true });
});

test("leased work that fails frees its key", async () => {
  const principal = await reacher();
  const run = (work: () => Promise<{ seen: number }>) =>
    execute(outreach(work), { principal, input: {}, now: new Date(), idempotencyKey: "lease-key-2" });
  await expect(run(() => Promise.reject(new Error("unreachable")))).rejects.toThrow("unreachable");
  expect((await run(async () => ({ seen: 1 }))).data).toEqual({ seen: 1 });
});
