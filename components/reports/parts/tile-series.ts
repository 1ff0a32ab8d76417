import type { Kind, Series } from "@/components/charts/series";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { conversionRate } from "@/lib/analytics/query/conversions";
import { t } from "@/lib/texts/translate";

/** Returns the chart of a tile with a rate: bars, because there is none to draw between buckets without any of the whole. */
export const rateOver = (label: string, parts: readonly number[], wholes: readonly number[]) =>
  overOf(
    label,
    { unit: "fraction", values: wholes.map((whole, bucket) => conversionRate(parts[bucket] ?? 0, whole)) },
    "bars",
  );

/**
 * Returns the chart of a tile with one number.
 * @param label English, as that of the tile
 * @param kind an area by default, bars for few events
 */
export const overOf = (
  label: string,
  series: Omit<Series, "key" | "label">,
  kind: Kind = "area",
): NonNullable<ChartedTile["over"]> => ({
  kind,
  title: t("{label} over time", { label: t(label) }),
  series: [{ key: label, label: t(label), ...series }],
});
