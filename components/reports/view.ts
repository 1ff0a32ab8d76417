import { z } from "zod";
import { readPanels } from "@/components/reports/dashboard-panels";
import { type Filter, readFilters, type SearchParams, sentOf } from "@/components/reports/filters";
import { COMPARISONS, type Comparison, INTERVALS, type Interval, type Period } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";
import type { DashboardPanel } from "@/lib/sites/saved/dashboards";

/** What a dashboard's address says. */
export interface View {
  period: Period;
  from: string | null;
  to: string | null;
  compare: Comparison;
  /** Days of the reader's own to compare with, which win over `compare`; both or none. */
  compare_from: string | null;
  compare_to: string | null;
  traffic: Traffic;
  interval: Interval | null;
  /** What it is narrowed to; null when the address says something that cannot be read. */
  filters: Filter[] | null;
  /** The id of a saved set of filters. */
  segment: string | null;
  /** Which panels the dashboard shows, in their order; none are the usual ones. */
  panels: DashboardPanel[];
  /** The id of the saved view that it was opened as. */
  opened: string | null;
}

export type { SearchParams };

const isDate = (text: string | null) => z.iso.date().safeParse(text).success;

/** Two days in their order; null for what is no date. */
function daysIn(...texts: [string | null, string | null]): [from: string | null, to: string | null] {
  const [from, to] = texts.map((date) => (isDate(date) ? date : null)) as [string | null, string | null];
  return from && to && from > to ? [to, from] : [from, to];
}

/** Reads a view from an address. What it does not understand, an old link or a slip, becomes the default. */
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
    filters: readFilters(params),
    segment: text("segment"),
    panels: readPanels(text("panels")),
    opened: text("opened"),
  };
}

/**
 * The same view as the input of an analytics operation. It refuses filters that cannot be read, and says so. The address
 * of a saved view says all that it is: the operation need not look it up.
 */
export function reportInput(siteId: number, view: View) {
  const { interval: _, panels: __, opened: ___, filters, ...rest } = view;
  return { site_id: siteId, ...rest, filters: filters ? sentOf(filters) : "unreadable" };
}

/** What a view or a question says where nothing is compared. */
export const NOT_COMPARED = { compare: "none", compare_from: null, compare_to: null } as const;

/** Whether the view shows less than there is in its days. */
export const isNarrowed = ({ filters, segment }: View): boolean => filters?.length !== 0 || segment !== null;

/** The intervals that make sense for a range of so many days. */
export function intervalsFor(days: number): Interval[] {
  if (days <= 2) return ["hour"];
  if (days <= 14) return ["hour", "day"];
  if (days <= 120) return ["day", "week"];
  return days <= 740 ? ["day", "week", "month"] : ["week", "month"];
}

/** How many local days lie between two dates, both counted. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000) + 1;

/** Whether the view's range includes `today`, the site's own. */
export const stillGrows = ({ period, to }: View, today: string): boolean =>
  period === "custom" ? to === null || to >= today : period !== "yesterday" && period !== "last_month";

/** An address with what was asked, as it was asked. */
export function addressOf(path: string, asked: SearchParams): string {
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one])),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}
