import type { SiteAccess, Work } from "@/lib/contract/define";
import type { Db, Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";

/** The part of an operation's context that functions changing a site need. */
export type SiteWork = Pick<Work<unknown, SiteAccess>, "db" | "site" | "principal" | "now">;

/** The locked site that a caller with permission changes. */
export type LockedSite = Omit<SiteWork, "principal">;

/** Largest 32-bit integer id of Postgres. A larger id cannot exist. */
export const LARGEST_ID = 2 ** 31 - 1;

/**
 * Updates a site's row and increments its revision, which invalidates approvals requested for the earlier revision.
 * Changes of related rows (domains, members) pass no data and only increment it.
 *
 * @throws Refusal `site_not_granted` when the site was deleted in the meantime.
 */
export async function changeSite(db: Db, siteId: number, data: Prisma.SiteUpdateManyMutationInput = {}): Promise<void> {
  const { count } = await db.site.updateMany({ where: { id: siteId }, data: { ...data, revision: { increment: 1 } } });
  if (count === 0) throw siteNotGranted(siteId);
}

/** The same error for a missing site and one without access, so that it does not reveal which. */
export const siteNotGranted = (siteId: number): Refusal =>
  new Refusal(
    "site_not_granted",
    `You have no access to site ${siteId}. sites.list returns the sites you can access; a human can grant another one by a new consent.`,
  );
