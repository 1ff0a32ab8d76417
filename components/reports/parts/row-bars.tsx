import { formatCell, type Sheet } from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

const MOST = 12;

/** Bar chart of the first rows of a table. The table below has the same data. */
export function RowBars({ sheet: { rows, columns, bar } }: { sheet: Sheet }) {
  const measured = bar === null ? undefined : columns[bar];
  if (bar === null || !measured) return null;
  const shown = rows.slice(0, MOST);
  const most = Math.max(0, ...shown.map((row) => Number(row[bar] ?? 0)));
  const names = shown.map((row) =>
    columns
      .slice(0, bar)
      .map((column, index) => formatCell(column, row[index]))
      .join(" · "),
  );
  return (
    <figure className="card px-4 pt-3.5 pb-4">
      <figcaption className="mb-2 text-[0.9375rem] font-semibold">{t(measured.label)}</figcaption>
      <div
        role="img"
        aria-label={`${t(measured.label)}: ${names.map((name, index) => `${name} ${formatCell(measured, shown[index]?.[bar])}`).join(", ")}`}
      >
        {shown.map((row, index) => (
          <div
            key={JSON.stringify(row.slice(0, bar))}
            className={`grid items-center gap-3 py-0.5 text-sm ${measured.kind === "money" ? "grid-cols-[minmax(0,2fr)_minmax(0,3fr)_7.5rem]" : "grid-cols-[minmax(0,2fr)_minmax(0,3fr)_4.5rem]"}`}
          >
            <span dir="auto" className="truncate text-left text-muted" title={names[index]}>
              {names[index]}
            </span>
            <span
              className="h-5 rounded-md bg-accent"
              style={{ width: `${most > 0 ? (Number(row[bar] ?? 0) / most) * 100 : 0}%` }}
            />
            <span className="text-right font-medium tabular-nums">{formatCell(measured, row[bar])}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
