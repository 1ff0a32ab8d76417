"use client";

import { ChartPie } from "lucide-react";
import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import { type Filter, sentOf } from "@/components/reports/filters";
import { SavedChoices } from "@/components/reports/saved-choices";
import type { Present } from "@/components/reports/segments-dialog";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuEnd } from "@/components/ui/menu";
import { t } from "@/lib/texts/translate";

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
    fields: ["name"],
    inputOf: ({ id, name, filters }: SegmentDraft) => ({ site_id: siteId, id, name, filters: sentOf(filters) ?? {} }),
  });
  const chosen = list.shown.find(({ id }) => id === current);
  const label = <span className="block max-w-40 truncate xl:max-2xl:max-w-28">{chosen?.name ?? t("No segment")}</span>;
  return (
    <>
      <Menu name={t("Segment")} icon={<ChartPie className="size-4 text-muted" />} label={label}>
        <SavedChoices
          chosen={chosen?.id ?? ""}
          choices={[
            { id: "", name: t("No segment"), about: null, patch: { segment: null } },
            ...list.shown.map(({ id, name, sentences }) => ({
              id,
              name,
              about: sentences.join(", "),
              patch: { segment: id },
            })),
          ]}
        />
        {present && (
          <MenuEnd>
            <MenuAction onPress={() => setManaging(true)}>{t("Manage segments")}</MenuAction>
          </MenuEnd>
        )}
      </Menu>
      {managing && present && (
        <SegmentsDialog list={list} current={current} present={present} onClose={() => setManaging(false)} />
      )}
    </>
  );
}
