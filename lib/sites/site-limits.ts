import type { Principal } from "@/lib/contract/define";
import type { Db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { lockRow } from "@/lib/platform/lock-row";

/** Limits on sites per account and domains per site. */

/**
 * Counts the sites towards the limit of an account: the sites a person owns or, for a machine account without a person,
 * the sites granted to its clients.
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
 * Requires that a person can own another site. Locks their row until the transaction ends, so that concurrent requests
 * cannot exceed the limit. Lock order: site, then person.
 *
 * @param siteId the site they would own; null for a new one. A site they already own does not count again
 * @param field the input field with the person, for the error; null if the person is the caller
 * @throws Refusal `invalid_input` at the limit
 */
export async function requireRoomForSite(
  tx: Db,
  personId: number,
  siteId: number | null,
  field: string | null,
): Promise<void> {
  await requireRoomForSites(tx, personId, [siteId], field);
}

/** The same for several sites, such as those of a team. */
export async function requireRoomForSites(
  tx: Db,
  personId: number,
  siteIds: readonly (number | null)[],
  field: string | null,
): Promise<void> {
  await lockRow(tx, "person", personId);
  const rows = await tx.membership.findMany({ where: { personId, role: "owner" }, select: { siteId: true } });
  const owned = new Set<number | null>(rows.map((membership) => membership.siteId));
  const added = siteIds.filter((siteId) => !owned.has(siteId)).length;
  const limit = env().SITES_PER_ACCOUNT;
  if (added === 0 || owned.size + added <= limit) return;
  if (field === null) throw tooManySites(limit);
  if (field === "team_id") {
    const message = `must be a team whose owners have room for it: one of them already owns ${limit} sites, the limit per account`;
    throw invalidInput([{ path: field, message }]);
  }
  const message = `already owns ${limit} sites, the limit per account; choose someone else, or ask them to delete or transfer a site`;
  throw invalidInput([{ path: field, message }]);
}

/**
 * Requires that a machine account without a person can have another site. The caller must hold the lock of the client's
 * row, so that concurrent requests cannot exceed the limit.
 *
 * @throws Refusal `invalid_input` at the limit
 */
export async function requireRoomForMachineSite(tx: Db, clientId: string): Promise<void> {
  const limit = env().SITES_PER_ACCOUNT;
  if ((await countSitesOfMachine(tx, clientId)) >= limit) throw tooManySites(limit);
}

const tooManySites = (limit: number) =>
  new Refusal(
    "invalid_input",
    `This account has reached its limit: it can own at most ${limit} sites. Delete or transfer a site, or ask the operator of this service to raise SITES_PER_ACCOUNT.`,
  );

/**
 * Requires that a site has not exceeded its limit of domains in this transaction. The caller must hold the site's row.
 *
 * @throws Refusal `invalid_input` beyond the limit
 */
export async function requireDomainsWithinLimit(tx: Db, siteId: number): Promise<void> {
  const limit = env().DOMAINS_PER_SITE;
  if ((await tx.siteDomain.count({ where: { siteId } })) <= limit) return;
  const message = `exceeds the limit of ${limit} domains per site; delete one with sites.domains.delete, or ask the operator of this service to raise DOMAINS_PER_SITE`;
  throw invalidInput([{ path: "domain", message }]);
}
