import { type Email, formatUtc, queueEmail, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { publicationOf } from "@/lib/sites/verification";

/** Emails about domains that move to another site, to the owners of both. */

/** Emails the owners that their verified domain moves at `movesAt`, unless its proof is published again. */
export async function emailDomainContested(
  tx: Db,
  { siteId, host }: { siteId: number; host: string },
  movesAt: Date,
  now: Date,
): Promise<void> {
  const { value, dns_name, file_url, meta_tag } = publicationOf(siteId, host);
  const paragraphs = [
    `On ${formatUtc(now)} someone else proved that they control ${host}. Your site ${siteId} verified the domain before, but its proof is no longer published.`,
    `If you own ${host}, publish this value in one of the three places below. We look for it several times a day, and the domain stays with your site as soon as it is found.\n\n    Value: ${value}\n    TXT record: ${dns_name}\n    File: ${file_url}\n    Tag in the <head> of the home page: ${meta_tag}`,
    `If it is still missing on ${formatUtc(movesAt)}, the domain can move to their site. Your site then keeps the data collected so far, and no longer counts events for ${host}.`,
    "If you gave up the domain, you need not do anything.",
  ];
  const subject = `${host} will move to another site`;
  await emailContacts(tx, siteId, now, (to) =>
    writeEmail(to, subject, paragraphs, "you are a contact of the site that has this domain"),
  );
}

/** Emails the owners of a site that it lost a domain to someone who verified it. */
export async function emailDomainLost(
  tx: Db,
  { siteId, host, wasVerified }: { siteId: number; host: string; wasVerified: boolean },
  now: Date,
): Promise<void> {
  const reason = wasVerified
    ? `The proof of your site ${siteId} has not been published for a week`
    : `Your site ${siteId} had not verified it`;
  const paragraphs = [
    `On ${formatUtc(now)} someone verified that they control ${host}. ${reason}, so the domain moved to their site. Your site no longer counts events for this domain. The data collected so far stays with your site.`,
    `If you own ${host}, check who can change its DNS records or its web server.`,
  ];
  const subject = `${host} has moved to another site`;
  await emailContacts(tx, siteId, now, (to) =>
    writeEmail(to, subject, paragraphs, "you are a contact of the site that had this domain"),
  );
}

/** Emails the owners of a site that it got a domain of another site. */
export async function emailDomainGained(
  tx: Db,
  { siteId, host }: { siteId: number; host: string },
  now: Date,
): Promise<void> {
  const paragraphs = [
    `On ${formatUtc(now)} ${host} moved to your site ${siteId}, because you verified the domain. Its events are counted there from now on. Data of the site that had the domain before stays with that site.`,
    "Leave the proof published: the domain stays with your site while it is found.",
  ];
  const subject = `${host} has moved to your site`;
  await emailContacts(tx, siteId, now, (to) =>
    writeEmail(to, subject, paragraphs, "you are a contact of the site that has this domain", [host]),
  );
}

async function emailContacts(tx: Db, siteId: number, now: Date, write: (to: string) => Email): Promise<void> {
  for (const to of await contactsOf(tx, siteId)) await queueEmail(tx, write(to), now);
}

/** The addresses of a site's owners or, for a site of a machine account without a person, the account's contact address. */
async function contactsOf(tx: Db, siteId: number): Promise<string[]> {
  const owners = await tx.person.findMany({
    where: { memberships: { some: { siteId, role: "owner" } } },
    select: { email: true },
  });
  if (owners.length > 0) return owners.map(({ email }) => email);
  const accounts = await tx.machineAccount.findMany({
    where: { clients: { some: { revokedAt: null, sites: { some: { siteId } } } } },
    select: { contactEmail: true },
  });
  return accounts.flatMap(({ contactEmail }) => contactEmail ?? []);
}
