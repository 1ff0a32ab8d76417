import { formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import { writeAudit } from "@/lib/gateway/changes/audit";
import type { Db } from "@/lib/platform/db";

/** Who proved a domain that somebody else's site had, and by which act. */
export interface Prover {
  clientId: string | null;
  personId: number | null;
  operation: string;
  requestId: string;
  now: Date;
}

/**
 * Takes a domain from a site that never proved it, for somebody who just did. Where it was the primary one, the oldest
 * other domain of that site takes its place. The loss stands in the site's audit, and its owners get a letter.
 * A domain that nobody has, or that was proved, stays as it is: claiming it afterwards tells which.
 */
export async function takeUnproven(tx: Db, host: string, by: Prover): Promise<void> {
  const holder = await tx.siteDomain.findUnique({ where: { host } });
  if (!holder || holder.verifiedAt) return;
  const { siteId } = holder;
  // The site's row first, as with every change of a site, so that the two never wait for each other.
  await tx.site.updateMany({ where: { id: siteId }, data: { revision: { increment: 1 } } });
  const { count } = await tx.siteDomain.deleteMany({ where: { id: holder.id, siteId, verifiedAt: null } });
  if (count === 0) return;
  await keepPrimary(tx, siteId);
  await writeAudit(tx, {
    at: by.now,
    siteId,
    clientId: by.clientId,
    personId: by.personId,
    operation: by.operation,
    requestId: by.requestId,
    detail: { lost_domain: host },
  });
  await tellOwners(tx, siteId, host, by.now);
}

/** Where no domain of a site is the primary one, its oldest becomes that. */
export async function keepPrimary(tx: Db, siteId: number): Promise<void> {
  const left = await tx.siteDomain.findMany({ where: { siteId }, orderBy: { id: "asc" } });
  const [first] = left;
  if (!first || left.some((domain) => domain.isPrimary)) return;
  await tx.siteDomain.updateMany({ where: { id: first.id }, data: { isPrimary: true } });
}

async function tellOwners(tx: Db, siteId: number, host: string, now: Date): Promise<void> {
  const owners = await tx.membership.findMany({
    where: { siteId, role: "owner" },
    select: { person: { select: { email: true } } },
  });
  const paragraphs = [
    `On ${formatUtc(now)} somebody proved that they control ${host}. Your site ${siteId} never had, so the domain has moved to a site of theirs. Yours no longer counts events that are sent for it; what it has counted so far stays with you.`,
    `If ${host} is yours, find out who may change its DNS records or its web server.`,
  ];
  for (const { person } of owners) {
    const subject = `${host} has moved to another site`;
    await queueEmail(tx, writeEmail(person.email, subject, paragraphs, "you own the site that had it"), now);
  }
}
