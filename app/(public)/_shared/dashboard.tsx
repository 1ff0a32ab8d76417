import type { ReactNode } from "react";
import { ListsPart, SummaryCard } from "@/app/_dashboard/parts";
import { type Answers, queryDashboard } from "@/app/_dashboard/queries";
import { blocksOf } from "@/components/reports/dashboard-panels";
import { Deferred } from "@/components/reports/deferred";
import { FilterBar } from "@/components/reports/filter-bar";
import { Filtering } from "@/components/reports/filtering";
import { ListsOfView } from "@/components/reports/lists";
import { Live } from "@/components/reports/live";
import { LiveNumbers } from "@/components/reports/live-numbers";
import { ChosenPanels, MainPanels } from "@/components/reports/panels";
import { PanelsSkeleton } from "@/components/reports/skeletons";
import { Toolbar } from "@/components/reports/toolbar";
import { stillGrows, type View } from "@/components/reports/view";
import { ViewFrame } from "@/components/reports/view-frame";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import type { RunQuery } from "@/lib/gateway/execute";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { type ShareLimits, showsLive, showsMetrics } from "@/lib/sites/share-limits";
import type { SharedSite } from "@/lib/sites/shared";
import { t } from "@/lib/texts/translate";
import { filterFieldsOf } from "./links";
import { initialLastEvent } from "./public";
import { ShownPeriod } from "./shown-period";

interface Props {
  site: SharedSite;
  limits: ShareLimits;
  as: RunQuery;
  ip: string;
  view: View;
  /** Path below which its JSON routes are. */
  basePath: string;
  /** Links to the reports that are shared with it. */
  menu?: ReactNode;
}

/** A dashboard for readers without an account: a public one, or what a private link shows of one. */
export async function SharedDashboard({ site, limits, as, ip, view, basePath, menu }: Props) {
  const now = new Date();
  const filters = view.filters ?? [];
  const isLive = showsLive(limits);
  const [first, since] = await Promise.all([
    isLive ? initialLastEvent(site.site_id, ip) : null,
    firstShownDay(site.site_id, now),
  ]);
  const today = localDay(now, site.timezone).toString();
  const answers = await queryDashboard({ as, siteId: site.site_id, now }, view);
  return (
    <ViewFrame>
      <Filtering basePath={basePath} filters={filters} fields={filterFieldsOf(limits, null)} onlyIs>
        <LiveNumbers readAt={answers.queriedAt}>
          <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5">
              <h1 className="truncate text-xl font-semibold">{siteTitle(site)}</h1>
              {first && (
                <Live basePath={basePath} first={first} growing={stillGrows(view, today)} chart={answers.chart} />
              )}
              {limits.period && <ShownPeriod view={view} since={since.toString()} today={today} />}
            </div>
            <Toolbar
              view={view}
              site={{ ...site, role: "viewer" }}
              today={today}
              since={since.toString()}
              segments={[]}
              {...(limits.period && { alone: true, now: true })}
            />
          </div>
          {menu}
          <div className="space-y-4">
            <FilterBar view={view} onlyIs />
            <ListsOfView first={answers.panels}>
              {limits.panels.length > 0 ? (
                <LimitedPanels answers={answers} view={view} site={site} limits={limits} />
              ) : (
                <>
                  <SummaryCard answers={answers} view={view} site={site} hasNoEvents={false} />
                  <Deferred what={t("the lists")} isReady={answers.ready.lists} fallback={<PanelsSkeleton />}>
                    <ListsPart answers={answers}>
                      <MainPanels filters={filters} creditDbIp={isDbIp()} />
                    </ListsPart>
                  </Deferred>
                </>
              )}
            </ListsOfView>
          </div>
        </LiveNumbers>
      </Filtering>
    </ViewFrame>
  );
}

interface PartProps {
  answers: Answers;
  view: View;
  site: SharedSite;
}

/** The panels that a link is limited to. */
function LimitedPanels({ limits, ...part }: PartProps & { limits: ShareLimits }) {
  const { answers, view } = part;
  return (
    <>
      {showsMetrics(limits) ? <SummaryCard {...part} hasNoEvents={false} /> : null}
      {blocksOf(view.panels).map(({ kind, panels }) =>
        kind === "lists" ? (
          <Deferred key={panels[0]} what={t("the lists")} isReady={answers.ready.lists} fallback={<PanelsSkeleton />}>
            <ListsPart answers={answers}>
              <ChosenPanels panels={panels} filters={view.filters ?? []} creditDbIp={isDbIp()} />
            </ListsPart>
          </Deferred>
        ) : null,
      )}
    </>
  );
}
