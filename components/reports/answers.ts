import type { z } from "zod";
import { type Metric, OUTCOMES, type Outcome } from "@/lib/contract/vocabulary";
import type chart from "@/lib/operations/analytics.chart";
import type overview from "@/lib/operations/analytics.overview";

/** The answer of analytics.chart, as sent to the browser. */
export type Chart = z.output<(typeof chart)["output"]>;
/** Whether the numbers of a view are all 0. */
export const hasNothing = ({ visits, pageviews, events }: Chart["metrics"]): boolean =>
  visits + (pageviews ?? 0) + (events ?? 0) === 0;
export type Annotation = Chart["annotations"][number];

type Overview = z.output<(typeof overview)["output"]>;
export type PanelKey = keyof Overview["panels"];

/** What visits led to, as each row of a dashboard shows it. */
export const IN_ROWS = ["conversions", "conversion_rate", "conversion_value", "revenue"] as const satisfies Outcome[];
export type InRow = (typeof IN_ROWS)[number];
/** The parameter by which the page says which of them its rows show, so that the server need not look. */
export const OUTCOMES_SHOWN = "outcomes";

/** One value of a list. */
export interface ListRow {
  value: string | null;
  /** Display text, made on the server, because browsers may name countries differently. */
  text: string;
  /** What `iconOf` returned, for a dimension whose values have icons. */
  icon?: string;
  visitors: number;
  /** Visitors in the comparison range, if there is one. */
  before?: number;
  /** What its visits led to, where the dashboard shows it; money in the currency of the answer. */
  conversions?: number | null;
  conversion_rate?: number | null;
  conversion_value?: number | null;
  revenue?: number | null;
  /** The host of a page, where the reader may see it. */
  hostname?: string;
}

/** The lists of a dashboard, as sent to the browser, which fetches them again when the view changes. */
export interface PanelsAnswer {
  /** Number of visitors in the range, for the shares. */
  visitors: number;
  /** The currency of revenue; null without sales. */
  currency: string | null;
  lists: Record<PanelKey, ListRow[]>;
  /** Pages by host and path, if they are of more than one host; a public dashboard does not show hosts. */
  pages_by_host: ListRow[];
  /** The site's goals that were reached; empty on public dashboards and with custom panels. */
  goals: ListRow[];
  /** The currency of what goals brought; null without sales and values. */
  goals_currency: string | null;
  /** Robots with operator and purpose, for members who look at other traffic than people's; empty otherwise. */
  robots: Record<"robots" | "operators" | "purposes", ListRow[]>;
}

/** Of outcomes, those that rows show. */
export const outcomesInRow = (known: Partial<Record<Outcome, unknown>>): InRow[] =>
  IN_ROWS.filter((outcome) => known[outcome] !== undefined);

/** Returns what the rows of these lists show that visits led to; null while no row tells. */
export function outcomesInLists({ lists }: PanelsAnswer): InRow[] | null {
  const [row] = Object.values(lists).flat();
  return row ? outcomesInRow(row) : null;
}

/** The card "What changed" of a dashboard, as fetched by the browser. */
export interface WhatChangedAnswer {
  /** How the total changed, as a sentence. */
  total: string;
  findings: { dimension: string; value: string | null; text: string; up: boolean; isBetter: boolean }[];
}

/**
 * The answer of an operation, or the message of an error that the user can fix, such as a range that is too long. In
 * the browser, `retry` repeats the request if the error is temporary.
 */
export type QueryResult<T> =
  | { ok: true; answer: T }
  | { ok: false; message: string; progress?: number; retry?: () => void; temporary?: true };

/** The six headline metrics in display order. */
export const HEADLINES = [
  "visitors",
  "visits",
  "pageviews",
  "views_per_visit",
  "bounce_rate",
  "visit_duration",
] as const satisfies readonly Metric[];
export type Headline = (typeof HEADLINES)[number] | Outcome;

/** Returns what the visits of a chart led to: conversions of a chosen goal, and money where the site has sales. */
export const outcomesOfChart = ({ metrics }: Chart): Outcome[] =>
  (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => metrics[outcome] !== undefined);

/** Returns the headline metrics of a chart in display order. */
export const headlinesOf = (chart: Chart): Headline[] => [...HEADLINES, ...outcomesOfChart(chart)];

/** Returns the headline metric of this name, or visitors. */
export const headlineOf = (chart: Chart, name: string | null | undefined): Headline =>
  headlinesOf(chart).find((metric) => metric === name) ?? "visitors";
