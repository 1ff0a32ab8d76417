import type { AnyOperation, Owner } from "@/lib/contract/define";
import {
  type ConsentRequest,
  describeConsent,
  questionOfDevice,
  requireConnectable,
  unknownCode,
} from "@/lib/oauth/consent";
import { userCodeHashes } from "@/lib/oauth/user-code";
import { countedAddress } from "@/lib/platform/counted-address";
import { db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { MAX_OPENINGS, WRONG_USER_CODES } from "@/lib/platform/limits";
import { isUsedUp, refundRate, requireRate, takeRate } from "@/lib/platform/rate";
import { hexDigest } from "@/lib/platform/secrets";

const MISSES = "device:misses";

/**
 * Finds the consent request of a user code, ignoring case, spaces and dashes, and binds it to this person. Wrong codes
 * are limited per person, per address and globally, because a code has only 35 bits.
 *
 * @param operations all operations for agents; the result lists those that need approval.
 * @param misses key of the global limit; only tests pass another.
 * @throws Refusal `not_found` for a code that is unknown, decided, expired, opened too often or opened by another
 *   person; `role_denied` when the agent is connected to someone else, `rate_limited` after too many wrong codes.
 */
export async function findConsent(
  typed: string,
  by: { owner: Owner; address: string },
  operations: readonly AnyOperation[],
  now: Date,
  misses = MISSES,
): Promise<ConsentRequest> {
  const { person, address } = WRONG_USER_CODES;
  const keys = [
    `device:person:${by.owner.personId}`,
    `device:address:${hexDigest(countedAddress(by.address))}`,
  ] as const;
  await requireNoAttack(keys, misses, now);
  // Counted before the lookup, so that parallel attempts all count.
  const tooMany = "Too many wrong codes. Try again later.";
  await requireRate(keys[0], person.limit, person.seconds * 1000, now, tooMany);
  await requireRate(keys[1], address.limit, address.seconds * 1000, now, tooMany);
  const row = await openRow(typed, by.owner.personId, now);
  if (!row) {
    await takeRate(misses, WRONG_USER_CODES.everyone.limit, WRONG_USER_CODES.everyone.seconds * 1000, now);
    throw unknownCode();
  }
  for (const key of keys) await refundRate(key);
  return describeConsent(questionOfDevice(row), by.owner, operations, now);
}

/**
 * When far more codes are wrong globally than people could mistype, refuses everyone with a wrong code of their own.
 * All others continue, so that an attack does not lock them out.
 *
 * @throws Refusal `rate_limited`
 */
async function requireNoAttack(keys: readonly string[], misses: string, now: Date): Promise<void> {
  const { usedUp, retryAfter } = await isUsedUp(misses, WRONG_USER_CODES.everyone.limit + 1, now);
  if (!usedUp) return;
  for (const key of keys) {
    if (!(await isUsedUp(key, 1, now)).usedUp) continue;
    throw new Refusal("rate_limited", "Too many wrong codes. Try again in a minute.", undefined, retryAfter);
  }
}

/** Finds a pending device code, binds it to this person and counts the opening. */
async function openRow(typed: string, personId: number, now: Date) {
  const openable: Prisma.DeviceCodeWhereInput = {
    userCodeHash: { in: userCodeHashes(typed) },
    status: "pending",
    expiresAt: { gt: now },
    openings: { lt: MAX_OPENINGS },
    OR: [{ personId: null }, { personId }],
  };
  const row = await db().deviceCode.findFirst({ where: openable, include: { client: true } });
  if (!row) return null;
  requireConnectable(row.client, personId);
  const { count } = await db().deviceCode.updateMany({
    where: { ...openable, hash: row.hash },
    data: { personId, openings: { increment: 1 } },
  });
  return count === 1 ? row : null;
}
