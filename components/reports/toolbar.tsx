import type { ReactNode } from "react";
import { sentenceOf } from "@/components/reports/filter-words";
import { FilterButton } from "@/components/reports/filtering";
import { PeriodSteps } from "@/components/reports/period-steps";
import { type Choice, ComparePicker, PeriodPicker, TrafficPicker } from "@/components/reports/pickers";
import { type Segment, SegmentPicker } from "@/components/reports/segment-picker";
import { SiteZone } from "@/components/reports/site-zone";
import { isWholeMonth, shownDays } from "@/components/reports/stepping";
import type { View } from "@/components/reports/view";
import { ViewKeys } from "@/components/reports/view-keys";
import { formatMonth, formatRange } from "@/components/ui/format";
import { COMPARISONS, type SiteShape } from "@/lib/contract/fields";
import { manages, PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";

const choicesOf = (table: Record<string, string>): Choice[] =>
  Object.entries(table).map(([value, label]) => ({ value, label }));
const periods = choicesOf(PERIODS).filter(({ value }) => value !== "custom");

interface Props {
  view: View;
  site: Pick<SiteShape, "site_id" | "role" | "timezone">;
  /** The site's saved sets of filters. */
  segments: Segment[];
  /** The first day that the site can have anything of, and its today. */
  since: string;
  today: string;
  /** What else narrows or arranges it. */
  children?: ReactNode;
  /** Nothing to compare with is shown. */
  alone?: true;
  /** It is about the present. */
  now?: true;
}

const labelOf = (from: string, to: string): string => {
  return isWholeMonth({ from, to }) ? formatMonth(from) : formatRange(from, to);
};

/** Narrowed to what, whose traffic, which days, compared with what; as far as the report has to do with it. */
export function Toolbar({ view, site, segments, since, today, alone, now, children }: Props) {
  const { period, compare_from, compare_to } = view;
  const bounds = { since, today };
  const { from, to } = shownDays(view, bounds);
  const filters = view.filters ?? [];
  const label = period === "custom" ? labelOf(from, to) : PERIODS[period];
  const own =
    compare_from && compare_to
      ? { from: compare_from, to: compare_to, label: labelOf(compare_from, compare_to) }
      : null;
  return (
    <div data-full={segments.length > 0 || undefined} className="group/bar relative flex flex-wrap gap-2 print:hidden">
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
      {!now && (
        <PeriodSteps {...{ period, from, to }} {...bounds}>
          <PeriodPicker choices={periods} {...{ period, label, from, to }} {...bounds} />
        </PeriodSteps>
      )}
      {!alone && (
        <ComparePicker choices={choicesOf(COMPARISONS)} current={view.compare} {...{ own, from, to }} {...bounds} />
      )}
      <SiteZone timezone={site.timezone} />
      <ViewKeys periods={periods.map(({ value }) => value)} compared={view.compare !== "none"} />
    </div>
  );
}
