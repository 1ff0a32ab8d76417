import { z } from "zod";
import { bucketLabel, bucketStarts, labelBefore, naturalInterval } from "@/lib/analytics/buckets";
import { ask, type Scope } from "@/lib/analytics/question";
import { sumsBy } from "@/lib/analytics/series";
import { add, metricsOf, NOTHING, type Sums } from "@/lib/analytics/sums";
import { defineOperation } from "@/lib/contract/define";
import { type Interval, interval, metaShape, questionFields } from "@/lib/contract/fields";

const bucketShape = z.object({
  start: z.iso.datetime(),
  label: z.string().meta({ description: "The bucket's start in local time" }),
  partial: z.boolean().meta({ description: "The bucket includes now" }),
  visitors: z.int(),
  visits: z.int(),
  pageviews: z.int(),
  events: z.int(),
  views_per_visit: z.number().nullable(),
  bounce_rate: z.number().nullable(),
  visit_duration: z.number().nullable(),
  time_on_page: z.number().nullable(),
});
type Bucket = z.infer<typeof bucketShape>;

export default defineOperation({
  id: "analytics.chart",
  title: "Chart",
  about:
    "The metrics over time in gap-free buckets of local time. Visits count where they began, events where they happened.",
  scope: "analytics:read",
  role: "viewer",
  risk: "none",
  input: z.strictObject({
    ...questionFields,
    interval: interval.meta({ description: "Width of a bucket; by default it fits the range" }),
  }),
  example: { site_id: 1, period: "7d", interval: "day" },
  output: z.object({
    meta: metaShape,
    buckets: z.array(bucketShape),
    comparison: z.array(bucketShape.nullable()).nullable().meta({
      description: "The comparison range, bucket by bucket beside `buckets`; null where it has none",
    }),
  }),

  async run({ input, site, now }) {
    const { scope, before, meta } = await ask(input, site, now);
    const width = input.interval ?? naturalInterval(scope.range);
    const [buckets, previous] = await Promise.all([series(scope, width, now), before && series(before, width, now)]);
    return {
      meta: { ...meta, interval: width },
      buckets,
      comparison: previous && before && beside(buckets, previous, before, width),
    };
  },
});

/** The comparison, each bucket beside the one of its place: by its name, so that a moved clock pairs 9 with 9. */
function beside(buckets: Bucket[], previous: Bucket[], { range }: Scope, width: Interval): (Bucket | null)[] {
  const named = new Map(previous.map((bucket) => [bucket.label, bucket]));
  const { back = {} } = range;
  return buckets.map(({ label }, index) =>
    // Months are not all alike long: a month's place is its number.
    width === "month" ? (previous[index] ?? null) : (named.get(labelBefore(label, back)) ?? null),
  );
}

async function series(scope: Scope, width: Interval, now: Date): Promise<Bucket[]> {
  const starts = bucketStarts(scope.range, width);
  const totals = await bucketTotals(scope, width, starts);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? scope.range.end;
    return {
      start: start.toISOString(),
      label: bucketLabel(start, scope.range.timezone, width),
      partial: start <= now && now < end,
      ...metricsOf(totals[index] ?? NOTHING),
    };
  });
}

/** Weeks and months are sums of their days, because a visitor is one visitor a day. Of days, the sealed ones are known. */
async function bucketTotals(scope: Scope, width: Interval, starts: Date[]): Promise<Sums[]> {
  if (width === "hour" || width === "minute") return sumsBy(scope, starts);
  const daily = await sumsBy(scope, scope.days);
  if (width === "day") return daily;
  const sums = starts.map(() => NOTHING);
  let bucket = 0;
  for (const [index, day] of scope.days.entries()) {
    while (bucket + 1 < starts.length && day >= (starts[bucket + 1] as Date)) bucket++;
    sums[bucket] = add(sums[bucket] ?? NOTHING, daily[index] ?? NOTHING);
  }
  return sums;
}
