"use client";

import { SeriesChart, type SeriesChartProps } from "@/components/charts/series-chart";
import { type Days, useZoom } from "@/components/reports/zoom";

type Props = Omit<SeriesChartProps, "onZoom" | "onDrill" | "onAnnotate"> & {
  /** The local days of the report: its `meta` will do. */
  range: Days;
};

/** A chart of a report: dragging over it shows those days, a click the bucket's own. A page of the server may render it. */
export function Trend({ range, ...chart }: Props) {
  const { onZoom, onDrill } = useZoom(range, chart.interval, chart.buckets);
  return <SeriesChart {...chart} {...{ onZoom, onDrill }} />;
}
