import type { ReactNode } from "react";
import type { PanelRow } from "@/components/reports/answers";
import { formatCount, formatExactly, formatShare } from "@/components/reports/format";
import { External } from "@/components/ui/icons";
import { type Tab, Tabs } from "@/components/ui/tabs";

export interface List {
  key: string;
  label: string;
  /** What one row is. */
  column: string;
  rows: PanelRow[];
  /** How a value is written; null is the one that is unknown. */
  write: (value: string | null) => string;
  /** Where a value can be looked at. */
  href?: (value: string) => string | null;
}

interface Props {
  title: string;
  lists: List[];
  /** All visitors of the range, for the shares. */
  visitors: number;
  className?: string;
  /** What stands below the lists. */
  footer?: ReactNode;
}

/** A card with the ten most visited values of one or more dimensions. */
export function Panel({ title, lists, visitors, className = "", footer }: Props) {
  const heading = <h2 className="py-0.5 text-[0.9375rem] font-semibold">{title}</h2>;
  // As tall as the longest list, so that nothing jumps from tab to tab.
  const tall = Math.max(5, ...lists.map((list) => list.rows.length));
  const tabs: Tab[] = lists.map((list) => ({
    key: list.key,
    label: list.label,
    content: <Rows list={list} visitors={visitors} tall={tall} />,
  }));
  return (
    <section className={`card min-w-0 px-4 pt-3.5 pb-3 ${className}`} aria-label={title}>
      {tabs.length > 1 ? (
        <Tabs tabs={tabs} heading={heading} name={title} />
      ) : (
        <>
          {heading}
          {tabs[0]?.content}
        </>
      )}
      {footer && <p className="mt-2 px-2 text-xs text-muted">{footer}</p>}
    </section>
  );
}

function Rows({ list, visitors, tall }: { list: List; visitors: number; tall: number }) {
  const most = Math.max(1, ...list.rows.map((row) => row.visitors));
  return (
    <table className="mt-1.5 block w-full text-sm" style={{ minHeight: `${tall * 2.125 + 1.5}rem` }}>
      <caption className="sr-only">{list.label} by visitors</caption>
      <thead className="block">
        <tr className="flex justify-between px-2 pb-1 text-xs text-muted">
          <th scope="col" className="font-normal">
            {list.column}
          </th>
          <th scope="col" className="font-normal">
            Visitors
          </th>
        </tr>
      </thead>
      <tbody className="block space-y-0.5">
        {list.rows.length === 0 && (
          <tr className="block px-2 py-6 text-center text-muted">
            <td className="block">Nothing in this range.</td>
          </tr>
        )}
        {list.rows.map((row) => (
          <Line key={row.value ?? ""} row={row} list={list} most={most} visitors={visitors} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ row, list, most, visitors }: { row: PanelRow; list: List; most: number; visitors: number }) {
  const text = list.write(row.value);
  const href = row.value === null ? null : list.href?.(row.value);
  return (
    <tr className="group relative flex h-8 items-center justify-between gap-3 rounded-md px-2 hover:bg-sunken/60">
      <th scope="row" className="flex min-w-0 items-center gap-1.5 font-normal">
        <span
          aria-hidden="true"
          className="absolute inset-y-0.5 left-0 rounded-md bg-bar"
          style={{ width: `${(row.visitors / most) * 72}%` }}
        />
        <span className={`relative truncate ${row.value === null ? "text-muted" : ""}`} title={text}>
          {text}
        </span>
        {href && (
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open ${text} in a new tab`}
            className="relative text-muted opacity-0 group-hover:opacity-100 hover:text-accent focus-visible:opacity-100"
          >
            <External className="size-3.5" />
          </a>
        )}
      </th>
      <td className="relative flex items-baseline gap-2.5 tabular-nums" title={formatExactly(row.visitors)}>
        <span className="text-xs text-muted">{visitors > 0 && formatShare(Math.min(1, row.visitors / visitors))}</span>
        <span className="min-w-11 text-right font-medium">{formatCount(row.visitors)}</span>
      </td>
    </tr>
  );
}
