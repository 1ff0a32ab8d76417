import { db } from "@/lib/platform/db";
import { siteFor } from "@/lib/sites/access";
import { checkDomains, recordChecks } from "@/lib/sites/verify";
import type { PagedSite } from "@/lib/testing/own-page";
import type { TestSite } from "@/lib/testing/world";

/** Runs both parts of sites.verify as the owner of a site. @param internet that of a page; else the name servers of `dnsForTests` */
export async function verifyDomains(site: TestSite, now: Date, internet?: PagedSite["internet"]) {
  const looks = await checkDomains(db(), site.id, now, internet);
  return db().$transaction(async (tx) => {
    const access = await siteFor(tx, { kind: "owner", personId: site.ownerId }, site.id, "manager");
    const by = { clientId: null, personId: site.ownerId, operation: "sites.verify", requestId: "test", now };
    return recordChecks(tx, access, looks, by);
  });
}

/** Returns the id of the site that has a domain. */
export const holderOf = async (host: string): Promise<number | undefined> =>
  (await db().siteDomain.findUnique({ where: { host } }))?.siteId;
