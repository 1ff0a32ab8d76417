import { type Notice, passwordChanged, emailPerson } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { endSessions } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { disconnectAll } from "@/lib/oauth/disconnect";
import { type Db, db } from "@/lib/platform/db";

interface Change {
  personId: number;
  passwordHash: string;
  requestId: string;
  /** Whether all that acts for the person ends too. */
  disconnectAgents: boolean;
  /** The one session that stays open. */
  keptSid?: string;
  /** What the person is emailed; by default that the password was changed. */
  notice?: Notice | undefined;
}

/** Gives a signed-in person a new password, one that may be chosen; every other browser is signed out. */
export async function changePassword(
  owner: Owner,
  { password, disconnectAgents }: { password: string; disconnectAgents: boolean },
  requestId: string,
  now: Date,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  const change = { personId: owner.personId, passwordHash, requestId, disconnectAgents, keptSid: owner.sid };
  await db().$transaction((tx) => setPassword(tx, change, now));
}

/**
 * For a person who fears that someone else got into their account: a new password, and everything that could act in
 * their name ends: every session, this one too, agents with their tokens, and approvals.
 */
export async function secureAccount(owner: Owner, password: string, requestId: string, now: Date): Promise<void> {
  const passwordHash = await hashPassword(password);
  const change = { personId: owner.personId, passwordHash, requestId, disconnectAgents: true };
  await db().$transaction((tx) => setPassword(tx, change, now));
}

/** Replaces a password; what was opened with the old one ends: sessions, links to reset it and, if so chosen, agents. */
export async function setPassword(tx: Db, change: Change, now: Date): Promise<void> {
  const { personId, passwordHash, requestId, disconnectAgents, keptSid, notice } = change;
  await tx.person.update({ where: { id: personId }, data: { passwordHash } });
  await endSessions(tx, personId, now, keptSid);
  await tx.passwordReset.deleteMany({ where: { personId } });
  if (disconnectAgents) await disconnectAll(tx, { personId, requestId }, now);
  const everyBrowser = keptSid === undefined;
  await emailPerson(tx, personId, notice ?? passwordChanged({ everyBrowser, disconnectAgents }), now);
}
