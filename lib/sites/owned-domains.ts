import { changeSite, LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { requireDomainsWithinLimit } from "@/lib/sites/site-limits";

/** A domain of a site, as its row. */
export interface OwnedDomain {
  id: number;
  host: string;
  isPrimary: boolean;
}

/**
 * Gives a domain to a site. One statement decides between any number of claimants; it must not fail, because a failed
 * statement would end the transaction it stands in.
 *
 * @returns false when the site has had it already.
 * @throws Refusal `domain_taken` when another site has it, `invalid_input` when the site has no room for it.
 */
export async function claimDomain(
  db: Db,
  siteId: number,
  host: string,
  as: { isPrimary: boolean; provedAt?: Date | undefined },
): Promise<boolean> {
  const domain = { siteId, host, isPrimary: as.isPrimary, verifiedAt: as.provedAt ?? null };
  const { count } = await db.siteDomain.createMany({ data: [domain], skipDuplicates: true });
  if (count === 1) {
    await requireDomainsWithinLimit(db, siteId);
    return true;
  }
  const holder = await db.siteDomain.findUnique({ where: { host } });
  if (holder?.siteId === siteId) return false;
  throw new Refusal(
    "domain_taken",
    `${host} already belongs to a site. If it is yours, ask that site's owner for access, or add it to another site of yours with sites.domains.add and prove it with sites.verify.`,
    { issues: [{ path: "domain", message: "already belongs to a site" }] },
  );
}

/** @throws Refusal `not_found` when the site has no such domain. */
export async function domainOf(db: Db, siteId: number, domainId: number): Promise<OwnedDomain> {
  const domain = domainId <= LARGEST_ID && (await db.siteDomain.findFirst({ where: { id: domainId, siteId } }));
  if (!domain) throw unknownDomain(siteId, domainId);
  return domain;
}

/**
 * A domain that the site can do without.
 *
 * @throws Refusal `not_found`, or `invalid_input` for the primary one, which is also the last to go.
 */
export async function sparedDomain(db: Db, siteId: number, domainId: number): Promise<OwnedDomain> {
  const domain = await domainOf(db, siteId, domainId);
  if (domain.isPrimary) throw await indispensable(db, siteId, domain);
  return domain;
}

async function indispensable(db: Db, siteId: number, { host }: OwnedDomain): Promise<Refusal> {
  const others = await db.siteDomain.count({ where: { siteId, isPrimary: false } });
  const message =
    others === 0
      ? `is ${host}, the only domain of the site; add another with sites.domains.add and make it primary first, or delete the whole site with sites.delete`
      : `is ${host}, the primary domain; make another one primary with sites.domains.primary first`;
  return invalidInput([{ path: "domain_id", message }]);
}

/** Makes a domain of the site its primary one, the one before an ordinary one. */
export async function makePrimary(db: Db, siteId: number, domainId: number): Promise<void> {
  await changeSite(db, siteId);
  await db.siteDomain.updateMany({ where: { siteId, isPrimary: true }, data: { isPrimary: false } });
  const { count } = await db.siteDomain.updateMany({ where: { id: domainId, siteId }, data: { isPrimary: true } });
  if (count === 0) throw unknownDomain(siteId, domainId);
}

/** Takes a domain from the site, unless it has become the primary one in the meantime. */
export async function removeDomain(db: Db, siteId: number, domain: OwnedDomain): Promise<void> {
  await changeSite(db, siteId);
  const { count } = await db.siteDomain.deleteMany({ where: { id: domain.id, siteId, isPrimary: false } });
  if (count === 0) throw unknownDomain(siteId, domain.id);
}

const unknownDomain = (siteId: number, domainId: number) =>
  new Refusal("not_found", `Site ${siteId} has no domain ${domainId}; its domains array lists those it has.`);
