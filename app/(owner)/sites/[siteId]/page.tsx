import { Settings } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { namedView } from "@/app/_dashboard/named-filters";
import { ListsPart, SummaryCard } from "@/app/_dashboard/parts";
import { type QueryContext, queryDashboard } from "@/app/_dashboard/queries";
import { AttributionOfLists } from "@/components/reports/attribution-of-lists";
import { hasLists, hasReports } from "@/components/reports/dashboard-panels";
import { DashboardPicker } from "@/components/reports/dashboard-picker";
import { Deferred } from "@/components/reports/deferred";
import { FilterBar } from "@/components/reports/filter-bar";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { describeFilter } from "@/components/reports/filter-text";
import { Filtering } from "@/components/reports/filtering";
import { LazyWhatChanged } from "@/components/reports/lazy-parts";
import { ListsOfView } from "@/components/reports/lists";
import { Live } from "@/components/reports/live";
import { LiveNumbers } from "@/components/reports/live-numbers";
import { FurtherPanels, MainPanels } from "@/components/reports/panels";
import { QuotaNotice } from "@/components/reports/quota-notice";
import { SaveSegment } from "@/components/reports/save-segment";
import { shareOf } from "@/components/reports/share-of";
import { ShareView } from "@/components/reports/share-view";
import { PanelsSkeleton, WhatChangedSkeleton } from "@/components/reports/skeletons";
import { Toolbar } from "@/components/reports/toolbar";
import { readView, type SearchParams, stillGrows } from "@/components/reports/view";
import { ViewFrame } from "@/components/reports/view-frame";
import { MergedVisitorsNotice } from "@/components/shell/merged-visitors-notice";
import { Notice } from "@/components/ui/notice";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import { manages } from "@/lib/contract/access";
import { queryAs } from "@/lib/gateway/execute";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import sitesQuotaGet from "@/lib/operations/sites.quota.get";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { readMergedVisitors } from "@/lib/sites/merged-visitors";
import { t } from "@/lib/texts/translate";
import { principalOf, query, signedInOwner, signedInOwnerOrNull, siteOrNotFound } from "../../access";
import { creatorsOf } from "./creators";
import { DashboardBlocks, type DashboardProps } from "./dashboard-blocks";
import { dashboardsOf, expandDashboardUrl, savableView } from "./dashboards";
import { segmentsOf } from "./segments";

interface Props {
  params: Promise<{ siteId: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const owner = await signedInOwnerOrNull();
  const site = owner && (await siteOrNotFound(owner, (await params).siteId));
  return { title: site ? siteTitle(site) : undefined };
}

export default async function DashboardPage({ params, searchParams }: Props) {
  const { siteId } = await params;
  const parameters = await searchParams;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  const asked = readView(parameters);
  const now = new Date();
  const context: QueryContext = { as: queryAs(principalOf(owner)), siteId: site.site_id, now, goals: true };
  // Started first, because it takes longest.
  const answering = queryDashboard(context, asked);
  const creators = creatorsOf(site.site_id, owner.personId);
  const [answers, view, lastEvent, { quota }, { goals }, segments, dashboards, since, merged] = await Promise.all([
    answering,
    namedView(context, asked),
    query(sitesActivity, owner, { site_id: site.site_id }, now),
    query(sitesQuotaGet, owner, { site_id: site.site_id }, now),
    query(sitesGoalsList, owner, { site_id: site.site_id }, now),
    segmentsOf(owner, context, creators),
    dashboardsOf(owner, context, creators, { view: asked, question: null }),
    firstShownDay(site.site_id, now),
    site.role === "owner" ? readMergedVisitors(now) : null,
  ]);
  const expandedUrl = expandDashboardUrl(`/sites/${site.site_id}`, parameters, asked, dashboards);
  if (expandedUrl) redirect(expandedUrl);
  const filters = view.filters ?? [];
  const today = localDay(now, site.timezone).toString();
  const bounds = { since: since.toString(), today };
  const goalNames = goals.map(({ name }) => name);
  const share = shareOf({ site, view, query: parameters, segments, report: null, ...bounds });
  const at = `/sites/${site.site_id}`;
  const live = { growing: stillGrows(view, today), chart: answers.chart, rendersReports: hasReports(view.panels) };
  const dashboardProps = { owner, site, view, now, answers, hasNoEvents: lastEvent.last_event_at === null };
  return (
    <ViewFrame>
      <Filtering basePath={at} filters={filters} fields={FILTER_FIELDS}>
        <LiveNumbers readAt={answers.queriedAt}>
          <div className="relative mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5">
              <div className="flex min-w-0 items-center gap-1">
                <h1 className="truncate text-xl font-semibold">{siteTitle(site)}</h1>
                <Link
                  href={`/sites/${site.site_id}/settings`}
                  prefetch={false}
                  title={t("Settings")}
                  aria-label={t("Settings")}
                  className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
                >
                  <Settings />
                </Link>
                {share && <ShareView {...share} brief />}
              </div>
              <Live basePath={at} {...live} first={lastEvent} realtime={`${at}/reports/realtime`} />
            </div>
            <Toolbar view={view} site={site} {...bounds} segments={segments} goals={goalNames}>
              <DashboardPicker
                siteId={site.site_id}
                dashboards={dashboards}
                current={view.opened}
                panels={view.panels}
                saving={savableView({ view, question: null }, segments, goalNames)}
                manages={manages(site.role)}
              />
            </Toolbar>
          </div>
          <div className="space-y-4">
            <MergedVisitorsNotice merged={merged} showsAddresses={false} />
            <QuotaNotice quota={quota} siteId={site.site_id} />
            {parameters.dashboard && <Notice>{t("This dashboard does not exist or was deleted.")}</Notice>}
            <FilterBar view={view}>
              {manages(site.role) && (
                <SaveSegment siteId={site.site_id} filters={filters} sentences={filters.map(describeFilter)} />
              )}
            </FilterBar>
            {hasLists(view.panels) ? (
              <ListsOfView first={answers.panels}>
                {view.panels.length > 0 ? (
                  <DashboardBlocks {...dashboardProps} />
                ) : (
                  <DefaultPanels {...dashboardProps} />
                )}
              </ListsOfView>
            ) : (
              <DashboardBlocks {...dashboardProps} />
            )}
          </div>
        </LiveNumbers>
      </Filtering>
    </ViewFrame>
  );
}

/** Panels of a view that does not choose any. */
function DefaultPanels({ site, view, answers, hasNoEvents }: DashboardProps) {
  const filters = view.filters ?? [];
  const { ready } = answers;
  return (
    <>
      <SummaryCard answers={answers} view={view} site={site} hasNoEvents={hasNoEvents} manages={manages(site.role)} />
      {view.compare !== "none" && (
        <Deferred what={t("what changed")} isReady={ready.numbers} fallback={<WhatChangedSkeleton />}>
          <ListsPart answers={answers}>
            <LazyWhatChanged filters={filters} />
          </ListsPart>
        </Deferred>
      )}
      <Deferred what={t("the lists")} isReady={ready.lists} fallback={<PanelsSkeleton />}>
        <ListsPart answers={answers}>
          <div className="space-y-4">
            <AttributionOfLists goal={view.goal} />
            <MainPanels filters={filters} creditDbIp={isDbIp()} />
            <FurtherPanels filters={filters} />
          </div>
        </ListsPart>
      </Deferred>
    </>
  );
}
