import { CsvLink } from "@/components/reports/parts/csv-link";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { LazySeriesChart } from "@/components/reports/parts/lazy-parts";
import { type CohortRow, periodName, type RetentionAnswer } from "@/components/reports/retention/sheets";
import { FEW } from "@/components/reports/sentences";
import { formatFraction, type ReportProps } from "@/components/reports/sheet";
import { daysBetween } from "@/components/reports/view";
import { ViewChoices } from "@/components/reports/view-choices";
import { Boundary } from "@/components/ui/boundary";
import { formatDate } from "@/components/ui/format";
import { Sideways } from "@/components/ui/sideways";
import { type CohortCells, cohortsTogether } from "@/lib/analytics/reports/cohorts-together";
import { MOST_DAYS } from "@/lib/analytics/reports/retention";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<RetentionAnswer> {
  /** Whether the length of cohorts can be chosen here. */
  chooses: boolean;
}

/** Report: how many visitors return, by cohort of their first visit. */
export function RetentionReport({ answer, sheets, chooses }: Props) {
  const { identity, identity_means, cohorts, known_before, meta } = answer;
  if (identity === "none" || cohorts.every(({ visitors }) => !visitors)) {
    return (
      <EmptyReport
        title={identity === "none" ? t("Returning visitors cannot be recognised") : t("No new visitors in this range")}
        code={'footfall("identify", { user_id: "u-1042" });'}
        docs={{ href: "/docs/tracker", label: t("How to identify users") }}
      >
        {t(identity_means)}
      </EmptyReport>
    );
  }
  const sheet = sheets.get("cohorts");
  return (
    <>
      {chooses && <UnitChoice identity={identity} chosen={answer.cohort} days={daysBetween(meta.from, meta.to)} />}
      <section className="card min-w-0" aria-labelledby="cohorts">
        <div className="flex items-start justify-between gap-4 px-4 pt-3.5 pb-2">
          <div>
            <h2 id="cohorts" className="text-[0.9375rem] font-semibold">
              {t("Visitors by {unit, select, day {day} week {week} other {month}} of first visit", {
                unit: answer.cohort,
              })}
            </h2>
            <p className="text-sm text-muted">
              {t(
                "Share of new visitors who came back in each later {unit, select, day {day} week {week} other {month}}; a stronger colour is more. Values in italics are incomplete: the {unit, select, day {day} week {week} other {month}} is in progress or cut by the range.",
                { unit: answer.cohort },
              )}
              {cohorts.some(isSmall) &&
                ` ${t("{unit, select, day {Days} week {Weeks} other {Months}} with fewer than {few} new visitors share one row.", { unit: answer.cohort, few: FEW })}`}
            </p>
          </div>
          {sheet && <CsvLink sheet={sheet} />}
        </div>
        <CohortTable answer={answer} />
      </section>
      <Curves answer={answer} />
      <p className="px-1 text-sm text-muted">
        {t(identity_means)}{" "}
        {known_before > 0 &&
          t("{count, plural, one {# visitor} other {# visitors}} of this range had come before it and are in no row.", {
            count: known_before,
          })}
      </p>
    </>
  );
}

/** Whether a cohort has so few visitors that each moves its rates by more than five points. */
const isSmall = ({ visitors }: CohortRow): boolean => visitors !== null && visitors > 0 && visitors < FEW;

const isLarge = ({ visitors }: CohortRow): boolean => (visitors ?? 0) >= FEW;

const UNITS = ["day", "week", "month"] as const;

/** The choice of the length of cohorts: those that the range has room for. */
function UnitChoice({ identity, chosen, days }: Pick<RetentionAnswer, "identity"> & { chosen: string; days: number }) {
  const shown = UNITS.filter((unit) => days <= MOST_DAYS[unit] && !(unit === "month" && identity === "monthly"));
  return (
    <ViewChoices
      label={t("Length of cohorts")}
      choices={shown.map((unit) => ({
        key: unit,
        label: t("By {unit, select, day {day} week {week} other {month}}", { unit }),
      }))}
      chosen={chosen}
      patchOf={(cohort) => ({ cohort })}
    />
  );
}

/** Number of cohorts drawn besides the average: the largest ones. */
const MOST_CURVES = 4;

/** Chart of the retention rate per period. Incomplete periods are left out. */
function Curves({ answer: { cohorts, average, cohort } }: { answer: RetentionAnswer }) {
  const periods = average.slice(1, average.findLastIndex((rate) => rate !== null) + 1);
  const rates = (row: CohortRow) =>
    row.cells.slice(1, periods.length + 1).map(({ rate, partial }) => (partial ? null : rate));
  const drawn = cohorts
    .filter((row) => isLarge(row) && rates(row).filter((rate) => rate !== null).length > 1)
    .sort((a, b) => (b.visitors ?? 0) - (a.visitors ?? 0))
    .slice(0, MOST_CURVES)
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  if (periods.filter((rate) => rate !== null).length < 2) return null;
  return (
    <section className="card min-w-0" aria-labelledby="curves">
      <div className="px-4 pt-3.5 sm:px-6">
        <h2 id="curves" className="text-[0.9375rem] font-semibold">
          {t("Retention curves")}
        </h2>
        <p className="text-sm text-muted">
          {t(
            "Share of visitors who came back in each {unit, select, day {day} week {week} other {month}} after their first: all of them, and the largest cohorts.",
            { unit: cohort },
          )}
        </p>
      </div>
      <Boundary what={t("the chart")} className="p-4">
        <LazySeriesChart
          title={t("Retention by {unit, select, day {day} week {week} other {month}}", { unit: cohort })}
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
            { key: "average", label: t("Average"), unit: "fraction", values: periods },
            ...drawn.map((row) => ({
              key: row.start,
              label: formatDate(row.start),
              unit: "fraction" as const,
              values: rates(row),
            })),
          ]}
        />
      </Boundary>
    </section>
  );
}

