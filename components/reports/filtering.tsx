"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { DetailsHost } from "@/components/reports/details-host";
import { type Draft, draftOf, EMPTY_DRAFT } from "@/components/reports/filter-draft";
import { type Filter, replaced, writeFilters } from "@/components/reports/filters";
import { useShortcut } from "@/components/reports/shortcuts";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { Funnel } from "@/components/ui/icons";
import { lateDialog } from "@/components/ui/late";
import type { Choice } from "@/components/ui/select";

const FilterDialog = lateDialog(
  () => import("@/components/reports/filter-dialog"),
  ({ onCancel }) => onCancel(),
);

interface Opened {
  first: Draft;
  /** The filter that is changed; null for a new one. */
  old: Filter | null;
}

const Opening = createContext<((opened: Opened) => void) | null>(null);

interface Props {
  /** Where the site's own answers are: the address of its dashboard. */
  at: string;
  filters: Filter[];
  /** What can be filtered by. */
  fields: Choice[];
  /** Whether values can only be chosen as they are, as on a public dashboard. */
  onlyIs?: boolean;
  children: ReactNode;
}

const SiteAddress = createContext("");

/** Where the answers of the site that is looked at are. */
export const useSiteAddress = (): string => use(SiteAddress);

/** Whether dialogs about filters can be opened here. */
export const useCanFilter = (): boolean => use(Opening) !== null;

/** Lets what is inside open the dialog of filters, as the key F does, and that with all values of a dimension. */
export function Filtering({ at, filters, fields, onlyIs = false, children }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const href = useViewHref();
  const go = useGo();
  useShortcut("f", () => setOpened({ first: EMPTY_DRAFT, old: null }));

  function done(filter: Filter) {
    const old = opened?.old ?? null;
    setOpened(null);
    go(href({ filters: writeFilters(replaced(filters, old, filter)) }));
  }

  return (
    <Opening value={setOpened}>
      <SiteAddress value={at}>{children}</SiteAddress>
      <DetailsHost at={at} filters={filters} fields={fields} />
      {opened && (
        <FilterDialog
          at={at}
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

/** Opens the dialog for a new filter. */
export function FilterButton() {
  const open = use(Opening);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="f"
      title="Add a filter (F)"
      onClick={() => open?.({ first: EMPTY_DRAFT, old: null })}
      className="flex h-9 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm font-medium shadow-card hover:bg-sunken"
    >
      <Funnel className="size-4 text-muted max-sm:hidden xl:max-2xl:group-data-full/bar:hidden" />
      Filter
    </button>
  );
}

interface ChangeProps {
  filter: Filter;
  /** Its values in words, one by one. */
  texts: string[];
  /** All of them as they are shown. */
  value: string;
}

/** The values of a filter, which open the dialog to change them where there is one. */
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
      aria-label={`${value}, change`}
      title={`${value} – change`}
      onClick={() => open({ first: draftOf(filter, texts), old: filter })}
      className="truncate rounded px-1 font-medium hover:bg-surface"
    >
      {value}
    </button>
  );
}
