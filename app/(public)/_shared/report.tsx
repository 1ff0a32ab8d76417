import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Arriving } from "@/app/_dashboard/arriving";
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
import { firstShownDay } from "@/lib/analytics/query/first-day";
import type { RunQuery } from "@/lib/gateway/execute";
import { Refusal } from "@/lib/platform/errors";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";
import type { ReadLink } from "./links";
import { filterFieldsOf } from "./links";
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
  const since = await firstShownDay(site.site_id, now);
  const asViewer = { ...site, role: "viewer" } as const;
  const bounds = { since: since.toString(), today: localDay(now, site.timezone).toString() };
  const place: Place = {
    site: asViewer,
    read: () => Promise.reject(new Refusal("insufficient_scope", "A shared report reads nothing else.")),
    creators: async () => () => null,
    path: `${home}/reports/${reportKey}`,
    query: params,
    onDashboard: true,
    isShared: true,
  };
  const fields = filterFieldsOf(limits, limits.reports.find((key) => key === reportKey) ?? null);
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
            site={asViewer}
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
          <Arriving
            what={t("this report")}
            fallback={<BodySkeleton />}
            content={Answered({ report, place, answering })}
          />
        </Waiting>
      </Filtering>
    </ViewFrame>
  );
}
