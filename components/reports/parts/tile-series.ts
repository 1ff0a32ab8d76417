import type { Kind, Series } from "@/components/charts/series";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";

/** Returns the chart of a tile with one number. @param kind an area by default, bars for few events */
export const overOf = (
  label: string,
  series: Omit<Series, "key" | "label">,
  kind: Kind = "area",
): NonNullable<ChartedTile["over"]> => ({
  kind,
  title: `${label} over time`,
  series: [{ key: label, label, ...series }],
});
