"use client";

import { lazyPart } from "@/components/ui/lazy";

/** What only some answers have loads its code there: all reports are one route. */

const importTrend = () => import("@/components/reports/trend");

export const LazyTrend = lazyPart(async () => (await importTrend()).Trend);
export const LazyTileTrend = lazyPart(async () => {
  // Its chart is loaded beside it.
  const [{ TileTrend }] = await Promise.all([import("@/components/reports/parts/tile-trend"), importTrend()]);
  return TileTrend;
});
export const LazySeriesChart = lazyPart(async () => (await import("@/components/charts/series-chart")).SeriesChart);
export const LazyCodeBlock = lazyPart(async () => (await import("@/components/docs/code")).CodeBlock);
export const LazyFindingLine = lazyPart(async () => (await import("@/components/reports/finding-line")).FindingLine);
export const LazyAttributionChoice = lazyPart(
  async () => (await import("@/components/reports/attribution-choice")).AttributionChoice,
);
