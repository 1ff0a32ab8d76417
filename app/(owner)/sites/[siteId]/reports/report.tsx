import type { Metadata } from "next";
import { type ReactNode, Suspense } from "react";
import { type Asked, settle } from "@/app/_dashboard/ask";
import { FilterBar } from "@/components/reports/filter-bar";
import { FILTER_FIELDS } from "@/components/reports/filter-fields";
import { Filtering } from "@/components/reports/filtering";
import { apiCall } from "@/components/reports/pages/api-call";
import { BodySkeleton } from "@/components/reports/pages/body-skeleton";
import { ReportHead } from "@/components/reports/pages/report-head";
import { RefusedNotice } from "@/components/reports/refused-notice";
import type { Sheet } from "@/components/reports/sheet";
import { Toolbar } from "@/components/reports/toolbar";
import { addressOf, readView, type SearchParams, type View } from "@/components/reports/view";
import { ViewFrame, Waiting } from "@/components/reports/view-frame";
import { Boundary } from "@/components/ui/boundary";
import { firstShownDay } from "@/lib/analytics/query/first-day";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import { env } from "@/lib/platform/env";
import { localDay } from "@/lib/platform/time";
import { makersOf } from "@/lib/sites/saved/makers";
import { principalOf, siteOrNotFound, thisOwner, thisOwnerOrNobody } from "../../../access";
import { segmentsOf } from "../segments";
import { type AnswerOf, type AnyDefinition, type DefinedKey, definitionOf, inputOf } from "./definitions";

/** What Next gives to the page of a report. */
export interface PageProps {
  params: Promise<{ siteId: string }>;
  searchParams: Promise<SearchParams>;
}

/** What the body of a report is given. */
interface Shown<Answer> {
  answer: Answer;
  /** The answer's tables by their keys. */
  sheets: Map<string, Sheet>;
  view: View;
  site: SiteShape;
  asked: SearchParams;
}

type Body<Answer> = (shown: Shown<Answer>) => ReactNode;

interface Props<Key extends DefinedKey> extends PageProps {
  report: Key;
  body: Body<AnswerOf<Key>>;
  /** What stands above the answer and below it, also when it is refused: what else to ask for. */
  above?: (asked: SearchParams, site: SiteShape) => ReactNode;
  below?: (asked: SearchParams, site: SiteShape) => ReactNode;
}

/** The page of a report: what it tells, which days, the operation's answer by `body`, and the ways to take it along. */
export async function ReportPage<Key extends DefinedKey>(props: Props<Key>) {
  const { report, body, params, searchParams } = props;
  const { siteId } = await params;
  const asked = await searchParams;
  const owner = await thisOwner(addressOf(`/sites/${encodeURIComponent(siteId)}/reports/${report}`, asked));
  const site = await siteOrNotFound(owner, siteId);
  const definition = definitionOf(report) as AnyDefinition;
  const view = readView(asked);
  const now = new Date();
  const input = inputOf(definition, site.site_id, view, asked);
  const answer = settle(execute(definition.op, { principal: principalOf(owner), input, now }));
  const [segments, firstDay] = await Promise.all([
    segmentsOf(site.site_id, makersOf(site.site_id, owner.personId)),
    firstShownDay(site.site_id, now),
  ]);
  const since = firstDay.toString();
  const today = localDay(now, site.timezone).toString();
  return (
    <ViewFrame>
      <Filtering at={`/sites/${site.site_id}`} filters={view.filters ?? []} fields={FILTER_FIELDS}>
        <ReportHead
          title={definition.title}
          about={definition.op.about}
          call={apiCall(env().BASE_URL, definition.op.id, input)}
          json={addressOf(`/sites/${site.site_id}/reports/${report}/download`, { ...asked, format: "json" })}
          toolbar={<Toolbar {...{ view, site, segments, since, today }} {...definition} />}
        />
        <Waiting className="space-y-4">
          <FilterBar view={view} />
          {props.above?.(asked, site)}
          <Boundary what="this report" className="card p-4">
            <Suspense fallback={<BodySkeleton />}>
              <Answered answer={answer as Promise<Asked<AnswerOf<Key>>>} {...{ definition, body, view, site, asked }} />
            </Suspense>
          </Boundary>
          {props.below?.(asked, site)}
        </Waiting>
      </Filtering>
    </ViewFrame>
  );
}

interface AnsweredProps<Answer> extends Pick<Shown<Answer>, "view" | "site" | "asked"> {
  definition: AnyDefinition;
  body: Body<Answer>;
  answer: Promise<Asked<Answer>>;
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

/** What a report's page is called in the browser. */
export const titleOf =
  (key: DefinedKey) =>
  async ({ params }: PageProps): Promise<Metadata> => {
    const owner = await thisOwnerOrNobody();
    const site = owner && (await siteOrNotFound(owner, (await params).siteId));
    return { title: site ? `${definitionOf(key)?.title} · ${site.name || site.domain}` : undefined };
  };
