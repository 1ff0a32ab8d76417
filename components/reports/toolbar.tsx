import type { ReactNode } from "react";
import { describeFilter } from "@/components/reports/filter-text";
import { FilterButton } from "@/components/reports/filtering";
import { PeriodSteps } from "@/components/reports/period-steps";
import { ComparePicker, GoalPicker, PeriodPicker, TrafficPicker } from "@/components/reports/pickers";
import { type Segment, SegmentPicker } from "@/components/reports/segment-picker";
import { SiteZone } from "@/components/reports/site-zone";
import { isWholeMonth, shownDays } from "@/components/reports/stepping";
import type { View } from "@/components/reports/view";
import { ViewKeys } from "@/components/reports/view-keys";
import { ZoomOut } from "@/components/reports/zoom-out";
import { formatMonth, formatRange } from "@/components/ui/format";
import type { Choice } from "@/components/ui/select";
import { Whole } from "@/components/ui/whole";
import { manages } from "@/lib/contract/access";
import { COMPARISONS, type SiteShape } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

const choicesOf = (table: Record<string, string>): Choice[] =>
  Object.entries(table).map(([value, label]) => ({ value, label: t(label) }));

interface Props {
  view: View;
  site: Pick<SiteShape, "site_id" | "role" | "timezone">;
  /** The site's segments. */
  segments: Segment[];
  /** First day with possible data, and the current day of the site. */
  since: string;
  today: string;
  /** Additional controls at the start. */
  children?: ReactNode;
  /** Names of the site's goals, where one may be chosen. */
  goals?: string[];
  /** Parameters that the choice of a goal resets. */
  goalResets?: readonly string[];
  /** Hide the comparison. */
  alone?: true;
  /** The report has its own classes of traffic: hide the choice. */
  ownTraffic?: true;
  /** The report is about the present: hide the period. */
  now?: true;
}

const labelOf = (from: string, to: string): string =>
  isWholeMonth({ from, to }) ? formatMonth(from) : formatRange(from, to);

/** The controls of a report: filter, segment, traffic, period and comparison. */
export function Toolbar({
  view,
  site,
  segments,
  since,
  today,
  goals,
  goalResets,
  alone,
  ownTraffic,
  now,
  children,
}: Props) {
  const { period, compare_from, compare_to } = view;
  const periods = choicesOf(PERIODS).filter(({ value }) => value !== "custom");
  const bounds = { since, today };
  const { from, to } = shownDays(view, bounds);
  const filters = view.filters ?? [];
  const label = period === "custom" ? labelOf(from, to) : t(PERIODS[period]);
  const custom =
    compare_from && compare_to
      ? { from: compare_from, to: compare_to, label: labelOf(compare_from, compare_to) }
      : null;
  return (
    <Whole
      data-full={segments.length > 0 || undefined}
      className="group/bar relative flex flex-wrap gap-2 print:hidden"
    >
      {children}
      <FilterButton />
      {segments.length > 0 && (
        <SegmentPicker
          siteId={site.site_id}
          segments={segments}
          current={view.segment}
          present={manages(site.role) ? { filters, sentences: filters.map(describeFilter) } : null}
        />
      )}
      {goals && (goals.length > 0 || view.goal !== null) && (
        <GoalPicker goals={goals} current={view.goal} resets={goalResets} />
      )}
      {!ownTraffic && <TrafficPicker choices={choicesOf(TRAFFIC)} current={view.traffic} />}
      {!now && (
        <PeriodSteps period={period} from={from} to={to} {...bounds}>
          <PeriodPicker choices={periods} period={period} label={label} from={from} to={to} {...bounds} />
        </PeriodSteps>
      )}
      {!alone && (
        <ComparePicker
          choices={choicesOf(COMPARISONS)}
          current={view.compare}
          custom={custom}
          from={from}
          to={to}
          {...bounds}
        />
      )}
      {!now && <ZoomOut />}
      <SiteZone timezone={site.timezone} />
      <ViewKeys periods={periods.map(({ value }) => value)} compared={view.compare !== "none"} />
    </Whole>
  );
}
