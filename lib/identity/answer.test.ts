import { createHash, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { env } from "@/lib/platform/env";
import { IDENTITY_RATES } from "@/lib/platform/limits";
import { bootSecrets, unseal } from "@/lib/platform/secrets";
import { callIdentity, freshDomain, freshKey, provenChallenge } from "@/lib/testing/agents";
import { dnsForTests } from "@/lib/testing/internet";
import { TEST_SECRETS } from "@/lib/testing/world";

/** Common behaviour of the four identity endpoints: input, idempotency keys and limits. */

const dns = dnsForTests();
const NAMES = ["challenges", "registrations", "recoveries", "delegations"] as const;
const delegation = () => ({ name: "Reporter", scopes: ["analytics:read"] });
const task = () => ({ domain: freshDomain(), method: "dns", recovery_key: freshKey() });
const issues = (answer: { body: { error?: { details?: { issues: { path: string }[] } } } }) =>
  answer.body.error?.details?.issues.map(({ path }) => path);

test("every method but POST is 405 with Allow", async () => {
  for (const name of NAMES) {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await callIdentity(name, delegation(), { method });
      expect([answer.status, answer.headers.allow, answer.body.error.code]).toEqual([
        405,
        "POST",
        "method_not_allowed",
      ]);
    }
  }
});

test("the response is 201 with only data and request_id, not cacheable, with the caller's X-Request-ID", async () => {
  const answer = await callIdentity("delegations", delegation(), { headers: { "x-request-id": "my-request-1" } });
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body)).toEqual(["data", "request_id"]);
  expect(answer.body.request_id).toBe("my-request-1");
  expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-request-id": "my-request-1" });
});

test("case 76: an X-Request-ID that has a line break, is 10 kB long or not ASCII is replaced, and the call succeeds", async () => {
  for (const bad of ["a\nb", "a\r\nset-cookie: x=1", "x".repeat(10_000), "ümlaut", "\u202e", "", "a b"]) {
    const headers = { "x-request-id": bad };
    const answers = [
      await callIdentity("delegations", delegation(), { headers }),
      await callIdentity("challenges", {}, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 422]);
    for (const { headers: sent, body } of answers) {
      expect(body.request_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(sent["x-request-id"]).toBe(body.request_id);
    }
  }
});

test("case 54: a key that is missing, upper case, 63 characters long or equal to the recovery key is 422", async () => {
  const body = task();
  const missing = await callIdentity("challenges", body, { key: null });
  expect([missing.status, missing.body.error.code]).toEqual([422, "idempotency_key_required"]);
  for (const key of [freshKey().replace(/./, "A"), freshKey().slice(1), `${freshKey()}0`, body.recovery_key]) {
    const answer = await callIdentity("challenges", body, { key });
    expect([answer.status, answer.body.error?.code, issues(answer)]).toEqual([
      422,
      "invalid_input",
      ["Idempotency-Key"],
    ]);
    expect(answer.text).not.toContain(key);
  }
  for (const name of ["registrations", "recoveries"] as const) {
    const scopes = name === "registrations" ? { scopes: ["sites:read"] } : {};
    const call = { challenge_id: "chl_any", recovery_key: body.recovery_key, ...scopes };
    expect(issues(await callIdentity(name, call, { key: body.recovery_key }))).toEqual(["Idempotency-Key"]);
  }
});

test("bodies are strict JSON of at most 64 KiB, and the error names the field", async () => {
  const unknown = await callIdentity("delegations", { ...delegation(), owner_id: 1 });
  expect([unknown.status, issues(unknown)]).toEqual([422, ["owner_id"]]);
  expect(issues(await callIdentity("challenges", {}))).toEqual(["domain", "method", "recovery_key"]);
  expect((await callIdentity("challenges", "{")).body.error.code).toBe("malformed_json");
  expect((await callIdentity("challenges", JSON.stringify({ a: "x".repeat(65_536) }))).status).toBe(413);
  const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
  expect((await callIdentity("challenges", "domain=a.example", form)).status).toBe(415);
});

test("case 53: cookies and bearer tokens change nothing; the client has no owner", async () => {
  const headers = { cookie: "next-auth.session-token=whatever", authorization: "Bearer ffa_whatever" };
  const { status, body } = await callIdentity("delegations", delegation(), { headers });
  expect([status, body.data.owner_id]).toEqual([201, null]);
  expect(await db().client.findUniqueOrThrow({ where: { id: body.data.client_id } })).toMatchObject({ ownerId: null });
});

test("case 60: the same key and body get the identical data again for a day; then 409 says that it has expired", async () => {
  const [key, now] = [freshKey(), new Date()];
  const first = await callIdentity("delegations", delegation(), { key, now });
  const again = await callIdentity("delegations", delegation(), { key, now });
  expect(again.status).toBe(201);
  expect(JSON.stringify(again.body.data)).toBe(JSON.stringify(first.body.data));
  const other = await callIdentity("delegations", { ...delegation(), name: "Other" }, { key, now });
  expect([other.status, other.body.error?.code]).toEqual([409, "idempotency_conflict"]);
  const nextDay = await callIdentity("delegations", delegation(), { key, now: new Date(now.getTime() + DAY_MS) });
  expect([nextDay.status, nextDay.body.error?.code]).toEqual([409, "idempotency_conflict"]);
  expect(nextDay.body.error.message).toContain("/api/v1/agents/identity/recoveries");
});

test("a key is scoped to its endpoint, and a refused call does not reserve it", async () => {
  const [key, body] = [freshKey(), task()];
  expect((await callIdentity("challenges", { ...body, domain: "localhost" }, { key })).status).toBe(422);
  expect((await callIdentity("challenges", body, { key })).status).toBe(201);
  expect((await callIdentity("delegations", delegation(), { key })).status).toBe(201);
});

test("of twelve parallel calls with one key one has an effect; the others are refused or get its answer", async () => {
  const key = freshKey();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => callIdentity("delegations", delegation(), { key })),
  );
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ body }) => body.data.client_id)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect([answer.status, answer.body.error.code, answer.headers["retry-after"]]).toEqual([
      409,
      "operation_in_progress",
      "1",
    ]);
  }
});

