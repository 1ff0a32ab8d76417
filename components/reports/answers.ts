import type { z } from "zod";
import type { Metric } from "@/lib/contract/vocabulary";
import type chart from "@/lib/operations/analytics.chart";
import type overview from "@/lib/operations/analytics.overview";

/** The answer of the operation behind numbers and chart, as it crosses to the browser. */
export type Chart = z.output<(typeof chart)["output"]>;
export type Bucket = Chart["buckets"][number];
export type Annotation = Chart["annotations"][number];

type Overview = z.output<(typeof overview)["output"]>;
export type PanelKey = keyof Overview["panels"];

/** One value of a list. */
export interface ListRow {
  value: string | null;
  /** In words: how a browser would write a country's name is not how we do. */
  text: string;
  visitors: number;
}

/** The lists of a dashboard, as they cross to the browser, which asks for them anew whenever another view is shown. */
export interface PanelsAnswer {
  /** All visitors of the range, for the shares. */
  visitors: number;
  lists: Record<PanelKey, ListRow[]>;
  /** The site's goals that were reached, by name; none where they are not told. */
  goals: ListRow[];
}

/**
 * An answer, or the sentence of a refusal the person can mend (a range that is too long, say). In the browser `retry` asks
 * once more, where that may help.
 */
export type QueryResult<T> =
  | { ok: true; answer: T }
  | { ok: false; message: string; progress?: number; retry?: () => void };

/** The six headline numbers, in their order. */
export const HEADLINES = [
  "visitors",
  "visits",
  "pageviews",
  "views_per_visit",
  "bounce_rate",
  "visit_duration",
] as const satisfies readonly Metric[];
export type Headline = (typeof HEADLINES)[number];

/** The metric that an address asks for, or visitors. */
export const headlineOf = (asked: string | null | undefined): Headline =>
  HEADLINES.find((metric) => metric === asked) ?? "visitors";
