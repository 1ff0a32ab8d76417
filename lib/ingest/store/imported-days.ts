import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";
import { Temporal } from "@/lib/platform/time";

/** Returns the first and last imported day of a site between two dates, or null. */
export async function importedDays(
  siteId: number,
  from: Temporal.PlainDate = FIRST,
  to: Temporal.PlainDate = LAST,
): Promise<{ from: Temporal.PlainDate; to: Temporal.PlainDate } | null> {
  const {
    rows: [row],
  } = await reports().query<{ first: string | null; last: string | null }>(sql`
    SELECT min(day)::text AS first, max(day)::text AS last FROM facts.imported
    WHERE site_id = ${siteId} AND dimension = 0 AND day BETWEEN ${from.toString()}::date AND ${to.toString()}::date`);
  return row?.first && row.last
    ? { from: Temporal.PlainDate.from(row.first), to: Temporal.PlainDate.from(row.last) }
    : null;
}

const FIRST = Temporal.PlainDate.from("1970-01-01");
const LAST = Temporal.PlainDate.from("2100-12-31");
