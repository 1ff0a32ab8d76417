import { bucketNameAt, type Content, formatValue, isComparison, noteOf } from "@/components/charts/series";
import { t } from "@/lib/texts/translate";

/** The data of a chart as a table. */
export function SeriesTable({ title, buckets, series, interval, markers, open }: Content & { title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="h-full overflow-auto rounded-md" tabIndex={0} aria-label={title}>
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-medium">
              {t("Date")}
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
                  {bucketNameAt(index, { buckets, interval })}
                  {note && <span className="text-muted"> ({note})</span>}
                  {markers.map(
                    ({ id, at, text }) =>
                      at === index && (
                        <p key={id} className="text-xs text-muted">
                          {text}
                        </p>
                      ),
                  )}
                </th>
                {series.map((one) => (
                  <td key={one.key} className={`py-1.5 pr-4 text-right ${isComparison(one) ? "text-muted" : ""}`}>
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
