import { Change } from "@/components/reports/change";
import { type Cell, type Column, changeOfCell, formatCell } from "@/components/reports/sheet";
import { t } from "@/lib/texts/translate";

export interface Tile extends Column {
  value: Cell;
  /** Value of the comparison; undefined without a comparison. */
  before?: Cell | undefined;
}

interface Choice {
  /** Label of the tile that the chart below shows. */
  chosen: string | null;
  choosable: ReadonlySet<string>;
  choose(label: string): void;
}

/** The key numbers of a report; with `choice`, those with a course can be chosen for the chart below. */
export function Tiles({ tiles, choice }: { tiles: readonly Tile[]; choice?: Choice | undefined }) {
  return (
    <dl className="card grid grid-cols-2 gap-px overflow-clip bg-line sm:flex sm:flex-wrap">
      {tiles.map(({ value, before, ...column }) => {
        const change = changeOfCell(column, value, before);
        const isChosen = choice?.chosen === column.label;
        return (
          <div
            key={column.label}
            className={`relative min-w-0 flex-1 border-t-2 bg-surface px-4 pt-3 pb-3.5 max-sm:last:odd:col-span-2 sm:min-w-40 ${isChosen ? "border-accent" : "border-transparent"} ${choice?.choosable.has(column.label) ? "hover:bg-sunken/60" : ""}`}
            title={column.about && t(column.about)}
          >
            <dt className={`text-sm ${isChosen ? "font-semibold text-accent" : "text-muted"}`}>
              {choice?.choosable.has(column.label) ? (
                <button
                  type="button"
                  aria-pressed={isChosen}
                  onClick={() => choice.choose(column.label)}
                  // The whole tile can be pressed.
                  className="text-left after:absolute after:inset-0"
                >
                  {t(column.label)}
                </button>
              ) : (
                t(column.label)
              )}
            </dt>
            <dd
              className={`mt-0.5 font-semibold tracking-tight tabular-nums ${column.kind === "money" ? "text-lg leading-8" : "text-2xl"}`}
            >
              {formatCell(column, value)}
            </dd>
            {before !== undefined && (
              <dd className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-[0.8125rem] tabular-nums">
                {change && <Change {...change} />}
                <span className="text-muted">
                  {before === null ? t("no data before") : t("was {value}", { value: formatCell(column, before) })}
                </span>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
