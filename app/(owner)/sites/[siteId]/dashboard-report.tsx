import Link from "next/link";
import { settle } from "@/app/_dashboard/queries";
import { ask, principalOf } from "@/app/(owner)/access";
import type { Place } from "@/components/reports/definition";
import { ReportAt } from "@/components/reports/report-path";
import type { View } from "@/components/reports/view";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { type PanelReport, REPORTS } from "@/lib/contract/reports";
import { execute } from "@/lib/gateway/execute";
import { Fault } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";
import { creatorsOf } from "./creators";
import { Answered } from "./reports/answered";
import { inputOf, reportAt } from "./reports/registry";

/** Runs a task when the concurrency limit allows it. */
export type Schedule = <T>(task: () => Promise<T>) => Promise<T>;

interface Props {
  panel: PanelReport;
  owner: Owner;
  site: SiteShape;
  view: View;
  now: Date;
  schedule: Schedule;
}

/** A whole report as a dashboard panel. Its links and downloads are those of the report's own page. */
export async function DashboardReport({ panel, owner, site, view, now, schedule }: Props) {
  const report = await reportAt(panel);
  if (!report) throw new Fault(`There is no report ${panel}`);
  const input = inputOf(report, site.site_id, view, view.attribution ? { attribution: view.attribution } : {});
  const answering = schedule(() => settle(execute(report.op, { principal: principalOf(owner), input, now })));
  const path = `/sites/${site.site_id}/reports/${panel}`;
  const place: Place = {
    site,
    read: (op, input) => ask(op, owner, input),
    creators: () => creatorsOf(site.site_id, owner.personId),
    path,
    query: {},
    onDashboard: true,
  };
  return (
    <section aria-label={t(REPORTS[panel].name)} className="space-y-4">
      <h2 className="px-1 pt-2 text-lg font-semibold">
        <Link href={path} prefetch={false} className="hover:underline">
          {t(REPORTS[panel].name)}
        </Link>
      </h2>
      <ReportAt path={path}>
        <Answered report={report} place={place} answering={answering} />
      </ReportAt>
    </section>
  );
}
