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

/** The last seven local days of a site, as its card in the list of sites shows them. */
export interface Week {
  visitors: number;
  /** Visitors of the seven days before, up to the same time of day. */
  before: number;
  /** Visitors of each of the seven days; the last one is today. */
  days: number[];
}

/**
 * The weeks of many sites, in two statements however many there are. They equal what `analytics.chart` answers for the
 * period `7d` compared to the previous period.
 *
 * @param principal whose report time it counts towards; the sites are theirs.
 * @returns no entry for a site whose timezone is unknown to this server.
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
/** The seven days before, what is left of the last of them after the time of day that is now, and the week. */
const THIS_WEEK = DAYS + 1;

/** These 15 stretches; null for a timezone that is unknown to this server. */
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

/** How many people did anything on each site within the last five minutes, as `pulse` counts them; no entry for none. */
export const presentOf = (principal: Principal, siteIds: readonly number[]): Promise<Map<number, number>> =>
  runSmallRead(sharesOf(principal), () => countActiveVisitorsBySite(siteIds));
