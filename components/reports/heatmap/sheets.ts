import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { WEEKDAYS } from "@/lib/contract/vocabulary";
import type heatmap from "@/lib/operations/analytics.heatmap";
import { msg, t } from "@/lib/texts/translate";

export type HeatmapAnswer = z.output<(typeof heatmap)["output"]>;
export type HeatmapCell = HeatmapAnswer["cells"][number];

/** Returns the average per hour; null if the range does not include this hour of the week. */
export const perHour = (count: number, { hours }: HeatmapCell): number | null => (hours === 0 ? null : count / hours);

export const heatmapSheets = ({ cells, comparison }: HeatmapAnswer): Sheet[] => [
  sheetOf<HeatmapCell>(
    "hours",
    msg("Hours of the week"),
    cells,
    [
      column(msg("Weekday"), "text", (cell) => t(WEEKDAYS[cell.weekday - 1] ?? "")),
      column(msg("Hour"), "text", (cell) => `${cell.hour}:00`.padStart(5, "0")),
      column(msg("Visitors"), "count", (cell) => cell.visitors),
      column(msg("Visits"), "count", (cell) => cell.visits),
      column(msg("Hours"), "count", (cell) => cell.hours, { about: msg("How often this hour occurred in the range") }),
      column(msg("Visits per hour"), "number", (cell) => perHour(cell.visits, cell)),
    ],
    { before: comparison },
  ),
];
