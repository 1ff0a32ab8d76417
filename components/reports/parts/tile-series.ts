import type { Kind, Series } from "@/components/charts/series";
import type { ChartedTile } from "@/components/reports/parts/tile-trend";
import { t } from "@/lib/texts/translate";

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
