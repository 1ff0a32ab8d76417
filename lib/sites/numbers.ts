import { dayStarts } from "@/lib/analytics/calendar/buckets";
import { comparisonOf, type RangeInput, rangeOf } from "@/lib/analytics/calendar/period";
import {
  type ImportedDay,
  importedByBucket,
  pageviewsByBucket,
  type TimeBuckets,
  visitorsByBucket,
  visitsByBucket,
} from "@/lib/ingest/store/site-events";
import { invalidInput } from "@/lib/platform/errors";
import { localDay } from "@/lib/platform/time";

/** The metrics that are counted for many sites at once. */
const COUNTED = { visitors: visitorsByBucket, visits: visitsByBucket, pageviews: pageviewsByBucket };
export type CountedMetric = keyof typeof COUNTED;
export const COUNTED_METRICS = Object.keys(COUNTED) as [CountedMetric, ...CountedMetric[]];
export type Counts = Partial<Record<CountedMetric, number>>;

/** The numbers of a site in a range of local days. */
export interface SiteNumbers {
  /** First and last local day. */
  from: string;
  to: string;
  metrics: Counts;
  /** The same of as many days before; of a range that includes now, up to the same time of day. */
  previous: Counts;
  /** The numbers of each day of the range; empty if it has more than 100. */
  days: (Counts & { date: string })[];
}

/** Longer ranges are for the reports of each site, which read copies of its facts. */
const LONGEST_DAYS = 366;
/** Longer ranges have no numbers of each day, so that the answer about many sites stays small. */
const MOST_DAYS = 100;

/**
 * Counts human visitors, visits and pageviews of many sites, with one statement a metric. The numbers equal those of
 * `analytics.chart` compared with the previous period.
 *
 * @returns numbers by site id, without sites whose timezone is unknown to this server
 * @throws Refusal `invalid_input` for a range that is reversed, incomplete or longer than 366 days
 */
export async function countsOfSites(
  sites: readonly { siteId: number; timezone: string }[],
  asked: RangeInput,
  metrics: readonly CountedMetric[],
  now: Date,
): Promise<Map<number, SiteNumbers>> {
  const zones = new Map(
    [...new Set(sites.map(({ timezone }) => timezone))].map((zone) => [zone, comparedBucketsOf(zone, asked, now)]),
  );
  const known = new Map(
    sites.flatMap(({ siteId, timezone }) => {
      const buckets = zones.get(timezone);
      return buckets ? [[siteId, buckets] as const] : [];
    }),
  );
  const [imported, ...counted] = await Promise.all([
    metrics.length > 0 ? importedByBucket(known) : new Map<number, ImportedDay[]>(),
    ...metrics.map((metric) => COUNTED[metric](known)),
  ]);
  const ofSite = (siteId: number) => ({
    imported: imported.get(siteId) ?? [],
    counted: metrics.map((metric, index) => [metric, counted[index]?.get(siteId) ?? []] as const),
  });
  return new Map([...known].map(([siteId, buckets]) => [siteId, numbersIn(buckets, ofSite(siteId))]));
}

/** Buckets to count: the earlier days, the rest of the last one, and the days of the range. */
interface ComparedBuckets extends TimeBuckets {
  earlier: number;
  /** The days of the range. */
  range: string[];
}

/** @returns null for a timezone unknown to this server */
function comparedBucketsOf(timezone: string, asked: RangeInput, now: Date): ComparedBuckets | null {
  try {
    const range = rangeOf(asked, timezone, now, localDay(now, timezone));
    if (range.days > LONGEST_DAYS) {
      const message = `makes a range of more than ${LONGEST_DAYS} days; choose a later day`;
      throw invalidInput([{ path: "from", message }]);
    }
    const before = comparisonOf(range, "previous_period", now);
    if (!before) return null;
    const [earlier, starts] = [dayStarts(before), dayStarts(range)];
    const dayOf = (start: Date) => localDay(start, timezone).toString();
    const isCut = before.end < range.start;
    const dates = starts.map(dayOf);
    return {
      bounds: [...earlier, before.end, ...starts, range.end],
      days: [
        ...earlier.map((start, index) => (isCut && index === earlier.length - 1 ? null : dayOf(start))),
        null,
        ...dates,
      ],
      earlier: earlier.length,
      range: dates,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface OfSite {
  imported: readonly ImportedDay[];
  counted: (readonly [CountedMetric, readonly number[]])[];
}

function numbersIn({ earlier, range }: ComparedBuckets, { imported, counted }: OfSite): SiteNumbers {
  const inBuckets = (first: number, end: number): Counts =>
    Object.fromEntries(
      counted.map(([metric, own]) => [
        metric,
        Array.from({ length: end - first }, (_, index) => {
          const bucket = first + index;
          return (own[bucket] ?? 0) + (imported[bucket]?.[metric] ?? 0);
        }).reduce((all, one) => all + one, 0),
      ]),
    );
  const first = earlier + 1;
  return {
    from: range[0] ?? "",
    to: range.at(-1) ?? "",
    metrics: inBuckets(first, first + range.length),
    previous: inBuckets(0, earlier),
    days: (range.length > MOST_DAYS ? [] : range).map((date, index) => ({
      date,
      ...inBuckets(first + index, first + index + 1),
    })),
  };
}
