"use client";

import { useSearchParams } from "next/navigation";
import { SeriesChart } from "@/components/charts/series-chart";
import { type Chart, headlineOf } from "@/components/reports/answers";
import { formatRange } from "@/components/ui/format";
import { MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** The chosen metric of all sites over time. */
export function CombinedChart({ chart }: { chart: Chart }) {
  const metric = headlineOf(chart, useSearchParams().get("metric"));
  const { meta, buckets, currency } = chart;
  const { label, unit } = MEASURES[metric];
  const interval = meta.interval ?? "day";
  const values = buckets.map((bucket) => bucket[metric] ?? null);
  return (
    <SeriesChart
      title={t(
        "{metric} by {interval, select, minute {minute} hour {hour} week {week} month {month} other {day}}, {days}",
        { metric: t(label), interval, days: formatRange(meta.from, meta.to) },
      )}
      kind="area"
      interval={interval}
      buckets={buckets}
      growing={meta.partial}
      series={[{ key: metric, label: t(label), unit, values, ...(currency && { currency }) }]}
    />
  );
}
