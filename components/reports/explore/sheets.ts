import type { z } from "zod";
import { column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueName } from "@/components/reports/values";
import { DIMENSIONS, HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { METRICS } from "@/lib/contract/vocabulary";
import type explore from "@/lib/operations/analytics.explore";

export type ExploreAnswer = z.output<(typeof explore)["output"]>;
type Row = ExploreAnswer["rows"][number];

const KINDS = { count: "count", ratio: "number", fraction: "fraction", seconds: "seconds" } as const satisfies Record<
  string,
  Kind
>;

/** Returns the table of the requested dimensions and metrics; the first metric is drawn as bars. */
export const exploreSheets = ({ rows, metrics, dimensions, comparison }: ExploreAnswer): Sheet[] => [
  sheetOf<Row>(
    "rows",
    dimensions.length > 0 ? `By ${dimensions.map((key) => DIMENSIONS[key].label.toLowerCase()).join(", ")}` : "Total",
    rows,
    [
      ...dimensions.map((key, index) =>
        column<Row>(
          DIMENSIONS[key].label,
          HAS_PATHS.has(key) ? "path" : "text",
          ({ values: { [index]: value } }) => (HAS_PATHS.has(key) || !value ? value || null : valueName(key, value)),
          { unknown: valueName(key, null), about: DIMENSIONS[key].about },
        ),
      ),
      ...metrics.map((metric) =>
        column<Row>(METRICS[metric].label, KINDS[METRICS[metric].unit], (row) => row[metric] ?? null, {
          about: METRICS[metric].about,
        }),
      ),
    ],
    { before: comparison, bar: dimensions.length },
  ),
];
