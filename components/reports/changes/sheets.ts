import type { z } from "zod";
import { iconOf } from "@/components/icons/icon-of";
import { filtersIn, toggledFilter, writeFilters } from "@/components/reports/filters";
import { type ColumnOf, column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import type { Patch } from "@/components/reports/view-frame";
import { digitsOf } from "@/lib/analytics/money/amounts";
import { DIMENSIONS, HAS_PATHS } from "@/lib/analytics/query/dimensions";
import { unknownName, valueName } from "@/lib/analytics/query/value-names";
import { CHANGED_LABELS } from "@/lib/analytics/reports/change-sentences";
import type changes from "@/lib/operations/analytics.changes";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";

export type ChangesAnswer = z.output<(typeof changes)["output"]>;
type Dimension = ChangesAnswer["dimensions"][number];
type Value = Dimension["values"][number];
/** A value, or what is left of the dimension. */
type Row = Omit<Value, "status" | "ratio_parts" | "value" | "beyond_trend"> & {
  name: string | null;
  icon?: string | undefined;
  /** The view that has only this value; null for what is left. */
  link: Patch | null;
  beyond_trend: number | null;
  ratio_parts: Value["ratio_parts"];
};

const KINDS: Partial<Record<ChangesAnswer["metric"], Kind>> = {
  revenue: "money",
  bounce_rate: "fraction",
  visit_duration: "seconds",
  views_per_visit: "number",
};
export const kindOfChange = (metric: ChangesAnswer["metric"]): Kind => KINDS[metric] ?? "count";

/** Returns a number of the metric as a cell; revenue as an amount in its currency. */
export const cellOf = (value: number | null, currency: string | null) =>
  value === null || currency === null ? value : { amount: value.toFixed(digitsOf(currency)), currency };

/** Returns a table for each dimension, whose last row is what the listed values leave of the total. */
export function changeSheets(answer: ChangesAnswer): Sheet[] {
  const filters = filtersIn(answer.meta.filters);
  return answer.dimensions.map((of) => {
    const { dimension, values, other } = of;
    const rows: Row[] = values.map(({ value, ...row }) => ({
      ...row,
      name: HAS_PATHS.has(dimension) || value === null ? value : valueName(dimension, value),
      icon: iconOf(dimension, value),
      link: { filters: writeFilters(toggledFilter(filters, dimension, value ?? "")) },
    }));
    const isLeft = other.values > 0 || [other.effect, other.before, other.after].some((number) => number);
    const rest: Row[] = isLeft
      ? [{ ...other, name: restName(of), beyond_trend: null, ratio_parts: null, link: null }]
      : [];
    return sheetOf(
      dimension,
      t("By {dimension}", { dimension: inSentence(t(DIMENSIONS[dimension].label)) }),
      [...rows, ...rest],
      columnsOf(answer, dimension),
      {
        link: ({ link }) => link,
      },
    );
  });
}

const restName = ({ other, additive }: Dimension): string => {
  if (other.values === 0) return additive ? t("None") : t("Counted in several");
  return t("{count, plural, one {# other} other {# others}}", { count: other.values });
};

function columnsOf({ metric, currency }: ChangesAnswer, dimension: Dimension["dimension"]): ColumnOf<Row>[] {
  const kind = kindOfChange(metric);
  const number = (label: string, read: (row: Row) => number | null, about: string) =>
    column<Row>(label, kind, (row) => cellOf(read(row), currency), { about });
  const share = (label: string, read: (parts: NonNullable<Row["ratio_parts"]>) => number, about: string) =>
    column<Row>(label, "fraction", ({ ratio_parts }) => ratio_parts && read(ratio_parts), { about });
  const part = column<Row>(msg("Part of the change"), "fraction", ({ contribution }) => contribution, {
    about: msg("Its effect divided by the change of the total; below 0 is against the change"),
  });
  const name = column<Row>(DIMENSIONS[dimension].label, HAS_PATHS.has(dimension) ? "path" : "text", (row) => row.name, {
    unknown: dimension.startsWith("utm_") ? msg("None") : unknownName(dimension),
    icon: (row) => row.icon,
    about: DIMENSIONS[dimension].about,
  });
  const label = t(CHANGED_LABELS[metric]);
  const before = number(msg("Before"), (row) => row.before, t("{metric} in the comparison range", { metric: label }));
  const after = number(msg("After"), (row) => row.after, t("{metric} in the range", { metric: label }));
  const beyond = number(
    msg("Beyond the trend"),
    (row) => row.beyond_trend,
    msg("Its effect minus the one that it would have if it had changed like the total"),
  );
  const isRatio = kind === "fraction" || kind === "seconds" || kind === "number";
  if (!isRatio)
    return [name, before, after, number(msg("Change"), (row) => row.change, msg("After minus before")), part, beyond];
  return [
    name,
    before,
    after,
    share(msg("Share before"), (parts) => parts.share_before, msg("Its share of visits in the comparison range")),
    share(msg("Share after"), (parts) => parts.share_after, msg("Its share of visits in the range")),
    number(msg("Effect"), (row) => row.effect, msg("How much of the change of the total comes from it")),
    part,
    beyond,
  ];
}
