import { changeSite, LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { noticeOfRole } from "@/lib/sites/notices";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A person as others may see them: `Jane (j***@example.org)`. */
export function describePerson(person: { name: string | null; email: string }): string {
  const masked = maskEmail(person.email);
  return person.name ? `${plainText(person.name)} (${masked})` : masked;
}

/** An address as those may see it who are to recognise it only: `j***@example.org`. */
export const maskEmail = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.lastIndexOf("@"))}`;

/** What a transfer would do: who becomes the owner, and which owner steps down for them. */
export interface Transfer {
  newOwner: { id: number; label: string };
  /** The caller, or the human behind it; null for a machine on its own. */
  oldOwner: { id: number; label: string } | null;
}

/**
 * Reads who hands the site over to whom.
 *
 * @throws Refusal `not_found` when the new owner is not a member (whoever that may be, and whether they exist),
 *   `invalid_input` when they are the caller, or have no room for another site.
 */
export async function transferOf(
  db: Db,
  siteId: number,
  callerId: number | null,
  newOwnerId: number,
): Promise<Transfer> {
  if (newOwnerId === callerId) {
    throw invalidInput([{ path: "new_owner_id", message: "is you, who own the site already; name another member" }]);
  }
  const newOwner = newOwnerId <= LARGEST_ID && (await memberOf(db, siteId, newOwnerId));
  if (!newOwner) throw notMember(siteId, newOwnerId);
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

/** Makes the new owner one and the old owner a manager; other owners stay what they are. The new owner is told by letter. */
export async function transferSite(db: Db, siteId: number, { newOwner, oldOwner }: Transfer, now: Date): Promise<void> {
  await changeSite(db, siteId);
  const risen = await db.membership.updateMany({ where: { siteId, personId: newOwner.id }, data: { role: "owner" } });
  if (risen.count === 0) throw notMember(siteId, newOwner.id);
  await noticeOfRole(db, { siteId, personId: newOwner.id, role: "owner" }, now);
  if (!oldOwner) return;
  const fallen = await db.membership.updateMany({
    where: { siteId, personId: oldOwner.id, role: "owner" },
    data: { role: "manager" },
  });
  if (fallen.count === 0) {
    throw new Refusal("role_denied", `Only an owner hands a site over, and you no longer own site ${siteId}.`);
  }
}

const notMember = (siteId: number, personId: number) =>
  new Refusal(
    "not_found",
    `Person ${personId} is not a member of site ${siteId}; the members array of sites.settings.get has the person_id of each one. sites.members.invite invites others.`,
  );
