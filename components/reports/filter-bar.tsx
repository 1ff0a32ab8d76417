import type { ReactNode } from "react";
import { EscapeClears } from "@/components/reports/escape-clears";
import { FilterChips } from "@/components/reports/filter-chips";
import type { View } from "@/components/reports/view";
import { ViewLink } from "@/components/reports/view-frame";
import { t } from "@/lib/texts/translate";

/** Patch that removes all filters and the segment. */
export const UNFILTERED = { filters: null, segment: null };

/** The active filters of a view; renders nothing without filters. */
export function FilterBar({ view, onlyIs = false, children }: { view: View; onlyIs?: boolean; children?: ReactNode }) {
  const filters = view.filters ?? [];
  if (filters.length === 0) return null;
  return (
    <section aria-label={t("Filters")} className="flex flex-wrap items-center gap-2">
      <ul className="contents">
        <FilterChips filters={filters} onlyIs={onlyIs} />
      </ul>
      <ViewLink
        patch={{ filters: null }}
        title={t("Clear all filters")}
        aria-keyshortcuts="Escape"
        className="rounded-md px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        {t("Clear all")}
        <KeyHint keys={t("Esc")} />
      </ViewLink>
      {children}
      <EscapeClears />
    </section>
  );
}

/** A key that does the same, shown where there is a mouse or a touchpad, and so a keyboard. Screen readers have `aria-keyshortcuts`. */
const KeyHint = ({ keys }: { keys: string }) => (
  <span
    aria-hidden="true"
    className="ml-1 hidden rounded border border-line-strong px-1 font-mono text-xs pointer-fine:inline"
  >
    {keys}
  </span>
);
