import { writePanels } from "@/components/reports/dashboard-panels";
import { type Filter, namedBy, sentOf, tidy, writeFilters } from "@/components/reports/filters";
import { readView, type View } from "@/components/reports/view";
import type { Patch } from "@/components/reports/view-frame";
import { LONGEST_PATTERN } from "@/lib/analytics/query/conditions";

/** What a saved dashboard keeps of a view; a segment is kept as its filters. */
export interface Stored {
  filters: unknown;
  period: string | null;
  from: string | null;
  to: string | null;
  traffic: string | null;
  compare: string | null;
  /** Days of the reader's own to compare with; both or none. */
  compare_from: string | null;
  compare_to: string | null;
  panels: string[];
}

/** What is stored of a view that is narrowed to these filters. */
export const storedOf = (view: View, filters: readonly Filter[]) => ({
  filters: sentOf(filters) ?? {},
  period: view.period,
  from: view.from,
  to: view.to,
  traffic: view.traffic,
  compare: view.compare,
  compare_from: view.compare_from,
  compare_to: view.compare_to,
  panels: view.panels,
});

/** The view that was stored, as reports understand it too: what is silent there is not compared. */
export const viewOf = ({ filters, panels, ...stored }: Stored): View =>
  readView({
    ...Object.fromEntries(Object.entries(stored).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    filters: JSON.stringify(filters),
    compare: stored.compare ?? (stored.compare_from ? "previous_period" : "none"),
    panels: panels.join(","),
  });

/** All that an address says of a view, so that a link to a saved one shows the same for ever. */
export const patchOf = (view: View, id: string | null): Patch => ({
  dashboard: null,
  opened: id,
  period: view.period === "custom" ? null : view.period,
  from: view.from,
  to: view.to,
  traffic: view.traffic === "human" ? null : view.traffic,
  compare: view.compare,
  compare_from: view.compare_from,
  compare_to: view.compare_to,
  filters: writeFilters(view.filters ?? []),
  panels: writePanels(view.panels),
  segment: null,
  interval: null,
});

/** Whether two views show the same, in whatever order their filters stand. */
export const isSameView = (one: View, other: View): boolean => inWords(one) === inWords(other);

function inWords(view: View): string {
  const filters = (view.filters ?? []).map(({ key, operator, values }) => `${key} ${operator} ${[...values].sort()}`);
  return JSON.stringify([patchOf({ ...view, filters: [] }, null), view.segment, filters.sort()]);
}

/** Where several conditions of one operator hold together as one. */
const TOGETHER = ["is_not", "not_contains"];

/** Both sets of filters as one that says the same; null where one dimension would be asked for two things at once. */
export function joined(some: readonly Filter[], others: readonly Filter[]): Filter[] | null {
  const clash = others.some(({ key, operator, values }) =>
    some.some(
      (one) =>
        one.key === key && one.operator === operator && !TOGETHER.includes(operator) && `${one.values}` !== `${values}`,
    ),
  );
  return clash ? null : tidy([...some, ...others]);
}

/** Patterns that say the same as an operator, of a value without any meaning in patterns. */
const AS_PATTERN: Readonly<Record<string, (value: string) => string>> = {
  is: (value) => `^${value}$`,
  starts_with: (value) => `^${value}`,
  contains: (value) => value,
};

/** The same as one pattern; null where no pattern says it. */
function asPattern({ key, operator, values }: Filter): Filter | null {
  const pattern = namedBy(key).kind === "goal" ? undefined : AS_PATTERN[operator];
  if (!pattern) return null;
  const any = values.map((value) => pattern(value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))).join("|");
  return any.length <= LONGEST_PATTERN ? { key, operator: "matches", values: [any] } : null;
}

/**
 * What meets both sets of filters. Where both ask for something else of one dimension by the same operator, the first's
 * is said by a pattern; null where that cannot be.
 */
export const narrowedBy = (some: readonly Filter[], others: readonly Filter[]): Filter[] | null =>
  some.reduceRight<Filter[] | null>((all, one) => {
    const pattern = asPattern(one);
    return all && (joined([one], all) ?? (pattern && joined([pattern], all)));
  }, tidy(others));
