import { z } from "zod";
import type { SiteAccess } from "@/lib/contract/define";
import { personId, role, untrusted } from "@/lib/contract/fields";
import type { Role } from "@/lib/contract/vocabulary";
import { changeSiteAs, inSiteTransaction, type SiteChange } from "@/lib/gateway/changes/change-site";
import { changeSite, LARGEST_ID, type SiteWork } from "@/lib/gateway/changes/site-revision";
import { supersedeApprovals } from "@/lib/gateway/changes/supersede-approvals";
import { type Db, db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { siteFor } from "@/lib/sites/access";
import { noticeOfPeople, noticeOfRole } from "@/lib/sites/notices";
import { describePerson } from "@/lib/sites/people";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A person of a site as the others see them. */
export interface Member {
  personId: number;
  email: string;
  name: string | null;
  role: Role;
  since: Date;
}

/** A member as operations answer it. */
export const memberShape = z
  .object({
    person_id: personId,
    email: z.string(),
    name: untrusted.nullable(),
    role,
    since: z.iso.datetime().meta({ description: "When the person joined the site" }),
  })
  .meta({ id: "Member" });

export const describeMember = ({ personId, email, name, role, since }: Member): z.input<typeof memberShape> => ({
  person_id: personId,
  ...{ email, name, role },
  since: since.toISOString(),
});

/** The people of a site, owners first, then by when they came. Any of them may see the others. */
export async function listMembers(siteId: number, on: Db = db()): Promise<Member[]> {
  const rows = await on.membership.findMany({
    where: { siteId },
    include: { person: { select: { email: true, name: true } } },
    // In the order of the type: viewer, manager, owner.
    orderBy: [{ role: "desc" }, { createdAt: "asc" }, { personId: "asc" }],
  });
  return rows.map(({ personId, role, createdAt, person }) => ({ personId, role, since: createdAt, ...person }));
}

/**
 * Reads which member would get another role, or be removed.
 *
 * @param becomes the new role; null removes the member.
 * @returns the person as an approval shows them, and their role until now.
 * @throws Refusal `not_found` for who is no member, `role_denied` when the site would have no owner, `invalid_input` for a
 *   new owner who has no room for another site.
 */
export async function memberToChange(
  on: Db,
  site: SiteAccess,
  personId: number,
  becomes: Role | null,
): Promise<{ label: string; role: Role }> {
  const member =
    personId <= LARGEST_ID &&
    (await on.membership.findUnique({
      where: { siteId_personId: { siteId: site.id, personId } },
      select: { role: true, person: { select: { name: true, email: true } } },
    }));
  if (!member) throw notMember();
  if (becomes !== "owner") await requireOtherOwner(on, site, personId);
  else await requireRoomForSite(on, personId, site.id, "person_id");
  return { label: `${describePerson(member.person)}, ID ${personId}`, role: member.role };
}

/**
 * Gives a member another role, and emails them.
 *
 * @throws Refusal as `memberToChange` does.
 */
export async function changeRole({ db, site, principal, now }: SiteWork, personId: number, role: Role): Promise<void> {
  await memberToChange(db, site, personId, role);
  await db.membership.updateMany({ where: { siteId: site.id, personId }, data: { role } });
  await changeSite(db, site.id);
  if (personId !== principal.personId) await noticeOfRole(db, { siteId: site.id, personId, role }, now);
}

/**
 * Removes a member with their agents, and emails them.
 *
 * @throws Refusal as `memberToChange` does.
 */
export async function removeMember({ db, site, principal, now }: SiteWork, personId: number): Promise<void> {
  await memberToChange(db, site, personId, null);
  await endMembership(db, site.id, personId);
  await changeSite(db, site.id);
  if (personId !== principal.personId) await noticeOfRole(db, { siteId: site.id, personId, role: null }, now);
}

/** A member leaves. @throws Refusal `role_denied` for the last owner, and as `siteFor` does. */
export const leaveSite = (by: SiteChange): Promise<void> => inSiteTransaction((tx) => leaveWithin(tx, by));

/** The same within the transaction that deletes the person's account. */
export const leaveWithin = (tx: Db, by: SiteChange): Promise<void> =>
  changeSiteAs(tx, by, { operation: "members.leave", detail: { person_id: by.personId } }, async () => {
    const { siteId, personId, now } = by;
    const site = await siteFor(tx, { kind: "owner", personId }, siteId, "viewer");
    await requireOtherOwner(tx, site, personId);
    await endMembership(tx, siteId, personId);
    await noticeOfPeople(tx, { siteId, personId, act: "left" }, now);
  });

/** Their agents lose the site too: a person who comes back gives them access anew. */
async function endMembership(tx: Db, siteId: number, personId: number): Promise<void> {
  await tx.membership.deleteMany({ where: { siteId, personId } });
  const theirs = { siteId, client: { ownerId: personId } };
  await supersedeApprovals(tx, theirs);
  await tx.clientSite.deleteMany({ where: theirs });
}

/** A site with people keeps an owner. The site is locked: of two owners who remove each other one is refused here. */
async function requireOtherOwner(on: Db, site: SiteAccess, personId: number): Promise<void> {
  const others = { siteId: site.id, role: "owner" as const, personId: { not: personId } };
  if ((await on.membership.count({ where: others })) > 0) return;
  throw new Refusal("role_denied", `${site.domain} needs an owner: make another member one first, or delete the site.`);
}

const notMember = () => new Refusal("not_found", "That person does not belong to the site (any more).");
