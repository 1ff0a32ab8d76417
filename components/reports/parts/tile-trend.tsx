"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import type { Kind, Series } from "@/components/charts/series";
import { type Tile, Tiles } from "@/components/reports/parts/tiles";
import { type Starts, TrendCard, type TrendMeta } from "@/components/reports/parts/trend-card";
import { useReportPath } from "@/components/reports/report-path";
import { useViewHref } from "@/components/reports/view-frame";

/** A tile with its number over time; null where that is not known. */
export interface ChartedTile extends Tile {
  over: { kind: Kind; title: string; series: readonly Series[] } | null;
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
        <TrendCard<Starts & { at: number }>
          // Another number is another chart, with no series hidden.
          key={chosen.label}
          title={chosen.over.title}
          kind={chosen.over.kind}
          meta={meta}
          buckets={buckets.map((bucket, at) => ({ ...bucket, at }))}
          series={chosen.over.series.map(({ values, ...one }) => ({ ...one, read: ({ at }) => values[at] ?? null }))}
        />
      )}
    </>
  );
}
