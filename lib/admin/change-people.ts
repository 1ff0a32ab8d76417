import { hasOtherAdministrator, lockSignupsExclusive, requireAdministrator } from "@/lib/auth/administrators";
import {
  accountDisabled,
  accountEnabled,
  administratorRemoved,
  emailPerson,
  madeAdministrator,
  type Notice,
} from "@/lib/auth/notices";
import { endSessions, lockSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";

/** What administrators do with accounts. Changes run one after the other, so that two cannot remove each other. */

/** The administrator, and the request and time of a change. */
export interface AdminChange {
  owner: Owner;
  requestId: string;
  now: Date;
}

/**
 * Disables or enables an account. A disabled person cannot sign in; their sessions end, and their agents, tokens and
 * ingest keys do not work until the account is enabled. Nothing is deleted.
 *
 * @throws Refusal `not_found`, `role_denied` for the caller's own account and who is no administrator.
 */
export async function setPersonDisabled(by: AdminChange, personId: number, disabled: boolean): Promise<void> {
  await changePerson(by, personId, `admin.people.${disabled ? "disable" : "enable"}`, async (tx, person) => {
    if (personId === by.owner.personId) throw new Refusal("role_denied", "You cannot disable your own account.");
    if ((person.disabledAt !== null) === disabled) return null;
    await tx.person.update({ where: { id: personId }, data: { disabledAt: disabled ? by.now : null } });
    if (disabled) await endSessions(tx, personId, by.now);
    return disabled ? accountDisabled : accountEnabled;
  });
}

/**
 * Makes a person an administrator of the service, or no longer one.
 *
 * @throws Refusal `not_found`, `role_denied` for the last administrator, a disabled or unconfirmed account and who is no
 *   administrator.
 */
export async function setAdministrator(by: AdminChange, personId: number, administrator: boolean): Promise<void> {
  await changePerson(by, personId, `admin.administrators.${administrator ? "add" : "remove"}`, async (tx, person) => {
    if (person.administrator === administrator) return null;
    if (administrator && (person.disabledAt || !person.confirmedAt)) {
      throw new Refusal("role_denied", "An administrator needs an enabled account with a confirmed email address.");
    }
    if (!administrator && !(await hasOtherAdministrator(tx, personId))) {
      throw new Refusal("role_denied", "The service needs an administrator. Name another one first.");
    }
    await tx.person.update({ where: { id: personId }, data: { administrator } });
    return administrator ? madeAdministrator : administratorRemoved;
  });
}

interface Changed {
  administrator: boolean;
  disabledAt: Date | null;
  confirmedAt: Date | null;
}

/** @param change returns the email to the person; null if it changed nothing. */
async function changePerson(
  { owner, requestId, now }: AdminChange,
  personId: number,
  operation: string,
  change: (tx: Db, person: Changed) => Promise<Notice | null>,
): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockSignupsExclusive(tx);
    await lockSession(tx, owner, now);
    await requireStillAdministrator(tx, owner);
    const person = personId <= LARGEST_ID && (await lockPerson(tx, personId));
    if (!person) throw new Refusal("not_found", "There is no account with this id. Reload the page.");
    const notice = await change(tx, person);
    if (!notice) return;
    const detail = { person_id: personId };
    await writeAudit(tx, { at: now, personId: owner.personId, operation, requestId, detail });
    await emailPerson(tx, personId, notice, now);
  });
}

async function lockPerson(tx: Db, id: number): Promise<Changed | null> {
  await lockRow(tx, "person", id);
  return tx.person.findUnique({ where: { id }, select: { administrator: true, disabledAt: true, confirmedAt: true } });
}

/** Checks the administrator again, under the lock of `lockSession`. @throws Refusal `role_denied` */
export const requireStillAdministrator = async (tx: Db, { personId }: Owner): Promise<void> =>
  requireAdministrator(await tx.person.findUniqueOrThrow({ where: { id: personId } }));
