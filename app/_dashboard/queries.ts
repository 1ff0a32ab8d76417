import { headers } from "next/headers";
import { chartOf } from "@/app/_dashboard/chart-of";
import { inTime } from "@/app/_dashboard/in-time";
import { panelsOf } from "@/app/_dashboard/panels-of";
import { temporaryMessage } from "@/app/_dashboard/temporary";
import type { Chart, PanelsAnswer, QueryResult } from "@/components/reports/answers";
import { hasLists } from "@/components/reports/dashboard-panels";
import type { HiddenTraffic } from "@/components/reports/hidden-traffic";
import { NOT_COMPARED, reportInput, type View } from "@/components/reports/view";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import type { RunQuery } from "@/lib/gateway/execute";
import analyticsExplore from "@/lib/operations/analytics.explore";
import { type Issue, Refusal } from "@/lib/platform/errors";
import { msg, t } from "@/lib/texts/translate";

export type { QueryResult };

/** Who queries which site, and when. */
export interface QueryContext {
  as: RunQuery;
  siteId: number;
  now: Date;
  /** Set for members of the site, whose lists include goals. */
  goals?: true;
  /** Set for readers without an account who see revenue. */
  revenue?: boolean;
}

export interface Answers {
  /** Headline numbers and the chart. */
  chart: Promise<QueryResult<Chart>>;
  /** Lists that are rendered with the page; null if the browser fetches them after the numbers. */
  panels: Promise<QueryResult<PanelsAnswer>> | null;
  /** Queries the traffic that a view of people leaves out; null if the reader may see people only. */
  hidden: (() => Promise<QueryResult<HiddenTraffic[]>>) | null;
  /** Parts that have already arrived, so that they need no skeleton. */
  ready: { numbers: boolean; lists: boolean };
  /** Query time in ms since the epoch. */
  queriedAt: number;
}

/** Queries the data of a dashboard. Headline numbers come first, because lists take ten times as long. */
export async function queryDashboard(context: QueryContext, view: View): Promise<Answers> {
  const chart = settle(chartOf(context, view));
  const opens = await isDocument();
  const panels = opens && hasLists(view.panels) ? chart.then(() => settle(panelsOf(context, view))) : null;
  const [numbers, lists] = await Promise.all([inTime(chart), inTime(Promise.resolve(panels))]);
  const ready = { numbers: numbers !== null, lists: lists !== null };
  const hidden = context.goals ? () => settle(hiddenTraffic(context, view)) : null;
  return { chart, panels, hidden, ready, queriedAt: context.now.getTime() };
}

/** Whether the browser opens the page, rather than changing the view of an open one. */
const isDocument = async (): Promise<boolean> => (await headers()).get("accept")?.includes("text/html") ?? false;

const isHidden = (name: string | null | undefined): name is Exclude<Traffic, "human" | "all"> =>
  name !== "human" && Object.keys(TRAFFIC_CLASSES).includes(`${name}`);

/** Returns the traffic of a view's range that its human visitors leave out, the most frequent class first. @throws Refusal */
async function hiddenTraffic({ as, siteId, now }: QueryContext, view: View): Promise<{ data: HiddenTraffic[] }> {
  const { data } = await as(analyticsExplore, {
    input: {
      ...reportInput(siteId, view),
      ...NOT_COMPARED,
      traffic: "all",
      dimensions: "traffic",
      metrics: "pageviews,events",
    },
    now,
  });
  const hidden = data.rows
    .flatMap(({ values: [name], pageviews, events }) =>
      isHidden(name) ? [{ traffic: name, pageviews: pageviews ?? 0, events: events ?? 0 }] : [],
    )
    .filter(({ pageviews, events }) => pageviews + events > 0);
  return { data: hidden };
}

/** Converts a thrown Refusal into a result that a page can show. Other errors are rethrown. */
export async function settle<T>(answering: Promise<{ data: T }>): Promise<QueryResult<T>> {
  try {
    return { ok: true, answer: (await answering).data };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const progress = error.details?.progress;
    if (typeof progress === "number") return { ok: false, message: messageOf(error), progress };
    const temporary = temporaryMessage(error);
    return temporary ? { ok: false, message: temporary, temporary: true } : { ok: false, message: messageOf(error) };
  }
}

const FIELDS: Record<string, string> = {
  from: msg("The first day"),
  to: msg("The last day"),
  compare_from: msg("The first day to compare with"),
  compare_to: msg("The last day to compare with"),
  interval: msg("The interval"),
};

function messageOf(refusal: Refusal): string {
  const issue = (refusal.details?.issues as Issue[] | undefined)?.[0];
  const noSegment = refusal.code === "not_found" && /^The site has no segment/.test(refusal.message);
  if (issue?.path === "segment" || noSegment) return t("This segment does not exist or was deleted.");
  if (issue?.path.startsWith("filters")) return filterProblem(issue);
  const field = issue && FIELDS[issue.path];
  return field ? t("{field} {problem}.", { field: t(field), problem: t(issue.message) }) : t(refusal.message);
}

/** Describes a problem of filters in a URL that was written by hand or by an older version. */
function filterProblem({ path, message }: Issue): string {
  const what = path.slice("filters.".length);
  // Drops the list of alternatives, which is for agents; people get it in the filter dialog.
  if (what) return t("The filter “{filter}” {problem}.", { filter: what, problem: t(message.split(";")[0] ?? "") });
  return message.startsWith("must be ")
    ? t("The filters in this URL are invalid.")
    : t("This URL {problem}.", { problem: t(message) });
}
