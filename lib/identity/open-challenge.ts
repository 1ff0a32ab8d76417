import { timingSafeEqual } from "node:crypto";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { LOOK_UPS_OF_A_DOMAIN, PROOF_TRIES, WRONG_KEYS } from "@/lib/platform/limits";
import { findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { requireRate } from "@/lib/platform/rate";

export type Challenge = Prisma.ChallengeGetPayload<object>;

const ENDPOINTS = { register: "registrations", recover: "recoveries" } as const;

/**
 * Returns an open challenge.
 *
 * @throws Refusal `invalid_input` at `challenge_id` when it is unknown, used, expired (at exactly 30:00) or for another
 *   purpose, `rate_limited` after five wrong recovery keys.
 */
export async function openChallenge(id: string, purpose: Challenge["purpose"], now: Date): Promise<Challenge> {
  const challenge = await db().challenge.findUnique({ where: { id } });
  if (!challenge) throw invalidChallenge("is unknown; request a new challenge");
  if (challenge.purpose !== purpose) throw invalidChallenge(otherPurpose(challenge.purpose));
  if (challenge.usedAt) throw alreadyUsed();
  if (challenge.expiresAt <= now) {
    throw invalidChallenge("has expired after 30 minutes; request a new challenge and publish its value");
  }
  if (challenge.wrongKeys >= WRONG_KEYS) throw tooMany("wrong recovery keys for", challenge, now);
  return challenge;
}

const invalidChallenge = (message: string) => invalidInput([{ path: "challenge_id", message }]);

const alreadyUsed = () =>
  invalidChallenge(
    "was already used; if you lost the response, repeat that call with the same Idempotency-Key, or request a challenge with purpose recover",
  );

function otherPurpose(purpose: Challenge["purpose"]): string {
  if (purpose === "claim") return "is for another purpose; request a new challenge";
  return `is for purpose ${purpose}; send it to /api/v1/agents/identity/${ENDPOINTS[purpose]}, or request a new challenge`;
}

const tooMany = (what: string, { expiresAt }: Challenge, now: Date) =>
  new Refusal(
    "rate_limited",
    `Too many ${what} this challenge. Request a new one.`,
    undefined,
    Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
  );

/** Compares two digests in constant time. A missing stored digest never matches. */
export const sameDigest = (stored: Uint8Array | null | undefined, sent: Uint8Array): boolean =>
  timingSafeEqual(stored ?? Buffer.alloc(32), sent) && stored !== null && stored !== undefined;

/**
 * Counts a wrong recovery key outside of any transaction, so that the count persists.
 *
 * @returns the refusal to throw.
 */
export async function wrongKey(challenge: Challenge, message: string, now: Date): Promise<Refusal> {
  const { count } = await db().challenge.updateMany({
    where: { id: challenge.id, wrongKeys: { lt: WRONG_KEYS } },
    data: { wrongKeys: { increment: 1 } },
  });
  return count === 1 ? new Refusal("recovery_key_wrong", message) : tooMany("wrong recovery keys for", challenge, now);
}

/**
 * Checks the published proof of a challenge, at most ten times. Temporary DNS failures do not count. Call it outside of
 * any transaction.
 *
 * @param keyDigest digest of the verified recovery key; lookups of a domain are limited per key.
 * @throws Refusal `proof_not_verified` with the expected value and location, `rate_limited` after ten checks or beyond
 *   60 lookups of the domain an hour.
 */
export async function prove(
  challenge: Challenge,
  keyDigest: Uint8Array,
  now: Date,
  internet?: Internet,
): Promise<void> {
  const { id } = challenge;
  const { count } = await db().challenge.updateMany({
    where: { id, attempts: { lt: PROOF_TRIES } },
    data: { attempts: { increment: 1 } },
  });
  if (count === 0) throw tooMany("proof checks for", challenge, now);
  await countLookup(challenge.domain, keyDigest, now);
  const finding = await findProof(challenge, internet);
  if (finding.found) return;
  if (finding.temporary) {
    await db().challenge.updateMany({ where: { id, attempts: { gt: 0 } }, data: { attempts: { decrement: 1 } } });
  }
  throw notVerified(challenge, finding);
}

/** Limited per domain and key, so that strangers with keys of their own cannot use up the limit. */
async function countLookup(domain: string, keyDigest: Uint8Array, now: Date): Promise<void> {
  const { limit, seconds } = LOOK_UPS_OF_A_DOMAIN;
  const key = `identity:look-ups:${domain}:${Buffer.from(keyDigest).toString("hex")}`;
  const message = `At most ${limit} lookups of one domain's proof an hour. Try again after Retry-After.`;
  await requireRate(key, limit, seconds * 1000, now, message);
}

function notVerified(challenge: Challenge, finding: { reason: string; temporary: boolean }): Refusal {
  const { method, value } = challenge;
  const { dns_name, https_url } = proofPlaces(challenge.domain, challenge.token);
  const place = method === "dns" ? dns_name : https_url;
  const { reason, temporary } = finding;
  const details = { reason, temporary, method, looked_for: value, looked_at: place };
  return new Refusal("proof_not_verified", messageFor(finding, place), details);
}

function messageFor({ reason, temporary }: { reason: string; temporary: boolean }, place: string): string {
  if (temporary) return `${place} could not be looked up. Repeat the call in a minute.`;
  if (reason === "dns_no_match") {
    return `No TXT record at ${place} contains the challenge's value. Publish it, wait until it is visible, and repeat the call.`;
  }
  if (reason === "https_unreachable") {
    return `${place} cannot be read. Serve it over HTTPS with a valid certificate and repeat the call.`;
  }
  return `${place} must respond with status 200 and exactly the challenge's value. Publish it there without a redirect and repeat the call.`;
}

/** Marks the challenge as used in the caller's transaction. @throws Refusal `invalid_input` when it is already used. */
export async function spendChallenge(tx: Db, { id }: Challenge, now: Date): Promise<void> {
  const { count } = await tx.challenge.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } });
  if (count === 0) throw alreadyUsed();
}
