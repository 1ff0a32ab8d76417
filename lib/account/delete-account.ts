import { hasOtherAdministrator, lockSignupsExclusive } from "@/lib/auth/administrators";
import { readerOf } from "@/lib/auth/notices";
import { lockSession } from "@/lib/auth/session-row";
import type { Owner } from "@/lib/contract/define";
import { formatUtc, queueEmail, type Reader, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { lockSitesOf } from "@/lib/gateway/changes/lock-site";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { plainText } from "@/lib/platform/text";
import { leaveWithin } from "@/lib/sites/members";
import { closeTeam, leaveTeamWithin } from "@/lib/sites/team-members";
import { t } from "@/lib/texts/translate";

/** A site that would have no owner without this person. */
export interface SoleSite {
  siteId: number;
  domain: string;
}

/** Returns the sites of which the person is the only owner, ordered by domain. */
async function soleSites(on: Db, personId: number): Promise<SoleSite[]> {
  const rows = await on.site.findMany({
    where: {
      memberships: { some: { personId, role: "owner" }, none: { personId: { not: personId }, role: "owner" } },
    },
    select: { id: true, domains: { where: { isPrimary: true }, select: { host: true } } },
  });
  return rows
    .map(({ id, domains }) => ({ siteId: id, domain: domains[0]?.host ?? `site ${id}` }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1));
}

/** Returns the teams with other members of which the person is the only owner, ordered by name. */
async function soleTeams(on: Db, personId: number): Promise<{ teamId: number; name: string }[]> {
  const owner = { role: "owner" } as const;
  const rows = await on.team.findMany({
    where: {
      AND: [{ members: { some: { personId, ...owner } } }, { members: { some: { personId: { not: personId } } } }],
      members: { none: { personId: { not: personId }, ...owner } },
    },
    orderBy: { name: "asc" },
  });
  return rows.map(({ id, name }) => ({ teamId: id, name: plainText(name) }));
}

/** Leaves the teams of a person, and deletes those of which they are the only member. The sites must have other owners. */
async function endTeams(tx: Db, personId: number, requestId: string, now: Date): Promise<void> {
  const teams = await tx.teamMember.findMany({ where: { personId }, orderBy: { teamId: "asc" } });
  for (const { teamId } of teams) {
    const isAlone = (await tx.teamMember.count({ where: { teamId } })) === 1;
    if (!isAlone) await leaveTeamWithin(tx, { teamId, personId, requestId, now });
    else await closeTeam(tx, { teamId, personId, requestId, now });
  }
}

/** Long enough for a member of hundreds of sites: they leave each one, and its owners are emailed. */
const TRANSACTION_TIMEOUT_MS = 30_000;

/** What prevents the deletion of an account. */
export interface DeletionBlockers {
  /** Whether they are the last administrator of the service, and others have accounts. */
  runsService: boolean;
  /** Until when a former address can take the account back; null if none can. */
  returnsUntil: Date | null;
  /** The sites that would be left without an owner. */
  sites: SoleSite[];
  /** The teams with others that would be left without an owner. */
  teams: { teamId: number; name: string }[];
}

/** Returns what currently prevents the deletion of an account. `deleteAccount` checks again under its locks. */
export async function deletionBlockers(personId: number, now: Date): Promise<DeletionBlockers> {
  const [runs, returnsUntil, sites, teams] = await Promise.all([
    runsService(db(), personId),
    mayReturnUntil(db(), personId, now),
    soleSites(db(), personId),
    soleTeams(db(), personId),
  ]);
  return { runsService: runs, returnsUntil, sites, teams };
}

/** Until when a former address can take the account back: a thief must not be able to delete it before. */
async function mayReturnUntil(on: Db, personId: number, now: Date): Promise<Date | null> {
  const where = { personId, restores: { not: null }, expiresAt: { gt: now } };
  return (await on.passwordReset.aggregate({ where, _max: { expiresAt: true } }))._max.expiresAt;
}

/** Whether they are the last administrator, and there are other accounts. */
async function runsService(on: Db, personId: number): Promise<boolean> {
  const { administrator } = (await on.person.findUnique({ where: { id: personId } })) ?? { administrator: false };
  if (!administrator || (await hasOtherAdministrator(on, personId))) return false;
  return (await on.person.count({ where: { id: { not: personId } }, take: 1 })) > 0;
}

/**
 * Deletes a person with their sessions, roles, agents and the invitations they sent, then emails them and the other
 * owners of their sites. Audit entries keep the person id, which no longer refers to anyone.
 *
 * @throws Refusal `role_denied` if they are the only owner of a site (the error lists the sites) or of a team with others, run the
 *   service for others, or changed their address so recently that the former one can take the account back;
 *   `operation_in_progress` while someone else changes one of their sites.
 */
export async function deleteAccount(owner: Owner, requestId: string, now: Date): Promise<void> {
  await inSiteTransaction((tx) => deleteWithin(tx, owner, requestId, now), { timeout: TRANSACTION_TIMEOUT_MS });
}

async function deleteWithin(tx: Db, owner: Owner, requestId: string, now: Date): Promise<void> {
  const { personId } = owner;
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  // Nobody else needs the lock: who is named an administrator meanwhile is one beside whoever named them.
  if (owner.administrator) {
    await lockSignupsExclusive(tx);
    if (await runsService(tx, personId)) throw runsForOthers();
  }
  // The row lock keeps others from granting this person a site or an agent meanwhile.
  await lockSession(tx, owner, now, { isDeleted: true });
  const returnsUntil = await mayReturnUntil(tx, personId, now);
  if (returnsUntil) throw mayReturn(returnsUntil);
  await lockSitesOf(tx, personId);
  const sole = await soleSites(tx, personId);
  if (sole.length > 0) throw soleOwner(sole);
  const teams = await soleTeams(tx, personId);
  if (teams.length > 0) throw soleTeamOwner(teams);
  await endTeams(tx, personId, requestId, now);
  const memberships = await tx.membership.findMany({ where: { personId }, orderBy: { siteId: "asc" } });
  for (const { siteId } of memberships) await leaveWithin(tx, { personId, siteId, requestId, now });
  const reader = await readerOf(tx, personId);
  await tx.machineAccount.deleteMany({ where: { ownerId: personId } });
  await tx.person.deleteMany({ where: { id: personId } });
  await writeAudit(tx, { at: now, personId, operation: "account.delete", requestId, detail: {} });
  await queueEmail(tx, accountDeletedEmail(reader, now), now);
}

const soleTeamOwner = (teams: { name: string }[]) =>
  new Refusal(
    "role_denied",
    `You are the only owner of the team ${teams.map(({ name }) => name).join(", ")}. Make another member an owner of it first, or remove its other members.`,
  );

const runsForOthers = () =>
  new Refusal(
    "role_denied",
    "You are the only administrator of this service. Name another one on the admin page, or delete all other accounts first.",
  );

const mayReturn = (until: Date) =>
  new Refusal(
    "role_denied",
    `Your email address was changed. Until ${formatUtc(until)} the former address can take the account back; delete it after that.`,
  );

function soleOwner(sites: SoleSite[]): Refusal {
  const names = sites.slice(0, 5).map(({ domain }) => domain);
  const rest = sites.length > names.length ? ` and ${sites.length - names.length} more` : "";
  return new Refusal(
    "role_denied",
    `You are the only owner of ${names.join(", ")}${rest}. Transfer or delete these sites, then delete your account.`,
    { sites: sites.map(({ siteId, domain }) => ({ site_id: siteId, domain })) },
  );
}

const accountDeletedEmail = (reader: Reader, now: Date) =>
  writeEmail(reader, () => ({
    subject: t("Your account was deleted"),
    paragraphs: [
      t("Your account was deleted on {time}, together with its sessions, roles and agents. This cannot be undone.", {
        time: formatUtc(now),
      }),
      t("You can create a new account at any time: {url}", { url: `${env().BASE_URL}/signup` }),
      t("If you did not delete your account, someone knows your password. Change it everywhere else you use it."),
    ],
    why: t("we always confirm the deletion of an account"),
  }));
