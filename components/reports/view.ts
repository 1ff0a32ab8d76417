import { z } from "zod";
import { readPanels } from "@/components/reports/dashboard-panels";
import { type Filter, filtersOfQuery, type SearchParams, sentOf } from "@/components/reports/filters";
import { COMPARISONS, type Comparison, chosenGoal, INTERVALS, type Interval, type Period } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";
import { DAY_MS } from "@/lib/platform/durations";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

/** The view of a dashboard, as in its URL. */
export interface View {
  period: Period;
  from: string | null;
  to: string | null;
  compare: Comparison;
  /** Custom comparison range, which takes precedence over `compare`; both days or neither. */
  compare_from: string | null;
  compare_to: string | null;
  traffic: Traffic;
  interval: Interval | null;
  /** The filters; null if the URL has invalid filters. */
  filters: Filter[] | null;
  /** The goal whose conversions the dashboard shows. */
  goal: string | null;
  /** The visit that conversions and revenue are given to; null for that in which they happened. */
  attribution: "first" | null;
  /** Segment id. */
  segment: string | null;
  /** The panels in order; empty for the default panels. */
  panels: DashboardPanel[];
  /** Id of the dashboard that was opened. */
  opened: string | null;
}

export type { SearchParams };

const GOAL = chosenGoal("");

/** A name that operations refuse is no goal, because the view keeps its goal on every page. */
const goalIn = (text: string | null): string | null =>
  text?.isWellFormed() && !text.includes("\0") && GOAL.safeParse(text).success ? text || null : null;

const isDate = (text: string | null) => z.iso.date().safeParse(text).success;

/** Returns two days in ascending order; null for an invalid date. */
function daysIn(...texts: [string | null, string | null]): [from: string | null, to: string | null] {
  const [from, to] = texts.map((date) => (isDate(date) ? date : null)) as [string | null, string | null];
  return from && to && from > to ? [to, from] : [from, to];
}

/** Reads a view from search parameters. Unknown or invalid values become the default. */
export function readView(params: SearchParams): View {
  const text = (key: string) => (typeof params[key] === "string" ? params[key] : null);
  const oneOf = <T extends string>(key: string, known: readonly T[]) => known.find((word) => word === text(key));
  const [from, to] = daysIn(text("from"), text("to"));
  const compare = oneOf("compare", Object.keys(COMPARISONS) as Comparison[]) ?? "previous_period";
  const compared = daysIn(text("compare_from"), text("compare_to"));
  const isCompared = compare !== "none" && compared.every((date) => date !== null);
  const period = oneOf("period", Object.keys(PERIODS) as Period[]) ?? "28d";
  return {
    period: from ? "custom" : period === "custom" ? "28d" : period,
    from,
    to: from ? to : null,
    compare,
    compare_from: isCompared ? compared[0] : null,
    compare_to: isCompared ? compared[1] : null,
    traffic: oneOf("traffic", Object.keys(TRAFFIC) as Traffic[]) ?? "human",
    interval: oneOf("interval", INTERVALS) ?? null,
    filters: filtersOfQuery(params),
    goal: goalIn(text("goal")),
    attribution: oneOf("attribution", ["first"] as const) ?? null,
    segment: text("segment"),
    panels: readPanels(text("panels")),
    opened: text("opened"),
  };
}

/**
 * Returns the view as the input of an analytics operation. Invalid filters are passed on, so that the operation rejects
 * them. The dashboard is not passed on, because the URL contains all its parameters, nor goal and attribution, which not all
 * reports have.
 */
export function reportInput(siteId: number, view: View) {
  const { interval: _, panels: __, opened: ___, goal: ____, attribution: _____, filters, ...rest } = view;
  return { site_id: siteId, ...rest, filters: filters ? sentOf(filters) : "unreadable" };
}

/** Fields of a view or an operation input without a comparison. */
export const NOT_COMPARED = { compare: "none", compare_from: null, compare_to: null } as const;

/** Returns whether the view has filters or a segment. */
export const isFilteredView = ({ filters, segment }: View): boolean => filters?.length !== 0 || segment !== null;

/** Returns the useful chart intervals for a number of days. */
export function intervalsFor(days: number): Interval[] {
  if (days <= 2) return ["hour"];
  if (days <= 14) return ["hour", "day"];
  if (days <= 120) return ["day", "week"];
  return days <= 740 ? ["day", "week", "month"] : ["week", "month"];
}

/** Returns the number of local days between two dates, both included. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / DAY_MS) + 1;

/** Returns whether the view's range includes the site's current day. */
export const stillGrows = ({ period, to }: View, today: string): boolean =>
  period === "custom" ? to === null || to >= today : period !== "yesterday" && period !== "last_month";

/** Returns a URL of a path and search parameters. */
export function addressOf(path: string, searchParams: SearchParams): string {
  const query = new URLSearchParams(
    Object.entries(searchParams).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one])),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}
