import { isFirstAccount } from "@/lib/auth/first-account";
import { usedThisMonth } from "@/lib/ingest/store/stats/ingest-stats";
import { db } from "@/lib/platform/db";
import { env } from "@/lib/platform/env";
import { nextMonth } from "@/lib/platform/time";

/** The monthly quota of a site, in events of up to 1 KB: a larger event counts once for each started KB. */
export interface Quota {
  events: number;
  used: number;
  /** It is the quota of sites without a proven domain, and ends with a proof. */
  isUnproven: boolean;
  /** Start of the next UTC month, when the quota renews. */
  renewsAt: Date;
}

/** Returns the quota of a site and its usage; null if it has none. */
export async function readQuota(siteId: number, now: Date): Promise<Quota | null> {
  const limit = await limitOf(siteId);
  return limit && { ...limit, used: await usedThisMonth(siteId, now), renewsAt: nextMonth(now) };
}

async function limitOf(siteId: number): Promise<Pick<Quota, "events" | "isUnproven"> | null> {
  const { EVENTS_PER_MONTH: all = Infinity, UNPROVEN_EVENTS_PER_MONTH: unproven, SIGNUP } = env();
  // Where nobody can sign up, the operator knows who has an account.
  if (SIGNUP === "open" && unproven < all && !(await isTrusted(siteId))) return { events: unproven, isUnproven: true };
  return all === Infinity ? null : { events: all, isUnproven: false };
}

/** Whether a domain of the site is proven, or the administrator of this service owns the site. */
async function isTrusted(siteId: number): Promise<boolean> {
  const site = await db().site.findUnique({
    where: { id: siteId },
    select: {
      domains: { where: { verifiedAt: { not: null } }, select: { id: true }, take: 1 },
      memberships: { where: { role: "owner" }, select: { personId: true } },
    },
  });
  if (!site || site.domains.length > 0) return true;
  const owners = await Promise.all(site.memberships.map(({ personId }) => isFirstAccount(personId)));
  return owners.includes(true);
}
