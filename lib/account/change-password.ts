import { emailPerson, type Notice, passwordChanged } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { endSessions } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { disconnectAll } from "@/lib/oauth/disconnect";
import { type Db, db } from "@/lib/platform/db";

interface Change {
  personId: number;
  passwordHash: string;
  requestId: string;
  /** Whether to disconnect the person's agents too. */
  disconnectAgents: boolean;
  /** The only session that stays signed in. */
  keptSid?: string;
  /** The email to the person; "password changed" by default. */
  notice?: Notice | undefined;
}

/** Sets a new password for a signed-in person and signs out every other browser. */
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
 * Secures an account that may be compromised: sets a new password, ends every session including the current one, and
 * revokes all agents with their tokens and pending approvals.
 */
export async function secureAccount(owner: Owner, password: string, requestId: string, now: Date): Promise<void> {
  const passwordHash = await hashPassword(password);
  const change = { personId: owner.personId, passwordHash, requestId, disconnectAgents: true };
  await db().$transaction((tx) => setPassword(tx, change, now));
}

/** Replaces the password and ends sessions and reset links; disconnects agents if `disconnectAgents` is set. */
export async function setPassword(tx: Db, change: Change, now: Date): Promise<void> {
  const { personId, passwordHash, requestId, disconnectAgents, keptSid, notice } = change;
  await tx.person.update({ where: { id: personId }, data: { passwordHash } });
  await endSessions(tx, personId, now, keptSid);
  await tx.passwordReset.deleteMany({ where: { personId } });
  if (disconnectAgents) await disconnectAll(tx, { personId, requestId }, now);
  const everyBrowser = keptSid === undefined;
  await emailPerson(tx, personId, notice ?? passwordChanged({ everyBrowser, disconnectAgents }), now);
}
