import { changeSite, LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { notifyRoleChange } from "@/lib/sites/notices";
import { setOwnRole } from "@/lib/sites/roles";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** Formats a person for other people: `Jane (j***@example.org)`. */
export function describePerson(person: { name: string | null; email: string }): string {
  const masked = maskEmail(person.email);
  return person.name ? `${plainText(person.name)} (${masked})` : masked;
}

/** Masks an email address, so that it can only be recognised: `j***@example.org`. */
export const maskEmail = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.lastIndexOf("@"))}`;

/** The persons of an ownership transfer. */
export interface Transfer {
  newOwner: { id: number; label: string };
  /** The caller, or the person it acts for; null for a machine account without a person. */
  oldOwner: { id: number; label: string } | null;
}

/**
 * Checks an ownership transfer and returns its persons.
 *
 * @throws Refusal `not_found` if the new owner is not a member, whether or not the person exists, `invalid_input`
 *   if they are the caller or have reached their site limit, `role_denied` if the caller owns the site by its team
 */
export async function planTransfer(
  db: Db,
  siteId: number,
  callerId: number | null,
  newOwnerId: number,
): Promise<Transfer> {
  if (newOwnerId === callerId) {
    throw invalidInput([{ path: "new_owner_id", message: "must be another member; you already own the site" }]);
  }
  const newOwner = newOwnerId <= LARGEST_ID && (await memberOf(db, siteId, newOwnerId));
  if (!newOwner) throw notMember(siteId, newOwnerId);
  const byTeam =
    callerId !== null && (await db.membership.count({ where: { siteId, personId: callerId, teamRole: "owner" } }));
  if (byTeam)
    throw new Refusal(
      "role_denied",
      "You own this site by its team and would stay an owner. Take it out of the team with sites.team.set first, or make them an owner with sites.members.update.",
    );
  await requireRoomForSite(db, newOwnerId, siteId, "new_owner_id");
  return { newOwner, oldOwner: callerId === null ? null : await memberOf(db, siteId, callerId) };
}

async function memberOf(db: Db, siteId: number, personId: number): Promise<{ id: number; label: string } | null> {
  const member = await db.membership.findUnique({
    where: { siteId_personId: { siteId, personId } },
    select: { person: { select: { name: true, email: true } } },
  });
  return member && { id: personId, label: describePerson(member.person) };
}

/** Makes the new owner an owner and the old owner a manager, and emails the new owner. Other owners keep their role. */
export async function transferSite(db: Db, siteId: number, { newOwner, oldOwner }: Transfer, now: Date): Promise<void> {
  await changeSite(db, siteId);
  if (!(await setOwnRole(db, siteId, newOwner.id, "owner"))) throw notMember(siteId, newOwner.id);
  await notifyRoleChange(db, { siteId, personId: newOwner.id, role: "owner" }, now);
  if (!oldOwner) return;
  const owns = { siteId, personId: oldOwner.id, role: "owner" } as const;
  if ((await db.membership.count({ where: owns })) === 0) {
    throw new Refusal("role_denied", `Only owners can transfer a site, and you no longer own site ${siteId}.`);
  }
  await setOwnRole(db, siteId, oldOwner.id, "manager");
}

const notMember = (siteId: number, personId: number) =>
  new Refusal(
    "not_found",
    `Person ${personId} is not a member of site ${siteId}. Use a person_id from the members array of sites.settings.get, or invite the person with sites.members.invite.`,
  );
