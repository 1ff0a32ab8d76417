import type { QueryContext } from "@/app/_dashboard/queries";
import type { Filter } from "@/components/reports/filters";
import type { View } from "@/components/reports/view";
import analyticsFilterOptions from "@/lib/operations/analytics.filter_options";
import { Refusal } from "@/lib/platform/errors";

type Range = Partial<Pick<View, "period" | "from" | "to">>;

/** Days that have most products, also those of which the days of the view have no event. */
const LAST_YEAR: Range = { period: "12mo" };
/** The operators whose values are whole ids. */
const WHOLE: readonly string[] = ["is", "is_not"];

/** Returns the view, whose filters by products have their names. */
export async function namedView(context: QueryContext, view: View): Promise<View> {
  const { period, from, to } = view;
  return view.filters
    ? { ...view, filters: await namedFilters(context, view.filters, [{ period, from, to }, LAST_YEAR]) }
    : view;
}

/** Returns filters of which those by products have the names of these. @param ranges where to look, one after the other */
export const namedFilters = (
  context: QueryContext,
  filters: readonly Filter[],
  ranges: readonly Range[] = [LAST_YEAR],
): Promise<Filter[]> =>
  Promise.all(
    filters.map(async (filter) => {
      if (filter.key !== "product" || !WHOLE.includes(filter.operator)) return filter;
      const ids = filter.values.filter((id) => id !== "");
      const names = await Promise.all(ids.map((id) => nameOf(context, id, ranges)));
      const known = ids.flatMap((id, index) => (names[index] ? [[id, names[index]] as const] : []));
      return { ...filter, names: new Map(known) };
    }),
  );

/** Returns the name of a product; null if its events have none, or they cannot be read now. */
async function nameOf({ as, siteId, now }: QueryContext, id: string, ranges: readonly Range[]): Promise<string | null> {
  for (const range of ranges) {
    // The events with the product have no other one more often, so it is among the first.
    const input = {
      site_id: siteId,
      ...range,
      traffic: "all",
      field: "product",
      q: id,
      filters: { product: id },
    } as const;
    try {
      const { data } = await as(analyticsFilterOptions, { input, now });
      const found = data.options.find(({ value }) => value === id);
      if (found) return found.name ?? null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return null;
    }
  }
  return null;
}
