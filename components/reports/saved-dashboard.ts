import { writePanels } from "@/components/reports/dashboard-panels";
import { type Filter, namedBy, sentOf, tidy, writeFilters } from "@/components/reports/filters";
import { readView, type SearchParams, type View } from "@/components/reports/view";
import type { Patch } from "@/components/reports/view-frame";
import { LONGEST_PATTERN } from "@/lib/analytics/query/conditions";

/** A view as a saved dashboard stores it; a segment is stored as its filters. */
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
  /** Null once the goal is deleted. */
  goal: string | null;
  attribution: string | null;
}

/** A question of Explore as a saved dashboard stores it, and as its search parameters name it. */
export type Question = Record<"metrics" | "dimensions" | "sort" | "chart", string | null>;

/** Reads the question of Explore from search parameters. */
export function questionOf(params: SearchParams): Question {
  const text = (key: string) => (typeof params[key] === "string" ? params[key] || null : null);
  const chart = text("chart");
  return {
    metrics: text("metrics"),
    dimensions: text("dimensions"),
    sort: text("sort"),
    chart: chart === "line" || chart === "stacked" ? chart : null,
  };
}

/** Returns all search parameters of a question; of none, those that open none. */
export const questionPatch = (question: Question | null): Patch => ({
  metrics: question?.metrics ?? null,
  dimensions: question?.dimensions ?? null,
  sort: question?.sort ?? null,
  chart: question?.chart === "bars" ? null : (question?.chart ?? null),
  page: null,
});

function isSameQuestion(one: Question | null, other: Question | null): boolean {
  const [some, others] = [questionPatch(one), questionPatch(other)];
  return Object.keys(some).every((key) => some[key] === others[key]);
}

/** Returns what to store of a view with these filters. */
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
  goal: view.goal,
  attribution: view.attribution,
});

/** Returns the stored view, as reports read it: without a stored comparison nothing is compared. */
export const viewOf = ({ filters, panels, ...stored }: Stored): View =>
  readView({
    ...Object.fromEntries(Object.entries(stored).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    filters: JSON.stringify(filters),
    compare: stored.compare ?? (stored.compare_from ? "previous_period" : "none"),
    panels: panels.join(","),
  });

/** Returns all search parameters of a view, so that a link to a saved dashboard does not change with it. */
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
  goal: view.goal,
  attribution: view.attribution,
  segment: null,
  interval: null,
});

/** Returns whether two views are equal, regardless of the order of their filters. */
export const isSameView = (one: View, other: View): boolean => serialise(one) === serialise(other);

/** What is open, or what a saved dashboard opens. */
export interface Opened {
  view: View;
  /** Null for a dashboard of panels. */
  question: Question | null;
}

/** Returns whether two are the same question of the same view. */
export const isSameSaved = (one: Opened, other: Opened): boolean =>
  isSameView(one.view, other.view) && isSameQuestion(one.question, other.question);

function serialise(view: View): string {
  const filters = (view.filters ?? []).map(({ key, operator, values }) => `${key} ${operator} ${[...values].sort()}`);
  return JSON.stringify([patchOf({ ...view, filters: [] }, null), view.segment, filters.sort()]);
}

/** Operators whose values are AND-ed, so that two filters can be merged. */
const ANDED = ["is_not", "not_contains"];

/** Joins two sets of filters; null if they conflict, because a dimension has one filter per operator. */
export function joinFilters(some: readonly Filter[], others: readonly Filter[]): Filter[] | null {
  const conflicts = others.some(({ key, operator, values }) =>
    some.some(
      (one) =>
        one.key === key && one.operator === operator && !ANDED.includes(operator) && `${one.values}` !== `${values}`,
    ),
  );
  return conflicts ? null : tidy([...some, ...others]);
}

/** Converts the value of an operator to a regular expression. @param value escaped */
const AS_PATTERN: Readonly<Record<string, (value: string) => string>> = {
  is: (value) => `^${value}$`,
  starts_with: (value) => `^${value}`,
  contains: (value) => value,
};

/** Returns an equivalent `matches` filter; null if there is none. */
function asPattern({ key, operator, values }: Filter): Filter | null {
  const pattern = namedBy(key).kind === "goal" ? undefined : AS_PATTERN[operator];
  if (!pattern) return null;
  const any = values.map((value) => pattern(value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))).join("|");
  return any.length <= LONGEST_PATTERN ? { key, operator: "matches", values: [any] } : null;
}

/**
 * Joins two sets of filters with AND. If both filter a dimension by the same operator, the first filter is converted to
 * a pattern. Returns null if that is not possible.
 */
export const combineFilters = (some: readonly Filter[], others: readonly Filter[]): Filter[] | null =>
  some.reduceRight<Filter[] | null>((all, one) => {
    const pattern = asPattern(one);
    return all && (joinFilters([one], all) ?? (pattern && joinFilters([pattern], all)));
  }, tidy(others));
