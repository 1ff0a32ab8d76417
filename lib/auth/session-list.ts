import { createHmac } from "node:crypto";
import { sidHashOf } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { derivedKeys } from "@/lib/platform/secrets";

/** A session in the list on the account page. */
export interface ListedSession {
  /** Public id for pages. It grants no access and does not reveal the cookie. */
  id: string;
  /** Such as "Firefox on Linux", from the user agent. */
  device: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** Whether this is the session of the current request. */
  current: boolean;
}

/** Returns a person's active sessions: the current one first, then by last activity. */
export async function listSessions(owner: Owner, now: Date): Promise<ListedSession[]> {
  const rows = await db().ownerSession.findMany({
    where: { personId: owner.personId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { lastSeenAt: "desc" },
  });
  const own = Buffer.from(sidHashOf(owner.sid));
  return rows
    .map((row) => ({
      id: publicIdsOf(row.sidHash)[0] ?? "",
      device: row.device,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      current: own.equals(Buffer.from(row.sidHash)),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/**
 * Revokes one of a person's sessions by its public id.
 *
 * @throws Refusal `not_found` when it is not theirs or no longer active.
 */
export async function endSession(owner: Owner, id: string, now: Date): Promise<void> {
  const rows = await db().ownerSession.findMany({ where: { personId: owner.personId, revokedAt: null } });
  const target = rows.find((row) => publicIdsOf(row.sidHash).includes(id));
  const ended =
    target &&
    (await db().ownerSession.updateMany({
      where: { sidHash: target.sidHash, personId: owner.personId, revokedAt: null },
      data: { revokedAt: now },
    }));
  if (ended?.count !== 1) throw new Refusal("not_found", "This browser is already signed out.");
}

/** Public ids under every current key, so that pages loaded before a key rotation still work. */
const publicIdsOf = (sidHash: Uint8Array): string[] =>
  derivedKeys("session-name").map((key) =>
    createHmac("sha256", key).update(sidHash).digest().subarray(0, 15).toString("base64url"),
  );
