import type { Chart } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput, type View } from "@/components/reports/view";
import analyticsChart from "@/lib/operations/analytics.chart";
import type { QueryContext } from "./queries";

/** The headline numbers and the chart of a view. @throws Refusal */
export const chartOf = ({ as, siteId, now }: QueryContext, view: View): Promise<{ data: Chart }> =>
  as(analyticsChart, { input: { ...reportInput(siteId, view), interval: view.interval }, now });

/** The same of the view that an address says, and when they were read, in milliseconds. @throws Refusal */
export async function chartFromQuery(
  asking: QueryContext,
  address: URLSearchParams,
): Promise<{ at: number; chart: Chart }> {
  return { at: asking.now.getTime(), chart: (await chartOf(asking, readView(paramsOf(address)))).data };
}
