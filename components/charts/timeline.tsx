"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { TimelinePlot } from "@/components/charts/timeline-plot";
import { axisTicks, timelineRows, timelineSentence } from "@/components/charts/timeline-rows";
import { TimelineTable } from "@/components/charts/timeline-table";
import { type Chart, headlineOf } from "@/components/reports/answers";
import { bucketName, bucketTick, formatMetric, formatRange } from "@/components/reports/format";
import { useNewest } from "@/components/reports/live-numbers";
import { ViewLink } from "@/components/reports/view-frame";
import { Table } from "@/components/ui/icons";
import type { Interval } from "@/lib/contract/fields";
import { METRICS } from "@/lib/contract/vocabulary";

/** The chosen metric over time, as a drawing or as a table. */
export function Timeline({ first, intervals }: { first: Chart; intervals: Interval[] }) {
  const chart = useNewest(first);
  const [asTable, setAsTable] = useState(false);
  const metric = headlineOf(useSearchParams().get("metric"));
  const { meta, buckets, comparison } = chart;
  const interval = meta.interval ?? "day";
  const manyDays = buckets[0]?.label.slice(0, 10) !== buckets.at(-1)?.label.slice(0, 10);
  const rows = timelineRows(chart, metric);
  const name = (label: string) => bucketName(label, interval);
  const value = (number: number | null) => formatMetric(metric, number);
  const { label, unit } = METRICS[metric];
  const caption = `${label} by ${interval}, ${formatRange(meta.from, meta.to)}`;
  return (
    <div className="px-2 pt-3 pb-3 sm:px-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-2 text-[0.8125rem]">
        <Legend chart={chart} label={label} />
        <div className="flex items-center">
          <IntervalLinks intervals={intervals} current={interval} />
          <button
            type="button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
            className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-sunken hover:text-ink aria-pressed:text-accent"
          >
            <Table /> {asTable ? "Show as chart" : "Show as table"}
          </button>
        </div>
      </div>
      <div className="mt-1 h-72">
        {asTable ? (
          <TimelineTable {...{ rows, caption, label, name, value }} compared={comparison !== null} />
        ) : (
          <TimelinePlot
            rows={rows}
            label={caption}
            sentence={timelineSentence(buckets, metric, label, { bucket: name, value })}
            tick={(text) => bucketTick(text, interval, manyDays)}
            name={name}
            value={value}
            ticks={axisTicks(rows, unit)}
          />
        )}
      </div>
    </div>
  );
}

function Legend({ chart: { meta }, label }: { chart: Chart; label: string }) {
  const { from, to, compare } = meta;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex items-center gap-2">
        <svg className="h-2 w-5" aria-hidden="true">
          <line x1="1" x2="19" y1="4" y2="4" className="stroke-accent" strokeWidth="2" strokeLinecap="round" />
        </svg>
        <span className="font-medium">
          {label}, {formatRange(from, to)}
        </span>
      </span>
      {compare && (
        <span className="flex items-center gap-2 text-muted">
          <svg className="h-2 w-5" aria-hidden="true">
            <line
              x1="1"
              x2="19"
              y1="4"
              y2="4"
              className="stroke-muted"
              strokeWidth="2"
              strokeDasharray="1.5 4"
              strokeLinecap="round"
            />
          </svg>
          {formatRange(compare.from, compare.to)}
        </span>
      )}
    </p>
  );
}

function IntervalLinks({ intervals, current }: { intervals: Interval[]; current: Interval }) {
  if (intervals.length < 2) return null;
  return (
    <nav aria-label="Interval" className="flex">
      {intervals.map((interval) => (
        <ViewLink
          key={interval}
          patch={{ interval }}
          aria-current={interval === current}
          className="flex h-8 items-center rounded-md px-2 text-muted capitalize hover:bg-sunken hover:text-ink aria-[current=true]:font-semibold aria-[current=true]:text-accent"
        >
          {interval}
        </ViewLink>
      ))}
    </nav>
  );
}
