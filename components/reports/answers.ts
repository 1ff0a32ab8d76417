import type { z } from "zod";
import type { Metric } from "@/lib/contract/vocabulary";
import type chart from "@/lib/operations/analytics.chart";
import type overview from "@/lib/operations/analytics.overview";

/** The answers of the two operations that the dashboard shows, as they cross to the browser. */
export type Overview = z.output<(typeof overview)["output"]>;
export type Chart = z.output<(typeof chart)["output"]>;
export type Bucket = Chart["buckets"][number];
export type PanelRow = Overview["panels"]["pages"][number];

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
