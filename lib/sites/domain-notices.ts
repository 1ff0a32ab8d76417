import { type EmailText, formatUtc, queueEmail, type Reader, writeEmail } from "@/lib/email/mailer";
import type { Db } from "@/lib/platform/db";
import { publicationOf } from "@/lib/sites/verification";
import { t } from "@/lib/texts/translate";

/** Emails about domains that move to another site, to the owners of both. */

/** Emails the owners that their verified domain moves at `movesAt`, unless its proof is published again. */
export async function emailDomainContested(
  tx: Db,
  { siteId, host }: { siteId: number; host: string },
  movesAt: Date,
  now: Date,
): Promise<void> {
  const { value, dns_name, file_url, meta_tag } = publicationOf(siteId, host);
  await emailContacts(tx, siteId, now, () => ({
    subject: t("{host} will move to another site", { host }),
    paragraphs: [
      t(
        "On {time} someone else proved that they control {host}. Your site {id} verified the domain before, but its proof is no longer published.",
        { time: formatUtc(now), host, id: `${siteId}` },
      ),
      t(
        "If you own {host}, publish this value in one of the three places below. We look for it several times a day, and the domain stays with your site as soon as it is found.",
        { host },
      ),
      [
        t("Value: {value}", { value }),
        t("TXT record: {name}", { name: dns_name }),
        t("File: {url}", { url: file_url }),
        t("Tag in the {head} of the home page: {tag}", { head: "<head>", tag: meta_tag }),
      ]
        .map((line) => `    ${line}`)
        .join("\n"),
      t(
        "If it is still missing on {time}, the domain can move to their site. Your site then keeps the data collected so far, and no longer counts events for {host}.",
        { time: formatUtc(movesAt), host },
      ),
      t("If you gave up the domain, you need not do anything."),
    ],
    why: t("you are a contact of the site that has this domain"),
  }));
}

/** Emails the owners of a site that it lost a domain to someone who verified it. */
export async function emailDomainLost(
  tx: Db,
  { siteId, host, wasVerified }: { siteId: number; host: string; wasVerified: boolean },
  now: Date,
): Promise<void> {
  await emailContacts(tx, siteId, now, () => {
    const named = { time: formatUtc(now), host, id: `${siteId}` };
    return {
      subject: t("{host} has moved to another site", { host }),
      paragraphs: [
        wasVerified
          ? t(
              "On {time} someone verified that they control {host}. The proof of your site {id} has not been published for a week, so the domain moved to their site. Your site no longer counts events for this domain. The data collected so far stays with your site.",
              named,
            )
          : t(
              "On {time} someone verified that they control {host}. Your site {id} had not verified it, so the domain moved to their site. Your site no longer counts events for this domain. The data collected so far stays with your site.",
              named,
            ),
        t("If you own {host}, check who can change its DNS records or its web server.", { host }),
      ],
      why: t("you are a contact of the site that had this domain"),
    };
  });
}

/** Emails the owners of a site that it got a domain of another site. */
export async function emailDomainGained(
  tx: Db,
  { siteId, host }: { siteId: number; host: string },
  now: Date,
): Promise<void> {
  await emailContacts(tx, siteId, now, () => ({
    subject: t("{host} has moved to your site", { host }),
    paragraphs: [
      t(
        "On {time} {host} moved to your site {id}, because you verified the domain. Its events are counted there from now on. Data of the site that had the domain before stays with that site.",
        { time: formatUtc(now), host, id: `${siteId}` },
      ),
      t("Leave the proof published: the domain stays with your site while it is found."),
    ],
    why: t("you are a contact of the site that has this domain"),
    kept: [host],
  }));
}

async function emailContacts(tx: Db, siteId: number, now: Date, write: () => EmailText): Promise<void> {
  for (const reader of await contactsOf(tx, siteId)) await queueEmail(tx, writeEmail(reader, write), now);
}

/** The addresses of a site's owners or, for a site of a machine account without a person, the account's contact address. */
async function contactsOf(tx: Db, siteId: number): Promise<Reader[]> {
  const owners = await tx.person.findMany({
    where: { memberships: { some: { siteId, role: "owner" } } },
    select: { email: true, language: true },
  });
  if (owners.length > 0) return owners;
  const accounts = await tx.machineAccount.findMany({
    where: { clients: { some: { revokedAt: null, sites: { some: { siteId } } } } },
    select: { contactEmail: true },
  });
  return accounts.flatMap(({ contactEmail }) =>
    contactEmail === null ? [] : [{ email: contactEmail, language: null }],
  );
}
