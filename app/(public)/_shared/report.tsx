import { notFound } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import { settle } from "@/app/_dashboard/queries";
import { Answered } from "@/app/(owner)/sites/[siteId]/reports/answered";
import { inputOf, reportAt } from "@/app/(owner)/sites/[siteId]/reports/registry";
import type { Place } from "@/components/reports/definition";
import { FilterBar } from "@/components/reports/filter-bar";
import { Filtering } from "@/components/reports/filtering";
import { BodySkeleton } from "@/components/reports/parts/body-skeleton";
import { Toolbar } from "@/components/reports/toolbar";
import { readView, type SearchParams } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import { publicViewer } from "@/lib/contract/define";
import type { RunQuery } from "@/lib/gateway/execute";
import { db } from "@/lib/platform/db";
import { Refusal } from "@/lib/platform/errors";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { describeSite } from "@/lib/sites/access";
import { t } from "@/lib/texts/translate";
import type { ReadLink } from "./links";
import { fieldsOf } from "./links";
import { ShownPeriod } from "./shown-period";

interface Props extends Pick<ReadLink, "link" | "site"> {
  as: RunQuery;
  reportKey: string;
  params: SearchParams;
  /** Path of the pages of the link. */
  home: string;
  menu: ReactNode;
}

/** A report that a private link shows. */
export async function SharedReport({ link: { limits }, site, as, reportKey, params, home, menu }: Props) {
  const report = (await reportAt(reportKey)) ?? notFound();
  const view = readView(params);
  const now = new Date();
  const answering = settle(as(report.op, { input: inputOf(report, site.site_id, view, params), now }));
  const [shape, since] = await Promise.all([
    describeSite(db(), site.site_id, publicViewer(false)),
    firstShownDay(site.site_id, now),
  ]);
  const bounds = { since: since.toString(), today: localDay(now, site.timezone).toString() };
  const place: Place = {
    site: shape,
    read: () => Promise.reject(new Refusal("insufficient_scope", "A shared report reads nothing else.")),
    creators: async () => () => null,
    path: `${home}/reports/${reportKey}`,
    query: params,
    onDashboard: true,
    isShared: true,
  };
  const fields = fieldsOf(limits, limits.reports.find((key) => key === reportKey) ?? null);
  return (
    <ViewFrame filterable={fields.map(({ value }) => value)}>
      <Filtering basePath={home} filters={view.filters ?? []} fields={fields} onlyIs>
        <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <div className="min-w-0">
            <p className="truncate text-sm text-muted">{siteTitle(site)}</p>
            <h1 className="text-xl font-semibold">{t(report.title)}</h1>
            <p className="text-sm text-muted">{t(report.about)}</p>
            {limits.period && <ShownPeriod view={view} {...bounds} />}
          </div>
          <Toolbar
            view={view}
            site={{ ...site, role: "viewer" }}
            segments={[]}
            {...bounds}
            {...((limits.period || report.alone) && { alone: true })}
            {...(limits.period && { now: true })}
            ownTraffic={report.ownTraffic}
          />
        </div>
        {menu}
        <Waiting className="space-y-4">
          <FilterBar view={view} onlyIs />
          <Boundary what={t("this report")} className="card p-4">
            <Suspense fallback={<BodySkeleton />}>
              <Answered report={report} place={place} answering={answering} />
            </Suspense>
          </Boundary>
        </Waiting>
      </Filtering>
    </ViewFrame>
  );
}
