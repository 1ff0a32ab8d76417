import { accountSecured, emailPerson, type Notice, passwordChanged } from "@/lib/auth/notices";
import { endCodesWithoutFactor } from "@/lib/auth/passkeys";
import { hashPassword } from "@/lib/auth/password";
import { readWays } from "@/lib/auth/person-ways";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import { passwordIsOn, requirePasswordSignIn } from "@/lib/auth/ways";
import type { Owner } from "@/lib/contract/define";
import { disconnectAll } from "@/lib/oauth/disconnect";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";

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
  requirePasswordSignIn();
  const passwordHash = await hashPassword(password);
  const change = { personId: owner.personId, passwordHash, requestId, disconnectAgents, keptSid: owner.sid };
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await setPassword(tx, change, now);
  });
}

/**
 * Secures an account that may be compromised: sets a new password, removes passkeys, unlinks identities of providers, ends
 * every session including the current one, and revokes all agents with their tokens and pending approvals. On a service without passwords, passkeys
 * stay if no provider signs the person in.
 *
 * @param password a valid new one; undefined on a service without passwords.
 * @throws Refusal `invalid_input` at `password` when there must be one.
 */
export async function secureAccount(
  owner: Owner,
  password: string | undefined,
  requestId: string,
  now: Date,
): Promise<void> {
  const { personId } = owner;
  if (password !== undefined) {
    requirePasswordSignIn();
    const change = { personId, passwordHash: await hashPassword(password), requestId, disconnectAgents: true };
    return db().$transaction(async (tx) => {
      await lockSession(tx, owner, now);
      await setPassword(tx, change, now);
    });
  }
  if (passwordIsOn()) throw invalidInput([{ path: "password", message: "is needed" }]);
  await db().$transaction(async (tx) => {
    await lockSession(tx, owner, now);
    await endSessions(tx, personId, now);
    await tx.emailChange.deleteMany({ where: { personId } });
    if ((await readWays(tx, personId)).provider) await removePasskeys(tx, personId);
    await disconnectAll(tx, { personId, requestId }, now);
    await emailPerson(tx, personId, accountSecured, now);
  });
}

/**
 * Replaces the password and ends sessions, reset links and a requested change of the address, under the lock of `lockSession`; disconnects agents if `disconnectAgents` is set. Without a
 * kept session, whoever had access must lose it, so passkeys and identities of providers go too: a provider that has verified
 * the person's address links theirs again.
 */
export async function setPassword(tx: Db, change: Change, now: Date): Promise<void> {
  const { personId, passwordHash, requestId, disconnectAgents, keptSid, notice } = change;
  await tx.person.update({ where: { id: personId }, data: { passwordHash } });
  await endSessions(tx, personId, now, keptSid);
  // A thief's new password must not end the links that former addresses take the account back with.
  await tx.passwordReset.deleteMany({ where: { personId, restores: null } });
  await tx.emailChange.deleteMany({ where: { personId } });
  if (disconnectAgents) await disconnectAll(tx, { personId, requestId }, now);
  const everyBrowser = keptSid === undefined;
  if (everyBrowser) {
    await tx.providerAccount.deleteMany({ where: { personId } });
    await removePasskeys(tx, personId);
  }
  await emailPerson(tx, personId, notice ?? passwordChanged({ everyBrowser, disconnectAgents }), now);
}

async function removePasskeys(tx: Db, personId: number): Promise<void> {
  await tx.passkey.deleteMany({ where: { personId } });
  await endCodesWithoutFactor(tx, personId);
}
