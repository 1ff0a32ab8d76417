import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { comparisonOf, rangeOf } from "@/lib/analytics/calendar/period";
import type { Principal } from "@/lib/contract/define";
import {
  countActiveVisitorsBySite,
  importedVisitorsByBucket,
  type SiteTimeBuckets,
  type TimeBuckets,
  visitorsByBucket,
} from "@/lib/ingest/store/recent-visitors";
import { sharesOf } from "@/lib/platform/report-shares";
import { localDay } from "@/lib/platform/time";
import { runSmallRead } from "@/lib/sites/last-event";

/** The last seven local days of a site, as shown on its card in the site list. */
export interface Week {
  visitors: number;
  /** Visitors of the seven days before, up to the same time of day. */
  before: number;
  /** Visitors per day; the last one is today. */
  days: number[];
}

/**
 * Returns the weeks of many sites, with two queries in total. They equal `analytics.chart` for the period `7d` compared
 * with the previous period.
 *
 * @param principal owner of the sites, whose report time is charged
 * @returns weeks by site id, without sites whose timezone is unknown to this server
 */
export async function weeksOf(
  principal: Principal,
  sites: readonly { siteId: number; timezone: string }[],
  now: Date,
): Promise<Map<number, Week>> {
  const zones = new Map(
    [...new Set(sites.map(({ timezone }) => timezone))].map((zone) => [zone, stretchesOf(zone, now)]),
  );
  const known: SiteTimeBuckets = new Map(
    sites.flatMap(({ siteId, timezone }) => {
      const stretches = zones.get(timezone);
      return stretches ? [[siteId, stretches] as const] : [];
    }),
  );
  if (known.size === 0) return new Map();
  const [counted, imported] = await runSmallRead(sharesOf(principal), () =>
    Promise.all([visitorsByBucket(known), importedVisitorsByBucket(known)]),
  );
  return new Map([...known.keys()].map((siteId) => [siteId, weekOf(counted.get(siteId), imported.get(siteId))]));
}

const DAYS = 7;
/** Index of the first day of this week: after the seven days before and the rest of the last of those. */
const THIS_WEEK = DAYS + 1;

/** Returns the 15 stretches of time to count; null for a timezone unknown to this server. */
function stretchesOf(timezone: string, now: Date): TimeBuckets | null {
  try {
    const range = rangeOf({ period: "7d" }, timezone, now, localDay(now, timezone));
    const before = comparisonOf(range, "previous_period", now);
    if (!before) return null;
    const [earlier, days] = [dayStarts(before), dayStarts(range)];
    const labels = [...earlier.slice(0, -1), null, null, ...days];
    return {
      bounds: [...earlier, before.end, ...days, range.end],
      days: labels.map((start) => start && localDay(start, timezone).toString()),
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function weekOf(counted: readonly number[] = [], imported: readonly number[] = []): Week {
  const inDays = (first: number) =>
    Array.from({ length: DAYS }, (_, day) => (counted[first + day] ?? 0) + (imported[first + day] ?? 0));
  const days = inDays(THIS_WEEK);
  return { visitors: sum(days), before: sum(inDays(0)), days };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Counts the visitors active on each site in the last five minutes, like `pulse`. Sites without any have no entry. */
export const presentOf = (principal: Principal, siteIds: readonly number[]): Promise<Map<number, number>> =>
  runSmallRead(sharesOf(principal), () => countActiveVisitorsBySite(siteIds));
