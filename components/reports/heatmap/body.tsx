import { type HeatmapAnswer, type HeatmapCell, perHour } from "@/components/reports/heatmap/sheets";
import { CsvLink } from "@/components/reports/parts/csv-link";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { formatCell, type ReportProps } from "@/components/reports/sheet";
import { formatHour, formatWeekday } from "@/components/ui/format";
import { Sideways } from "@/components/ui/sideways";
import { Tabs } from "@/components/ui/tabs";
import { formatExactly } from "@/lib/contract/numbers";
import { firstWeekday } from "@/lib/platform/locale";
import { msg, t } from "@/lib/texts/translate";

const COUNTS = { visitors: msg("Visitors"), visits: msg("Visits") } as const;
type Count = keyof typeof COUNTS;

interface Props extends ReportProps<HeatmapAnswer> {
  /** Whether the reader can open the installation page. */
  mayInstall: boolean;
}

/** Report: average visitors and visits for each hour of the week, as a heatmap. */
export function HeatmapReport({ answer, sheets, mayInstall }: Props) {
  const { cells, meta } = answer;
  const sheet = sheets.get("hours");
  if (cells.every(({ visits }) => visits === 0)) {
    return (
      <EmptyReport
        title={t("No visits in this range")}
        docs={mayInstall ? { href: `/sites/${meta.site_id}/install`, label: t("Check the installation") } : null}
      >
        {t("This report shows at which hours of the week people visit. Choose other days above.")}
      </EmptyReport>
    );
  }
  const tabs = (Object.keys(COUNTS) as Count[]).map((count) => ({
    key: count,
    label: t(COUNTS[count]),
    content: <Week cells={cells} count={count} />,
  }));
  return (
    <section className="card min-w-0 px-4 pt-3.5 pb-4" aria-labelledby="hours">
      <Tabs
        name={t("Metric")}
        tabs={tabs}
        heading={
          <h2 id="hours" className="text-[0.9375rem] font-semibold">
            {t("Hours of the week")}
          </h2>
        }
      />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted">
        <p>{t("Average per hour, in {timezone} time.", { timezone: meta.timezone.replaceAll("_", " ") })}</p>
        <div className="flex items-center gap-4">
          <Legend />
          {sheet && <CsvLink sheet={sheet} />}
        </div>
      </div>
    </section>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

function Week({ cells, count }: { cells: HeatmapCell[]; count: Count }) {
  const most = Math.max(...cells.map((cell) => perHour(cell[count], cell) ?? 0));
  const weekdays = Array.from({ length: 7 }, (_, place) => ((firstWeekday() - 1 + place) % 7) + 1);
  return (
    <Sideways className="mt-2 prints-wide" label={t("{table}, scrolls sideways", { table: t("Hours of the week") })}>
      <table className="w-full border-separate border-spacing-0.5 text-xs tabular-nums">
        <caption className="sr-only">
          {t("{metric} of an average hour, by weekday and hour", { metric: t(COUNTS[count]) })}
        </caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className={STICKY}>
              <span className="sr-only">{t("Weekday")}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col" className="min-w-9 pb-0.5 font-normal whitespace-nowrap">
                {formatHour(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday) => (
            <tr key={weekday}>
              <th scope="row" className={`${STICKY} font-normal`}>
                {formatWeekday(weekday)}
              </th>
              {cells.slice((weekday - 1) * 24, weekday * 24).map((cell) => (
                <Hour key={cell.hour} cell={cell} count={count} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** Classes of the sticky first column. */
const STICKY =
  "sticky left-0 z-10 bg-surface pr-2 text-left group-data-left/sideways:shadow-[1px_0_var(--line-strong),8px_0_8px_-6px_rgb(0_0_0/0.3)]";

const backgroundOf = (share: number) =>
  share === 0 ? undefined : `color-mix(in srgb, var(--accent) ${Math.round(6 + 44 * share)}%, var(--surface))`;

const IN_HOURS: Record<Count, string> = {
  visitors: msg(
    "{hour}: {count, plural, one {# visitor} other {# visitors}} in {hours, plural, one {# hour} other {# hours}}",
  ),
  visits: msg(
    "{hour}: {count, plural, one {# visit} other {# visits}} in {hours, plural, one {# hour} other {# hours}}",
  ),
};

function Hour({ cell, count, most }: { cell: HeatmapCell; count: Count; most: number }) {
  const average = perHour(cell[count], cell);
  const hour = t("{weekday}, {start} to {end}", {
    weekday: formatWeekday(cell.weekday),
    start: formatHour(cell.hour),
    end: formatHour((cell.hour + 1) % 24),
  });
  const title =
    average === null
      ? t("{hour}: not in this range", { hour })
      : t(IN_HOURS[count], { hour, count: cell[count], hours: cell.hours });
  return (
    <td
      title={title}
      className={`relative h-8 rounded-md text-center ${average ? "" : "bg-sunken/50 text-muted"}`}
      style={{ background: backgroundOf(average && most > 0 ? average / most : 0) }}
    >
      {average === null ? <span className="sr-only">{t("Not in this range")}</span> : shortAverage(average)}
    </td>
  );
}

/** Formats an average: one decimal below 10, and 0 for none. */
const shortAverage = (average: number): string =>
  average > 0 && average < 9.95
    ? formatCell({ label: "", kind: "number" }, Math.round(average * 10) / 10 || 0.1)
    : formatExactly(average);

const Legend = () => (
  <p className="flex items-center gap-1.5 text-xs" aria-hidden="true">
    {t("Fewer")}
    {[0, 0.25, 0.5, 0.75, 1].map((share) => (
      <span key={share} className="size-3 rounded-sm bg-sunken/50" style={{ background: backgroundOf(share) }} />
    ))}
    {t("More")}
  </p>
);
