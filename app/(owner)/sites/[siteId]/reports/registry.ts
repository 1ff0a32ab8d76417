import type { Report } from "@/components/reports/definition";
import type { ReportProps } from "@/components/reports/sheet";
import { NOT_COMPARED, reportInput, type SearchParams, type View } from "@/components/reports/view";
import { decodeQuery } from "@/lib/api/decode";
import { reportFields } from "@/lib/contract/fields";
import { REPORT_TEXTS } from "@/lib/contract/report-texts";
import { REPORTS, type ReportKey } from "@/lib/contract/reports";

/** Returns the report with this key; null if there is none. Each report is in its own folder of `components/reports`. */
export async function reportAt(key: string): Promise<Report | null> {
  // One funnel is a page of the report of all.
  const listed = key === "funnel" ? "funnels" : key;
  if (!isListed(listed)) return null;
  return {
    title: REPORTS[listed].name,
    about: REPORT_TEXTS[listed].about,
    ...(await import(`@/components/reports/${key}/report`)).default,
  };
}

const isListed = (key: string): key is ReportKey => Object.hasOwn(REPORTS, key);

/** Returns the tables of an answer by key. */
export const sheetsByKey = (report: Report, answer: unknown): ReportProps<unknown>["sheets"] =>
  new Map(report.sheets(answer).map((sheet) => [sheet.key, sheet]));

/** Returns the input of the report's operation from a URL: the view, and the operation's own parameters. */
export function inputOf(report: Report, siteId: number, view: View, query: SearchParams) {
  const { op, alone, ownTraffic, compared } = report;
  const ownFields = Object.keys(op.input.shape).filter((key) => !(key in reportFields) && key !== "goal");
  const pairs = ownFields.flatMap((key) => (typeof query[key] === "string" ? [[key, query[key]]] : []));
  return {
    ...reportInput(siteId, view),
    ...(alone ? NOT_COMPARED : {}),
    ...(ownTraffic ? { traffic: null } : {}),
    ...(compared && view.compare === "none" ? { compare: "previous_period" } : {}),
    ...decodeQuery(op, new URLSearchParams(pairs)),
    ...goalInput(report, view.goal, query),
  };
}

/** Whether its toolbar has the choice of a goal. */
export const choosesGoal = ({ op, ownGoal }: Report): boolean => "goal" in op.input.shape && !ownGoal;

/** Returns the goal that an input of a report asks about. */
export const askedGoal = (input: object): string | null => ("goal" in input ? String(input.goal) : null);

/** The goal follows its reader to every report, also to those whose question has none. */
function goalInput({ op, withGoal }: Report, goal: string | null, query: SearchParams): Record<string, unknown> {
  if (goal === null || !("goal" in op.input.shape)) return {};
  return withGoal ? withGoal(goal, query) : { goal };
}
