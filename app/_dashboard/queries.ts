import { setTimeout } from "node:timers/promises";
import { headers } from "next/headers";
import { chartOf } from "@/app/_dashboard/chart-of";
import { panelsOf } from "@/app/_dashboard/panels-of";
import type { Chart, PanelsAnswer, QueryResult } from "@/components/reports/answers";
import { hasLists } from "@/components/reports/dashboard-panels";
import type { View } from "@/components/reports/view";
import type { RunQuery } from "@/lib/gateway/execute";
import { type Issue, Refusal } from "@/lib/platform/errors";

export type { QueryResult };

/** Who asks about which site, and when. */
export interface QueryContext {
  as: RunQuery;
  siteId: number;
  now: Date;
  /** Who asks is of the site: its goals stand among the lists. The public is shown none. */
  goals?: true;
}

export interface Answers {
  /** Headline numbers and the chart. */
  chart: Promise<QueryResult<Chart>>;
  /** The lists, where they come with the page; null where the browser asks for them once it shows the numbers. */
  panels: Promise<QueryResult<PanelsAnswer>> | null;
  /** What is there already, so that nothing needs to hold its place. */
  there: { numbers: boolean; lists: boolean };
  /** When all this was asked, in milliseconds. */
  at: number;
}

/** Asks what the dashboard shows, the headline numbers first: lists take ten times as long, and would keep them waiting. */
export async function ask(asking: QueryContext, view: View): Promise<Answers> {
  const chart = settle(chartOf(asking, view));
  const opens = await isDocument();
  const panels = opens && hasLists(view.panels) ? chart.then(() => settle(panelsOf(asking, view))) : null;
  const there = { numbers: false, lists: panels === null };
  // What failed counts as on its way: only where its place is held does React send the rest of the page without it.
  const numbers = chart.then(
    () => {
      there.numbers = true;
    },
    () => {},
  );
  const lists = Promise.resolve(panels).then(
    () => {
      there.lists = true;
    },
    () => {},
  );
  await Promise.race([Promise.all([numbers, lists]), setTimeout(IN_ONE_PIECE_MS, null, { ref: false })]);
  return { chart, panels, there: { ...there }, at: asking.now.getTime() };
}

/**
 * So long a page waits to be sent as a whole. What comes piece by piece is drawn with each, beside the work on the next, and
 * laid out anew; in a page that is open it is shown with the last anyway.
 */
const IN_ONE_PIECE_MS = 400;

/** Whether the browser opens the page, and does not ask for another view of one that it has open. */
const isDocument = async (): Promise<boolean> => (await headers()).get("accept")?.includes("text/html") ?? false;

/** Lets a page go on with the sentence of a refusal. */
export async function settle<T>(asked: Promise<{ data: T }>): Promise<QueryResult<T>> {
  try {
    return { ok: true, answer: (await asked).data };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const progress = error.details?.progress;
    return { ok: false, message: sentenceOf(error), ...(typeof progress === "number" && { progress }) };
  }
}

const FIELDS: Record<string, string> = {
  from: "The first day",
  to: "The last day",
  compare_from: "The first day to compare with",
  compare_to: "The last day to compare with",
  interval: "The interval",
};

function sentenceOf(refusal: Refusal): string {
  const issue = (refusal.details?.issues as Issue[] | undefined)?.[0];
  const noSegment = refusal.code === "not_found" && refusal.message.startsWith("The site has no segment");
  if (issue?.path === "segment" || noSegment) return "The site has no such segment (any more).";
  if (issue?.path.startsWith("filters")) return filterProblem(issue);
  const field = issue && FIELDS[issue.path];
  return field ? `${field} ${issue.message}.` : refusal.message;
}

/** What is wrong with the filters of an address that somebody wrote by hand, or that an older version made. */
function filterProblem({ path, message }: Issue): string {
  const what = path.slice("filters.".length);
  // Agents are told what there is instead; here a dialog offers it.
  if (what) return `The filter “${what}” ${message.split(";")[0]}.`;
  return message.startsWith("must be ") ? "The filters in this address cannot be read." : `This address ${message}.`;
}
