import { passwordChanged, tellPerson } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { endSessions, type Owner } from "@/lib/auth/session-row";
import { type Db, db } from "@/lib/db";

/** Gives a signed-in person a new password, one that may be chosen; every other browser is signed out. */
export async function changePassword(owner: Owner, password: string, now: Date): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db().$transaction((tx) => putPassword(tx, owner.personId, passwordHash, now, owner.sid));
}

/** Whatever was opened with the old password ends: sessions, but for the kept one, and links to reset it. */
export async function putPassword(
  tx: Db,
  personId: number,
  passwordHash: string,
  now: Date,
  keptSid?: string,
): Promise<void> {
  await tx.person.update({ where: { id: personId }, data: { passwordHash } });
  await endSessions(tx, personId, now, keptSid);
  await tx.passwordReset.deleteMany({ where: { personId } });
  await tellPerson(tx, personId, passwordChanged, now);
}
