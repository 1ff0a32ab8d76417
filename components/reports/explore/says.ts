import type { ExploreAnswer } from "@/components/reports/explore/sheets";
import { moved, named, sentencesOf } from "@/components/reports/sentences";
import { valueName } from "@/lib/analytics/query/value-names";
import { formatMeasure } from "@/lib/contract/numbers";
import { MEASURES } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

/** Returns how the first metric went in total, or in the first row. */
export function exploreSays({ rows, metrics, dimensions, comparison, currency }: ExploreAnswer): string | null {
  const [[row], [metric]] = [rows, metrics];
  if (!row || !metric) return null;
  const { unit } = MEASURES[metric];
  const label = t(MEASURES[metric].label);
  const name = dimensions.map((key, index) => named(valueName(key, row.values[index] ?? null))).join(" · ");
  return sentencesOf(
    moved({
      label: name ? t("{metric} of {name}, the first row,", { metric: label, name }) : label,
      isPlural: unit === "count",
      isRate: unit === "fraction",
      now: row[metric] ?? null,
      before: comparison ? (comparison[0]?.[metric] ?? null) : undefined,
      format: (value) => formatMeasure(metric, value, currency),
    }),
  );
}
