import { type Bucket, formatValue, nameOf, noteOf, openBucket, type Series } from "@/components/charts/series";
import type { Interval } from "@/lib/contract/fields";

interface Props {
  title: string;
  buckets: readonly Bucket[];
  series: readonly Series[];
  interval: Interval;
}

/** A chart as a table, for people who would rather read. */
export function SeriesTable({ title, buckets, series, interval }: Props) {
  const open = openBucket(buckets, series);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className="h-full overflow-auto rounded-md" tabIndex={0} aria-label={title}>
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-medium">
              Date
            </th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col" className="py-1.5 pr-4 text-right font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, index) => {
            const note = noteOf(buckets, index, open, interval);
            if (!note && series.every(({ values }) => (values[index] ?? null) === null)) return null;
            return (
              <tr key={bucket.start} className="border-t border-line">
                <th scope="row" className="py-1.5 pr-4 text-left font-normal">
                  {nameOf(bucket.label, interval)}
                  {note && <span className="text-muted"> ({note})</span>}
                </th>
                {series.map((one) => (
                  <td
                    key={one.key}
                    className={`py-1.5 pr-4 text-right ${one.tone === "comparison" ? "text-muted" : ""}`}
                  >
                    {formatValue(one, one.values[index] ?? null)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
