import type { Metadata } from "next";
import { type ReactNode, Suspense } from "react";
import { type QueryResult, settle } from "@/app/_dashboard/queries";
import { FilterBar } from "@/components/reports/filter-bar";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { Filtering } from "@/components/reports/filtering";
import { apiCall } from "@/components/reports/pages/api-call";
import { BodySkeleton } from "@/components/reports/pages/body-skeleton";
import { ReportHead } from "@/components/reports/pages/report-head";
import { RefusedNotice } from "@/components/reports/refused-notice";
import type { ReportProps } from "@/components/reports/sheet";
import { Toolbar } from "@/components/reports/toolbar";
import { addressOf, readView, type SearchParams, type View } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import { env } from "@/lib/platform/env";
import { siteTitle } from "@/lib/platform/legible-host";
import { localDay } from "@/lib/platform/time";
import { principalOf, signedInOwner, signedInOwnerOrNull, siteOrNotFound } from "../../../access";
import { creatorsOf } from "../creators";
import { segmentsOf } from "../segments";
import { type AnswerOf, type AnyDefinition, type DefinedKey, definitionOf, inputOf } from "./definitions";

/** Props that Next passes to a report page. */
interface PageProps {
  params: Promise<{ siteId: string }>;
  searchParams: Promise<SearchParams>;
}

/** Data for the body of a report. */
interface Shown<Answer> extends ReportProps<Answer> {
  view: View;
  site: SiteShape;
  query: SearchParams;
}

type Body<Answer> = (shown: Shown<Answer>) => ReactNode;

/** Content above and below the answer, shown also when the query is refused. */
interface Around {
  above?: (query: SearchParams, site: SiteShape) => ReactNode;
  below?: (query: SearchParams, site: SiteShape) => ReactNode;
}

/** Returns the page of a report: title, toolbar, the operation's answer rendered by `body`, and downloads. */
export const reportPage =
  <Key extends DefinedKey>(report: Key, body: Body<AnswerOf<Key>>, around: Around = {}) =>
  (props: PageProps) => <ReportPage {...props} {...{ report, body }} {...around} />;

interface Props<Key extends DefinedKey> extends PageProps, Around {
  report: Key;
  body: Body<AnswerOf<Key>>;
}

async function ReportPage<Key extends DefinedKey>(props: Props<Key>) {
  const { report, body, params, searchParams } = props;
  const { siteId } = await params;
  const query = await searchParams;
  const owner = await signedInOwner();
  const site = await siteOrNotFound(owner, siteId);
  const definition = definitionOf(report) as AnyDefinition;
  const view = readView(query);
  const now = new Date();
  const input = inputOf(definition, site.site_id, view, query);
  const answer = settle(execute(definition.op, { principal: principalOf(owner), input, now }));
  const [segments, firstDay] = await Promise.all([
    segmentsOf(site.site_id, creatorsOf(site.site_id, owner.personId)),
    firstShownDay(site.site_id, now),
  ]);
  const since = firstDay.toString();
  const today = localDay(now, site.timezone).toString();
  return (
    <ViewFrame>
      <Filtering basePath={`/sites/${site.site_id}`} filters={view.filters ?? []} fields={FILTER_FIELDS}>
        <ReportHead
          title={definition.title}
          about={definition.op.about}
          call={apiCall(env().BASE_URL, definition.op.id, input)}
          json={addressOf(`/sites/${site.site_id}/reports/${report}/download`, { ...query, format: "json" })}
          toolbar={<Toolbar {...{ view, site, segments, since, today }} {...definition} />}
        />
        <Waiting className="space-y-4">
          <FilterBar view={view} />
          {props.above?.(query, site)}
          <Boundary what="this report" className="card p-4">
            <Suspense fallback={<BodySkeleton />}>
              <Answered
                answer={answer as Promise<QueryResult<AnswerOf<Key>>>}
                {...{ definition, body, view, site, query }}
              />
            </Suspense>
          </Boundary>
          {props.below?.(query, site)}
        </Waiting>
      </Filtering>
    </ViewFrame>
  );
}

interface AnsweredProps<Answer> extends Pick<Shown<Answer>, "view" | "site" | "query"> {
  definition: AnyDefinition;
  body: Body<Answer>;
  answer: Promise<QueryResult<Answer>>;
}

async function Answered<Answer>({ definition, body, answer: asking, ...rest }: AnsweredProps<Answer>) {
  const answer = await asking;
  if (!answer.ok) {
    return (
      <div className="card p-4">
        <RefusedNotice {...answer} />
      </div>
    );
  }
  const sheets = new Map(definition.sheets(answer.answer).map((sheet) => [sheet.key, sheet]));
  return body({ answer: answer.answer, sheets, ...rest });
}

/** Document title of a report page. */
export const titleOf =
  (key: DefinedKey) =>
  async ({ params }: PageProps): Promise<Metadata> => {
    const owner = await signedInOwnerOrNull();
    const site = owner && (await siteOrNotFound(owner, (await params).siteId));
    return { title: site ? `${definitionOf(key)?.title} · ${siteTitle(site)}` : undefined };
  };
