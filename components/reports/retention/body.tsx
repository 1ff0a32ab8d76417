import { SeriesChart } from "@/components/charts/series-chart";
import { CsvLink } from "@/components/reports/parts/csv-link";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { type CohortRow, periodName, type RetentionAnswer } from "@/components/reports/retention/sheets";
import { formatFraction, type ReportProps } from "@/components/reports/sheet";
import { formatDate, formatPlural } from "@/components/ui/format";
import { Sideways } from "@/components/ui/sideways";
import { formatExactly } from "@/lib/contract/numbers";

/** Report: how many visitors return, by cohort of their first visit. */
export function RetentionReport({ answer, sheets }: ReportProps<RetentionAnswer>) {
  const { identity, identity_means, cohorts, known_before } = answer;
  if (identity === "none" || cohorts.every(({ visitors }) => !visitors)) {
    return (
      <EmptyReport
        title={identity === "none" ? "Returning visitors cannot be recognised" : "No new visitors in this range"}
        code={'footfall("identify", { user_id: "u-1042" });'}
        docs={{ href: "/docs/tracker", label: "How to identify users" }}
      >
        {identity_means}
      </EmptyReport>
    );
  }
  const sheet = sheets.get("cohorts");
  return (
    <>
      <p className="px-1 text-sm text-muted">
        {identity_means} {known_before > 0 && `First seen before this range: ${formatPlural(known_before, "visitor")}.`}
      </p>
      <section className="card min-w-0" aria-labelledby="cohorts">
        <div className="flex items-start justify-between gap-4 px-4 pt-3.5 pb-2">
          <div>
            <h2 id="cohorts" className="text-[0.9375rem] font-semibold">
              Visitors by {answer.cohort} of first visit
            </h2>
            <p className="text-sm text-muted">
              Share of visitors who returned in each later {answer.cohort}. Values in italics are incomplete: the{" "}
              {answer.cohort} is in progress or cut by the range.
            </p>
          </div>
          {sheet && <CsvLink sheet={sheet} />}
        </div>
        <CohortTable answer={answer} />
      </section>
      <Curves answer={answer} />
    </>
  );
}

/** Number of cohorts drawn besides the average, newest first. */
const MOST_CURVES = 5;

/** Chart of the retention rate per period. Incomplete periods are left out. */
function Curves({ answer: { cohorts, average, cohort } }: { answer: RetentionAnswer }) {
  const rates = (row: CohortRow) => row.cells.slice(1).map(({ rate, partial }) => (partial ? null : rate));
  const drawn = cohorts.filter((row) => rates(row).filter((rate) => rate !== null).length > 1).slice(-MOST_CURVES);
  const periods = average.slice(1);
  if (periods.filter((rate) => rate !== null).length < 2) return null;
  return (
    <section className="card min-w-0" aria-labelledby="curves">
      <div className="px-4 pt-3.5 sm:px-6">
        <h2 id="curves" className="text-[0.9375rem] font-semibold">
          Retention curves
        </h2>
        <p className="text-sm text-muted">Share of visitors who returned in each {cohort} after their first.</p>
      </div>
      <SeriesChart
        title={`Retention by ${cohort}`}
        kind="line"
        interval={cohort}
        growing={false}
        buckets={periods.map((_, index) => ({
          start: `${index + 1}`,
          label: "",
          name: periodName(cohort, index + 1),
          partial: false,
        }))}
        series={[
          { key: "average", label: "Average", unit: "fraction", values: periods },
          ...drawn.toReversed().map((row) => ({
            key: row.start,
            label: formatDate(row.start),
            unit: "fraction" as const,
            values: rates(row),
          })),
        ]}
      />
    </section>
  );
}

function CohortTable({ answer: { cohorts, average, cohort } }: { answer: RetentionAnswer }) {
  const periods = Array.from({ length: cohorts[0]?.cells.length ?? 0 }, (_, period) => period);
  // Without the first period, which is nearly always 100%.
  const most = Math.max(0.01, ...cohorts.flatMap(({ cells }) => cells.slice(1).map(({ rate }) => rate ?? 0)));
  return (
    <Sideways className="pr-2 pb-3 prints-wide" label="Cohorts, scrolls sideways">
      <table className="border-separate border-spacing-0.5 text-sm tabular-nums">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className={`${STICKY} font-normal`}>
              First visit
            </th>
            <th scope="col" className="px-2 text-right font-normal">
              Visitors
            </th>
            {periods.map((period) => (
              <th key={period} scope="col" className="min-w-13 px-1 font-normal whitespace-nowrap">
                {periodName(cohort, period)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className={`${STICKY} font-semibold`}>
              Average
            </th>
            <td />
            {periods.map((period) => (
              <Cell key={period} rate={average[period] ?? null} most={most} isFirst={period === 0} />
            ))}
          </tr>
          {cohorts.map((row) => (
            <Cohort key={row.start} row={row} most={most} />
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** Classes of the sticky first column. */
const STICKY =
  "sticky left-0 z-10 bg-surface pr-2 pl-4 text-left group-data-left/sideways:shadow-[1px_0_var(--line-strong),8px_0_8px_-6px_rgb(0_0_0/0.3)]";

function Cohort({ row, most }: { row: CohortRow; most: number }) {
  if (row.visitors === null) return null;
  return (
    <tr>
      <th scope="row" className={`${STICKY} font-normal whitespace-nowrap`}>
        {formatDate(row.start)}
      </th>
      <td className="px-2 text-right">{formatExactly(row.visitors)}</td>
      {row.cells.map(({ rate, visitors, partial }, period) => (
        <Cell
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the period of the cell
          key={period}
          rate={rate}
          most={most}
          partial={partial}
          isFirst={period === 0}
          title={visitors === null ? "Unknown" : `${formatPlural(visitors, "visitor")}${partial ? ", incomplete" : ""}`}
        />
      ))}
    </tr>
  );
}

interface CellProps {
  rate: number | null;
  /** The highest rate, for the strongest colour. */
  most: number;
  partial?: boolean;
  /** The first period, which has a neutral colour. */
  isFirst: boolean;
  title?: string;
}

/** A retention rate; higher rates have a stronger background. */
function Cell({ rate, most, partial = false, isFirst, title }: CellProps) {
  if (rate === null) return <td className="h-8 rounded-md bg-sunken/50 text-center text-muted" title={title} />;
  const strength = isFirst ? 12 : Math.round(6 + 44 * Math.min(1, rate / most));
  return (
    <td
      title={title}
      className={`h-8 rounded-md px-1 text-center ${partial || rate === 0 ? "text-muted" : ""} ${partial ? "italic" : ""}`}
      style={{
        background:
          partial || rate === 0 ? undefined : `color-mix(in srgb, var(--accent) ${strength}%, var(--surface))`,
      }}
    >
      {formatFraction(rate)}
    </td>
  );
}
