import { db } from "@/lib/platform/db";
import { type MergedVisitors, mergedVisitors } from "@/lib/platform/http/merged-visitors";
import { addressRanges } from "@/lib/platform/networks";

/** Returns how visitors count as few because a proxy of the service is not configured; null while they do not. */
export async function readMergedVisitors(now: Date): Promise<MergedVisitors | null> {
  if (!mergedVisitors(() => false, now)) return null;
  const sites = await db().site.findMany({
    where: { trustedProxyIps: { isEmpty: false } },
    select: { trustedProxyIps: true },
  });
  return mergedVisitors(addressRanges(sites.flatMap(({ trustedProxyIps }) => trustedProxyIps)), now);
}
