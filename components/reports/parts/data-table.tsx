"use client";

import { type ReactNode, useId, useState } from "react";
import { CsvLink } from "@/components/reports/parts/csv-link";
import { DataRow } from "@/components/reports/parts/data-row";
import { type Column, isNumeric, orderBy, type Sheet } from "@/components/reports/sheet";
import { SortHead } from "@/components/reports/sort-head";
import { Sideways } from "@/components/ui/sideways";
import { t } from "@/lib/texts/translate";

const FIRST_ROWS = 20;

interface Props {
  sheet: Sheet;
  /** Description below the title. */
  about?: ReactNode;
  /** Text without rows. */
  empty?: ReactNode;
  /** Whether the answer has only the first rows. */
  truncated?: boolean | undefined;
  /** Whether it is a part of another table of the report, without a CSV of its own. */
  isPart?: true;
}

/** A table of a report, sortable by any column, with a CSV download. It scrolls horizontally if it is too wide. */
export function DataTable({ sheet, about, empty = t("No data in this range."), truncated = false, isPart }: Props) {
  const id = useId();
  const title = t(sheet.title);
  const [sorted, setSorted] = useState<Sorted | null>(null);
  const [all, setAll] = useState(false);
  const order = sorted ? orderBy(sheet, sorted.column, sorted.descending) : sheet.rows.map((_, index) => index);
  const most = sheet.bar === null ? 0 : Math.max(0, ...sheet.rows.map((row) => Number(row[sheet.bar ?? 0] ?? 0)));
  return (
    <section className="card min-w-0" aria-labelledby={id}>
      <div className="flex items-start justify-between gap-4 px-4 pt-3.5 pb-2">
        <div className="min-w-0">
          <h2 id={id} className="text-[0.9375rem] font-semibold break-words">
            {title}
          </h2>
          {about && <p className="text-sm text-muted">{about}</p>}
        </div>
        {sheet.rows.length > 0 && !isPart && <CsvLink sheet={sheet} />}
      </div>
      {sheet.rows.length === 0 ? (
        <div className="px-4 pt-3 pb-6 text-center text-sm text-muted">{empty}</div>
      ) : (
        <Sideways className="relative px-2 pb-2" label={t("{table}, scrolls sideways", { table: title })}>
          <table className="w-full text-sm tabular-nums">
            <caption className="sr-only">{title}</caption>
            <Heads columns={sheet.columns} sorted={sorted} onSort={setSorted} />
            <tbody>
              {(all ? order : order.slice(0, FIRST_ROWS)).map((place) => (
                <DataRow key={place} sheet={sheet} place={place} most={most} />
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
      <More all={all} truncated={truncated} rows={order.length} onMore={() => setAll(!all)} />
    </section>
  );
}

interface Sorted {
  column: number;
  descending: boolean;
}
interface HeadsProps {
  columns: Column[];
  sorted: Sorted | null;
  onSort(sorted: Sorted): void;
}

/** The column headings, which sort the table. */
function Heads({ columns, sorted, onSort }: HeadsProps) {
  return (
    <thead>
      <tr className="text-xs text-muted">
        {columns.map((column, index) => {
          const here = sorted?.column === index ? sorted : null;
          const numeric = isNumeric(column);
          return (
            <SortHead
              key={column.label}
              label={t(column.label)}
              about={column.about && t(column.about)}
              numeric={numeric}
              sorted={here && (here.descending ? "descending" : "ascending")}
              onSort={(direction) => onSort({ column: index, descending: direction === "descending" })}
              className="px-0.5 pb-1 font-normal"
            />
          );
        })}
      </tr>
    </thead>
  );
}

interface MoreProps {
  rows: number;
  all: boolean;
  truncated: boolean;
  onMore(): void;
}

/** Button to expand a long table, and a note if the answer is truncated. */
function More({ rows, all, truncated, onMore }: MoreProps) {
  if (rows <= FIRST_ROWS && !truncated) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-muted">
      {rows > FIRST_ROWS && (
        <button
          type="button"
          aria-expanded={all}
          onClick={onMore}
          className="-mx-2 rounded-md px-2 py-1 font-medium text-accent hover:bg-sunken"
        >
          {all ? t("Show the first {count}", { count: FIRST_ROWS }) : t("Show all {count}", { count: rows })}
        </button>
      )}
      {truncated && <span>{t("Only the first rows are shown.")}</span>}
    </div>
  );
}
