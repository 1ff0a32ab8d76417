import type { Owner } from "@/lib/auth/session-row";
import { Refusal } from "@/lib/contract/errors";
import { MOST_OPENINGS, WRONG_USER_CODES } from "@/lib/contract/limits";
import { countedAddress } from "@/lib/counted-address";
import { db, type Prisma } from "@/lib/db";
import { giveBack, isUsedUp, takeRate } from "@/lib/gateway/rate";
import { type ConsentQuestion, codeUnknown, requireFree, showConsent } from "@/lib/oauth/consent";
import { userCodeHashes } from "@/lib/oauth/user-code";
import { digest } from "@/lib/secrets";

const MISSES = "device:misses";

/**
 * Finds what a user code stands for, in whatever way it was typed. From then on the code is this person's: others do
 * not find it. Wrong codes are counted by person, by address and over all, because a code has only 35 bits.
 *
 * @throws Refusal `not_found` for a code that is unknown, someone else's, decided, over, or opened too often;
 *   `role_denied` when the agent is connected to someone else, `rate_limited` after too many wrong codes.
 */
export async function findConsent(
  typed: string,
  by: { owner: Owner; address: string },
  now: Date,
): Promise<ConsentQuestion> {
  const { person, address } = WRONG_USER_CODES;
  await requireCalm(now);
  const keys = [
    `device:person:${by.owner.personId}`,
    `device:address:${digest(countedAddress(by.address)).toString("hex")}`,
  ] as const;
  // Taken before the code is looked at, so that tries sent side by side are all counted.
  await take(keys[0], person, now);
  await take(keys[1], address, now);
  const row = await openRow(typed, by.owner.personId, now);
  if (!row) {
    await takeRate(MISSES, WRONG_USER_CODES.everyone.limit, WRONG_USER_CODES.everyone.seconds * 1000, now);
    throw codeUnknown();
  }
  for (const key of keys) await giveBack(key);
  return showConsent(row, by.owner, now);
}

/** @throws Refusal `rate_limited` for everybody while far more codes are missed than people could mistype. */
export async function requireCalm(now: Date, key = MISSES): Promise<void> {
  const { usedUp, retryAfter } = await isUsedUp(key, WRONG_USER_CODES.everyone.limit + 1, now);
  if (usedUp) throw new Refusal("rate_limited", "Too many wrong codes; try again in a minute.", undefined, retryAfter);
}

async function take(key: string, { limit, seconds }: { limit: number; seconds: number }, now: Date): Promise<void> {
  const { allowed, retryAfter } = await takeRate(key, limit, seconds * 1000, now);
  if (!allowed) {
    throw new Refusal("rate_limited", "Too many wrong codes. Wait a while, then try again.", undefined, retryAfter);
  }
}

/** Opens a waiting row for this person: binds it to them, and counts the opening. */
async function openRow(typed: string, personId: number, now: Date) {
  const mine: Prisma.DeviceCodeWhereInput = {
    userCodeHash: { in: userCodeHashes(typed) },
    status: "pending",
    expiresAt: { gt: now },
    opened: { lt: MOST_OPENINGS },
    OR: [{ personId: null }, { personId }],
  };
  const row = await db().deviceCode.findFirst({ where: mine, include: { client: true } });
  if (!row) return null;
  requireFree(row.client, personId);
  const { count } = await db().deviceCode.updateMany({
    where: { ...mine, hash: row.hash },
    data: { personId, opened: { increment: 1 } },
  });
  return count === 1 ? row : null;
}
