import type { ReactNode } from "react";
import { sentenceOf } from "@/components/reports/filter-words";
import { FilterButton } from "@/components/reports/filtering";
import { formatRange } from "@/components/reports/format";
import { type Choice, ComparePicker, PeriodPicker, TrafficPicker } from "@/components/reports/pickers";
import { type Segment, SegmentPicker } from "@/components/reports/segment-picker";
import type { View } from "@/components/reports/view";
import { ViewKeys } from "@/components/reports/view-keys";
import { COMPARISONS, type SiteShape } from "@/lib/contract/fields";
import { manages, PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import { Temporal } from "@/lib/time";

const choicesOf = (table: Record<string, string>): Choice[] =>
  Object.entries(table).map(([value, label]) => ({ value, label }));
const periods = choicesOf(PERIODS).filter(({ value }) => value !== "custom");

interface Props {
  view: View;
  site: Pick<SiteShape, "site_id" | "role">;
  /** The site's saved sets of filters. */
  segments: Segment[];
  /** The site's own. */
  today: string;
  /** What else narrows or arranges it. */
  children?: ReactNode;
  /** Nothing to compare with is shown. */
  alone?: true;
  /** It is about the present. */
  now?: true;
}

/** Narrowed to what, whose traffic, which days, compared with what; as far as the report has to do with it. */
export function Toolbar({ view, site, segments, today, alone, now, children }: Props) {
  const from = view.from ?? Temporal.PlainDate.from(today).subtract({ days: 27 }).toString();
  const to = view.to ?? today;
  const filters = view.filters ?? [];
  const label = view.period === "custom" ? formatRange(from, to) : PERIODS[view.period];
  return (
    <div data-full={segments.length > 0 || undefined} className="group/bar flex flex-wrap gap-2 print:hidden">
      {children}
      <FilterButton />
      {segments.length > 0 && (
        <SegmentPicker
          siteId={site.site_id}
          segments={segments}
          current={view.segment}
          present={manages(site.role) ? { filters, sentences: filters.map(sentenceOf) } : null}
        />
      )}
      <TrafficPicker choices={choicesOf(TRAFFIC)} current={view.traffic} />
      {!now && <PeriodPicker choices={periods} period={view.period} label={label} from={from} to={to} />}
      {!alone && <ComparePicker choices={choicesOf(COMPARISONS)} current={view.compare} />}
      <ViewKeys periods={periods.map(({ value }) => value)} compared={view.compare !== "none"} />
    </div>
  );
}
