"use client";

import { DETAILS, NO_DETAILS } from "@/components/reports/details";
import { useCanFilter } from "@/components/reports/filtering";
import { useOutcomesShown } from "@/components/reports/lists";
import { useViewHref } from "@/components/reports/view-frame";
import { t } from "@/lib/texts/translate";

/** Link that opens the details dialog of a dimension; "back" closes it. Renders nothing outside of `Filtering`. */
export function DetailsLink({ dimension, label }: { dimension: string; label: string }) {
  const outcomes = useOutcomesShown();
  const href = useViewHref()({ ...NO_DETAILS, [DETAILS.of]: dimension });
  if (!useCanFilter()) return null;
  return (
    <a
      href={href}
      aria-haspopup="dialog"
      aria-label={t("Details of {label}", { label })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        window.history.pushState({ details: true, outcomes }, "", href);
      }}
      className="rounded-md px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
    >
      {t("Details")}
    </a>
  );
}
