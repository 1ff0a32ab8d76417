import { lockSignupsExclusive, isFirstAccount } from "@/lib/auth/first-account";
import type { Owner } from "@/lib/contract/define";
import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import { inSiteTransaction } from "@/lib/gateway/changes/change-site";
import { lockSitesOf } from "@/lib/gateway/changes/lock-site";
import { type Db, db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { Refusal } from "@/lib/platform/errors";
import { leaveWithin } from "@/lib/sites/members";

/** A site that would have no owner without this person. */
export interface SoleSite {
  siteId: number;
  domain: string;
}

/** The sites of which a person is the only owner, by domain. */
export async function soleSites(on: Db, personId: number): Promise<SoleSite[]> {
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

/** A person with hundreds of sites leaves each of them, and its owners get letters. */
const DELETE_WITHIN_MS = 30_000;

/** Why a person's account cannot be deleted now, as far as it can be seen beforehand. */
export async function deletionBlockers(personId: number): Promise<{ runsService: boolean; sites: SoleSite[] }> {
  return { runsService: await runsService(db(), personId), sites: await soleSites(db(), personId) };
}

const runsService = async (on: Db, personId: number): Promise<boolean> =>
  (await isFirstAccount(personId, on)) && (await on.person.count({ where: { id: { not: personId } }, take: 1 })) > 0;

/**
 * Deletes a person: sign-ins, roles, agents with all they hold, invitations they sent. What they and their agents did
 * stays in the audit under their number, which is nobody's from then on. Their sites' other owners and they themselves
 * get a letter.
 *
 * @throws Refusal `role_denied` while they are a site's only owner, whose sites it names, or run the service for others;
 *   `operation_in_progress` while somebody else changes one of their sites.
 */
export async function deleteAccount(owner: Owner, requestId: string, now: Date): Promise<void> {
  await inSiteTransaction((tx) => deleteWithin(tx, owner, requestId, now), { timeout: DELETE_WITHIN_MS });
}

async function deleteWithin(tx: Db, { personId, email }: Owner, requestId: string, now: Date): Promise<void> {
  await tx.$executeRaw`SET LOCAL lock_timeout = '3s'`;
  // Who is not the first account never becomes it: that takes the first to be the last.
  if (await isFirstAccount(personId, tx)) {
    await lockSignupsExclusive(tx);
    if (await runsService(tx, personId)) throw runsForOthers();
  }
  // Nobody gives a person who is held here a site or an agent.
  await tx.$queryRaw`SELECT 1 FROM person WHERE id = ${personId} FOR UPDATE`;
  await lockSitesOf(tx, personId);
  const sole = await soleSites(tx, personId);
  if (sole.length > 0) throw stillOwner(sole);
  const theirs = await tx.membership.findMany({ where: { personId }, orderBy: { siteId: "asc" } });
  for (const { siteId } of theirs) await leaveWithin(tx, { personId, siteId, requestId, now });
  await tx.machineAccount.deleteMany({ where: { ownerId: personId } });
  await tx.person.deleteMany({ where: { id: personId } });
  await writeAudit(tx, { at: now, personId, operation: "account.delete", requestId, detail: {} });
  await queueEmail(tx, farewell(email, now), now);
}

const runsForOthers = () =>
  new Refusal("role_denied", "The first account runs this service: it can be deleted only as the last one.");

function stillOwner(sites: SoleSite[]): Refusal {
  const names = sites.slice(0, 5).map(({ domain }) => domain);
  const rest = sites.length > names.length ? ` and ${sites.length - names.length} more` : "";
  return new Refusal(
    "role_denied",
    `You are the only owner of ${names.join(", ")}${rest}. Hand over or delete what is yours alone, then delete your account.`,
    { sites: sites.map(({ siteId, domain }) => ({ site_id: siteId, domain })) },
  );
}

function farewell(email: string, now: Date) {
  const paragraphs = [
    `Your account was deleted on ${formatUtc(now)}, with its sign-ins, its roles and its agents. Nothing brings it back.`,
    `You may make a new one at any time: ${env().BASE_URL}/signup`,
    "If it was not you, somebody knows your password: change it wherever else you use it.",
  ];
  return writeEmail(
    email,
    "Your account was deleted",
    paragraphs,
    "the end of an account is always told to its person",
  );
}
