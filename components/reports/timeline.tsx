"use client";

import { useSearchParams } from "next/navigation";
import { intervalName } from "@/components/charts/interval-name";
import type { Marker, Series } from "@/components/charts/series";
import { SeriesChart } from "@/components/charts/series-chart";
import { newAnnotation, useAnnotations } from "@/components/reports/annotations";
import { type Chart, type Headline, headlineOf, headlinesOf } from "@/components/reports/answers";
import { useLatestChart } from "@/components/reports/live-numbers";
import { useViewHref, ViewLink } from "@/components/reports/view-frame";
import { useZoom } from "@/components/reports/zoom";
import { formatRange } from "@/components/ui/format";
import { lazyDialog } from "@/components/ui/lazy";
import { Select } from "@/components/ui/select";
import type { Interval } from "@/lib/contract/fields";
import { ANNOTATION_KINDS, MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

const AnnotationDialog = lazyDialog(() => import("@/components/reports/annotation-dialog"));

interface Props {
  siteId: number;
  first: Chart;
  intervals: Interval[];
  /** Whether the user can add annotations. */
  manages: boolean;
}

/** Chart of the selected metric with its comparison and an optional second metric on the right axis. */
export function Timeline({ siteId, first, intervals, manages }: Props) {
  const chart = useLatestChart(first);
  const searchParams = useSearchParams();
  const { editing, open } = useAnnotations(siteId, chart.annotations);
  const metric = headlineOf(chart, searchParams.get("metric"));
  const second = headlinesOf(chart).find((one) => one === searchParams.get("metric2") && one !== metric);
  const { meta, buckets } = chart;
  const interval = meta.interval ?? "day";
  const { onZoom, onDrill, daysOf } = useZoom(meta, interval, buckets);
  const label = t(MEASURES[metric].label);
  const title = second ? t("{metric} and {second}", { metric: label, second: t(MEASURES[second].label) }) : label;
  return (
    <>
      <SeriesChart
        title={t("{title} by {interval}, {days}", {
          title,
          interval: intervalName(interval),
          days: formatRange(meta.from, meta.to),
        })}
        kind="area"
        interval={interval}
        buckets={buckets}
        onZoom={onZoom}
        onDrill={onDrill}
        growing={meta.partial}
        series={seriesOf(chart, metric, second)}
        markers={markersOf(chart)}
        onAnnotate={manages ? (index) => open(newAnnotation(daysOf(index).from)) : undefined}
        controls={
          <>
            <SecondMetric of={headlinesOf(chart)} first={metric} second={second} />
            <IntervalLinks intervals={intervals} current={interval} />
          </>
        }
      />
      {editing && <AnnotationDialog {...editing} />}
    </>
  );
}

function seriesOf(
  { meta, buckets, comparison, currency }: Chart,
  metric: Headline,
  second: Headline | undefined,
): Series[] {
  const unitOf = (one: Headline) => ({ unit: MEASURES[one].unit, ...(currency && { currency }) });
  const of = (one: Headline) => ({
    label: t(MEASURES[one].label),
    ...unitOf(one),
    values: buckets.map((bucket) => bucket[one] ?? null),
  });
  const range = formatRange(meta.from, meta.to);
  return [
    { key: "metric", ...of(metric), detail: range },
    ...(comparison && meta.compare
      ? [
          {
            key: "before",
            label: formatRange(meta.compare.from, meta.compare.to),
            ...unitOf(metric),
            values: comparison.map((bucket) => bucket?.[metric] ?? null),
            labels: comparison.map((bucket) => bucket?.label ?? null),
            tone: "comparison" as const,
          },
        ]
      : []),
    ...(second ? [{ key: "metric2", ...of(second), axis: "right" as const }] : []),
  ];
}

/** Returns the annotations with the index of the bucket that contains their time. */
function markersOf({ annotations, buckets }: Chart): Marker[] {
  return annotations.map(({ id, at, kind, text }) => ({
    id: `${id}`,
    at: Math.max(
      0,
      buckets.findLastIndex(({ start }) => Date.parse(start) <= Date.parse(at)),
    ),
    text: `${t(ANNOTATION_KINDS[kind])}: ${text}`,
  }));
}

/** Select field for the second metric. The chart already has all metrics, so only the URL changes. */
function SecondMetric({ of, first, second }: { of: Headline[]; first: Headline; second: Headline | undefined }) {
  const href = useViewHref();
  const others = of.filter((one) => one !== first);
  return (
    <Select
      quiet
      label={t("Second metric")}
      className="field-sizing-content border-transparent text-[0.8125rem] text-muted hover:bg-sunken hover:text-ink"
      value={second ?? ""}
      onChange={({ target }) => window.history.pushState(null, "", href({ metric2: target.value || null }))}
      choices={[
        { value: "", label: t("Second metric") },
        ...others.map((one) => ({ value: one, label: t(MEASURES[one].label) })),
      ]}
    />
  );
}

function IntervalLinks({ intervals, current }: { intervals: Interval[]; current: Interval }) {
  if (intervals.length < 2) return null;
  return (
    <nav aria-label={t("Interval")} className="flex">
      {intervals.map((interval) => (
        <ViewLink
          key={interval}
          patch={{ interval }}
          aria-current={interval === current}
          className="flex h-8 items-center rounded-md px-2 text-muted capitalize hover:bg-sunken hover:text-ink aria-[current=true]:font-semibold aria-[current=true]:text-accent"
        >
          {intervalName(interval)}
        </ViewLink>
      ))}
    </nav>
  );
}
