"use client";

import { lazyPart } from "@/components/ui/lazy";

/** What only some answers have loads its code there: all reports are one route. */

export const LazyTrend = lazyPart(async () => (await import("@/components/reports/trend")).Trend);
export const LazyTileTrend = lazyPart(async () => (await import("@/components/reports/parts/tile-trend")).TileTrend);
export const LazySeriesChart = lazyPart(async () => (await import("@/components/charts/series-chart")).SeriesChart);
export const LazyCodeBlock = lazyPart(async () => (await import("@/components/docs/code")).CodeBlock);
export const LazyFindingLine = lazyPart(async () => (await import("@/components/reports/finding-line")).FindingLine);
