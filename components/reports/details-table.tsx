import { Change, isLessBetter } from "@/components/reports/change";
import type { DetailsAnswer, DetailsRow } from "@/components/reports/details";
import { changeOf } from "@/components/reports/sheet";
import { SortHead } from "@/components/reports/sort-head";
import { formatExactly, formatMetric } from "@/components/ui/format";
import { Check } from "@/components/ui/icons";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";

interface Props {
  answer: DetailsAnswer;
  /** The order that was asked for, as the address says it; that of the answer comes a moment later. */
  sort: string;
  dimension: string;
  title: string;
  isChosen(value: string): boolean;
  onChoose(value: string): void;
  onSort(sort: string): void;
}

/** On a phone there is room for one of the numbers, which is chosen above the table. */
const onPhones = (told: boolean) => (told ? "" : "max-sm:hidden");

/**
 * A page of the values with their numbers. Beside the number that is sorted by stands how it moved, where the view
 * compares; what all of them were is told to those who point at the row.
 */
export function DetailsTable({ answer, sort, dimension, title, isChosen, onChoose, onSort }: Props) {
  const { metrics, rows, sorted } = answer;
  if (rows.length === 0) return <p className="py-10 text-center text-sm text-muted">Nothing like this in this view.</p>;
  // Where nothing at all is known of before, "new" beside each row would say nothing.
  const compared = rows.some(({ before }) => before !== null);
  const told = metrics.find((metric) => metric === sorted.by) ?? metrics[0];
  const headOf = (by: string) => ({
    sorted: sort === by ? ("ascending" as const) : sort === `-${by}` ? ("descending" as const) : null,
    onSort: (direction: string) => onSort(direction === "descending" ? `-${by}` : by),
  });
  return (
    <table className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">{title}, all values. A row filters by it.</caption>
      <thead className="sticky top-0 z-20 bg-surface text-muted">
        <tr>
          <SortHead label={title} numeric={false} className="py-1 pl-0.5 font-medium" {...headOf(dimension)} />
          {metrics.map((metric) => (
            <SortHead
              key={metric}
              label={METRICS[metric].label}
              about={METRICS[metric].about}
              numeric
              className={`py-1 pr-0.5 font-medium ${metric === told && compared ? "w-36" : "w-28"} ${onPhones(metric === told)}`}
              {...headOf(metric)}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.value} className="relative border-t border-line hover:bg-sunken/60">
            <Value row={row} about={pointedAt(row, metrics)} chosen={isChosen(row.value)} onChoose={onChoose} />
            {metrics.map((metric, index) => (
              <Count
                key={metric}
                {...{ metric, row, index }}
                moved={metric === told && compared}
                told={metric === told}
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

const Value = ({ row: { value, text }, about, chosen, onChoose }: ValueProps) => (
  <th scope="row" className="py-1.5 pl-2 text-left font-normal">
    <button
      type="button"
      aria-pressed={chosen}
      title={about}
      onClick={() => onChoose(value)}
      className="flex max-w-full items-center gap-1.5 text-left after:absolute after:inset-0 after:z-10 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:font-semibold aria-pressed:text-accent"
    >
      <span className={`truncate ${value === "" ? "text-muted" : ""}`}>{text}</span>
      {chosen && <Check className="size-3.5" />}
    </button>
  </th>
);

const pointedAt = ({ text, before }: DetailsRow, metrics: readonly Metric[]): string =>
  before === null
    ? text
    : `${text}\nBefore: ${metrics.map((metric, index) => `${METRICS[metric].label} ${written(metric, before[index] ?? null)}`).join(", ")}`;

interface CountProps {
  row: DetailsRow;
  metric: Metric;
  /** Which of the row's numbers it is. */
  index: number;
  /** It is the number that is told on a phone too. */
  told: boolean;
  /** How it moved is told beside it. */
  moved: boolean;
}

function Count({ row: { numbers, before }, metric, index, told, moved }: CountProps) {
  const [now, then] = [numbers[index] ?? null, before?.[index] ?? null];
  return (
    <td className={`py-1.5 pr-2 text-right ${onPhones(told)}`}>
      {moved && <Moved now={now} then={then} isNew={before === null} metric={metric} />}
      {written(metric, now)}
    </td>
  );
}

function Moved({
  now,
  then,
  isNew,
  metric,
}: {
  now: number | null;
  then: number | null;
  isNew: boolean;
  metric: Metric;
}) {
  const change = changeOf(now, then);
  return (
    <span className="mr-2 inline-flex align-middle text-xs leading-none">
      {change !== null && <Change change={change} lessIsBetter={isLessBetter(metric)} />}
      {isNew && <span className="text-muted">new</span>}
    </span>
  );
}

/** There is room for every digit. */
const written = (metric: Metric, number: number | null): string =>
  number !== null && METRICS[metric].unit === "count" ? formatExactly(number) : formatMetric(metric, number);
