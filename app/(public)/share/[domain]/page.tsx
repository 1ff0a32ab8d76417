import type { Metadata } from "next";
import { ListsPart, SummaryPart } from "@/app/_dashboard/parts";
import { queryDashboard } from "@/app/_dashboard/queries";
import { addressOfBrowser } from "@/app/browser-address";
import { Deferred } from "@/components/reports/deferred";
import { FilterBar } from "@/components/reports/filter-bar";
import { Filtering } from "@/components/reports/filtering";
import { ListsOfView } from "@/components/reports/lists";
import { Live } from "@/components/reports/live";
import { LiveNumbers } from "@/components/reports/live-numbers";
import { MainPanels } from "@/components/reports/panels";
import { PanelsSkeleton, SummarySkeleton } from "@/components/reports/skeletons";
import { Toolbar } from "@/components/reports/toolbar";
import { readView, type SearchParams, stillGrows } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Header } from "@/components/shell/header";
import { PageLocale } from "@/components/ui/page-locale";
import { Toaster } from "@/components/ui/toaster";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import { isDbIp } from "@/lib/ingest/enrich/geo";
import { env } from "@/lib/platform/env";
import { siteTitle } from "@/lib/platform/legible-host";
import { currentLocale } from "@/lib/platform/locale";
import { localDay } from "@/lib/platform/time";
import { cardOf } from "../../card";
import { initialLastEvent, queryShared, SHARED_FIELDS, siteAt, siteAtOrNotFound } from "./shared";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ domain: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const site = await siteAt((await params).domain);
  if (!site) return { robots: { index: false } };
  const about = `Visitors, sources and pages of ${site.domain}, counted without cookies.`;
  return { ...cardOf(siteTitle(site), about, env().BASE_URL), robots: { index: false } };
}

/** Public dashboard of a site, also for frames on other sites: `embed=true` hides our header. */
export default async function SharedDashboard({ params, searchParams }: Props) {
  const site = await siteAtOrNotFound((await params).domain);
  const query = await searchParams;
  const view = readView(query);
  const filters = view.filters ?? [];
  const now = new Date();
  const ip = await addressOfBrowser();
  const [first, since] = await Promise.all([initialLastEvent(site.site_id, ip), firstShownDay(site.site_id, now)]);
  const today = localDay(now, site.timezone).toString();
  const at = `/share/${site.domain}`;
  const answers = await queryDashboard(
    { as: queryShared({ ip, filters: view.filters }), siteId: site.site_id, now },
    view,
  );
  const embedded = query.embed === "true";
  return (
    <PageLocale locale={currentLocale()}>
      <Toaster>
        {!embedded && <Header home="/" leaves />}
        <main id="content" className="mx-auto w-full max-w-[82rem] px-4 pt-5 pb-10 sm:px-6">
          <ViewFrame>
            <Filtering basePath={at} filters={filters} fields={SHARED_FIELDS} onlyIs>
              <LiveNumbers readAt={answers.queriedAt}>
                <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
                  <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5">
                    <h1 className="truncate text-xl font-semibold">{siteTitle(site)}</h1>
                    <Live basePath={at} first={first} growing={stillGrows(view, today)} chart={answers.chart} />
                  </div>
                  <Toolbar
                    view={view}
                    site={{ ...site, role: "viewer" }}
                    today={today}
                    since={since.toString()}
                    segments={[]}
                  />
                </div>
                <div className="space-y-4">
                  <FilterBar view={view} onlyIs />
                  <ListsOfView first={answers.panels}>
                    <Waiting className="card">
                      <Deferred what="the numbers" isReady={answers.ready.numbers} fallback={<SummarySkeleton />}>
                        <SummaryPart answers={answers} view={view} site={site} hasNoEvents={false} />
                      </Deferred>
                    </Waiting>
                    <Deferred what="the lists" isReady={answers.ready.lists} fallback={<PanelsSkeleton />}>
                      <ListsPart answers={answers}>
                        <MainPanels filters={filters} creditDbIp={isDbIp()} />
                      </ListsPart>
                    </Deferred>
                  </ListsOfView>
                </div>
              </LiveNumbers>
            </Filtering>
          </ViewFrame>
          <p className="mt-6 text-center text-sm text-muted">
            Counted by{" "}
            <a href="/" target={embedded ? "_blank" : undefined} className="underline">
              Footfall
            </a>
            , without cookies.
          </p>
        </main>
      </Toaster>
    </PageLocale>
  );
}
