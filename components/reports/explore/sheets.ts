import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { decimalMoney } from "@/lib/contract/numbers";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import type explore from "@/lib/operations/analytics.explore";
import { inSentence } from "@/lib/texts/in-sentence";
import { t } from "@/lib/texts/translate";

export type ExploreAnswer = z.output<(typeof explore)["output"]>;
type Row = ExploreAnswer["rows"][number];

const KINDS = {
  count: "count",
  ratio: "number",
  fraction: "fraction",
  seconds: "seconds",
  money: "money",
} as const satisfies Record<string, Kind>;

/** Returns the heading of a dimension, or of a custom property. */
const headingOf = (key: string): { label: string; about?: string } =>
  isDimension(key) ? DIMENSIONS[key] : { label: key.replace("prop:", "") };

const nameOf = (key: string): string =>
  isDimension(key) ? inSentence(t(DIMENSIONS[key].label)) : headingOf(key).label;

/** Returns a metric of a row; money with its currency. */
function cellOf(row: Row, metric: Measure, currency: string | null) {
  const value = row[metric] ?? null;
  return value !== null && currency !== null && MEASURES[metric].unit === "money"
    ? decimalMoney(value, currency)
    : value;
}

/** Returns the table of the requested dimensions and metrics; the first metric is drawn as bars. */
export const exploreSheets = ({ rows, metrics, dimensions, comparison, currency, meta }: ExploreAnswer): Sheet[] => [
  sheetOf<Row>(
    "rows",
    dimensions.length > 0 ? t("By {dimension}", { dimension: dimensions.map(nameOf).join(", ") }) : t("Total"),
    rows,
    [
      ...dimensions.map((key, index) =>
        valueColumn<Row>(headingOf(key).label, key, ({ values }) => values[index], { about: headingOf(key).about }),
      ),
      ...metrics.map((metric) =>
        column<Row>(MEASURES[metric].label, KINDS[MEASURES[metric].unit], (row) => cellOf(row, metric, currency), {
          about: MEASURES[metric].about,
        }),
      ),
    ],
    {
      before: comparison,
      bar: dimensions.length,
      ...(dimensions.length > 0 && {
        link: ({ values }: Row) =>
          filteredBy(meta, Object.fromEntries(dimensions.map((key, index) => [key, values[index] ?? null]))),
      }),
    },
  ),
];
