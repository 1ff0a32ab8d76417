import type { Owner } from "@/lib/contract/define";
import { type Db, db } from "@/lib/platform/db";
import { digest } from "@/lib/platform/secrets";

const TOUCH_EVERY_MS = 60_000;

/** The form in which a session's secret name is stored. */
export const sidHashOf = (sid: string): Uint8Array<ArrayBuffer> => new Uint8Array(digest(sid));

/** The person behind a session, unless it was revoked, has expired, or the person is gone. */
export async function ownerOfSession(sid: string, now: Date): Promise<Owner | null> {
  const sidHash = sidHashOf(sid);
  const row = await db().ownerSession.findUnique({
    where: { sidHash, revokedAt: null, expiresAt: { gt: now } },
    include: { person: { select: { email: true, name: true, totpSince: true, confirmedAt: true } } },
  });
  if (!row) return null;
  const stale = new Date(now.getTime() - TOUCH_EVERY_MS);
  if (row.lastSeenAt < stale) {
    await db().ownerSession.updateMany({ where: { sidHash, lastSeenAt: { lt: stale } }, data: { lastSeenAt: now } });
  }
  const { email, name, totpSince, confirmedAt } = row.person;
  return {
    personId: row.personId,
    email,
    name,
    sid,
    signedInAt: row.authTime,
    secondFactor: totpSince !== null,
    confirmed: confirmedAt !== null,
  };
}

/** Ends one session. */
export async function revokeSession(sidHash: Uint8Array<ArrayBuffer>, now = new Date()): Promise<void> {
  await db().ownerSession.updateMany({ where: { sidHash, revokedAt: null }, data: { revokedAt: now } });
}

/** Ends every session of a person but the one that is kept, if any. */
export async function endSessions(on: Db, personId: number, now: Date, keptSid?: string): Promise<void> {
  await on.ownerSession.updateMany({
    where: { personId, revokedAt: null, ...(keptSid === undefined ? {} : { NOT: { sidHash: sidHashOf(keptSid) } }) },
    data: { revokedAt: now },
  });
}
