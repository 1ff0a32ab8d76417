"use client";

import { Funnel } from "lucide-react";
import { createContext, type ReactNode, use, useState } from "react";
import { DetailsHost } from "@/components/reports/details-host";
import { type Draft, draftOf, EMPTY_DRAFT } from "@/components/reports/filter-draft";
import { type Filter, replaced, writeFilters } from "@/components/reports/filters";
import { useShortcut } from "@/components/reports/shortcuts";
import { useGo } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import type { Choice } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

const FilterDialog = lazyDialog(() => import("@/components/reports/filter-dialog"));

interface Opened {
  first: Draft;
  /** The filter being edited; null for a new one. */
  old: Filter | null;
}

const Opening = createContext<((opened: Opened) => void) | null>(null);

interface Props {
  /** Path of the dashboard, below which its JSON routes are. */
  basePath: string;
  filters: Filter[];
  /** The fields to filter by. */
  fields: Choice[];
  /** Allow only the operator `is`, as on a public dashboard. */
  onlyIs?: boolean;
  children: ReactNode;
}

const SiteBasePath = createContext("");

/** Returns the path of the site's dashboard, below which its JSON routes are. */
export const useSiteBasePath = (): string => use(SiteBasePath);

/** Returns whether the filter dialog can be opened here. */
export const useCanFilter = (): boolean => use(Opening) !== null;

/** Lets its children open the filter dialog (also key F) and the details dialog of a dimension. */
export function Filtering({ basePath, filters, fields, onlyIs = false, children }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const go = useGo();
  useShortcut("f", () => setOpened({ first: EMPTY_DRAFT, old: null }));

  function done(filter: Filter) {
    const old = opened?.old ?? null;
    setOpened(null);
    go({ filters: writeFilters(replaced(filters, old, filter)) });
  }

  return (
    <Opening value={setOpened}>
      <SiteBasePath value={basePath}>{children}</SiteBasePath>
      <DetailsHost basePath={basePath} filters={filters} fields={fields} />
      {opened && (
        <FilterDialog
          basePath={basePath}
          fields={fields}
          onlyIs={onlyIs}
          first={opened.first}
          changes={opened.old !== null}
          onDone={done}
          onCancel={() => setOpened(null)}
        />
      )}
    </Opening>
  );
}

/** Button that opens the dialog for a new filter. */
export function FilterButton() {
  const open = use(Opening);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="f"
      title={t("Add filter (F)")}
      onClick={() => open?.({ first: EMPTY_DRAFT, old: null })}
      className="flex h-9 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm font-medium shadow-card hover:bg-sunken"
    >
      <Funnel className="size-4 text-muted max-sm:hidden xl:max-2xl:group-data-full/bar:hidden" />
      {t("Filter")}
    </button>
  );
}

interface ChangeProps {
  filter: Filter;
  /** Display text of each value. */
  texts: string[];
  /** Display text of all values together. */
  value: string;
}

/** The values of a filter as a button that opens the edit dialog; plain text without `Filtering` around it. */
export function ChangeFilter({ filter, texts, value }: ChangeProps) {
  const open = use(Opening);
  if (!open) {
    return (
      <span className="truncate font-medium" title={value}>
        {value}
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={t("{value}, edit", { value })}
      title={t("{value} – edit", { value })}
      onClick={() => open({ first: draftOf(filter, texts), old: filter })}
      className="truncate rounded px-1 font-medium hover:bg-surface"
    >
      {value}
    </button>
  );
}
