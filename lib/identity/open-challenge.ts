import { timingSafeEqual } from "node:crypto";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { LOOK_UPS_OF_A_DOMAIN, PROOF_TRIES, WRONG_KEYS } from "@/lib/platform/limits";
import { findProof, proofPlaces } from "@/lib/platform/outbound/domain-proof";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { takeRate } from "@/lib/platform/rate";

export type Challenge = Prisma.ChallengeGetPayload<object>;

const PLACES = { register: "registrations", recover: "recoveries" } as const;

/**
 * A challenge that can still be met.
 *
 * @throws Refusal `invalid_input` naming `challenge_id` when there is none, it is for something else, was used or has
 *   ended (at 30:00 it has), and `rate_limited` after five wrong recovery keys.
 */
export async function openChallenge(id: string, purpose: Challenge["purpose"], now: Date): Promise<Challenge> {
  const challenge = await db().challenge.findUnique({ where: { id } });
  if (!challenge) throw cannotBeMet("is not known; ask for a new challenge");
  if (challenge.purpose !== purpose) throw cannotBeMet(otherPurpose(challenge.purpose));
  if (challenge.usedAt) throw used();
  if (challenge.expiresAt <= now) {
    throw cannotBeMet("has ended, 30 minutes after it was made; ask for a new challenge and publish its value");
  }
  if (challenge.wrongKeys >= WRONG_KEYS) throw tooMany("wrong recovery keys were sent for", challenge, now);
  return challenge;
}

const cannotBeMet = (message: string) => invalidInput([{ path: "challenge_id", message }]);

const used = () =>
  cannotBeMet(
    "was used already; if its answer was lost, repeat that call with its own Idempotency-Key, or ask for a challenge with purpose recover",
  );

function otherPurpose(purpose: Challenge["purpose"]): string {
  if (purpose === "claim") return "is for another purpose; ask for a new challenge";
  return `is for purpose ${purpose}; send it to /api/v1/agents/identity/${PLACES[purpose]}, or ask for a new challenge`;
}

const tooMany = (what: string, { expiresAt }: Challenge, now: Date) =>
  new Refusal(
    "rate_limited",
    `Too many ${what} this challenge; ask for a new one.`,
    undefined,
    Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
  );

/** Whether two digests are the same, in the same time whatever they are. Nothing is the same as none. */
export const sameDigest = (kept: Uint8Array | null | undefined, shown: Uint8Array): boolean =>
  timingSafeEqual(kept ?? Buffer.alloc(32), shown) && kept !== null && kept !== undefined;

/** Counts a wrong recovery key, outside of any transaction: the count survives the refusal. @returns that refusal. */
export async function wrongKey(challenge: Challenge, message: string, now: Date): Promise<Refusal> {
  const { count } = await db().challenge.updateMany({
    where: { id: challenge.id, wrongKeys: { lt: WRONG_KEYS } },
    data: { wrongKeys: { increment: 1 } },
  });
  return count === 1
    ? new Refusal("recovery_key_wrong", message)
    : tooMany("wrong recovery keys were sent for", challenge, now);
}

/**
 * Looks for the proof of a challenge, at most ten times. A try that failed because name servers were away does not
 * count. No transaction may be open meanwhile.
 *
 * @param shownKey digest of the right recovery key, which the caller has shown: look-ups of a domain are counted under it.
 * @throws Refusal `proof_not_verified` with what was looked for and where, `rate_limited` after the tenth try and beyond
 *   60 look-ups of the domain an hour.
 */
export async function prove(challenge: Challenge, shownKey: Uint8Array, now: Date, internet?: Internet): Promise<void> {
  const { id } = challenge;
  const { count } = await db().challenge.updateMany({
    where: { id, attempts: { lt: PROOF_TRIES } },
    data: { attempts: { increment: 1 } },
  });
  if (count === 0) throw tooMany("times the proof was looked for with", challenge, now);
  await countLookUp(challenge.domain, shownKey, now);
  const finding = await findProof(challenge, internet);
  if (finding.found) return;
  if (finding.temporary) {
    await db().challenge.updateMany({ where: { id, attempts: { gt: 0 } }, data: { attempts: { decrement: 1 } } });
  }
  throw notVerified(challenge, finding);
}

/** Counted by the key as well: anyone can begin a challenge with a key of their own, and nobody with another's. */
async function countLookUp(domain: string, shownKey: Uint8Array, now: Date): Promise<void> {
  const { limit, seconds } = LOOK_UPS_OF_A_DOMAIN;
  const key = `identity:look-ups:${domain}:${Buffer.from(shownKey).toString("hex")}`;
  const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
  if (allowed) return;
  const message = `At most ${limit} look-ups of one domain's proof an hour; go on after the time in Retry-After.`;
  throw new Refusal("rate_limited", message, undefined, retryAfter);
}

function notVerified(challenge: Challenge, finding: { reason: string; temporary: boolean }): Refusal {
  const { method, value } = challenge;
  const { dns_name, https_url } = proofPlaces(challenge.domain, challenge.token);
  const place = method === "dns" ? dns_name : https_url;
  const { reason, temporary } = finding;
  const details = { reason, temporary, method, looked_for: value, looked_at: place };
  return new Refusal("proof_not_verified", sentenceOf(finding, place), details);
}

function sentenceOf({ reason, temporary }: { reason: string; temporary: boolean }, place: string): string {
  if (temporary) return `${place} could not be looked up just now; repeat the call in a minute.`;
  if (reason === "dns_no_match") {
    return `No TXT record of ${place} is the challenge's value; publish it there, wait until it can be seen, and repeat the call.`;
  }
  if (reason === "https_unreachable") {
    return `${place} cannot be read; answer there over HTTPS with a valid certificate and repeat the call.`;
  }
  return `${place} does not answer with status 200 and nothing but the challenge's value; publish it there without a redirect and repeat the call.`;
}

/** Spends the challenge in the transaction of what it allows. @throws Refusal `invalid_input` when another call was faster. */
export async function spendChallenge(tx: Db, { id }: Challenge, now: Date): Promise<void> {
  const { count } = await tx.challenge.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } });
  if (count === 0) throw used();
}
