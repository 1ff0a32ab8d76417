"use client";

import { useState } from "react";
import type { Filter } from "@/components/reports/filters";
import { lazyDialog } from "@/components/ui/lazy";
import { t } from "@/lib/texts/translate";

const SaveSegmentDialog = lazyDialog(() => import("@/components/reports/save-segment-dialog"));

interface Props {
  siteId: number;
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
}

/** Button to save the filters as a segment of the site. */
export function SaveSegment(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="rounded-md px-2 py-1 text-sm text-muted hover:bg-sunken hover:text-ink"
      >
        {t("Save as segment")}
      </button>
      {open && <SaveSegmentDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
