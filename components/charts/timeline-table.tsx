import type { Row } from "@/components/charts/timeline-rows";

interface Props {
  rows: Row[];
  caption: string;
  /** What the values are. */
  label: string;
  compared: boolean;
  name: (label: string) => string;
  value: (value: number | null) => string;
}

/** The chart's twin, for those who would rather read. */
export function TimelineTable({ rows, caption, label, compared, name, value }: Props) {
  const happened = rows.filter((row) => row.value !== null || row.note !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className="h-full overflow-auto rounded-md" tabIndex={0} aria-label={caption}>
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-surface text-left text-muted">
          <tr>
            <th scope="col" className="py-1.5 pr-4 font-medium">
              When
            </th>
            <th scope="col" className="py-1.5 pr-4 text-right font-medium">
              {label}
            </th>
            {compared && (
              <th scope="col" className="py-1.5 pr-2 text-right font-medium">
                Before
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {happened.map((row) => (
            <tr key={row.start} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal">
                {name(row.label)}
                {row.note && <span className="text-muted"> ({row.note})</span>}
              </th>
              <td className="py-1.5 pr-4 text-right">{value(row.value)}</td>
              {compared && <td className="py-1.5 pr-2 text-right text-muted">{value(row.before)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
