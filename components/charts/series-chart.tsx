"use client";

import { Table } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { ChartLegend } from "@/components/charts/chart-legend";
import { type ChartActions, ChartPlot } from "@/components/charts/chart-plot";
import type { PlotProps } from "@/components/charts/recharts-plot";
import {
  type Band,
  type Bucket,
  drawnOf,
  type Kind,
  type Marker,
  openBucket,
  type Series,
} from "@/components/charts/series";
import { SeriesTable } from "@/components/charts/series-table";
import { lazyComponent } from "@/components/ui/lazy";
import { toggled } from "@/components/ui/toggled";
import type { Interval } from "@/lib/contract/fields";
import { t } from "@/lib/texts/translate";

const plot = lazyComponent(() => import("@/components/charts/recharts-plot"));

export interface SeriesChartProps extends ChartActions {
  /** Title of the chart, its keyboard control and its table. */
  title: string;
  kind: Kind;
  interval: Interval;
  buckets: readonly Bucket[];
  series: readonly Series[];
  /** Whether the range includes now (`meta.partial`); buckets after the current one have no data yet. */
  growing?: boolean;
  markers?: readonly Marker[];
  bands?: readonly Band[] | undefined;
  /** Controls next to the legend. */
  controls?: ReactNode;
  /** Tailwind height class; the height is fixed to avoid layout shifts. */
  height?: string;
}

const NO_MARKERS: readonly Marker[] = [];

/**
 * Chart of series over time: rendered on the server as SVG, then by recharts once it is pointed at or focused (never under
 * Save-Data).
 * The legend hides series, a table shows the same numbers, and the keyboard can read, select, zoom and open buckets.
 */
export function SeriesChart({ title, kind, interval, buckets, growing, ...props }: SeriesChartProps) {
  const { markers = NO_MARKERS, bands, controls, height = "h-72", onZoom, onDrill, onAnnotate } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [asTable, setAsTable] = useState(false);
  const [Plot, load] = usePlot();
  const all = drawnOf(props.series, buckets, growing);
  const open = openBucket(buckets, all, growing);
  const visible = all.filter(({ key }) => !hidden.has(key));
  // After a change of the view the hidden series may be all there are: show them.
  const series = visible.length > 0 ? visible : all;
  const isKnown = all.some(({ values }) => values.some((value) => value !== null));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only loads recharts on hover and focus.
    <div className="px-2 pt-3 pb-2 sm:px-4" onPointerEnter={load} onFocus={load}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-2 text-[0.8125rem]">
        <ChartLegend series={all} hidden={hidden} onToggle={(key) => setHidden(toggled(hidden, key))} />
        <div className="-mx-2 flex flex-wrap items-center">
          {controls}
          {isKnown && (
            <button
              type="button"
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
              className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-sunken hover:text-ink aria-pressed:text-accent"
            >
              <Table /> <span className="max-sm:sr-only">{asTable ? t("Show as chart") : t("Show as table")}</span>
            </button>
          )}
        </div>
      </div>
      {!isKnown && (
        <p className={`mt-1 grid place-items-center text-sm text-muted ${height}`}>{t("No data for this range.")}</p>
      )}
      {isKnown && asTable && (
        <>
          <div className={`mt-1 ${height}`}>
            <SeriesTable
              title={title}
              buckets={buckets}
              interval={interval}
              markers={markers}
              open={open}
              series={all}
            />
          </div>
          {(onZoom || onDrill || onAnnotate) && <div className="h-8" />}
        </>
      )}
      {isKnown && !asTable && (
        <ChartPlot
          title={title}
          kind={kind}
          height={height}
          bands={bands}
          Plot={Plot}
          onZoom={onZoom}
          onDrill={onDrill}
          onAnnotate={onAnnotate}
          content={{ buckets, series, markers, interval, open }}
        />
      )}
    </div>
  );
}

/**
 * Returns the recharts plot (null until it is loaded) and a function that loads it: when the chart is first pointed at,
 * touched or focused, and under Save-Data never.
 */
function usePlot(): [ComponentType<PlotProps> | null, () => void] {
  // Starts with null even if recharts is loaded: the first render must match the server's HTML.
  const [Plot, setPlot] = useState<ComponentType<PlotProps> | null>(null);
  function load() {
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (Plot || connection?.saveData) return;
    // If loading fails, the server-rendered chart stays.
    plot.load().then(
      (component) => setPlot(() => component),
      () => {},
    );
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount.
  useEffect(() => {
    if (plot.loaded) load();
  }, []);
  return [Plot, load];
}
