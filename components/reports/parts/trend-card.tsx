import type { Kind, Series } from "@/components/charts/series";
import { Trend } from "@/components/reports/trend";
import type { Interval } from "@/lib/contract/fields";

interface Starts {
  start: string;
  label: string;
  partial: boolean;
}

/** A series that reads its values from the buckets of the answer. */
export interface TrendSeries<Bucket> extends Omit<Series, "values"> {
  /** @returns null for an unknown value */
  read(bucket: Bucket): number | null;
}

interface Props<Bucket extends Starts> {
  title: string;
  kind: Kind;
  /** The `meta` of the answer: range and interval. */
  meta: { from: string; to: string; interval?: Interval | undefined; partial: boolean };
  /** The buckets of the answer's series. */
  buckets: readonly Bucket[];
  series: readonly TrendSeries<Bucket>[];
}

/** Card with the chart of a report over time; renders nothing for a single bucket. */
export function TrendCard<Bucket extends Starts>(props: Props<Bucket>) {
  const { title, kind, meta, buckets, series } = props;
  const { from, to, interval = "day", partial } = meta;
  if (buckets.length < 2) return null;
  return (
    <section aria-label={title} className="card min-w-0">
      <h2 className="px-4 pt-3.5 text-[0.9375rem] font-semibold">{title}</h2>
      <Trend
        title={`${title} by ${interval}`}
        kind={kind}
        range={{ from, to }}
        interval={interval}
        buckets={buckets.map(({ start, label, partial: part }) => ({ start, label, partial: part }))}
        growing={partial}
        series={series.map(({ read, ...one }) => ({ ...one, values: buckets.map(read) }))}
        height="h-60"
      />
    </section>
  );
}
