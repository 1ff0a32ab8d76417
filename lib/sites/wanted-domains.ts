import { type Db, db } from "@/lib/platform/db";
import { LastingRefusal, Refusal } from "@/lib/platform/errors";
import { claimDomain } from "@/lib/sites/owned-domains";
import { keepPrimary } from "@/lib/sites/unproven";
import { publicationOf } from "@/lib/sites/verification";

/** A site waits for no more domains than these at a time; the newest stay. */
const MOST_WANTED = 10;

/** The domains that a site says are its own while another one has them, newest first. */
export async function wantedBy(db: Db, siteId: number): Promise<string[]> {
  const wanted = await db.wantedDomain.findMany({ where: { siteId }, orderBy: { createdAt: "desc" } });
  return wanted.map(({ host }) => host);
}

/**
 * Gives a further domain to a site. Where another site has it without proof, the wish is kept and the refusal tells what
 * to publish: `sites.verify` then moves the domain.
 *
 * @returns false when the site has had it already.
 * @throws Refusal `domain_taken`
 */
export async function addDomain(tx: Db, siteId: number, host: string, now: Date): Promise<boolean> {
  try {
    const isNew = await claimDomain(tx, siteId, host, { isPrimary: false });
    if (isNew) await tx.wantedDomain.deleteMany({ where: { siteId, host } });
    // A site that has lost its only domain has none.
    if (isNew) await keepPrimary(tx, siteId);
    return isNew;
  } catch (error) {
    const contested = error instanceof Refusal && error.code === "domain_taken" && (await isUnproven(tx, host));
    if (!contested) throw error;
    const { value, dns_name, file_url, meta_tag } = publicationOf(siteId, host);
    throw new LastingRefusal(
      "domain_taken",
      `${host} already belongs to a site, which never proved it. If it is yours, publish the value in details.prove in one of its three places and call sites.verify: the domain then moves to this site.`,
      { issues: error.details?.issues, prove: { domain: host, value, dns_name, file_url, meta_tag } },
      () => want(siteId, host, now),
    );
  }
}

const isUnproven = async (tx: Db, host: string): Promise<boolean> =>
  (await tx.siteDomain.count({ where: { host, verifiedAt: null } })) === 1;

async function want(siteId: number, host: string, now: Date): Promise<void> {
  await db().wantedDomain.upsert({
    where: { siteId_host: { siteId, host } },
    create: { siteId, host, createdAt: now },
    update: { createdAt: now },
  });
  const kept = (await wantedBy(db(), siteId)).slice(0, MOST_WANTED);
  await db().wantedDomain.deleteMany({ where: { siteId, host: { notIn: kept } } });
}
