"use client";

import { createContext, type ReactNode, use, useState } from "react";
import type { Chart } from "@/components/reports/answers";
import { useReportQuery } from "@/components/reports/use-report-query";

/** Numbers and chart of a view, fetched after the page was rendered. */
export interface LiveChart {
  /** The view, as written by `useReportQuery`. */
  query: string;
  /** When they were read (epoch ms). */
  at: number;
  chart: Chart;
}

interface Live {
  /** When the shown numbers were read (epoch ms). */
  readAt: number;
  chart: Chart | null;
  show(next: LiveChart): void;
}

const Current = createContext<Live>({ readAt: 0, chart: null, show: () => {} });

/** Returns the query for the numbers and the chart of the current view. */
export const useChartQuery = (): string => `${useReportQuery({ compared: true, charted: true })}`;

/**
 * Provides the numbers that `Live` fetches after the page was rendered, so that they update without a page refresh.
 *
 * @param readAt when the page read its own numbers (epoch ms); older numbers and those of other views are ignored.
 */
export function LiveNumbers({ readAt, children }: { readAt: number; children: ReactNode }) {
  const query = useChartQuery();
  const [latest, show] = useState<LiveChart | null>(null);
  const isNewer = latest !== null && latest.query === query && latest.at > readAt;
  const live = isNewer ? { readAt: latest.at, chart: latest.chart, show } : { readAt, chart: null, show };
  return <Current value={live}>{children}</Current>;
}

export const useLive = (): Live => use(Current);

/** Returns the latest numbers of the view: those of the page until newer ones have been fetched. */
export const useLatestChart = (first: Chart): Chart => use(Current).chart ?? first;
