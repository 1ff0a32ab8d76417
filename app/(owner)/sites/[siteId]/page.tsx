import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { ask } from "@/app/_dashboard/ask";
import { ListsPart, SummaryPart } from "@/app/_dashboard/parts";
import { Arriving } from "@/components/reports/arriving";
import { hasLists, hasReports } from "@/components/reports/dashboard-panels";
import { DashboardPicker } from "@/components/reports/dashboard-picker";
import { FilterBar } from "@/components/reports/filter-bar";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { sentenceOf } from "@/components/reports/filter-words";
import { Filtering } from "@/components/reports/filtering";
import { ListsOfView } from "@/components/reports/lists";
import { Live } from "@/components/reports/live";
import { LiveNumbers } from "@/components/reports/live-numbers";
import { FurtherPanels, Panels } from "@/components/reports/panels";
import { QuotaNotice } from "@/components/reports/quota-notice";
import { SaveSegment } from "@/components/reports/save-segment";
import { PanelsSkeleton, SummarySkeleton } from "@/components/reports/skeletons";
import { Toolbar } from "@/components/reports/toolbar";
import { addressOf, readView, type SearchParams, stillGrows } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Gear } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import { manages } from "@/lib/contract/vocabulary";
import { queryAs } from "@/lib/gateway/execute";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { localDay } from "@/lib/platform/time";
import { pulse } from "@/lib/sites/last-event";
import { readQuota } from "@/lib/sites/quota";
import { makersOf } from "@/lib/sites/saved/makers";
import { principalOf, siteOrNotFound, thisOwner, thisOwnerOrNobody } from "../../access";
import { Board, type BoardProps } from "./board";
import { dashboardsOf, savingOf, wholeAddress } from "./dashboards";
import { segmentsOf } from "./segments";

interface Props {
  params: Promise<{ siteId: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const owner = await thisOwnerOrNobody();
  const site = owner && (await siteOrNotFound(owner, (await params).siteId));
  return { title: site ? site.name || site.domain : undefined };
}

export default async function DashboardPage({ params, searchParams }: Props) {
  const { siteId } = await params;
  const asked = await searchParams;
  const owner = await thisOwner(addressOf(`/sites/${encodeURIComponent(siteId)}`, asked));
  const site = await siteOrNotFound(owner, siteId);
  const view = readView(asked);
  const now = new Date();
  const filters = view.filters ?? [];
  // Asked first, because these take longest.
  const asking = ask({ as: queryAs(principalOf(owner)), siteId: site.site_id, now, goals: true }, view);
  const makers = makersOf(site.site_id, owner.personId);
  const [answers, beat, quota, segments, dashboards, since] = await Promise.all([
    asking,
    pulse(principalOf(owner), site.site_id),
    readQuota(site.site_id, now),
    segmentsOf(site.site_id, makers),
    dashboardsOf(site.site_id, makers, view),
    firstShownDay(site.site_id, now),
  ]);
  const whole = wholeAddress(`/sites/${site.site_id}`, asked, view, dashboards);
  if (whole) redirect(whole);
  const today = localDay(now, site.timezone).toString();
  const at = `/sites/${site.site_id}`;
  const live = { growing: stillGrows(view, today), chart: answers.chart, rendersReports: hasReports(view.panels) };
  const shown = { owner, site, view, now, answers, neverAnEvent: beat.last_event_at === null };
  return (
    <ViewFrame>
      <Filtering at={at} filters={filters} fields={FILTER_FIELDS}>
        <LiveNumbers at={answers.at}>
          <div className="relative mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5">
              <div className="flex min-w-0 items-center gap-1">
                <h1 className="truncate text-xl font-semibold">{site.name || site.domain}</h1>
                <Link
                  href={`/sites/${site.site_id}/settings`}
                  prefetch={false}
                  title="Settings"
                  aria-label="Settings"
                  className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
                >
                  <Gear />
                </Link>
              </div>
              <Live {...{ at, ...live }} first={beat} realtime={`${at}/reports/realtime`} />
            </div>
            <Toolbar {...{ view, site, today, segments }} since={since.toString()}>
              <DashboardPicker
                siteId={site.site_id}
                dashboards={dashboards}
                current={view.opened}
                panels={view.panels}
                saving={savingOf(view, segments)}
                manages={manages(site.role)}
              />
            </Toolbar>
          </div>
          <div className="space-y-4">
            <QuotaNotice quota={quota} />
            {asked.dashboard && <Notice>The site has no such saved view (any more).</Notice>}
            <FilterBar view={view}>
              {manages(site.role) && (
                <SaveSegment siteId={site.site_id} filters={filters} sentences={filters.map(sentenceOf)} />
              )}
            </FilterBar>
            {hasLists(view.panels) ? (
              <ListsOfView first={answers.panels}>
                {view.panels.length > 0 ? <Board {...shown} /> : <Usual {...shown} />}
              </ListsOfView>
            ) : (
              <Board {...shown} />
            )}
          </div>
        </LiveNumbers>
      </Filtering>
    </ViewFrame>
  );
}

/** What is shown where nobody chose panels. */
function Usual({ site, view, answers, neverAnEvent }: BoardProps) {
  const filters = view.filters ?? [];
  const { there } = answers;
  return (
    <>
      <Waiting className="card">
        <Arriving
          what="the numbers"
          there={there.numbers}
          fallback={<SummarySkeleton annotates={manages(site.role)} />}
        >
          <SummaryPart {...{ answers, view, site, neverAnEvent }} manages={manages(site.role)} />
        </Arriving>
      </Waiting>
      <Arriving what="the lists" there={there.lists} fallback={<PanelsSkeleton />}>
        <ListsPart answers={answers}>
          <div className="space-y-4">
            <Panels domain={site.domain} filters={filters} creditDbIp={isDbIp()} />
            <FurtherPanels filters={filters} />
          </div>
        </ListsPart>
      </Arriving>
    </>
  );
}
