import type { Kind } from "@/components/charts/series";
import { LazyExploreForm } from "@/components/reports/explore/lazy-parts";
import type { ExploreAnswer } from "@/components/reports/explore/sheets";
import { DataTable } from "@/components/reports/parts/data-table";
import { LazyTileTrend } from "@/components/reports/parts/lazy-parts";
import { RowBars } from "@/components/reports/parts/row-bars";
import type { NumberOverTime } from "@/components/reports/parts/tile-trend";
import { startsOf, TrendCard, trendMeta } from "@/components/reports/parts/trend-card";
import type { ReportProps } from "@/components/reports/sheet";
import { ViewChoices } from "@/components/reports/view-choices";
import { ViewLink } from "@/components/reports/view-frame";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { valueName } from "@/lib/analytics/query/value-names";
import { MEASURES } from "@/lib/contract/vocabulary";
import { msg, t } from "@/lib/texts/translate";

const choicesOf = (table: Record<string, { label: string; about: string }>) =>
  Object.entries(table).map(([value, { label, about }]) => ({ value, label: t(label), about: t(about) }));

interface ChosenProps {
  siteId: number;
  metrics: readonly string[];
  dimensions: readonly string[];
  goals: readonly string[];
  goal: string;
}

/** The explore form with all metrics and dimensions. */
export const ExploreChoices = ({ siteId, metrics, dimensions, goals, goal }: ChosenProps) => (
  <LazyExploreForm
    key={`${metrics} ${dimensions} ${goal}`}
    siteId={siteId}
    metrics={choicesOf(MEASURES)}
    dimensions={choicesOf(DIMENSIONS)}
    chosenMetrics={[...metrics]}
    chosenDimensions={[...dimensions]}
    goals={[...goals]}
    chosenGoal={goal}
  />
);

const CHARTS = [
  { key: "bars", label: msg("Bars") },
  { key: "line", label: msg("Over time") },
  { key: "stacked", label: msg("Stacked over time") },
] as const;

/** Chart of the first metric of the first rows over time. */
function OverTime({ answer, kind }: { answer: ExploreAnswer; kind: Kind }) {
  const { dimensions, metrics, rows, series, meta, currency } = answer;
  const [metric = "visitors"] = metrics;
  const { unit } = MEASURES[metric];
  const label = t(MEASURES[metric].label);
  return (
    <TrendCard
      title={label}
      kind={kind}
      meta={meta}
      buckets={series}
      series={(series[0]?.values ?? []).map((_, index) => ({
        key: `row-${index}`,
        label:
          dimensions.map((key, position) => valueName(key, rows[index]?.values[position] ?? null)).join(" · ") || label,
        unit,
        ...(currency && { currency }),
        read: ({ values }: ExploreAnswer["series"][number]) => values[index] ?? null,
      }))}
    />
  );
}

/** Returns a metric of the total over time. @param place its index among the metrics */
function courseOf({ metrics, series, currency }: ExploreAnswer, place: number): NumberOverTime {
  const { unit } = MEASURES[metrics[place] ?? "visitors"];
  return {
    unit,
    ...(currency && unit === "money" && { currency }),
    values: series.map(({ values }) => values[place] ?? null),
  };
}

interface ExploreProps extends ReportProps<ExploreAnswer> {
  /** The chart type, from the URL. */
  chart: string | string[] | undefined;
}

/** Report: any metrics by any dimensions. */
export function ExploreReport({ answer, sheets, chart }: ExploreProps) {
  const { dimensions, page, meta, rows, comparison } = answer;
  const shown = CHARTS.find(({ key }) => key === chart) ?? CHARTS[0];
  const sheet = sheets.get("rows");
  if (!sheet) return null;
  if (dimensions.length === 0) {
    const [now, before] = [sheet.rows[0], comparison ? (sheet.before?.[0] ?? []) : null];
    return (
      <LazyTileTrend
        tiles={sheet.columns.map((column, index) => ({
          ...column,
          value: now?.[index] ?? null,
          before: before ? (before[index] ?? null) : undefined,
          over: courseOf(answer, index),
        }))}
        meta={trendMeta(meta)}
        buckets={startsOf(answer.series)}
      />
    );
  }
  return (
    <>
      {rows.length > 0 && (
        <>
          <ViewChoices
            label={t("Chart")}
            choices={CHARTS.map(({ key, label }) => ({ key, label: t(label) }))}
            chosen={shown.key}
            patchOf={(kind) => ({ chart: kind === "bars" ? null : kind })}
          />
          {shown.key === "bars" ? <RowBars sheet={sheet} /> : <OverTime answer={answer} kind={shown.key} />}
        </>
      )}
      <DataTable sheet={sheet} />
      <Pages page={page} more={meta.truncated === true} />
    </>
  );
}

function Pages({ page, more }: { page: number; more: boolean }) {
  if (page === 1 && !more) return null;
  const look = "rounded-lg border border-line bg-surface px-3 py-1.5 text-sm font-medium hover:bg-sunken";
  return (
    <nav aria-label={t("Pages of rows")} className="flex items-center gap-3">
      {page > 1 && (
        <ViewLink patch={{ page: page > 2 ? `${page - 1}` : null }} className={look}>
          {t("Previous rows")}
        </ViewLink>
      )}
      <span className="text-sm text-muted tabular-nums">{t("Page {page}", { page })}</span>
      {more && (
        <ViewLink patch={{ page: `${page + 1}` }} className={look}>
          {t("Next rows")}
        </ViewLink>
      )}
    </nav>
  );
}
