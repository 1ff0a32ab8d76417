import { IN_ROWS, type InRow, type ListRow, outcomesInRow } from "@/components/reports/answers";
import { NOT_COMPARED, reportInput, type View } from "@/components/reports/view";
import type { Outcome } from "@/lib/contract/vocabulary";
import analyticsChart from "@/lib/operations/analytics.chart";
import analyticsOverview from "@/lib/operations/analytics.overview";
import { Refusal } from "@/lib/platform/errors";
import type { QueryContext } from "./queries";

/**
 * What the rows of a view show: conversions of the chosen goal for members, and revenue where the site has sales.
 *
 * @param known the outcomes that the page shows already, separated by commas; null if it does not say
 * @throws Refusal `invalid_input`
 */
export async function outcomesShown(context: QueryContext, view: View, known: string | null): Promise<InRow[]> {
  const { as, siteId, now, goals, revenue } = context;
  if (!goals && !revenue) return [];
  if (known !== null) return outcomesNamed(known).filter((outcome) => goals || outcome === "revenue");
  if (!goals) {
    // A link may show neither the chart nor today.
    const input = { ...reportInput(siteId, view), ...NOT_COMPARED };
    return outcomesInRow((await as(analyticsOverview, { input, now })).data.metrics);
  }
  // It is the same for all ranges and filters, so the shortest range is asked for.
  const { goal, attribution } = view;
  const { data } = await as(analyticsChart, {
    input: { site_id: siteId, period: "today", ...NOT_COMPARED, goal, attribution },
    now,
  });
  return outcomesInRow(data.metrics);
}

function outcomesNamed(text: string): InRow[] {
  const names = text.split(",").filter((name) => name !== "");
  if (!names.every((name) => IN_ROWS.some((outcome) => outcome === name))) {
    throw new Refusal("invalid_input", `outcomes must be some of ${IN_ROWS.join(", ")}; remove it.`);
  }
  return IN_ROWS.filter((outcome) => names.includes(outcome));
}

/** The part of a question to analytics.explore that asks for some metrics, and for outcomes as the view attributes them. */
export const measured = (metrics: readonly string[], outcomes: readonly Outcome[], { goal, attribution }: View) => ({
  metrics: [...metrics, ...outcomes].join(","),
  ...(outcomes.length > 0 && { goal, attribution }),
});

/** What the visits of a row led to, where it is known. */
export const outcomesOfRow = (row: Pick<ListRow, InRow>): Pick<ListRow, InRow> =>
  Object.fromEntries(outcomesInRow(row).map((outcome) => [outcome, row[outcome]]));
