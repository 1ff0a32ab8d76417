"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import type { Kind, Series } from "@/components/charts/series";
import { type Tile, Tiles } from "@/components/reports/parts/tiles";
import { type Starts, TrendCard, type TrendMeta } from "@/components/reports/parts/trend-card";
import { useReportPath } from "@/components/reports/report-path";
import { useViewHref } from "@/components/reports/view-frame";
import { t } from "@/lib/texts/translate";

/** A tile with its number over time, or with a chart of several; null where that is not known. */
export interface ChartedTile extends Tile {
  over: NumberOverTime | Chart | null;
}

/** One number over time, with the name of its tile unless it has another. */
export interface NumberOverTime extends Pick<Series, "unit" | "currency" | "values"> {
  name?: string;
  /** An area by default, bars for few events. */
  kind?: Kind;
}

interface Chart {
  kind: Kind;
  title: string;
  series: readonly Series[];
}

interface Props {
  tiles: readonly ChartedTile[];
  meta: TrendMeta;
  buckets: readonly Starts[];
}

/** The key numbers of a report above a chart of the chosen one. The choice is in the URL of the report's page. */
export function TileTrend({ tiles, meta, buckets }: Props) {
  const [pressed, press] = useState<string | null>(null);
  const named = useSearchParams().get("tile");
  const href = useViewHref();
  const isOwnPage = useReportPath() === usePathname();
  const charted = tiles.filter(({ over }) => over !== null);
  const wanted = isOwnPage ? named : pressed;
  const chosen = charted.find(({ label }) => label === wanted) ?? charted[0];

  function choose(label: string) {
    // The page has all numbers: only the URL changes, nothing is fetched.
    if (isOwnPage) window.history.pushState(null, "", href({ tile: label === charted[0]?.label ? null : label }));
    else press(label);
  }

  const choosable = new Set(charted.map(({ label }) => label));
  const isChoice = charted.length > 1 && buckets.length > 1;
  return (
    <>
      <Tiles tiles={tiles} choice={isChoice ? { chosen: chosen?.label ?? null, choosable, choose } : undefined} />
      {chosen?.over && (
        // Another number is another chart, with no series hidden.
        <TileChart key={chosen.label} chart={chartOf(chosen.label, chosen.over)} meta={meta} buckets={buckets} />
      )}
    </>
  );
}

const TileChart = ({ chart, meta, buckets }: Omit<Props, "tiles"> & { chart: Chart }) => (
  <TrendCard<Starts & { at: number }>
    title={chart.title}
    kind={chart.kind}
    meta={meta}
    buckets={buckets.map((bucket, at) => ({ ...bucket, at }))}
    series={chart.series.map(({ values, ...one }) => ({ ...one, read: ({ at }) => values[at] ?? null }))}
  />
);

function chartOf(label: string, over: NumberOverTime | Chart): Chart {
  if ("series" in over) return over;
  const { name = t(label), kind = "area", ...series } = over;
  return { kind, title: t("{label} over time", { label: name }), series: [{ key: label, label: name, ...series }] };
}
