import { intervalName } from "@/components/charts/interval-name";
import type { Band, Kind, Series } from "@/components/charts/series";
import { LazyTrend } from "@/components/reports/parts/lazy-parts";
import { Boundary } from "@/components/ui/boundary";
import type { Interval } from "@/lib/contract/fields";
import { t } from "@/lib/texts/translate";

/** The start of a bucket of a series. */
export interface Starts {
  start: string;
  label: string;
  partial: boolean;
}

/** Returns the starts of buckets without their numbers, for parts that run in browsers. */
export const startsOf = (series: readonly Starts[]): Starts[] =>
  series.map(({ start, label, partial }) => ({ start, label, partial }));

/** Range and interval, as in the `meta` of an answer. */
export interface TrendMeta {
  from: string;
  to: string;
  interval?: Interval | undefined;
  partial: boolean;
}

/** Returns the range and interval of an answer, for parts that run in browsers. */
export const trendMeta = ({ from, to, interval, partial }: TrendMeta): TrendMeta => ({ from, to, interval, partial });

/** A series that reads its values from the buckets of the answer. */
export interface TrendSeries<Bucket> extends Omit<Series, "values"> {
  /** @returns null for an unknown value */
  read(bucket: Bucket): number | null;
}

interface Props<Bucket extends Starts> {
  title: string;
  /** Description below the title. */
  about?: string;
  kind: Kind;
  meta: TrendMeta;
  /** The buckets of the answer's series. */
  buckets: readonly Bucket[];
  series: readonly TrendSeries<Bucket>[];
  /** Ranges of values that are coloured behind the series. */
  bands?: readonly Band[];
}

/** Card with the chart of a report over time; renders nothing for a single bucket. */
export function TrendCard<Bucket extends Starts>(props: Props<Bucket>) {
  const { title, about, kind, meta, buckets, series, bands } = props;
  const { from, to, interval = "day", partial } = meta;
  if (buckets.length < 2) return null;
  return (
    <section aria-label={title} className="card min-w-0">
      <h2 className="px-4 pt-3.5 text-[0.9375rem] font-semibold">{title}</h2>
      {about && <p className="px-4 text-sm text-muted">{about}</p>}
      <Boundary what={t("the chart")} className="p-4">
        <LazyTrend
          title={t("{title} by {interval}", { title, interval: intervalName(interval) })}
          kind={kind}
          range={{ from, to }}
          interval={interval}
          buckets={buckets.map(({ start, label, partial: part }) => ({ start, label, partial: part }))}
          growing={partial}
          series={series.map(({ read, ...one }) => ({ ...one, values: buckets.map(read) }))}
          bands={bands}
          height="h-60"
        />
      </Boundary>
    </section>
  );
}
