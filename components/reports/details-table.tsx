import { Check } from "lucide-react";
import type { CSSProperties } from "react";
import { RowIcon } from "@/components/icons/row-icon";
import { Change } from "@/components/reports/change";
import type { DetailsAnswer, DetailsRow } from "@/components/reports/details";
import { OUTCOME_HEADS } from "@/components/reports/outcome-heads";
import { SortHead } from "@/components/reports/sort-head";
import { changeBetween } from "@/lib/contract/changes";
import { formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { MEASURES, type Measure } from "@/lib/contract/vocabulary";
import { t } from "@/lib/texts/translate";

interface Props {
  answer: DetailsAnswer;
  /** The requested order, from the URL. The order of the answer follows when it arrives. */
  sort: string;
  dimension: string;
  title: string;
  isChosen(value: string): boolean;
  onChoose(value: string): void;
  onSort(sort: string): void;
}

const isShort = (metric: Measure): metric is keyof typeof OUTCOME_HEADS => metric in OUTCOME_HEADS;

/** Phones show only one metric, which is selected above the table. */
const onPhones = (isMain: boolean) => (isMain ? "" : "max-sm:hidden");

/**
 * Table of one page of values. With a comparison, the metric that is sorted by shows its change, and the tooltip of a
 * row shows all previous values.
 */
export function DetailsTable({ answer, sort, dimension, title, isChosen, onChoose, onSort }: Props) {
  const { metrics, rows, sorted, currency } = answer;
  if (rows.length === 0) return <p className="py-10 text-center text-sm text-muted">{t("No matching values.")}</p>;
  // If no row has previous values, "new" on every row would be noise.
  const compared = rows.some(({ before }) => before !== null);
  const main = metrics.find((metric) => metric === sorted.by) ?? metrics[0];
  const headOf = (by: string) => ({
    sorted: sort === by ? ("ascending" as const) : sort === `-${by}` ? ("descending" as const) : null,
    onSort: (direction: string) => onSort(direction === "descending" ? `-${by}` : by),
  });
  return (
    // Where the columns would leave no room for the values, the table scrolls sideways; phones show one column.
    <table
      className="w-full table-fixed text-sm tabular-nums sm:min-w-(--least)"
      style={{ "--least": `${12 + 7 * metrics.length}rem` } as CSSProperties}
    >
      <caption className="sr-only">{t("{title}, all values. Select a row to filter by it.", { title })}</caption>
      <thead className="sticky top-0 z-20 bg-surface text-muted">
        <tr>
          <SortHead label={title} numeric={false} className="py-1 pl-0.5 font-medium" {...headOf(dimension)} />
          {metrics.map((metric) => (
            <SortHead
              key={metric}
              label={t(isShort(metric) ? OUTCOME_HEADS[metric] : MEASURES[metric].label)}
              about={t(MEASURES[metric].about)}
              numeric
              className={`py-1 pr-0.5 font-medium ${metric === main && compared ? "w-36" : isShort(metric) ? "w-24" : "w-28"} ${onPhones(metric === main)}`}
              {...headOf(metric)}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.value} className="relative border-t border-line hover:bg-sunken/60">
            <DetailValue row={row} about={tooltipOf(row, answer)} chosen={isChosen(row.value)} onChoose={onChoose} />
            {metrics.map((metric, index) => (
              <DetailCount
                key={metric}
                metric={metric}
                row={row}
                index={index}
                showsChange={metric === main && compared}
                isMain={metric === main}
                currency={currency}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ValueProps extends Pick<Props, "onChoose"> {
  row: DetailsRow;
  about: string;
  chosen: boolean;
}

const DetailValue = ({ row: { value, text, icon }, about, chosen, onChoose }: ValueProps) => (
  <th scope="row" className="py-1.5 pl-2 text-left font-normal">
    <button
      type="button"
      aria-pressed={chosen}
      title={about}
      onClick={() => onChoose(value)}
      className="flex max-w-full items-center gap-1.5 text-left after:absolute after:inset-0 after:z-10 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:font-semibold aria-pressed:text-accent"
    >
      {icon && <RowIcon icon={icon} text={text} className="mr-1" />}
      <span dir="auto" className={`truncate ${value === "" ? "text-muted" : ""}`}>
        {text}
      </span>
      {chosen && <Check className="size-3.5" />}
    </button>
  </th>
);

const tooltipOf = (
  { text, before }: DetailsRow,
  { metrics, currency }: Pick<DetailsAnswer, "metrics" | "currency">,
): string =>
  before === null
    ? text
    : `${text}\n${t("Previously: {values}", { values: metrics.map((metric, index) => `${t(MEASURES[metric].label)} ${formatFully(metric, before[index] ?? null, currency)}`).join(", ") })}`;

interface CountProps {
  row: DetailsRow;
  metric: Measure;
  /** Index of the metric in the row. */
  index: number;
  /** Whether it is the metric that phones show too. */
  isMain: boolean;
  showsChange: boolean;
  currency: string | null;
}

function DetailCount({ row: { numbers, before }, metric, index, isMain, showsChange, currency }: CountProps) {
  const [now, then] = [numbers[index] ?? null, before?.[index] ?? null];
  return (
    <td className={`py-1.5 pr-2 text-right ${onPhones(isMain)}`}>
      {showsChange && <DetailMoved now={now} then={then} isNew={before === null} metric={metric} currency={currency} />}
      {formatFully(metric, now, currency)}
    </td>
  );
}

function DetailMoved({
  now,
  then,
  isNew,
  metric,
  currency,
}: {
  now: number | null;
  then: number | null;
  isNew: boolean;
  metric: Measure;
  currency: string | null;
}) {
  const { label, unit } = MEASURES[metric];
  const format = (one: number) => formatFully(metric, one, currency);
  const change = changeBetween({ label, isRate: unit === "fraction" }, now, then, format);
  return (
    <span className="mr-2 inline-flex align-middle text-xs leading-none">
      {change && <Change {...change} />}
      {isNew && <span className="text-muted">{t("new")}</span>}
    </span>
  );
}

/** Formats a metric with all digits. */
const formatFully = (metric: Measure, number: number | null, currency: string | null): string =>
  number !== null && MEASURES[metric].unit === "count"
    ? formatExactly(number)
    : formatMeasure(metric, number, currency);
