import type { BreakdownKey } from "@/lib/analytics/query/dimensions";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { dateAt } from "@/lib/testing/oracle/clock";
import {
  isOfEvents,
  isOfWholeVisits,
  isProperty,
  pageKey,
  valueOfFact,
  valueOfVisit,
} from "@/lib/testing/oracle/dimensions";
import {
  type Fact,
  isBounce,
  isInteraction,
  isNamed,
  isPresence,
  isView,
  millisecond,
  type Visit,
  viewsOf,
} from "@/lib/testing/oracle/facts";
import type { DailySum, Sums } from "@/lib/testing/oracle/imported";
import type { Selection } from "@/lib/testing/oracle/query";

export type Numbers = Record<Metric, number | null>;

export interface Counted {
  visits: readonly Visit[];
  facts: readonly Fact[];
  /** The events whose visitors count; by default all that show that a visitor was there. */
  seen?: readonly Fact[];
  /** Imported sums. */
  imported: readonly DailySum[];
}

/** Computes all metrics by the definitions of `METRICS`. */
export function numbersOf({ visits, facts, imported, seen }: Counted, zone: string): Numbers {
  /** A count that nobody knows is null, one that only some imported days lack is that of the others. */
  const counted = (own: number, name: keyof Sums) => {
    const total = own + sum(imported.map((one) => one[name] ?? 0));
    return total === 0 && imported.some((one) => one[name] === null) ? null : total;
  };
  /** A ratio of what is known: imported days without either number are in neither sum. */
  const known = (own: [number, number], part: keyof Sums, whole: keyof Sums) => {
    const days = imported.filter((one) => one[part] !== null && one[whole] !== null);
    const of = (name: keyof Sums) => sum(days.map((one) => one[name] ?? 0));
    return ratio(own[0] + of(part), own[1] + of(whole));
  };
  const visitors = visitorsOf(seen ?? facts.filter(isPresence), zone);
  const durations = visits.map(({ started, last }) => millisecond(last) - millisecond(started));
  return {
    visitors: counted(visitors, "visitors"),
    visits: counted(visits.length, "visits"),
    ...engagementOf(facts, zone),
    pageviews: counted(facts.filter(isView).length, "pageviews"),
    events: counted(facts.filter(isInteraction).length, "events"),
    views_per_visit: known([facts.filter(isView).length, visits.length], "pageviews", "visits"),
    bounce_rate: known([visits.filter(isBounce).length, visits.length], "bounces", "visits"),
    visit_duration: inSeconds(known([sum(durations), visits.length], "durationMs", "visits")),
  };
}

const inSeconds = (ms: number | null): number | null => ms && ms / 1000;

/** Counts distinct visitors on each local day on which they have one of these events. */
export const visitorsOf = (facts: readonly Fact[], zone: string): number =>
  new Set(facts.map(({ visitor, at }) => `${visitor} @ ${dateAt(at, zone)}`)).size;

/** Imported days have neither. */
function engagementOf(facts: readonly Fact[], zone: string): Pick<Numbers, "time_on_page" | "scroll_depth"> {
  const reports = facts.filter(({ type }) => type === "engagement");
  const furthest = new Map<Visit, Map<string, number>>();
  for (const { visit, page, at, scroll } of reports) {
    if (scroll === null) continue;
    const pages = furthest.get(visit) ?? new Map<string, number>();
    const key = `${page ? pageKey(page) : ""} @ ${dateAt(at, zone)}`;
    pages.set(key, Math.max(pages.get(key) ?? 0, scroll));
    furthest.set(visit, pages);
  }
  const scrolls = [...furthest.values()].flatMap((pages) => [...pages.values()]);
  const engaged = sum(facts.map(({ engagementMs }) => engagementMs ?? 0));
  return {
    time_on_page: reports.length > 0 ? ratio(engaged / 1000, facts.filter(isView).length) : null,
    scroll_depth: ratio(sum(scrolls) / 100, scrolls.length),
  };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
/** Returns a percentile with linear interpolation. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (high - low) * (place - Math.floor(place));
}

export const headline = ({ visits, facts, imported, range }: Selection): Numbers =>
  numbersOf({ visits, facts, imported: imported.filter(({ key }) => key === null) }, range.zone);

export interface Row {
  /** Null is unknown or none. */
  values: (string | null)[];
  numbers: Numbers;
}

/** Visits, events and imported sums of a combination of values. */
export interface Group extends Counted {
  values: (string | null)[];
}

/** Returns the metrics of each combination of values. */
export const rowsBy = (scope: Selection, by: readonly BreakdownKey[]): Row[] =>
  groupsBy(scope, by).map(({ values, ...counted }) => ({ values, numbers: numbersOf(counted, scope.range.zone) }));

/**
 * Returns the visits and events of each combination of values. With dimensions of visits only, each visit counts in its own row;
 * with a dimension of events, visitors and visits are those with such a view (or named event). With a property, all of it is
 * about the views and named events that have it.
 */
export function groupsBy(
  { visits, facts, imported, titles, matches }: Selection,
  by: readonly BreakdownKey[],
): Group[] {
  const ofEvents = by.some(isOfEvents);
  const wholeOnly = by.some(isOfWholeVisits);
  const properties = by.filter(isProperty);
  const hasTypes = (fact: Fact) => (properties.length > 0 ? isNamed(fact) || isView(fact) : isView(fact));
  const isShown = (fact: Fact) =>
    (by.includes("event") ? isNamed(fact) : hasTypes(fact)) &&
    properties.every((key) => valueOfFact(fact, key, titles) !== "");
  const isCounted = (fact: Fact) => (by.includes("event") || properties.length > 0 ? isShown(fact) : true);
  const rows = new Map<
    string,
    { values: (string | null)[]; visits: Set<Visit>; facts: Fact[]; imported: DailySum[] }
  >();
  const rowOf = (cells: string[]) => {
    const values = cells.map((value) => (value === "" ? null : value));
    const key = JSON.stringify(values);
    const row = rows.get(key) ?? { values, visits: new Set<Visit>(), facts: [], imported: [] };
    rows.set(key, row);
    return row;
  };
  const hasPages = (visit: Visit) => !wholeOnly || viewsOf(visit).length > 0;
  const counted = facts.filter((fact) => hasPages(fact.visit) && isCounted(fact));
  for (const fact of counted) rowOf(by.map((key) => valueOfFact(fact, key, titles))).facts.push(fact);
  for (const visit of visits.filter(hasPages)) {
    if (!ofEvents) rowOf(by.map((key) => valueOfVisit(visit, key))).visits.add(visit);
    for (const fact of visit.facts)
      if (ofEvents && isShown(fact) && matches(fact))
        rowOf(by.map((key) => valueOfFact(fact, key, titles))).visits.add(visit);
  }
  if (by.length === 1) for (const one of imported) if (one.key === by[0]) rowOf([one.value]).imported.push(one);
  return [...rows.values()].map(({ visits, ...row }) => ({
    ...row,
    visits: [...visits],
    ...(ofEvents && { seen: row.facts.filter(isShown) }),
  }));
}

/** Breaks ties: ascending by text, nulls last. */
export function byValues(a: Pick<Row, "values">, b: Pick<Row, "values">): number {
  for (const [index, value] of a.values.entries()) {
    const other = b.values[index] ?? null;
    if (value === other) continue;
    if (value === null) return 1;
    if (other === null) return -1;
    return value < other ? -1 : 1;
  }
  return 0;
}

export const metricNames = Object.keys(METRICS) as Metric[];
