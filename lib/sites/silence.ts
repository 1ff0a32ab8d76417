import { storedPerDaySince } from "@/lib/ingest/store/ingest-stats";
import { Temporal } from "@/lib/platform/time";

/** Which sites no longer get events, although they did. Counted in UTC days, of which there are few rows. */

/** A site that was silent for longer is not in use any more. */
const LONGEST_SILENCE_DAYS = 30;
/** Fewer events in the week before, or on the same weekday, are too few to miss. */
const FEWEST_IN_WEEK = 20;
const FEWEST_ON_WEEKDAY = 5;

/**
 * Returns the last UTC day with a stored event of the sites that have gone silent: nothing was stored for a whole UTC day
 * and since, while the same weekday before had at least five events, and the week up to the last event at least twenty.
 */
export async function silentSites(siteIds: readonly number[], now: Date): Promise<Map<number, string>> {
  const today = Temporal.PlainDate.from(now.toISOString().slice(0, 10));
  const since = today.subtract({ days: LONGEST_SILENCE_DAYS + 14 });
  const bySite = new Map<number, Map<string, number>>();
  for (const { siteId, day, events } of await storedPerDaySince(siteIds, `${since}`)) {
    bySite.set(siteId, (bySite.get(siteId) ?? new Map()).set(day, events));
  }
  return new Map(
    [...bySite].flatMap(([siteId, days]) => {
      const last = lastDayIfSilent(days, today);
      return last === null ? [] : [[siteId, last] as const];
    }),
  );
}

/** @param days the events of each day that has any, in order. @param today the UTC day of now. */
export function lastDayIfSilent(days: ReadonlyMap<string, number>, today: Temporal.PlainDate): string | null {
  const last = [...days.keys()].at(-1);
  if (last === undefined) return null;
  const lastDay = Temporal.PlainDate.from(last);
  const yesterday = today.subtract({ days: 1 });
  const silent = lastDay.until(yesterday).days;
  if (silent < 1 || silent > LONGEST_SILENCE_DAYS) return null;
  const weekday = yesterday.subtract({ days: 7 * Math.ceil(silent / 7) });
  if ((days.get(`${weekday}`) ?? 0) < FEWEST_ON_WEEKDAY) return null;
  const week = Array.from({ length: 7 }, (_, back) => days.get(`${lastDay.subtract({ days: back })}`) ?? 0);
  return week.reduce((sum, events) => sum + events, 0) < FEWEST_IN_WEEK ? null : last;
}
