import { createHmac } from "node:crypto";
import { sidHashOf } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { derivedKeys } from "@/lib/platform/secrets";

/** A session as its person sees it. */
export interface ListedSession {
  /** What it is called on pages; it opens nothing and says nothing of the cookie. */
  id: string;
  /** Such as "Firefox on Linux", as far as the browser said. */
  device: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** The one that asks. */
  current: boolean;
}

/** Where a person is signed in: this browser first, then by when they were last seen. */
export async function listSessions(owner: Owner, now: Date): Promise<ListedSession[]> {
  const rows = await db().ownerSession.findMany({
    where: { personId: owner.personId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { lastSeenAt: "desc" },
  });
  const own = Buffer.from(sidHashOf(owner.sid));
  return rows
    .map((row) => ({
      id: namesOf(row.sidHash)[0] ?? "",
      device: row.device,
      createdAt: row.createdAt,
      lastSeenAt: row.lastSeenAt,
      current: own.equals(Buffer.from(row.sidHash)),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/**
 * Ends one of a person's sessions by its name on pages.
 *
 * @throws Refusal `not_found` when it is none of theirs, or has ended.
 */
export async function endSession(owner: Owner, id: string, now: Date): Promise<void> {
  const rows = await db().ownerSession.findMany({ where: { personId: owner.personId, revokedAt: null } });
  const meant = rows.find((row) => namesOf(row.sidHash).includes(id));
  const ended =
    meant &&
    (await db().ownerSession.updateMany({
      where: { sidHash: meant.sidHash, personId: owner.personId, revokedAt: null },
      data: { revokedAt: now },
    }));
  if (ended?.count !== 1) throw new Refusal("not_found", "That browser is signed out already.");
}

/** By every key of the ring: a page that was loaded before a new key came still names its sessions. */
const namesOf = (sidHash: Uint8Array): string[] =>
  derivedKeys("session-name").map((key) =>
    createHmac("sha256", key).update(sidHash).digest().subarray(0, 15).toString("base64url"),
  );
