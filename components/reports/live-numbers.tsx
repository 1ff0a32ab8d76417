"use client";

import { createContext, type ReactNode, use, useState } from "react";
import type { Chart } from "@/components/reports/answers";
import { useQuestion } from "@/components/reports/use-question";

/** The numbers and the chart of a view at a later moment than the page's. */
export interface LiveChart {
  /** The view they are of, as `useQuestion` writes it. */
  question: string;
  /** When they were read, in milliseconds. */
  at: number;
  chart: Chart;
}

interface Live {
  at: number;
  chart: Chart | null;
  show(next: LiveChart): void;
}

const Current = createContext<Live>({ at: 0, chart: null, show: () => {} });

/** What the browser asks for the view's numbers and chart. */
export const useChartQuestion = (): string => `${useQuestion({ compared: true, charted: true })}`;

/**
 * Holds the numbers that `Live` fetches after the page was rendered, so that they change without rendering it again.
 *
 * @param at when the page read its own numbers, in milliseconds: what is older, or of another view, is not shown.
 */
export function LiveNumbers({ at, children }: { at: number; children: ReactNode }) {
  const question = useChartQuestion();
  const [latest, show] = useState<LiveChart | null>(null);
  const isNewer = latest !== null && latest.question === question && latest.at > at;
  const live = isNewer ? { at: latest.at, chart: latest.chart, show } : { at, chart: null, show };
  return <Current value={live}>{children}</Current>;
}

export const useLive = (): Live => use(Current);

/** The newest numbers of the view: those that came with the page, until newer ones have been fetched. */
export const useNewest = (first: Chart): Chart => use(Current).chart ?? first;
