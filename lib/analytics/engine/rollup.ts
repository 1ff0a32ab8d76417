import type { DuckDBConnection } from "@duckdb/node-api";
import { dayNumber } from "@/lib/analytics/calendar/buckets";
import type { CopyOptions, Days, Derived, Money } from "@/lib/analytics/engine/copy-options";
import { type FactsSnapshot, joined, type Span } from "@/lib/analytics/engine/facts-snapshot";
import { localDay } from "@/lib/platform/time";

/** A visit ends after 30 minutes without an event, so a day is closed this long after its midnight. */
const SETTLED_MS = 40 * 60_000;
/** Days per statement: its memory grows with them. */
const ROLLED_DAYS = 14;

/**
 * Rebuilds the rollup of closed days, unless the site has so few events that counting them is as fast.
 *
 * @param touched spans of local days whose facts have changed.
 * @param rolledUntil the last day of the rollup so far; 0 without a rollup.
 * @returns the last day of the rollup; 0 without a rollup.
 */
export async function rollClosedDays(
  options: CopyOptions,
  snapshot: FactsSnapshot,
  touched: readonly Span[],
  rolledUntil: number,
): Promise<number> {
  const { connection, timezone, derived, rollUpFrom } = options;
  const last = lastClosedDay(snapshot.at, timezone);
  // Most refreshes have facts of today only.
  if (last === rolledUntil && touched.every(([start]) => start > last)) return last;
  const counted = await connection.runAndReadAll("SELECT count(*) FROM event");
  if (Number(counted.getRowsJS()[0]?.[0]) < rollUpFrom) {
    await connection.run("DELETE FROM rollup; DELETE FROM visit_path");
    return 0;
  }
  // The clock of Postgres may have been set back since.
  await connection.run(`DELETE FROM rollup WHERE day > ${last}; DELETE FROM visit_path WHERE day > ${last}`);
  const parts: Days[] = [];
  const unrolled: Span = [rolledUntil > 0 ? rolledUntil + 1 : 0, last + 1];
  for (const [start, end] of joined([...touched, unrolled])) {
    const reader = await connection.runAndReadAll(
      `SELECT day FROM (SELECT day FROM event UNION SELECT day FROM visit UNION SELECT day FROM rollup UNION SELECT day FROM visit_path)
       WHERE day BETWEEN $1 AND $2 ORDER BY day`,
      [Math.max(start, 0), Math.min(end - 1, last)],
    );
    const days = reader.getRowsJS().map(([day]) => Number(day));
    for (let at = 0; at < days.length; at += ROLLED_DAYS) {
      const some = days.slice(at, at + ROLLED_DAYS);
      parts.push([some[0] as number, some.at(-1) as number]);
    }
  }
  if (parts.length > 0) await runAll(connection, derived.rollUp(parts));
  return last;
}

/** The last local day that no visit of today continues. */
export const lastClosedDay = (now: Date, timezone: string): number =>
  localDayNumber(now.getTime() - SETTLED_MS, timezone) - 1;

/** Later than every local day, for SQL, which takes no infinite day number. */
const MAX_DAY_NUMBER = 1_000_000;

/** Fills the events with money again: of local days, or those after a number. */
export async function pickMoney({ connection, derived }: CopyOptions, those: Money): Promise<void> {
  const bounded =
    "days" in those
      ? { days: [Math.max(those.days[0], -MAX_DAY_NUMBER), Math.min(those.days[1], MAX_DAY_NUMBER)] as const }
      : those;
  await runAll(connection, derived.moneyOf(bounded));
}

async function runAll(connection: DuckDBConnection, statements: ReturnType<Derived["rollUp"]>): Promise<void> {
  for (const { sql, values } of statements) await connection.run(sql, values as never);
}

/** The local days that a span of time touches. */
export const daysOf = ([start, end]: Span, timezone: string): Span => [
  Number.isFinite(start) ? localDayNumber(start, timezone) : start,
  Number.isFinite(end) ? localDayNumber(end, timezone) + 1 : end,
];

/** A local day as the number of days since 1970-01-01. */
const localDayNumber = (at: number, timezone: string): number => dayNumber(localDay(new Date(at), timezone));
