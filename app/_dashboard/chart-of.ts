import type { Chart } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput, type View } from "@/components/reports/view";
import analyticsChart from "@/lib/operations/analytics.chart";
import type { QueryContext } from "./queries";

/** Headline numbers and chart of a view. @throws Refusal */
export const chartOf = ({ as, siteId, now }: QueryContext, view: View): Promise<{ data: Chart }> =>
  as(analyticsChart, {
    input: { ...reportInput(siteId, view), interval: view.interval, goal: view.goal, attribution: view.attribution },
    now,
  });

/** The same for the view of a URL, with the query time in ms since the epoch. @throws Refusal */
export async function chartFromQuery(
  context: QueryContext,
  searchParams: URLSearchParams,
): Promise<{ at: number; chart: Chart }> {
  return { at: context.now.getTime(), chart: (await chartOf(context, readView(paramsOf(searchParams)))).data };
}
