import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Arriving } from "@/app/_dashboard/arriving";
import { namedView } from "@/app/_dashboard/named-filters";
import { settle } from "@/app/_dashboard/queries";
import { ask, principalOf, signedInOwner, signedInOwnerOrNull, siteOrNotFound } from "@/app/(owner)/access";
import type { Place } from "@/components/reports/definition";
import { ExportMenu } from "@/components/reports/export-menu";
import { FilterBar } from "@/components/reports/filter-bar";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { Filtering } from "@/components/reports/filtering";
import { apiCall } from "@/components/reports/parts/api-call";
import { BodySkeleton } from "@/components/reports/parts/body-skeleton";
import { shareOf } from "@/components/reports/share-of";
import { ShareView } from "@/components/reports/share-view";
import { Toolbar } from "@/components/reports/toolbar";
import { addressOf, readView, type SearchParams } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { Whole } from "@/components/ui/whole";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import { execute, queryAs } from "@/lib/gateway/execute";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import { env } from "@/lib/platform/env";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";
import { creatorsOf } from "../../creators";
import { segmentsOf } from "../../segments";
import { Answered } from "../answered";
import { askedGoal, choosesGoal, inputOf, reportAt } from "../registry";
import { QuestionsOfSite } from "../saved-questions";

interface Props {
  params: Promise<{ siteId: string; report: string }>;
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { siteId, report: key } = await params;
  const owner = await signedInOwnerOrNull();
  const site = owner && (await siteOrNotFound(owner, siteId));
  const report = await reportAt(key);
  return { title: site && report ? `${t(report.title)} · ${siteTitle(site)}` : undefined };
}

/** A report: title, toolbar, the operation's answer, and downloads. */
export default async function ReportPage({ params, searchParams }: Props) {
  const { siteId, report: key } = await params;
  const query = await searchParams;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  const report = (await reportAt(key)) ?? notFound();
  const asked = readView(query);
  const now = new Date();
  const input = inputOf(report, site.site_id, asked, query);
  const answer = settle(execute(report.op, { principal: principalOf(owner), input, now }));
  const context = { as: queryAs(principalOf(owner)), siteId: site.site_id, now };
  const creatorOf = creatorsOf(site.site_id, owner.personId);
  const [view, segments, firstDay, goals] = await Promise.all([
    namedView(context, asked),
    segmentsOf(owner, context, creatorOf),
    firstShownDay(site.site_id, now),
    choosesGoal(report) ? ask(sitesGoalsList, owner, { site_id: site.site_id }) : null,
  ]);
  const bounds = { since: firstDay.toString(), today: localDay(now, site.timezone).toString() };
  const share = shareOf({ site, view, query, segments, report: key, goal: askedGoal(input), ...bounds });
  const home = `/sites/${site.site_id}`;
  const path = `${home}/reports/${key}`;
  const read: Place["read"] = (op, input) => ask(op, owner, input);
  const place: Place = { site, read, creators: () => creatorOf, path, query, onDashboard: false };
  return (
    <ViewFrame>
      <Filtering basePath={home} filters={view.filters ?? []} fields={FILTER_FIELDS}>
        <ReportHead
          title={t(report.title)}
          about={t(report.about)}
          saving={
            <>
              {key === "explore" && (
                <QuestionsOfSite {...{ owner, context, site, view, query, segments }} creators={creatorOf} />
              )}
              {share && <ShareView {...share} />}
              <ExportMenu
                call={apiCall(env().BASE_URL, report.op.id, input)}
                pdf={addressOf(`${path}/download`, { ...query, format: "pdf" })}
                json={addressOf(`${path}/download`, { ...query, format: "json" })}
              />
            </>
          }
          toolbar={
            <Toolbar
              view={view}
              site={site}
              segments={segments}
              {...bounds}
              goals={goals?.goals.map(({ name }) => name)}
              goalResets={report.goalResets}
              alone={report.alone}
              ownTraffic={report.ownTraffic}
              now={report.now}
            />
          }
        />
        <Waiting className="space-y-4">
          <FilterBar view={view} />
          <Boundary what={t("a part of this report")}>{report.above?.(place)}</Boundary>
          <Arriving
            what={t("this report")}
            fallback={<BodySkeleton />}
            content={Answered({ report, place, answering: answer })}
          />
          <Boundary what={t("a part of this report")}>{report.below?.(place)}</Boundary>
        </Waiting>
      </Filtering>
    </ViewFrame>
  );
}

interface ReportHeadProps {
  title: string;
  /** What the report answers, in a sentence. */
  about: string;
  /** What it can be shared and saved as. */
  saving: ReactNode;
  toolbar: ReactNode;
}

/** Header of a report: title, description, toolbar and the menu of exports. */
function ReportHead({ title, about, saving, toolbar }: ReportHeadProps) {
  return (
    // On narrow screens the description is below the title, although it follows the toolbar in tab order.
    <div className="mb-4 flex flex-col gap-x-6 gap-y-2 lg:grid lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center lg:gap-y-4.5">
      <h1 className="min-w-0 text-xl font-semibold">{title}</h1>
      <Whole className="max-lg:order-1 lg:justify-self-end">{toolbar}</Whole>
      <p className="min-w-0 max-w-[44rem] self-start text-sm text-muted max-lg:mb-1">{about}</p>
      <Whole className="flex gap-2 max-lg:order-2 max-lg:mt-2.5 lg:justify-end lg:self-start print:hidden">
        {saving}
      </Whole>
    </div>
  );
}
