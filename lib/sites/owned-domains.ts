import { changeSite, LARGEST_ID } from "@/lib/gateway/changes/site-revision";
import type { Db } from "@/lib/platform/db";
import { invalidInput, Refusal } from "@/lib/platform/errors";
import { isThisMachine } from "@/lib/platform/local-trial";
import { requireTrialHere, trialTaken } from "@/lib/sites/local-trials";
import { requireDomainsWithinLimit } from "@/lib/sites/site-limits";

/** A domain of a site. */
export interface OwnedDomain {
  id: number;
  host: string;
  isPrimary: boolean;
}

/** The published proof of a challenge: its value, and the last path segment of its URL. */
export interface PublishedProof {
  value: string;
  token: string;
}

/**
 * Adds a domain to a site. A single statement resolves concurrent requests for the same domain. It skips duplicates
 * instead of failing, because a failed statement would abort the caller's transaction.
 *
 * @returns false if the site already has the domain
 * @throws Refusal `domain_taken` if another site has it, `invalid_input` if the site has reached its limit of domains or
 *   the domain is a local trial that this server cannot have
 */
export async function assignDomain(
  db: Db,
  siteId: number,
  host: string,
  options: {
    isPrimary: boolean;
    namedByAgent?: boolean;
    provedAt?: Date | undefined;
    proof?: PublishedProof | undefined;
  },
): Promise<boolean> {
  requireTrialHere(host);
  const { isPrimary, namedByAgent = false, provedAt: verifiedAt = null, proof } = options;
  const published = { proofValue: proof?.value ?? null, proofToken: proof?.token ?? null };
  const domain = { siteId, host, isPrimary, namedByAgent, verifiedAt, ...published };
  const { count } = await db.siteDomain.createMany({ data: [domain], skipDuplicates: true });
  if (count === 1) {
    await requireDomainsWithinLimit(db, siteId);
    return true;
  }
  const holder = await db.siteDomain.findUnique({ where: { host } });
  if (holder?.siteId === siteId) return false;
  if (isThisMachine(host)) throw trialTaken(host);
  throw new Refusal(
    "domain_taken",
    `${host} already belongs to another site. If you own the domain, ask the owner of that site for access, or add the domain to one of your sites with sites.domains.add and verify it with sites.verify. If you have no site yet, create one for a subdomain of it first.`,
    { issues: [{ path: "domain", message: "already belongs to another site" }] },
  );
}

/** Returns a domain of the site. @throws Refusal `not_found` if the site has no such domain */
export async function domainOf(db: Db, siteId: number, domainId: number): Promise<OwnedDomain> {
  const domain = domainId <= LARGEST_ID && (await db.siteDomain.findFirst({ where: { id: domainId, siteId } }));
  if (!domain) throw unknownDomain(siteId, domainId);
  return domain;
}

/**
 * Returns a domain that can be removed from the site.
 *
 * @throws Refusal `not_found`, or `invalid_input` for the primary domain
 */
export async function removableDomain(db: Db, siteId: number, domainId: number): Promise<OwnedDomain> {
  const domain = await domainOf(db, siteId, domainId);
  if (domain.isPrimary) throw await isPrimaryDomain(db, siteId, domain);
  return domain;
}

async function isPrimaryDomain(db: Db, siteId: number, { host }: OwnedDomain): Promise<Refusal> {
  const others = await db.siteDomain.count({ where: { siteId, isPrimary: false } });
  const message =
    others === 0
      ? `is ${host}, the only domain of the site; first add another one with sites.domains.add and make it primary, or delete the site with sites.delete`
      : `is ${host}, the primary domain; first make another domain primary with sites.domains.primary`;
  return invalidInput([{ path: "domain_id", message }]);
}

/** Makes a domain of the site its primary one. The previous primary domain stays as an additional one. */
export async function makePrimary(db: Db, siteId: number, domainId: number): Promise<void> {
  await changeSite(db, siteId);
  await db.siteDomain.updateMany({ where: { siteId, isPrimary: true }, data: { isPrimary: false } });
  const { count } = await db.siteDomain.updateMany({ where: { id: domainId, siteId }, data: { isPrimary: true } });
  if (count === 0) throw unknownDomain(siteId, domainId);
}

/**
 * Removes a domain from the site.
 *
 * @throws Refusal `not_found` if it was removed or became the primary domain meanwhile
 */
export async function removeDomain(db: Db, siteId: number, domain: OwnedDomain): Promise<void> {
  await changeSite(db, siteId);
  const { count } = await db.siteDomain.deleteMany({ where: { id: domain.id, siteId, isPrimary: false } });
  if (count === 0) throw unknownDomain(siteId, domain.id);
}

const unknownDomain = (siteId: number, domainId: number) =>
  new Refusal(
    "not_found",
    `Site ${siteId} has no domain ${domainId}. Its domains are listed in the domains array of the site.`,
  );
