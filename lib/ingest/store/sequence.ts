import type pg from "pg";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

/**
 * The numbers of a site's facts. A transaction that writes, changes or deletes facts takes the next numbers, and holds the
 * site's row until it ends. So whoever reads a number of a site can read all smaller ones: copies of facts and readers of
 * events ask for the numbers after the last one they have, whatever clocks, processes and retries do.
 *
 * The row is the last lock that a transaction takes: writers of the same site wait for it.
 */

/** Returns the statement that takes the next numbers of sites, as many for each as it has facts. */
export function takeNumbers(facts: ReadonlyMap<number, number>): pg.QueryConfig {
  // In the same order everywhere, so that two transactions cannot deadlock.
  const sites = [...facts].sort(([one], [other]) => one - other);
  const arrayOf = (index: 0 | 1) => `{${sites.map((site) => site[index]).join(",")}}`;
  return { name: "take-numbers", text: TAKE, values: [arrayOf(0), arrayOf(1)] };
}

const TAKE = `
  INSERT INTO facts.site_sequence AS taken (site_id, last) SELECT * FROM unnest($1::int[], $2::bigint[])
  ON CONFLICT (site_id) DO UPDATE SET last = taken.last + excluded.last`;

/** Returns the last number of a site; 0 before its first fact. */
export async function lastNumberOf(siteId: number): Promise<number> {
  const {
    rows: [row],
  } = await reports().query<{ last: number }>(sql`
    SELECT last::float8 AS last FROM facts.site_sequence WHERE site_id = ${siteId}`);
  return row?.last ?? 0;
}
