import type { ReactNode } from "react";
import { Annotations } from "@/components/reports/annotations";
import { hasNothing } from "@/components/reports/answers";
import type { SummaryPanel } from "@/components/reports/dashboard-panels";
import { Deferred } from "@/components/reports/deferred";
import { EmptyRange } from "@/components/reports/empty-range";
import { UNFILTERED } from "@/components/reports/filter-bar";
import { Headlines } from "@/components/reports/headlines";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { SummarySkeleton } from "@/components/reports/skeletons";
import { Timeline } from "@/components/reports/timeline";
import { daysBetween, intervalsFor, isFilteredView, type View } from "@/components/reports/view";
import { ViewLink, Waiting } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { formatDate, formatRange } from "@/components/ui/format";
import type { SiteShape } from "@/lib/contract/fields";
import { env } from "@/lib/platform/env";
import { t } from "@/lib/texts/translate";
import type { Answers } from "./queries";

interface RefusedProps {
  answers: Answers;
  view: View;
}

/** Explains why the view cannot be shown and offers to remove filters; renders nothing if it can. */
export async function RefusedPart({ answers, view }: RefusedProps) {
  const refused = await answers.chart;
  if (refused.ok) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 p-4">
      <RefusedNotice what={t("the numbers")} {...refused} />
      {isFilteredView(view) && !refused.temporary && (
        <ViewLink patch={UNFILTERED} className="text-sm text-accent underline">
          {t("Show without filters")}
        </ViewLink>
      )}
    </div>
  );
}

interface SummaryProps extends RefusedProps {
  site: Pick<SiteShape, "site_id" | "domain">;
  hasNoEvents: boolean;
  /** Whether the reader can edit annotations. */
  manages?: boolean;
  /** Which of its two parts to show; both by default. */
  shows?: readonly SummaryPanel[];
}

/** The card of the headline numbers above the chart. */
export const SummaryCard = (props: SummaryProps) => (
  <Waiting className="card">
    <Deferred
      what={t("the numbers")}
      isReady={props.answers.ready.numbers}
      fallback={<SummarySkeleton annotates={props.manages} />}
    >
      <Summary {...props} />
    </Deferred>
  </Waiting>
);

async function Summary({ answers, view, site, hasNoEvents, manages = false, shows = BOTH }: SummaryProps) {
  const chart = await answers.chart;
  if (!chart.ok) return <RefusedPart answers={answers} view={view} />;
  const { metrics, meta } = chart.answer;
  const isEmpty = hasNothing(metrics);
  // If numbers and chart are separate panels, only one of them shows the empty state.
  const hidden = isEmpty && !hasNoEvents && view.traffic === "human" ? await answers.hidden?.() : undefined;
  const showsNotes = shows.includes("chart") || !view.panels.includes("chart");
  return (
    <>
      {shows.includes("metrics") && <Headlines first={chart.answer} />}
      {showsNotes && meta.imported && <ImportedNote {...meta.imported} filtered={isFilteredView(view)} />}
      {showsNotes && meta.kept_from && <RetentionNote since={meta.kept_from} />}
      {isEmpty && showsNotes && (
        <EmptyRange
          siteId={site.site_id}
          domain={site.domain}
          hasNoEvents={hasNoEvents}
          hasDemo={env().DEMO_SITE !== undefined}
          traffic={view.traffic}
          filtered={isFilteredView(view)}
          hidden={hidden?.ok ? hidden.answer : []}
          from={meta.from.slice(0, 10)}
          to={meta.to.slice(0, 10)}
        />
      )}
      {!isEmpty && shows.includes("chart") && (
        <>
          <Boundary what={t("the chart")} className="p-4">
            <Timeline
              siteId={site.site_id}
              first={chart.answer}
              intervals={intervalsFor(daysBetween(meta.from, meta.to))}
              manages={manages}
            />
          </Boundary>
          <Annotations siteId={site.site_id} first={chart.answer} manages={manages} />
        </>
      )}
    </>
  );
}

/** Note about the days with imported data and its limits. */
function ImportedNote({ from, to, filtered }: { from: string; to: string; filtered: boolean }) {
  const days = formatRange(from, to);
  return (
    <p className="px-4 pt-3 text-sm text-muted">
      {filtered
        ? t(
            "{days}: daily totals imported from another service. They cannot be filtered and are not in these numbers.",
            { days },
          )
        : t("{days}: daily totals imported from another service. They cannot be filtered.", { days })}
    </p>
  );
}

/** Note about days that the retention limit has deleted. */
function RetentionNote({ since }: { since: string }) {
  return (
    <p className="px-4 pt-3 text-sm text-muted">
      {t("Data before {day} was deleted by the retention limit.", { day: formatDate(since) })}
    </p>
  );
}

const BOTH: readonly SummaryPanel[] = ["metrics", "chart"];

/**
 * Shows lists only if the view has data. The empty state and errors of the whole view are shown by the summary; after
 * a temporary one, the lists show themselves what they can.
 */
export async function ListsPart({ answers, children }: { answers: Answers; children: ReactNode }) {
  const chart = await answers.chart;
  if (!chart.ok) return chart.temporary ? children : null;
  return !hasNothing(chart.answer.metrics) && children;
}
