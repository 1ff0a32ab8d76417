import { createHash, createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { type Db, db, Prisma } from "@/lib/platform/db";
import { DAY_MS } from "@/lib/platform/durations";
import { inProgress, invalidInput, Refusal } from "@/lib/platform/errors";
import { derivedKeys, hashOf, seal, unseal } from "@/lib/platform/secrets";

/** How long an answer is stored, and how long a call with network access may hold its key. */
export const ANSWER_RETENTION_MS = 72 * 3600_000;
const LEASE_MS = 60_000;
/** An answer with credentials can be replayed for a day; its key stays reserved for 30 days. */
const CONFIDENTIAL_ANSWER_MS = DAY_MS;
const CONFIDENTIAL_KEY_MS = 30 * DAY_MS;

type Bytes = Uint8Array<ArrayBuffer>;

/** One call under an idempotency key: the same key with the same fingerprint is the same call. */
export interface IdempotentCall {
  scope: string;
  key: string;
  keyHash: Bytes;
  /** The first is stored; the others are the fingerprints under older server secrets. */
  fingerprints: readonly [Bytes, ...Bytes[]];
  operation: string;
  /** The answer's status, how long it can be replayed, and how long the key stays reserved. */
  status: 200 | 201;
  answerMs: number;
  keptMs: number;
}

/**
 * Returns the identity of a call. The fingerprint is SHA-256 over the canonical JSON (RFC 8785) of operation and
 * validated input; the approval header and the token are not part of it, so that the retry after an approval is the
 * same call.
 *
 * @throws Refusal `idempotency_key_required` for a missing key, `invalid_input` for a malformed one.
 */
export function idempotentCallOf(
  scope: string,
  key: string | null | undefined,
  operation: string,
  input: unknown,
): IdempotentCall {
  // No spaces, so that two headers joined with ", " by a proxy are refused.
  const given = requireKey(key, /^[\x21-\x7e]{8,200}$/, {
    missing: "Send an Idempotency-Key header of 8 to 200 characters, new for each call and the same for its retries.",
    malformed: "must have 8 to 200 visible ASCII characters and no spaces",
  });
  return {
    scope,
    key: given,
    keyHash: hashOf(given),
    fingerprints: [new Uint8Array(createHash("sha256").update(canonical(operation, input)).digest())],
    operation,
    status: 200,
    answerMs: ANSWER_RETENTION_MS,
    keptMs: ANSWER_RETENTION_MS,
  };
}

/**
 * Returns the identity of a call whose body and answer contain secrets. Its key is a secret of 256 random bits that
 * encrypts the stored answer. The fingerprint is an HMAC-SHA-256, so that the body cannot be brute-forced.
 *
 * @throws Refusal `idempotency_key_required` for a missing key, `invalid_input` for a malformed one.
 */
export function confidentialCallOf(operation: string, key: string | null, input: unknown): IdempotentCall {
  const given = requireKey(key, /^[0-9a-f]{64}$/, {
    missing:
      "Send an Idempotency-Key header of 64 lowercase hexadecimal characters: 32 random bytes, new for each call and the same for its retries.",
    malformed: "must be 64 lowercase hexadecimal characters: 32 random bytes, kept private",
  });
  const fingerprints = derivedKeys("idempotency fingerprint").map(
    (secret) => new Uint8Array(createHmac("sha256", secret).update(canonical(operation, input)).digest()),
  );
  return {
    scope: `identity:${operation}`,
    key: given,
    keyHash: hashOf(given),
    fingerprints: fingerprints as [Bytes, ...Bytes[]],
    operation,
    status: 201,
    answerMs: CONFIDENTIAL_ANSWER_MS,
    keptMs: CONFIDENTIAL_KEY_MS,
  };
}

const canonical = (operation: string, input: unknown) => canonicalize({ v: 1, op: operation, body: input }) ?? "";

function requireKey(
  key: string | null | undefined,
  form: RegExp,
  { missing, malformed }: { missing: string; malformed: string },
): string {
  if (!key) {
    const issues = [{ path: "Idempotency-Key", message: "is required" }];
    throw new Refusal("idempotency_key_required", missing, { issues });
  }
  if (!form.test(key)) throw invalidInput([{ path: "Idempotency-Key", message: malformed }]);
  return key;
}

const sealContextOf = (idempotentCall: IdempotentCall) =>
  `idempotency:${idempotentCall.scope}:${Buffer.from(idempotentCall.keyHash).toString("hex")}`;

/**
 * Returns the stored answer of a finished call, or null.
 *
 * @throws Refusal `idempotency_conflict` when the key was used for another call, or when the stored answer has expired.
 */
export async function findReplay(on: Db, idempotentCall: IdempotentCall, now: Date): Promise<{ data: unknown } | null> {
  const record = await on.idempotencyRecord.findUnique({
    where: { scope_keyHash: { scope: idempotentCall.scope, keyHash: idempotentCall.keyHash } },
  });
  if (!record || record.expiresAt <= now) return null;
  if (
    !idempotentCall.fingerprints.some((fingerprint) => Buffer.from(record.fingerprint).equals(Buffer.from(fingerprint)))
  ) {
    throw new Refusal(
      "idempotency_conflict",
      "This Idempotency-Key was used for another call. Use a new key for this call, or repeat the earlier call unchanged.",
    );
  }
  if (record.status === null) return null;
  if (!record.answer || (record.answerUntil && record.answerUntil <= now)) throw answerExpired();
  return { data: JSON.parse(unseal(record.answer, sealContextOf(idempotentCall), idempotentCall.key).toString()) };
}

const answerExpired = () =>
  new Refusal(
    "idempotency_conflict",
    "This call succeeded, but its stored answer has expired. Use a new Idempotency-Key for a new call. To recover lost credentials, request a challenge with purpose recover and call /api/v1/agents/identity/recoveries.",
  );

/**
 * Locks the idempotency key for this transaction. Postgres releases the lock when the transaction ends, also on a
 * crash.
 *
 * @throws Refusal `operation_in_progress` while another call holds it.
 */
export async function lockKey(tx: Db, idempotentCall: IdempotentCall): Promise<void> {
  const lock = `${idempotentCall.scope}|${Buffer.from(idempotentCall.keyHash).toString("hex")}`;
  const rows = await tx.$queryRaw<{ mine: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${lock}, 42)) AS mine`;
  if (!rows[0]?.mine) throw inProgress();
}

/**
 * Stores the answer in the transaction of the effect. Only success is stored: a refused call may be corrected and
 * retried.
 */
export async function saveAnswer(tx: Db, idempotentCall: IdempotentCall, data: unknown, now: Date): Promise<void> {
  const record = {
    fingerprint: idempotentCall.fingerprints[0],
    operation: idempotentCall.operation,
    ...answered(idempotentCall, data, now),
    createdAt: now,
    expiresAt: new Date(now.getTime() + idempotentCall.keptMs),
  };
  await tx.idempotencyRecord.upsert({
    where: { scope_keyHash: { scope: idempotentCall.scope, keyHash: idempotentCall.keyHash } },
    create: { scope: idempotentCall.scope, keyHash: idempotentCall.keyHash, ...record },
    update: record,
  });
}

const answered = (idempotentCall: IdempotentCall, data: unknown, now: Date) => ({
  status: idempotentCall.status,
  answer: new Uint8Array(seal(Buffer.from(JSON.stringify(data)), sealContextOf(idempotentCall), idempotentCall.key)),
  answerUntil: new Date(now.getTime() + idempotentCall.answerMs),
  leaseUntil: null,
});

/**
 * Leases the key for a call with network access, instead of holding a transaction open. The next call takes over a
 * lease that expired because its process died.
 *
 * @returns the attempt number to pass to `completeLease` and `releaseLease`.
 * @throws Refusal `operation_in_progress` while another call holds it.
 */
export async function acquireLease(idempotentCall: IdempotentCall, now: Date): Promise<number> {
  const until = new Date(now.getTime() + LEASE_MS);
  const expiresAt = new Date(now.getTime() + idempotentCall.keptMs);
  const rows = await db().$queryRaw<{ attempt: number }[]>(Prisma.sql`
    INSERT INTO idempotency_record AS kept
      (scope, key_hash, fingerprint, operation, lease_until, attempt, created_at, expires_at)
    VALUES (${idempotentCall.scope}, ${idempotentCall.keyHash}, ${idempotentCall.fingerprints[0]}, ${idempotentCall.operation}, ${until}, 1, ${now}, ${expiresAt})
    ON CONFLICT (scope, key_hash) DO UPDATE
      SET lease_until = excluded.lease_until, attempt = kept.attempt + 1, fingerprint = excluded.fingerprint,
          status = NULL, answer = NULL, expires_at = excluded.expires_at
      WHERE (kept.status IS NULL AND kept.lease_until <= ${now}) OR kept.expires_at <= ${now}
    RETURNING attempt`);
  const attempt = rows[0]?.attempt;
  if (attempt === undefined) throw inProgress();
  return attempt;
}

/** Stores the answer and ends the lease. @returns false when another attempt has taken over the key. */
export async function completeLease(
  tx: Db,
  idempotentCall: IdempotentCall,
  attempt: number,
  data: unknown,
  now: Date,
): Promise<boolean> {
  const { count } = await tx.idempotencyRecord.updateMany({
    where: { scope: idempotentCall.scope, keyHash: idempotentCall.keyHash, attempt, status: null },
    data: answered(idempotentCall, data, now),
  });
  return count === 1;
}

/** Releases the lease of a refused call, so that the key can be used again. */
export async function releaseLease(idempotentCall: IdempotentCall, attempt: number): Promise<void> {
  await db().idempotencyRecord.deleteMany({
    where: { scope: idempotentCall.scope, keyHash: idempotentCall.keyHash, attempt, status: null },
  });
}