test("neither the database nor the server keys decrypt a stored answer, and no secret is stored in plain text", async () => {
  const [key, recovery_key] = [freshKey(), freshKey()];
  const challenge_id = await provenChallenge(dns, { domain: freshDomain(), recovery_key });
  const call = { challenge_id, scopes: ["sites:read"], recovery_key };
  const { body } = await callIdentity("registrations", call, { key });
  const keyHash = new Uint8Array(createHash("sha256").update(key).digest());
  const scope = "identity:registrations";
  const record = await db().idempotencyRecord.findUniqueOrThrow({ where: { scope_keyHash: { scope, keyHash } } });
  const place = `idempotency:${scope}:${Buffer.from(keyHash).toString("hex")}`;
  const answer = record.answer ?? new Uint8Array();
  expect(() => unseal(answer, place)).toThrow();
  expect(() => unseal(answer, place, freshKey())).toThrow();
  expect(JSON.parse(unseal(answer, place, key).toString())).toEqual(body.data);
  const rows = await db().$queryRaw<{ row: string }[]>`
    SELECT row_to_json(r)::text AS row FROM idempotency_record r WHERE scope = ${scope} AND key_hash = ${keyHash}
    UNION ALL SELECT row_to_json(c)::text FROM client c WHERE id = ${body.data.client_id}
    UNION ALL SELECT row_to_json(a)::text FROM machine_account a JOIN client c ON c.account_id = a.id
      WHERE c.id = ${body.data.client_id}
    UNION ALL SELECT row_to_json(c)::text FROM challenge c WHERE id = ${challenge_id}
    UNION ALL SELECT row_to_json(a)::text FROM audit a WHERE client_id = ${body.data.client_id}`;
  expect(rows).toHaveLength(5);
  const dump = JSON.stringify(rows);
  for (const secret of [key, recovery_key, body.data.client_secret]) {
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
  }
  // The fingerprint is not a plain digest of the body, which contains a secret.
  const plain = createHash("sha256").update(canonicalize({ v: 1, op: "registrations", body: call }) ?? "");
  expect(Buffer.from(record.fingerprint).equals(plain.digest())).toBe(false);
});

test("429 has Retry-After in whole seconds; refused calls are counted too", async () => {
  const [address, now] = [randomUUID(), new Date()];
  const { limit } = IDENTITY_RATES.registrations;
  for (let call = 0; call < limit; call++) {
    expect((await callIdentity("registrations", {}, { address, now })).status).toBe(422);
  }
  const refused = await callIdentity("registrations", {}, { address, now });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "3600"]);
  const later = new Date(now.getTime() + 3600_000);
  expect((await callIdentity("registrations", {}, { address, now: later })).status).toBe(422);
});

// Sequential, because it replaces the keys of the process.
test.sequential("an answer is returned again after the server's keys are rotated", async () => {
  const key = freshKey();
  const first = await callIdentity("delegations", delegation(), { key });
  bootSecrets({ ...env(), APP_SECRETS: `k2:${Buffer.alloc(32, 9).toString("base64")},${TEST_SECRETS}` });
  const again = await callIdentity("delegations", delegation(), { key });
  bootSecrets(env());
  expect(again.body.data).toEqual(first.body.data);
});
