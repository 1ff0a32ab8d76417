import { hasSecondFactor, personWays, selectWays } from "@/lib/auth/person-ways";
import type { Owner } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { hashOf } from "@/lib/platform/secrets";

const TOUCH_EVERY_MS = 60_000;

/** Hash under which a session's secret id is stored. */
export const sidHashOf = hashOf;

/** Returns the person of a session; null when it is revoked or expired, or the person was deleted. */
export async function ownerOfSession(sid: string, now: Date): Promise<Owner | null> {
  const sidHash = sidHashOf(sid);
  const row = await db().ownerSession.findUnique({
    where: { sidHash, revokedAt: null, expiresAt: { gt: now } },
    include: { person: { select: { email: true, name: true, confirmedAt: true, ...selectWays() } } },
  });
  if (!row) return null;
  const stale = new Date(now.getTime() - TOUCH_EVERY_MS);
  if (row.lastSeenAt < stale) {
    await db().ownerSession.updateMany({ where: { sidHash, lastSeenAt: { lt: stale } }, data: { lastSeenAt: now } });
  }
  const { email, name, confirmedAt } = row.person;
  const ways = personWays(row.person);
  return {
    personId: row.personId,
    email,
    name,
    sid,
    signedInAt: row.authTime,
    secondFactor: hasSecondFactor(ways),
    ways,
    confirmed: confirmedAt !== null,
  };
}

/** Revokes one session. */
export async function revokeSession(sidHash: Uint8Array<ArrayBuffer>, now = new Date()): Promise<void> {
  await db().ownerSession.updateMany({ where: { sidHash, revokedAt: null }, data: { revokedAt: now } });
}

/** Revokes all sessions of a person, except `keptSid` if given. */
export async function endSessions(on: Db, personId: number, now: Date, keptSid?: string): Promise<void> {
  await on.ownerSession.updateMany({
    where: { personId, revokedAt: null, ...(keptSid === undefined ? {} : { NOT: { sidHash: sidHashOf(keptSid) } }) },
    data: { revokedAt: now },
  });
}
