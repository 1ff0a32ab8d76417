import { barsOf, rateText } from "@/components/reports/funnels/body";
import { type FunnelAnswer, linkToPlace } from "@/components/reports/funnels/sheets";
import { StepBars } from "@/components/reports/funnels/step-bars";
import { DataTable } from "@/components/reports/parts/data-table";
import { TrendCard } from "@/components/reports/parts/trend-card";
import type { ReportProps } from "@/components/reports/sheet";
import { TextLink } from "@/components/ui/text-link";
import { legiblePath } from "@/lib/platform/legible";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<FunnelAnswer> {
  /** URL of the funnels report. */
  all: string;
  /** URL of the paths of those who completed the funnel, and of the others. */
  journeys: string;
}

/** Report: one funnel with the time between steps, where visitors dropped off, and conversion by source and device. */
export function FunnelReport({ answer: { funnels, meta }, sheets, all, journeys }: Props) {
  const [funnel] = funnels;
  if (!funnel) return null;
  const [trend, ...tables] = [sheets.get("trend"), ...[...sheets.values()].filter(({ key }) => key !== "trend")];
  return (
    <>
      <section className="card" aria-label={funnel.name}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 pt-3.5 pb-3">
          <h2 className="min-w-0 text-[0.9375rem] font-semibold break-words">{funnel.name}</h2>
          <p className="flex flex-wrap gap-x-4 text-sm text-muted">
            <span>{rateText(funnel)}</span>
            <TextLink href={journeys}>{t("Paths of those who left")}</TextLink>
            <TextLink href={all}>{t("All funnels")}</TextLink>
          </p>
        </div>
        {funnel.entered === 0 ? (
          <p className="px-4 pb-4 text-sm text-muted">
            {t("No visitor reached the first step in this range. Check that it matches a page path or an event name.")}
          </p>
        ) : (
          <StepBars
            steps={barsOf(funnel, meta).map((bar, index) => ({
              ...bar,
              leftTo: (funnel.steps[index]?.left_to ?? []).map((place) => ({
                name: place.kind === "exit" ? t("left the site") : legiblePath(place.value ?? "") || t("unknown page"),
                visitors: place.visitors,
                link: linkToPlace(meta, place),
              })),
            }))}
          />
        )}
      </section>
      <TrendCard
        title={t("Conversions by start of the funnel")}
        kind="bars"
        meta={{ ...meta, interval: funnel.trend[0]?.label.includes("T") ? "hour" : "day" }}
        buckets={funnel.trend.map((bucket) => ({ ...bucket, partial: false }))}
        series={[{ key: "converted", label: t("Converted"), unit: "count", read: ({ converted }) => converted }]}
      />
      {tables.map((sheet) => sheet && <DataTable key={sheet.key} sheet={sheet} />)}
      {trend && <DataTable sheet={trend} />}
    </>
  );
}
