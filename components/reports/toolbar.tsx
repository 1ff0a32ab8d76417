import { FilterButton } from "@/components/reports/filtering";
import { formatRange } from "@/components/reports/format";
import { type Choice, ComparePicker, PeriodPicker, TrafficPicker } from "@/components/reports/pickers";
import { type Segment, SegmentPicker } from "@/components/reports/segment-picker";
import type { View } from "@/components/reports/view";
import { COMPARISONS, PERIODS } from "@/lib/contract/fields";
import { TRAFFIC } from "@/lib/contract/vocabulary";
import { Temporal } from "@/lib/time";

const choicesOf = (table: Record<string, string>): Choice[] =>
  Object.entries(table).map(([value, label]) => ({ value, label }));
const periods = choicesOf(PERIODS).filter(({ value }) => value !== "custom");

interface Props {
  view: View;
  /** The site's saved sets of filters. */
  segments: Segment[];
  /** The site's own. */
  today: string;
  /** Nothing to compare with is shown. */
  alone?: true;
  /** It is about the present. */
  now?: true;
}

/** Narrowed to what, whose traffic, which days, compared with what; as far as the report has to do with it. */
export function Toolbar({ view, segments, today, alone, now }: Props) {
  const from = view.from ?? Temporal.PlainDate.from(today).subtract({ days: 27 }).toString();
  const to = view.to ?? today;
  const label = view.period === "custom" ? formatRange(from, to) : PERIODS[view.period];
  return (
    <div className="flex flex-wrap gap-2">
      <FilterButton />
      {segments.length > 0 && <SegmentPicker segments={segments} current={view.segment} />}
      <TrafficPicker choices={choicesOf(TRAFFIC)} current={view.traffic} />
      {!now && <PeriodPicker choices={periods} period={view.period} label={label} from={from} to={to} />}
      {!alone && <ComparePicker choices={choicesOf(COMPARISONS)} current={view.compare} />}
    </div>
  );
}
