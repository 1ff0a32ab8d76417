import type { Principal } from "@/lib/contract/define";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";

/** Limits on how many sites an account may have and how many domains a site may have. */

/**
 * How many sites count against the limit of an account: those that a person owns or, for a machine account without a
 * person, those that its clients were granted.
 */
export const countOwnedSites = (db: Db, principal: Principal): Promise<number> =>
  principal.personId === null && principal.kind === "client"
    ? countSitesOfMachine(db, principal.clientId)
    : db.membership.count({ where: { personId: principal.personId ?? 0, role: "owner" } });

async function countSitesOfMachine(db: Db, clientId: string): Promise<number> {
  const { accountId } = await db.client.findUniqueOrThrow({ where: { id: clientId }, select: { accountId: true } });
  const client = accountId === null ? { id: clientId } : { accountId, revokedAt: null };
  return db.site.count({ where: { clients: { some: { client } } } });
}

/**
 * Refuses a person another site. Their row is locked until the transaction ends, so that parallel calls cannot exceed the
 * limit. Locks are taken in the order site, person.
 *
 * @param siteId the site they would own; null for a new one. One that they own already counts as before.
 * @param field the input that names the person, for a refusal to somebody else; null where the person is the caller.
 * @throws Refusal `invalid_input`
 */
export async function requireRoomForSite(
  tx: Db,
  personId: number,
  siteId: number | null,
  field: string | null,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM person WHERE id = ${personId} FOR NO KEY UPDATE`;
  const owned = await tx.membership.findMany({ where: { personId, role: "owner" }, select: { siteId: true } });
  if (siteId !== null && owned.some((membership) => membership.siteId === siteId)) return;
  const most = env().SITES_PER_ACCOUNT;
  if (owned.length < most) return;
  if (field === null) throw tooManySites(most);
  const message = `owns ${most} sites or more, the most that an account may own; name somebody else, or ask them to delete a site or transfer one`;
  throw invalidInput([{ path: field, message }]);
}

/**
 * Refuses a machine account without a person another site. The caller holds the client's row, so that its calls cannot
 * exceed the limit in parallel.
 *
 * @throws Refusal `invalid_input`
 */
export async function requireRoomForMachineSite(tx: Db, clientId: string): Promise<void> {
  const most = env().SITES_PER_ACCOUNT;
  if ((await countSitesOfMachine(tx, clientId)) >= most) throw tooManySites(most);
}

const tooManySites = (most: number) =>
  new Refusal(
    "invalid_input",
    `An account may own at most ${most} sites, and this one does. Delete a site or transfer one, or ask the operator of this service to raise SITES_PER_ACCOUNT.`,
  );

/**
 * Refuses a site that has got one domain too many in this transaction. The caller holds the site's row.
 *
 * @throws Refusal `invalid_input`
 */
export async function requireDomainsWithinLimit(tx: Db, siteId: number): Promise<void> {
  const most = env().DOMAINS_PER_SITE;
  if ((await tx.siteDomain.count({ where: { siteId } })) <= most) return;
  const message = `is one domain too many: a site may have at most ${most}; delete one with sites.domains.delete, or ask the operator of this service to raise DOMAINS_PER_SITE`;
  throw invalidInput([{ path: "domain", message }]);
}
