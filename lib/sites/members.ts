import type { SiteAccess } from "@/lib/contract/define";
import { Refusal } from "@/lib/contract/errors";
import type { Role } from "@/lib/contract/vocabulary";
import { type Db, db } from "@/lib/db";
import { lockSite } from "@/lib/gateway/lock-site";
import { isOutOfTurn } from "@/lib/pool";
import { siteFor } from "@/lib/sites/access";
import { supersedeApprovals } from "@/lib/sites/approvals";
import { changeSite, LARGEST_ID, siteGone } from "@/lib/sites/change";
import { noticeOfPeople, noticeOfRole } from "@/lib/sites/notices";
import { requireRoomForSite } from "@/lib/sites/site-limits";

/** A person of a site as the others see them. */
export interface Member {
  personId: number;
  email: string;
  name: string | null;
  role: Role;
  since: Date;
}

/** Who does it, on which site, and when. */
export interface PeopleChange {
  personId: number;
  siteId: number;
  requestId: string;
  now: Date;
}

/** What the audit calls a change, with what it was about. */
interface Note {
  operation: string;
  detail: Record<string, string | number>;
}

/** The people of a site, owners first, then by when they came. Any of them may see the others. */
export async function listMembers(siteId: number): Promise<Member[]> {
  const rows = await db().membership.findMany({
    where: { siteId },
    include: { person: { select: { email: true, name: true } } },
    // In the order of the type: viewer, manager, owner.
    orderBy: [{ role: "desc" }, { createdAt: "asc" }, { personId: "asc" }],
  });
  return rows.map(({ personId, role, createdAt, person }) => ({ personId, role, since: createdAt, ...person }));
}

/**
 * Changes who belongs to a site. Such changes take turns, and the rights of whoever makes one are those of that moment.
 * The site's revision grows and the audit tells who did what.
 *
 * @param what its name in the audit, with what it was about.
 * @throws Refusal as `siteFor` does when the person may not do it (any more).
 */
export async function changePeople<Result>(
  by: PeopleChange,
  least: Role,
  what: Note,
  work: (tx: Db, site: SiteAccess) => Promise<Result>,
): Promise<Result> {
  if (by.siteId > LARGEST_ID) throw siteGone(by.siteId);
  try {
    return await db().$transaction((tx) => changeWithin(tx, by, least, what, work));
  } catch (error) {
    if (isOutOfTurn(error)) throw busy();
    throw error;
  }
}

async function changeWithin<Result>(
  tx: Db,
  by: PeopleChange,
  least: Role,
  what: Note,
  work: (tx: Db, site: SiteAccess) => Promise<Result>,
): Promise<Result> {
  await lockSite(tx, by.siteId);
  const site = await siteFor(tx, { kind: "owner", personId: by.personId }, by.siteId, least);
  const result = await work(tx, site);
  await changeSite(tx, by.siteId);
  await notePeople(tx, by, what);
  return result;
}

/** Writes a change of who belongs to a site into the audit. */
export async function notePeople(tx: Db, by: PeopleChange, what: Note): Promise<void> {
  const { personId, siteId, requestId, now } = by;
  await tx.audit.create({ data: { at: now, siteId, personId, requestId, ...what } });
}

/**
 * An owner gives a member another role.
 *
 * @throws Refusal `role_denied` when the caller owns the site no more or nobody would, `not_found` for who is no member,
 *   `invalid_input` for a new owner who has no room for another site.
 */
export async function changeRole(by: PeopleChange, personId: number, role: Role): Promise<void> {
  const what = { operation: "members.change_role", detail: { person_id: personId, role } };
  if (personId > LARGEST_ID) throw notMember();
  await changePeople(by, "owner", what, async (tx, site) => {
    if (role === "owner") await requireRoomForSite(tx, personId, site.id, "person_id");
    const { count } = await tx.membership.updateMany({ where: { siteId: site.id, personId }, data: { role } });
    if (count === 0) throw notMember();
    await keepAnOwner(tx, site);
    if (personId !== by.personId) await noticeOfRole(tx, { siteId: site.id, personId, role }, by.now);
    await noticeOfPeople(tx, { siteId: site.id, personId, byId: by.personId, act: { became: role } }, by.now);
  });
}

/** An owner takes a member from the site. @throws Refusal as `changeRole` does. */
export async function removeMember(by: PeopleChange, personId: number): Promise<void> {
  const what = { operation: "members.remove", detail: { person_id: personId } };
  if (personId > LARGEST_ID) throw notMember();
  await changePeople(by, "owner", what, async (tx, site) => {
    await takeAway(tx, site, personId);
    if (personId !== by.personId) await noticeOfRole(tx, { siteId: site.id, personId, role: null }, by.now);
    await noticeOfPeople(tx, { siteId: site.id, personId, byId: by.personId, act: "removed" }, by.now);
  });
}

/** A member leaves. @throws Refusal `role_denied` for the last owner. */
export const leaveSite = (by: PeopleChange): Promise<void> => changePeople(by, "viewer", leavingOf(by), leave(by));

/** The same as a part of something larger. */
export const leaveWithin = (tx: Db, by: PeopleChange): Promise<void> =>
  changeWithin(tx, by, "viewer", leavingOf(by), leave(by));

const leavingOf = ({ personId }: PeopleChange): Note => ({
  operation: "members.leave",
  detail: { person_id: personId },
});

const leave =
  ({ personId, now }: PeopleChange) =>
  async (tx: Db, site: SiteAccess): Promise<void> => {
    await takeAway(tx, site, personId);
    await noticeOfPeople(tx, { siteId: site.id, personId, byId: personId, act: "left" }, now);
  };

/** Their agents go with them: should the person come back, they are let onto the site anew. */
async function takeAway(tx: Db, site: SiteAccess, personId: number): Promise<void> {
  const { count } = await tx.membership.deleteMany({ where: { siteId: site.id, personId } });
  if (count === 0) throw notMember();
  await keepAnOwner(tx, site);
  const theirs = { siteId: site.id, client: { ownerId: personId } };
  await supersedeApprovals(tx, theirs);
  await tx.clientSite.deleteMany({ where: theirs });
}

/** A site with people keeps an owner. Its row is held: of two owners who remove each other one is refused here. */
async function keepAnOwner(tx: Db, site: SiteAccess): Promise<void> {
  if ((await tx.membership.count({ where: { siteId: site.id, role: "owner" } })) > 0) return;
  throw new Refusal("role_denied", `${site.domain} needs an owner: make another member one first, or delete the site.`);
}

const notMember = () => new Refusal("not_found", "That person does not belong to the site (any more).");
export const busy = () =>
  new Refusal("operation_in_progress", "Someone else is changing this site; try again.", undefined, 1);
