import type { Principal } from "@/lib/contract/define";
import { sitesWithFacts } from "@/lib/ingest/store/recent-events";
import { sharesOf } from "@/lib/report-shares";
import { runSmallRead } from "@/lib/sites/last-event";

const DAY_MS = 24 * 3600_000;
/** Seven days, the seven before, and the difference between time zones. */
const LOOK_BACK_DAYS = 16;

/**
 * Which of these sites have visits or imported days in the last two weeks, asked in one statement. Of all others a report
 * of these weeks has only zeros.
 *
 * @param principal whose report time it counts towards; the sites are theirs.
 */
export async function sitesWithData(principal: Principal, siteIds: readonly number[], now: Date): Promise<Set<number>> {
  const start = new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS);
  return new Set(await runSmallRead(sharesOf(principal), () => sitesWithFacts(siteIds, start)));
}
