import { type Db, db } from "@/lib/platform/db";
import { Refusal, RefusalWithEffect } from "@/lib/platform/errors";
import { isThisMachine } from "@/lib/platform/local-trial";
import { MISSING_DAYS } from "@/lib/sites/contested-domains";
import { ensurePrimary } from "@/lib/sites/domain-takeover";
import { assignDomain } from "@/lib/sites/owned-domains";
import { publicationOf } from "@/lib/sites/verification";

/** Limit of wanted domains per site; the newest are kept. */
const MAX_WANTED = 10;

/** Lists the domains that a site wants while another site has them, newest first. */
export async function wantedBy(db: Db, siteId: number): Promise<string[]> {
  const wanted = await db.wantedDomain.findMany({ where: { siteId }, orderBy: { createdAt: "desc" } });
  return wanted.map(({ host }) => host);
}

/**
 * Adds a domain to a site. If another site has it, the domain is recorded as wanted and the error says what to publish,
 * so that `sites.verify` can move it.
 *
 * @returns false if the site already has it
 * @throws Refusal `domain_taken` if another site has it
 */
export async function addDomain(tx: Db, siteId: number, host: string, now: Date): Promise<boolean> {
  try {
    const isNew = await assignDomain(tx, siteId, host, { isPrimary: false });
    if (isNew) await tx.wantedDomain.deleteMany({ where: { siteId, host } });
    // A site that lost its only domain has no primary one.
    if (isNew) await ensurePrimary(tx, siteId);
    return isNew;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "domain_taken" || isThisMachine(host)) throw error;
    const { value, dns_name, file_url, meta_tag } = publicationOf(siteId, host);
    const [state, then] = (await isUnproven(tx, host))
      ? ["has not verified it", "The domain then moves to this site."]
      : [
          "has verified it",
          `If the proof of the other site is gone and stays missing for ${MISSING_DAYS} days, the domain moves to this site; sites.verify says when to call it again.`,
        ];
    throw new RefusalWithEffect(
      "domain_taken",
      `${host} already belongs to another site, which ${state}. If you own the domain, publish the value from details.prove in one of the three places and call sites.verify. ${then}`,
      { issues: error.details?.issues, prove: { domain: host, value, dns_name, file_url, meta_tag } },
      () => recordWanted(siteId, host, now),
    );
  }
}

const isUnproven = async (tx: Db, host: string): Promise<boolean> =>
  (await tx.siteDomain.count({ where: { host, verifiedAt: null } })) === 1;

async function recordWanted(siteId: number, host: string, now: Date): Promise<void> {
  await db().wantedDomain.upsert({
    where: { siteId_host: { siteId, host } },
    create: { siteId, host, createdAt: now },
    update: { createdAt: now },
  });
  const kept = (await wantedBy(db(), siteId)).slice(0, MAX_WANTED);
  await db().wantedDomain.deleteMany({ where: { siteId, host: { notIn: kept } } });
}
