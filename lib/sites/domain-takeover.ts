import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import type { Db } from "@/lib/platform/db";
import { lockRow } from "@/lib/platform/lock-row";
import { mayMove } from "@/lib/sites/contested-domains";
import { emailDomainGained, emailDomainLost } from "@/lib/sites/domain-notices";

/** The caller who verified a domain of another site, and the operation. */
export interface Prover {
  clientId: string | null;
  personId: number | null;
  operation: string;
  requestId: string;
  now: Date;
}

/**
 * Removes a domain from a site, after someone else verified it: a site that never verified the domain loses it at once,
 * another one after its proof has been missing for a week. If it was the primary domain, the oldest other domain becomes
 * primary. Writes an audit entry for that site and emails its owners.
 *
 * @returns whether it was removed; false for a domain that is free or stays with its site
 */
export async function takeOverDomain(tx: Db, host: string, by: Prover): Promise<boolean> {
  const holder = await tx.siteDomain.findUnique({ where: { host } });
  if (!holder) return false;
  const { siteId } = holder;
  // Lock the site's row first, like every change of a site, to avoid deadlocks.
  await lockSite(tx, siteId);
  await lockRow(tx, "site_domain", holder.id, { isDeleted: true });
  const domain = await tx.siteDomain.findUnique({ where: { id: holder.id, siteId } });
  if (!domain) return false;
  const wasVerified = domain.verifiedAt !== null;
  if (wasVerified && !(await mayMove(tx, host, by.now))) return false;
  await tx.siteDomain.delete({ where: { id: holder.id } });
  await tx.site.update({ where: { id: siteId }, data: { revision: { increment: 1 } } });
  await ensurePrimary(tx, siteId);
  await renameFormerSite(tx, siteId, host, by.now);
  await writeAudit(tx, auditRow(siteId, { lost_domain: host }, by));
  await emailDomainLost(tx, { siteId, host, wasVerified }, by.now);
  return true;
}

/** Records that a site has got a domain of another site: writes an audit entry and emails the site's owners. */
export async function recordGain(tx: Db, siteId: number, host: string, by: Prover): Promise<void> {
  await writeAudit(tx, auditRow(siteId, { gained_domain: host }, by));
  await emailDomainGained(tx, { siteId, host }, by.now);
}

const auditRow = (siteId: number, detail: Record<string, string>, by: Prover) => {
  const { now: at, clientId, personId, operation, requestId } = by;
  return { at, siteId, clientId, personId, operation, requestId, detail };
};

/** Makes the oldest domain of a site its primary one if it has none. */
export async function ensurePrimary(tx: Db, siteId: number): Promise<void> {
  const domains = await tx.siteDomain.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const [first] = domains;
  if (!first || domains.some((domain) => domain.isPrimary)) return;
  await tx.siteDomain.updateMany({ where: { id: first.id }, data: { isPrimary: true } });
}

/** Names a site without domains after its former one and its end, and no site after a domain that it has lost. */
async function renameFormerSite(tx: Db, siteId: number, host: string, now: Date): Promise<void> {
  const isLast = (await tx.siteDomain.count({ where: { siteId } })) === 0;
  const name = isLast ? `${host} until ${now.toISOString().slice(0, 10)}`.slice(-MAX_NAME) : null;
  const named = { OR: [{ name: { equals: host, mode: "insensitive" as const } }, ...(isLast ? [{ name: null }] : [])] };
  await tx.site.updateMany({ where: { id: siteId, ...named }, data: { name } });
}

const MAX_NAME = 255;
