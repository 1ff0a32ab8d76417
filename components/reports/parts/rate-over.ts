import type { NumberOverTime } from "@/components/reports/parts/tile-trend";
import { conversionRate } from "@/lib/analytics/query/conversions";

/** Returns a rate over time, as bars: between buckets without any of the whole there is none to draw. */
export const rateOver = (parts: readonly number[], wholes: readonly number[]): NumberOverTime => ({
  kind: "bars",
  unit: "fraction",
  values: wholes.map((whole, bucket) => conversionRate(parts[bucket] ?? 0, whole)),
});
