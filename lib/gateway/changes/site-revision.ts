import type { SiteAccess, Work } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/** What an operation on a site passes to the function that does its effect. */
export type SiteWork = Pick<Work<unknown, SiteAccess>, "db" | "site" | "principal" | "now">;

/** Postgres keeps ids as 32-bit integers: a larger one is nobody's. */
export const LARGEST_ID = 2 ** 31 - 1;

/**
 * Changes a site's own row. The revision grows in the same statement, so that an approval asked for the site as it
 * was no longer fits; a change of what belongs to the site (domains, members) passes no data and only grows it.
 *
 * @throws Refusal `site_not_granted` when the site was deleted in the meantime.
 */
export async function changeSite(db: Db, siteId: number, data: Prisma.SiteUpdateManyMutationInput = {}): Promise<void> {
  const { count } = await db.site.updateMany({ where: { id: siteId }, data: { ...data, revision: { increment: 1 } } });
  if (count === 0) throw siteNotGranted(siteId);
}

/** The same words as for a foreign site: nobody learns which of the two it is. */
export const siteNotGranted = (siteId: number): Refusal =>
  new Refusal(
    "site_not_granted",
    `Site ${siteId} is not one of yours; sites.list shows those that are, and a human can add one of theirs by a new consent.`,
  );
