import { writeAudit } from "@/lib/gateway/changes/audit";
import { lockSite } from "@/lib/gateway/changes/lock-site";
import { changeSite, LARGEST_ID, siteNotGranted } from "@/lib/gateway/changes/site-revision";
import { type Db, db, type Prisma } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { isLockConflict } from "@/lib/platform/pool";

/** The person, site, request and time of a change. */
export interface SiteChange {
  personId: number;
  siteId: number;
  requestId: string;
  now: Date;
}

/**
 * Changes a site in a personal operation, where `execute` cannot resolve the site: an invited person is not a member
 * yet, and deleting an account affects many sites. Locks the site, runs `work`, bumps the revision and writes the audit
 * row.
 *
 * @param action the operation name and detail for the audit log.
 * @param work must check that the person is allowed to make the change.
 * @throws Refusal `site_not_granted` when the site no longer exists.
 */
export async function changeSiteAs<Result>(
  tx: Db,
  { siteId, now, ...by }: SiteChange,
  action: { operation: string; detail: Prisma.InputJsonObject },
  work: () => Promise<Result>,
): Promise<Result> {
  if (siteId > LARGEST_ID) throw siteNotGranted(siteId);
  await lockSite(tx, siteId);
  const result = await work();
  await changeSite(tx, siteId);
  await writeAudit(tx, { at: now, siteId, personId: by.personId, requestId: by.requestId, ...action });
  return result;
}

/**
 * Runs changes of sites in one transaction.
 *
 * @throws Refusal `operation_in_progress` while another call holds one of the sites.
 */
export async function inSiteTransaction<Result>(
  work: (tx: Db) => Promise<Result>,
  options?: { timeout: number },
): Promise<Result> {
  try {
    return await db().$transaction(work, options);
  } catch (error) {
    throw isLockConflict(error) ? busy() : error;
  }
}

const busy = () => new Refusal("operation_in_progress", "Someone else is changing this site. Try again.", undefined, 1);
