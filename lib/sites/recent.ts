import { reports } from "@/lib/db";
import { STARTED, since } from "@/lib/fact-index";

const DAY_MS = 24 * 3600_000;
/** Seven days, the seven before, and the difference between time zones. */
const LOOK_BACK_DAYS = 16;

/**
 * Which of these sites have visits or imported days in the last two weeks, asked in one statement. Of all others a report
 * of these weeks has only zeros.
 */
export async function sitesWithData(siteIds: readonly number[], now: Date): Promise<Set<number>> {
  const start = new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS);
  const rows = await reports().$queryRaw<{ id: number }[]>`
    SELECT id FROM unnest(${[...siteIds]}::int[]) AS site (id)
    WHERE EXISTS (SELECT 1 FROM facts.visit WHERE site_id = id AND ${since(STARTED, start)})
      OR EXISTS (SELECT 1 FROM facts.imported WHERE site_id = id AND day >= ${start}::date)`;
  return new Set(rows.map(({ id }) => id));
}
