"use client";

import { SeriesChart, type SeriesChartProps } from "@/components/charts/series-chart";
import { useZoom } from "@/components/reports/zoom";
import type { Days } from "@/components/ui/calendar-days";

type Props = Omit<SeriesChartProps, "onZoom" | "onDrill" | "onAnnotate"> & {
  /** The local days of the report, such as its `meta`. */
  range: Days;
};

/** Chart of a report: dragging zooms into a range, a click opens a bucket. Server Components can render it. */
export function Trend({ range, ...chart }: Props) {
  const { onZoom, onDrill } = useZoom(range, chart.interval, chart.buckets);
  return <SeriesChart {...chart} onZoom={onZoom} onDrill={onDrill} />;
}
