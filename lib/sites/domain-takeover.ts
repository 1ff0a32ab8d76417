import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { Db } from "@/lib/platform/db";

/** The caller who verified a domain of another site, and the operation. */
export interface Prover {
  clientId: string | null;
  personId: number | null;
  operation: string;
  requestId: string;
  now: Date;
}

/**
 * Removes a domain from a site that never verified it, after someone else verified it. If it was the primary domain,
 * the oldest other domain becomes primary. Writes an audit entry for that site and emails its owners. Does nothing
 * for a domain that is free or verified.
 */
export async function takeOverDomain(tx: Db, host: string, by: Prover): Promise<void> {
  const holder = await tx.siteDomain.findUnique({ where: { host } });
  if (!holder || holder.verifiedAt) return;
  const { siteId } = holder;
  // Lock the site's row first, like every change of a site, to avoid deadlocks.
  await tx.site.updateMany({ where: { id: siteId }, data: { revision: { increment: 1 } } });
  const { count } = await tx.siteDomain.deleteMany({ where: { id: holder.id, siteId, verifiedAt: null } });
  if (count === 0) return;
  await ensurePrimary(tx, siteId);
  await writeAudit(tx, {
    at: by.now,
    siteId,
    clientId: by.clientId,
    personId: by.personId,
    operation: by.operation,
    requestId: by.requestId,
    detail: { lost_domain: host },
  });
  await emailOwners(tx, siteId, host, by.now);
}

/** Makes the oldest domain of a site its primary one if it has none. */
export async function ensurePrimary(tx: Db, siteId: number): Promise<void> {
  const domains = await tx.siteDomain.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const [first] = domains;
  if (!first || domains.some((domain) => domain.isPrimary)) return;
  await tx.siteDomain.updateMany({ where: { id: first.id }, data: { isPrimary: true } });
}

async function emailOwners(tx: Db, siteId: number, host: string, now: Date): Promise<void> {
  const owners = await tx.membership.findMany({
    where: { siteId, role: "owner" },
    select: { person: { select: { email: true } } },
  });
  const paragraphs = [
    `On ${formatUtc(now)} someone verified that they control ${host}. Your site ${siteId} had not verified it, so the domain moved to their site. Your site no longer counts events for this domain. The data collected so far stays with your site.`,
    `If you own ${host}, check who can change its DNS records or its web server.`,
  ];
  for (const { person } of owners) {
    const subject = `${host} has moved to another site`;
    await queueEmail(
      tx,
      writeEmail(person.email, subject, paragraphs, "you are an owner of the site that had this domain"),
      now,
    );
  }
}
