import type { ListRow } from "@/components/reports/answers";
import { NOT_COMPARED, reportInput, type View } from "@/components/reports/view";
import type { Outcome } from "@/lib/contract/vocabulary";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsOverview from "@/lib/operations/analytics.overview";
import type { QueryContext } from "./queries";

/** What visits led to, as each row of a dashboard shows it. */
const IN_ROWS = ["conversions", "conversion_rate", "conversion_value", "revenue"] as const satisfies readonly Outcome[];
type InRow = (typeof IN_ROWS)[number];

/** Of outcomes, those that rows show. */
export const shownIn = (known: Partial<Record<Outcome, unknown>>): InRow[] =>
  IN_ROWS.filter((outcome) => known[outcome] !== undefined);

/** What the rows of a view show: conversions of the chosen goal for members, and revenue where the site has sales. */
export async function outcomesShown(context: QueryContext, view: View): Promise<InRow[]> {
  const { as, siteId, now, goals, revenue } = context;
  if (!goals && !revenue) return [];
  if (!goals) {
    // A link may show neither the chart nor today.
    const input = { ...reportInput(siteId, view), ...NOT_COMPARED };
    return shownIn((await as(analyticsOverview, { input, now })).data.metrics);
  }
  // It is the same for all ranges and filters, so the shortest range is asked for.
  const { goal, attribution } = view;
  const { data } = await as(analyticsChart, {
    input: { site_id: siteId, period: "today", ...NOT_COMPARED, goal, attribution },
    now,
  });
  return shownIn(data.metrics);
}

/** The part of a question to analytics.explore that asks for some metrics, and for outcomes as the view attributes them. */
export const measured = (metrics: readonly string[], outcomes: readonly Outcome[], { goal, attribution }: View) => ({
  metrics: [...metrics, ...outcomes].join(","),
  ...(outcomes.length > 0 && { goal, attribution }),
});

/** What the visits of a row led to, where it is known. */
export const outcomesOf = (row: Pick<ListRow, InRow>): Pick<ListRow, InRow> =>
  Object.fromEntries(shownIn(row).map((outcome) => [outcome, row[outcome]]));
