import { usedThisMonth } from "@/lib/ingest/store/stats/ingest-stats";
import { env } from "@/lib/platform/env";
import { controlPool } from "@/lib/platform/pool";
import { nextMonth } from "@/lib/platform/time";

/** The monthly quota of a site, in events of up to 1 KB: a larger event counts once for each started KB. */
export interface Quota {
  events: number;
  used: number;
  /** It is the quota of sites without a proven domain, and ends with a proof. */
  unproven: boolean;
  /** Start of the next UTC month, when the quota renews: ISO 8601. */
  renews_at: string;
}

/** Returns the quota of a site and its usage; null if it has none. */
export async function readQuota(siteId: number, now: Date): Promise<Quota | null> {
  const limit = await limitOf(siteId);
  return limit && { ...limit, used: await usedThisMonth(siteId, now), renews_at: nextMonth(now).toISOString() };
}

async function limitOf(siteId: number): Promise<Pick<Quota, "events" | "unproven"> | null> {
  const { EVENTS_PER_MONTH: all = Infinity, UNPROVEN_EVENTS_PER_MONTH: unproven, SIGNUP } = env();
  // Where nobody can sign up, the operator knows who has an account.
  if (SIGNUP === "open" && unproven < all && !(await isTrusted(siteId))) return { events: unproven, unproven: true };
  return all === Infinity ? null : { events: all, unproven: false };
}

/**
 * Whether a domain of the site is proven, or an administrator of this service owns the site. A site
 * that was just deleted is not asked for a proof.
 */
async function isTrusted(siteId: number): Promise<boolean> {
  const { rows } = await controlPool().query<{ trusted: boolean }>({
    name: "site-is-trusted",
    text: `SELECT EXISTS (SELECT FROM site_domain WHERE site_id = $1 AND verified_at IS NOT NULL)
             OR EXISTS (SELECT FROM membership WHERE site_id = $1 AND role = 'owner'
               AND person_id IN (SELECT id FROM person WHERE administrator))
             OR NOT EXISTS (SELECT FROM site WHERE id = $1) AS trusted`,
    values: [siteId],
  });
  return rows[0]?.trusted ?? false;
}
