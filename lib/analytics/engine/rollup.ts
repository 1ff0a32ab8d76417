import { dayNumber } from "@/lib/analytics/buckets";
import type { CopyOptions } from "@/lib/analytics/engine/copy-options";
import type { Ledger } from "@/lib/analytics/engine/ledger";
import { localDay } from "@/lib/time";

/** A visit ends after half an hour of silence: what began before a midnight may go on for so long. */
const SETTLED_MS = 40 * 60_000;
/** So many days are rolled up by one statement, which takes memory for each. */
const ROLLED_DAYS = 14;

/**
 * Makes the rollup anew from a day on, unless the site has so few events that counting them is as fast.
 *
 * @returns the last day up to which it is made; 0 without a rollup.
 */
export async function rollClosedDays(options: CopyOptions, ledger: Ledger, from: number): Promise<number> {
  const { connection, timezone, derived, rollUpFrom } = options;
  const last = dayOf(new Date(ledger.at.getTime() - SETTLED_MS), timezone) - 1;
  const counted = await connection.runAndReadAll("SELECT count(*) FROM event");
  if (Number(counted.getRowsJS()[0]?.[0]) < rollUpFrom) {
    await connection.run("DELETE FROM rollup; DELETE FROM visit_path");
    return 0;
  }
  const reader = await connection.runAndReadAll(
    `SELECT day FROM (SELECT day FROM event UNION SELECT day FROM visit UNION SELECT day FROM rollup UNION SELECT day FROM visit_path)
     WHERE day BETWEEN $1 AND $2 ORDER BY day`,
    [Math.max(from, 0), last],
  );
  // The clock of Postgres may have been set back.
  await connection.run(`DELETE FROM rollup WHERE day > ${last}; DELETE FROM visit_path WHERE day > ${last}`);
  const days = reader.getRowsJS().map(([day]) => Number(day));
  for (let at = 0; at < days.length; at += ROLLED_DAYS) {
    const some = days.slice(at, at + ROLLED_DAYS);
    for (const { sql, values } of derived.rollUp(some[0] as number, some.at(-1) as number)) {
      await connection.run(sql, values as never);
    }
  }
  return last;
}

/** A local day as the number of days since 1970-01-01. */
export const dayOf = (at: Date, timezone: string): number => dayNumber(localDay(at, timezone));
