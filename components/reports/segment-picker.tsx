"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import { type Filter, sentOf } from "@/components/reports/filters";
import type { Present } from "@/components/reports/segments-dialog";
import { ViewLink } from "@/components/reports/view-frame";
import { Check, Segments } from "@/components/ui/icons";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuChoice, MenuChoices, MenuEnd } from "@/components/ui/menu";

const SegmentsDialog = lazyDialog(() => import("@/components/reports/segments-dialog"));

export interface Segment {
  id: string;
  name: string;
  filters: Filter[];
  /** Display text of the filters. */
  sentences: string[];
  /** Name of the creator; null if unknown or no longer a member. */
  maker: string | null;
}

/** A segment with another name or other filters. */
export type SegmentDraft = Omit<Segment, "maker">;

interface Props {
  siteId: number;
  segments: Segment[];
  current: string | null;
  /** The filters of the view besides the segment; null if the user cannot change segments. */
  present: Present | null;
}

/** Menu of the site's segments. */
export function SegmentPicker({ siteId, segments, current, present }: Props) {
  const [managing, setManaging] = useState(false);
  const list = useSavedList({
    siteId,
    kind: "segments",
    rows: segments,
    inputOf: ({ id, name, filters }: SegmentDraft) => ({ site_id: siteId, id, name, filters: sentOf(filters) ?? {} }),
  });
  const chosen = list.shown.find(({ id }) => id === current);
  const label = <span className="block max-w-40 truncate xl:max-2xl:max-w-28">{chosen?.name ?? "No segment"}</span>;
  return (
    <>
      <Menu name="Segment" icon={<Segments className="size-4 text-muted" />} label={label}>
        <div className="max-h-80 overflow-y-auto sm:w-64">
          <MenuChoices chosen={chosen?.id ?? ""}>
            {[null, ...list.shown].map((segment) => (
              <MenuChoice key={segment?.id ?? ""} value={segment?.id ?? ""}>
                <ViewLink patch={{ segment: segment?.id ?? null }}>
                  <span className="min-w-0">
                    <span className="block truncate">{segment?.name ?? "No segment"}</span>
                    {segment && (
                      <span
                        className="block truncate text-xs font-normal text-muted"
                        title={segment.sentences.join(", ")}
                      >
                        {segment.sentences.join(", ")}
                      </span>
                    )}
                  </span>
                  <Check className={`size-4 shrink-0 text-accent ${segment === (chosen ?? null) ? "" : "invisible"}`} />
                </ViewLink>
              </MenuChoice>
            ))}
          </MenuChoices>
        </div>
        {present && (
          <MenuEnd>
            <MenuAction onPress={() => setManaging(true)}>Manage segments</MenuAction>
          </MenuEnd>
        )}
      </Menu>
      {managing && present && <SegmentsDialog {...{ list, current, present }} onClose={() => setManaging(false)} />}
    </>
  );
}
