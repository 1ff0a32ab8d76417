import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type heatmap from "@/lib/operations/analytics.heatmap";

export type HeatmapAnswer = z.output<(typeof heatmap)["output"]>;
export type HeatmapCell = HeatmapAnswer["cells"][number];

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Returns the average per hour; null if the range does not include this hour of the week. */
export const perHour = (count: number, { hours }: HeatmapCell): number | null => (hours === 0 ? null : count / hours);

export const heatmapSheets = ({ cells, comparison }: HeatmapAnswer): Sheet[] => [
  sheetOf<HeatmapCell>(
    "hours",
    "Hours of the week",
    cells,
    [
      column("Weekday", "text", (cell) => WEEKDAYS[cell.weekday - 1] ?? null),
      column("Hour", "text", (cell) => `${cell.hour}:00`.padStart(5, "0")),
      column("Visitors", "count", (cell) => cell.visitors),
      column("Visits", "count", (cell) => cell.visits),
      column("Hours", "count", (cell) => cell.hours, { about: "How often this hour occurred in the range" }),
      column("Visits per hour", "number", (cell) => perHour(cell.visits, cell)),
    ],
    { before: comparison },
  ),
];
