"use client";

import { ViewLink } from "@/components/reports/view-frame";
import { Check, Segments } from "@/components/ui/icons";
import { Menu, menuItem } from "@/components/ui/menu";

export interface Segment {
  id: string;
  name: string;
  /** What it narrows to, in words. */
  about: string;
}

/** One of the site's saved sets of filters, or none. */
export function SegmentPicker({ segments, current }: { segments: Segment[]; current: string | null }) {
  const chosen = segments.find(({ id }) => id === current);
  const label = <span className="block max-w-40 truncate">{chosen?.name ?? "No segment"}</span>;
  return (
    <Menu name="Segment" icon={<Segments className="size-4 text-muted" />} label={label}>
      {(close) => (
        <div className="max-h-80 overflow-y-auto sm:w-64">
          {[null, ...segments].map((segment) => (
            <ViewLink
              key={segment?.id ?? ""}
              patch={{ segment: segment?.id ?? null }}
              onGo={close}
              aria-current={segment === (chosen ?? null)}
              className={menuItem}
            >
              <span className="min-w-0">
                <span className="block truncate">{segment?.name ?? "No segment"}</span>
                {segment && (
                  <span className="block truncate text-xs font-normal text-muted" title={segment.about}>
                    {segment.about}
                  </span>
                )}
              </span>
              <Check className={`size-4 shrink-0 text-accent ${segment === (chosen ?? null) ? "" : "invisible"}`} />
            </ViewLink>
          ))}
        </div>
      )}
    </Menu>
  );
}
