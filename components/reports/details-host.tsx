"use client";

import { useSearchParams } from "next/navigation";
import { DETAILS, NO_DETAILS } from "@/components/reports/details";
import { type Filter, toggledFilter, writeFilters } from "@/components/reports/filters";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import type { Choice } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

const DetailsDialog = lazyDialog(() => import("@/components/reports/details-dialog"));

interface Props {
  basePath: string;
  filters: Filter[];
  /** The dimensions and their names. */
  fields: Choice[];
}

/** Shows the details dialog while the URL names a dimension. */
export function DetailsHost({ basePath, filters, fields }: Props) {
  const searchParams = useSearchParams();
  const href = useViewHref();
  const go = useGo();
  const field = fields.find(({ value }) => value === searchParams.get(DETAILS.of));
  if (!field) return null;

  /** Goes back to the page that opened the dialog, or removes the dialog from the URL if it was opened by URL. */
  function close() {
    if (window.history.state?.details) window.history.back();
    else window.history.replaceState(null, "", href(NO_DETAILS));
  }

  return (
    <DetailsDialog
      basePath={basePath}
      dimension={field.value}
      title={t(field.label)}
      filters={filters}
      onChoose={(value) => go({ ...NO_DETAILS, filters: writeFilters(toggledFilter(filters, field.value, value)) })}
      onClose={close}
    />
  );
}
