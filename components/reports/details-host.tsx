"use client";

import { useSearchParams } from "next/navigation";
import { DETAILS, NO_DETAILS } from "@/components/reports/details";
import { type Filter, toggled, writeFilters } from "@/components/reports/filters";
import { useGo, useViewHref } from "@/components/reports/view-frame";
import { lateDialog } from "@/components/ui/late";
import type { Choice } from "@/components/ui/select";

const DetailsDialog = lateDialog(
  () => import("@/components/reports/details-dialog"),
  ({ onClose }) => onClose(),
);

interface Props {
  at: string;
  filters: Filter[];
  /** The dimensions there are, with their names. */
  fields: Choice[];
}

/** The dialog with all values of a dimension, for as long as the address names one. */
export function DetailsHost({ at, filters, fields }: Props) {
  const asked = useSearchParams();
  const href = useViewHref();
  const go = useGo();
  const field = fields.find(({ value }) => value === asked.get(DETAILS.of));
  if (!field) return null;

  /** Back to the page it was opened from; an address that was opened with it becomes one without it. */
  function close() {
    if (window.history.state?.details) window.history.back();
    else window.history.replaceState(null, "", href(NO_DETAILS));
  }

  return (
    <DetailsDialog
      at={at}
      dimension={field.value}
      title={field.label}
      filters={filters}
      onChoose={(value) => go(href({ ...NO_DETAILS, filters: writeFilters(toggled(filters, field.value, value)) }))}
      onClose={close}
    />
  );
}
