import type { DimensionKey } from "@/lib/analytics/query/dimensions";
import { METRICS, type Metric } from "@/lib/contract/vocabulary";
import { dateAt } from "@/lib/testing/oracle/clock";
import { isOfEvents, isOfWholeVisits, pageKey, valueOfFact, valueOfVisit } from "@/lib/testing/oracle/dimensions";
import {
  type Fact,
  isBounce,
  isInteraction,
  isNamed,
  isView,
  millisecond,
  type Visit,
  viewsOf,
} from "@/lib/testing/oracle/facts";
import type { DailySum, Sums } from "@/lib/testing/oracle/imported";
import type { Selection } from "@/lib/testing/oracle/query";

export type Numbers = Record<Metric, number | null>;

interface Counted {
  visits: readonly Visit[];
  facts: readonly Fact[];
  /** Imported sums. */
  imported: readonly DailySum[];
}

/** Computes all metrics by the definitions of `METRICS`. */
export function numbersOf({ visits, facts, imported }: Counted, zone: string): Numbers {
  const importedSum = (name: keyof Sums) => sum(imported.map((one) => one[name]));
  const all = visits.length + importedSum("visits");
  const visitors = new Set(visits.map(({ visitor, started }) => `${visitor} @ ${dateAt(started, zone)}`)).size;
  const durations = visits.map(({ started, last }) => millisecond(last) - millisecond(started));
  return {
    visitors: visitors + importedSum("visitors"),
    visits: all,
    ...eventNumbers(facts, zone, { pageviews: importedSum("pageviews"), events: importedSum("events") }),
    views_per_visit: ratio(facts.filter(isView).length + importedSum("pageviews"), all),
    bounce_rate: ratio(visits.filter(isBounce).length + importedSum("bounces"), all),
    visit_duration: ratio((sum(durations) + importedSum("durationMs")) / 1000, all),
  };
}

type EventMetric = "pageviews" | "events" | "time_on_page" | "scroll_depth";

function eventNumbers(
  facts: readonly Fact[],
  zone: string,
  imported: Pick<Sums, "pageviews" | "events">,
): Record<EventMetric, number | null> {
  const pageviews = facts.filter(isView).length + imported.pageviews;
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
    pageviews,
    events: facts.filter(isInteraction).length + imported.events,
    time_on_page: reports.length > 0 ? ratio(engaged / 1000, pageviews) : null,
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

/**
 * Returns the metrics of each combination of values. With dimensions of visits only, each visit counts in its own row;
 * with a dimension of events, visitors and visits are those of the views (or named events) per local day.
 */
export function rowsBy({ visits, facts, imported, titles, range }: Selection, by: readonly DimensionKey[]): Row[] {
  const { zone } = range;
  const ofEvents = by.some(isOfEvents);
  const wholeOnly = by.some(isOfWholeVisits);
  const rows = new Map<string, { values: (string | null)[]; visits: Visit[]; facts: Fact[]; imported: DailySum[] }>();
  const rowOf = (cells: string[]) => {
    const values = cells.map((value) => (value === "" ? null : value));
    const key = JSON.stringify(values);
    const row = rows.get(key) ?? { values, visits: [], facts: [], imported: [] };
    rows.set(key, row);
    return row;
  };
  const hasPages = (visit: Visit) => !wholeOnly || viewsOf(visit).length > 0;
  const counted = facts.filter((fact) => hasPages(fact.visit) && (!by.includes("event") || isNamed(fact)));
  for (const fact of counted) rowOf(by.map((key) => valueOfFact(fact, key, titles))).facts.push(fact);
  if (!ofEvents) {
    for (const visit of visits)
      if (hasPages(visit)) rowOf(by.map((key) => valueOfVisit(visit, key))).visits.push(visit);
  }
  if (by.length === 1) for (const one of imported) if (one.key === by[0]) rowOf([one.value]).imported.push(one);
  return [...rows.values()].map((row) => {
    const numbers = numbersOf(row, zone);
    if (!ofEvents) return { values: row.values, numbers };
    const seen = by.includes("event") ? row.facts : row.facts.filter(isView);
    const visitors = new Set(seen.map(({ visitor, at }) => `${visitor} @ ${dateAt(at, zone)}`)).size;
    const daily = seen.map(({ visit, at }) => `${visit.visitor} ${visit.started} @ ${dateAt(at, zone)}`);
    const [people, visited] = [numbers.visitors ?? 0, numbers.visits ?? 0];
    return {
      values: row.values,
      numbers: { ...numbers, visitors: people + visitors, visits: visited + new Set(daily).size },
    };
  });
}

/** Breaks ties: ascending by text, nulls last. */
export function byValues(a: Row, b: Row): number {
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
