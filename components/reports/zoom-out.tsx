"use client";

import { ZoomOut as Icon } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { ViewLink } from "@/components/reports/view-frame";
import { unzoomed } from "@/components/reports/zoom";

/** A link back to the range before a zoom; nothing in a view that is not zoomed. */
export function ZoomOut() {
  const patch = unzoomed(useSearchParams());
  if (!patch) return null;
  return (
    <ViewLink
      patch={patch}
      className="inline-flex h-9 items-center gap-2 rounded-lg border border-line bg-surface px-3 text-sm hover:bg-sunken"
    >
      <Icon className="size-4 text-muted" />
      Zoom out
    </ViewLink>
  );
}