function CohortTable({ answer: { cohorts, average, average_of, cohort } }: { answer: RetentionAnswer }) {
  const [large, small] = [cohorts.filter(isLarge), cohorts.filter(isSmall)];
  // Periods of which nothing is known have no column.
  const known = Math.max(0, ...large.map(({ cells }) => cells.findLastIndex(({ rate }) => rate !== null)));
  const last = Math.max(
    known,
    average.findLastIndex((rate) => rate !== null),
  );
  const periods = Array.from({ length: last + 1 }, (_, period) => period);
  // Without the first period, which is nearly always 100%.
  const most = Math.max(0.01, ...large.flatMap(({ cells }) => cells.slice(1).map(({ rate }) => rate ?? 0)));
  return (
    <Sideways className="pr-2 pb-3 prints-wide" label={t("{table}, scrolls sideways", { table: t("Cohorts") })}>
      <table className="border-separate border-spacing-0.5 text-sm tabular-nums">
        <thead>
          <tr className="text-xs text-muted">
            <th scope="col" className={`${STICKY} font-normal`}>
              {t("First visit")}
            </th>
            <th scope="col" className="px-2 text-right font-normal">
              {t("Visitors")}
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
              {t("Average")}
            </th>
            <td className="px-2 text-right">{formatExactly(average_of[0] ?? 0)}</td>
            {periods.map((period) => (
              <Cell
                key={period}
                rate={average[period] ?? null}
                most={most}
                title={t("Average of {count, plural, one {# visitor} other {# visitors}}", {
                  count: average_of[period] ?? 0,
                })}
              />
            ))}
          </tr>
          {large.map((row) => (
            <Cohort key={row.start} name={formatDate(row.start)} row={row} most={most} periods={periods.length} />
          ))}
          {small.length > 0 && (
            <Cohort
              name={t("{unit, select, day {Days} week {Weeks} other {Months}} below {few} ({count})", {
                unit: cohort,
                few: FEW,
                count: small.length,
              })}
              row={cohortsTogether(small)}
              most={most}
              periods={periods.length}
            />
          )}
        </tbody>
      </table>
    </Sideways>
  );
}

/** Classes of the sticky first column. */
const STICKY =
  "sticky left-0 z-10 bg-surface pr-2 pl-4 text-left group-data-left/sideways:shadow-[1px_0_var(--line-strong),8px_0_8px_-6px_rgb(0_0_0/0.3)]";

interface CohortProps {
  name: string;
  row: CohortCells;
  most: number;
  periods: number;
}

function Cohort({ name, row, most, periods }: CohortProps) {
  if (row.visitors === null) return null;
  return (
    <tr>
      <th scope="row" className={`${STICKY} font-normal whitespace-nowrap`}>
        {name}
      </th>
      <td className="px-2 text-right">{formatExactly(row.visitors)}</td>
      {row.cells.slice(0, periods).map(({ rate, visitors, partial }, period) => (
        <Cell
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the period of the cell
          key={period}
          rate={rate}
          most={most}
          partial={partial}
          title={visitors === null ? t("Unknown") : visitorsText(visitors, partial)}
        />
      ))}
    </tr>
  );
}

const visitorsText = (count: number, partial: boolean): string =>
  partial
    ? t("{count, plural, one {# visitor} other {# visitors}}, incomplete", { count })
    : t("{count, plural, one {# visitor} other {# visitors}}", { count });

interface CellProps {
  rate: number | null;
  /** The highest rate, for the strongest colour. */
  most: number;
  partial?: boolean;
  title?: string;
}

/** A retention rate; higher rates have a stronger background, and the whole cohort the strongest. */
function Cell({ rate, most, partial = false, title }: CellProps) {
  if (rate === null) return <td className="h-8 rounded-md bg-sunken/50 text-center text-muted" title={title} />;
  const isWhole = rate === 1 && !partial;
  const strength = isWhole ? 100 : Math.round(6 + 44 * Math.min(1, rate / most));
  return (
    <td
      title={title}
      className={`h-8 rounded-md px-1 text-center ${partial || rate === 0 ? "text-muted" : isWhole ? "text-accent-ink" : ""} ${partial ? "italic" : ""}`}
      style={{
        background:
          partial || rate === 0 ? undefined : `color-mix(in srgb, var(--accent) ${strength}%, var(--surface))`,
      }}
    >
      {formatFraction(rate)}
    </td>
  );
}
