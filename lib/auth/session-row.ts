import { hasSecondFactor, personWays, selectWays } from "@/lib/auth/person-ways";
import { sessionEnded } from "@/lib/auth/session-ended";
import type { Owner } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { lockRow } from "@/lib/platform/lock-row";
import { hashOf } from "@/lib/platform/secrets";

const TOUCH_EVERY_MS = 60_000;

/** Hash under which a session's secret id is stored. */
export const sidHashOf = hashOf;

/** Returns the person of a session; null when it is revoked or expired, or the person was deleted or disabled. */
export async function ownerOfSession(sid: string, now: Date): Promise<Owner | null> {
  const sidHash = sidHashOf(sid);
  const row = await db().ownerSession.findUnique({
    where: { sidHash, revokedAt: null, expiresAt: { gt: now }, person: { disabledAt: null } },
    include: {
      person: { select: { email: true, name: true, confirmedAt: true, administrator: true, ...selectWays() } },
    },
  });
  if (!row) return null;
  const stale = new Date(now.getTime() - TOUCH_EVERY_MS);
  if (row.lastSeenAt < stale) {
    await db().ownerSession.updateMany({ where: { sidHash, lastSeenAt: { lt: stale } }, data: { lastSeenAt: now } });
  }
  const { email, name, confirmedAt, administrator } = row.person;
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
    administrator,
  };
}

/** A session, and its person. */
export type SessionOf = Pick<Owner, "personId" | "sid">;

/**
 * Locks the person of a session until the transaction ends, and checks the session again. What a reset undoes is added
 * under this lock, so that a request that began before the reset adds nothing after it. Take it before any other lock.
 *
 * @param options.isDeleted whether the transaction deletes the person.
 * @throws Refusal `unauthenticated` when the session has ended since the request began.
 */
export async function lockSession(tx: Db, { personId, sid }: SessionOf, now: Date, options = {}): Promise<void> {
  await lockRow(tx, "person", personId, options);
  const live = {
    ...{ sidHash: sidHashOf(sid), personId, revokedAt: null, expiresAt: { gt: now } },
    person: { disabledAt: null },
  };
  if ((await tx.ownerSession.count({ where: live })) === 0) throw sessionEnded();
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
